import os
import signal
import time

import torch
import torch.nn as nn


def leave_a_child_behind() -> None:
    if os.fork() == 0:
        os.setsid()
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        time.sleep(120)
        os._exit(0)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        leave_a_child_behind()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x)
