import torch
import torch.nn as nn


def total(x, dim, first):
    return x.select(dim, first) + total(x, dim, 0)


class ModelNew(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.dim = dim

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return total(x, self.dim, 0).unsqueeze(self.dim)
