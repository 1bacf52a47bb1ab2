import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor, slope: float, power: int) -> torch.Tensor:
        assert isinstance(slope, float) and isinstance(power, int)
        y = torch.nn.functional.leaky_relu(x, slope)
        result = y
        for _ in range(power - 1):
            result = result * y
        return result
