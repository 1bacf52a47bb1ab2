import torch
import torch.nn as nn
from fused_kernels_that_nobody_wrote import relu


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return relu(x)
