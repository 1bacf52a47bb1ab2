import torch
import torch.nn as nn

rows = 12
columns = 31


class Model(nn.Module):
    """Drops every column."""

    def forward(self, x):
        return x[:, x.shape[1] :] * 2.0


def get_inputs():
    return [torch.randn(rows, columns)]


def get_init_inputs():
    return []
