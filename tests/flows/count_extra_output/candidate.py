import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def forward(self, x):
        variance, mean = torch.var_mean(x, dim=1, correction=0)
        return mean, variance.unsqueeze(1), variance.sqrt()
