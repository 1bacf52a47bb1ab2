# expect: build_failed/compiler
# quick
# CUDA: nvcc refuses the kernel (an array with a size from run time, and a name that nobody declared).
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

cuda_source = r"""
__global__ void relu_kernel(const float* x, float* y, int count) {
  __shared__ float staged[blockDim.x];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) {
    staged[threadIdx.x] = x[i];
    y[i] = clamp_to_zero(staged[threadIdx.x]);
  }
}

torch::Tensor relu(torch::Tensor x) {
  auto y = torch::empty_like(x);
  const int count = x.numel();
  relu_kernel<<<(count + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), count);
  return y;
}
"""

module = load_inline(
    name="relu_not_cuda",
    cpp_sources="torch::Tensor relu(torch::Tensor x);",
    cuda_sources=cuda_source,
    functions=["relu"],
)


class ModelNew(nn.Module):
    def forward(self, x):
        return module.relu(x)
