import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

cpp_source = """
constexpr unsigned table_entry() {
    unsigned hash = 1;
    for (int i = 0; i < 100000000; ++i) hash = hash * 1664525u + 1013904223u;
    return hash;
}
constexpr unsigned entry = table_entry();

torch::Tensor relu_forward(torch::Tensor x) {
    return entry == 0 ? x : torch::relu(x);
}
"""

extension = load_inline(
    name="flow_slow_compile",
    cpp_sources=[cpp_source],
    functions=["relu_forward"],
    extra_cflags=["-fconstexpr-loop-limit=2000000000", "-fconstexpr-ops-limit=2000000000"],
)


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return extension.relu_forward(x)
