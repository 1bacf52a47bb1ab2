import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.scratch = bytearray(1 << 45)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x)
