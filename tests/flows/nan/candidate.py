import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = torch.softmax(x, dim=1)
        y[-1] *= float("nan")
        return y
