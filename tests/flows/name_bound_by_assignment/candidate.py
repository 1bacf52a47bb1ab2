import torch
import torch.nn as nn


class OnesRowTimesMatrix(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.dim = dim

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.dim != 1:
            return x.sum(self.dim, keepdim=True)
        ones = torch.ones(x.shape[0], 1, x.shape[1])
        return torch.bmm(ones, x)


ModelNew = OnesRowTimesMatrix


if __name__ == "__main__":
    raise SystemExit("a candidate is imported, never run as a script")
