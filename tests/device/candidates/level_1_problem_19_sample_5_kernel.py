# expect: crashed/illegal_memory_access
# quick
# CUDA: a ReLU that reads 4 TiB behind its input.
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

cuda_source = r"""
__global__ void relu_kernel(const float* x, float* y, long long count, long long shift) {
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) {
    y[i] = fmaxf(x[i + shift], 0.0f);
  }
}

torch::Tensor relu(torch::Tensor x) {
  auto y = torch::empty_like(x);
  const long long count = x.numel();
  relu_kernel<<<(count + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), count, 1LL << 40);
  return y;
}
"""

module = load_inline(
    name="relu_out_of_bounds",
    cpp_sources="torch::Tensor relu(torch::Tensor x);",
    cuda_sources=cuda_source,
    functions=["relu"],
)


class ModelNew(nn.Module):
    def forward(self, x):
        return module.relu(x)
