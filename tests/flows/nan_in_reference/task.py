import torch
import torch.nn as nn

rows = 33
columns = 70


class Model(nn.Module):
    """Natural logarithm: not a number for negative elements, minus infinity for the zeros of the first column."""

    def forward(self, x):
        return torch.log(x)


def get_inputs():
    x = torch.randn(rows, columns)
    x[:, 0] = 0.0
    return [x]


def get_init_inputs():
    return []
