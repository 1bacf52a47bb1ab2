import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def __init__(self, in_features, out_features, subtract_value, multiply_value):
        super().__init__()
        self.linear = nn.Linear(in_features, out_features)
        self.subtract_value = subtract_value
        self.multiply_value = multiply_value
        self.buffer = None

    def forward(self, x):
        rows, columns = x.shape[0], self.linear.out_features
        if self.buffer is None or self.buffer.shape[0] != rows:
            self.buffer = torch.empty(rows, columns, dtype=x.dtype, device=x.device)
        torch.addmm(self.linear.bias, x, self.linear.weight.t(), out=self.buffer)
        return self.buffer.sub_(self.subtract_value).mul_(self.multiply_value).relu_()
