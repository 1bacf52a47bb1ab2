import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def forward(self, A: torch.Tensor, B: torch.Tensor) -> torch.Tensor:
        product = torch.mm(A, B)
        product[-1, -1] += 1.0
        return product
