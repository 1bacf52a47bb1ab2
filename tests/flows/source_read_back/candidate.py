import inspect
import math

import torch
import torch.nn as nn


def with_source(function):
    source = inspect.getsource(function)
    if "0.044715" not in source:
        raise RuntimeError("the source of the function is not available")
    function.source = source
    return function


@with_source
def new_gelu(x):
    inner = math.sqrt(2.0 / math.pi) * (x + 0.044715 * x * x * x)
    return inner.tanh_().add_(1.0).mul_(x).mul_(0.5)


class ModelNew(nn.Module):
    def forward(self, x):
        assert len(new_gelu.source.splitlines()) == 4
        return new_gelu(x)
