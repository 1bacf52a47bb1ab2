import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        columns_first = torch.relu(x.t().contiguous())
        result = columns_first.t()
        assert not result.is_contiguous()
        return result
