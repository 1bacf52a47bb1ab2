# expect: correct
# Half of the work on a stream of its own, which is joined before the output is returned.
import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.side = torch.cuda.Stream()

    def forward(self, x):
        y = torch.empty_like(x)
        half = x.shape[0] // 2
        current = torch.cuda.current_stream()
        self.side.wait_stream(current)
        with torch.cuda.stream(self.side):
            torch.clamp(x[:half], min=0, out=y[:half])
        torch.clamp(x[half:], min=0, out=y[half:])
        current.wait_stream(self.side)
        return y
