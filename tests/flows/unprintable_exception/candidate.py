import torch
import torch.nn as nn


class Unprintable(Exception):
    def __str__(self):
        raise RuntimeError("no text for you")

    __repr__ = __str__


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        raise Unprintable() from ValueError("half a pair \ud83d, a byte \udcff, a zero \x00")
