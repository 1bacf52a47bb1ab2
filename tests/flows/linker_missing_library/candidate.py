import os
import tempfile

import torch
import torch.nn as nn
from torch.utils.cpp_extension import load

folder = tempfile.mkdtemp(prefix="flow_missing_library_")
source = os.path.join(folder, "answer.cpp")
with open(source, "w") as file:
    file.write('extern "C" int answer() { return 42; }\n')

load(
    name="flow_missing_library",
    sources=[source],
    extra_ldflags=["-lno_such_library_here"],
    build_directory=folder,
    is_python_module=False,
)


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x)
