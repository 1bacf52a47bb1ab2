import threading

import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        out = torch.empty_like(x)
        half = x.shape[0] // 2

        def work(rows: slice) -> None:
            with torch.no_grad():
                torch.clamp(x[rows], min=0.0, out=out[rows])

        threads = [threading.Thread(target=work, args=(rows,)) for rows in (slice(0, half), slice(half, None))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return out
