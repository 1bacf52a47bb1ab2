import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

cpp_source = """
#include <pybind11/pybind11.h>

extern "C" int relu_rows_of_a_lost_file(int rows);

PYBIND11_MODULE(TORCH_EXTENSION_NAME, module) {
    module.def("relu_rows", [](int rows) { return relu_rows_of_a_lost_file(rows); });
}
"""

extension = load_inline(
    name="flow_undefined_symbol",
    cpp_sources=[cpp_source],
    extra_cflags=["-O0"],
    no_implicit_headers=True,
)


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        extension.relu_rows(x.shape[0])
        return torch.relu(x)
