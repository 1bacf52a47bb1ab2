import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def forward(self, x):
        return torch.argmax(x, dim=1) + 1
