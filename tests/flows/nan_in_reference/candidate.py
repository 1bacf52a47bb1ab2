import math

import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def forward(self, x):
        return torch.log2(x).mul_(math.log(2.0))
