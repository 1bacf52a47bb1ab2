"""Product of a diagonal matrix, given by its diagonal A, and a matrix B: row i of B times A[i]."""

import torch
import torch.nn as nn

M = 4096
N = 4096


class Model(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, A, B):
        return A.unsqueeze(1) * B


def get_inputs():
    A = torch.randn(N)
    B = torch.randn(N, M)
    return [A, B]


def get_init_inputs():
    return []
