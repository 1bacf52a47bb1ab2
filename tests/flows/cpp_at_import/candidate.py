import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

cpp_source = r"""
#include <torch/extension.h>
#include <ATen/Parallel.h>

torch::Tensor relu_forward(torch::Tensor x) {
    TORCH_CHECK(x.scalar_type() == torch::kFloat32, "float32 only");
    auto in = x.contiguous();
    auto out = torch::empty_like(in);
    const float* from = in.data_ptr<float>();
    float* to = out.data_ptr<float>();
    at::parallel_for(0, in.numel(), 32768, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) to[i] = from[i] > 0.0f ? from[i] : 0.0f;
    });
    return out;
}
"""

relu_extension = load_inline(
    name="flow_relu_at_import",
    cpp_sources=[cpp_source],
    functions=["relu_forward"],
    extra_cflags=["-O3"],
)


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return relu_extension.relu_forward(x)
