import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor):
        return torch.softmax(x, dim=1), x.amax(dim=1)
