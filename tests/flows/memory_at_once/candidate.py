import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        workspace = torch.empty(1 << 40, dtype=torch.float32)
        workspace[0] = 1.0
        return torch.relu(x) * workspace[0]
