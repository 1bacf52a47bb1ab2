import torch
import torch.nn as nn

rows = 70
columns = 130


class Model(nn.Module):
    """Position of the largest element of every row."""

    def forward(self, x):
        return torch.argmax(x, dim=1)


def get_inputs():
    return [torch.randn(rows, columns)]


def get_init_inputs():
    return []
