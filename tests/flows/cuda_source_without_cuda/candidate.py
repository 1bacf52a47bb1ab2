import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

cuda_source = """
#include <torch/extension.h>

__global__ void relu_kernel(const float* in, float* out, long n) {
    long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
    if (i < n) out[i] = fmaxf(in[i], 0.0f);
}

torch::Tensor relu_forward(torch::Tensor x) {
    auto out = torch::empty_like(x);
    const int threads = 256;
    relu_kernel<<<(x.numel() + threads - 1) / threads, threads>>>(x.data_ptr<float>(), out.data_ptr<float>(), x.numel());
    return out;
}
"""

extension = load_inline(
    name="flow_cuda_relu",
    cpp_sources=["torch::Tensor relu_forward(torch::Tensor x);"],
    cuda_sources=[cuda_source],
    functions=["relu_forward"],
)


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return extension.relu_forward(x)
