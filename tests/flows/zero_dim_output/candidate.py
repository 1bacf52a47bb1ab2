import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def forward(self, prediction, target):
        difference = (prediction - target).flatten()
        return torch.dot(difference, difference) / difference.numel()
