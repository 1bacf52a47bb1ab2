# expect: correct
# CUDA: asks for the GPU's properties at import, after its unit, and launches as many blocks as the GPU keeps busy.
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

cuda_source = r"""
#include <c10/cuda/CUDAStream.h>

__global__ void relu_kernel(const float* x, float* y, long long count) {
  const long long stride = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride) {
    y[i] = fmaxf(x[i], 0.0f);
  }
}

torch::Tensor relu(torch::Tensor x, int64_t blocks) {
  auto y = torch::empty_like(x);
  relu_kernel<<<blocks, 256, 0, c10::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
}
"""

module = load_inline(
    name="relu_persistent",
    cpp_sources="torch::Tensor relu(torch::Tensor x, int64_t blocks);",
    cuda_sources=cuda_source,
    functions=["relu"],
)
blocks = 8 * torch.cuda.get_device_properties(0).multi_processor_count


class ModelNew(nn.Module):
    def forward(self, x):
        return module.relu(x, blocks)
