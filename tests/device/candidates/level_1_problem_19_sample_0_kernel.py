# expect: correct
# quick
# CUDA: ReLU, four elements a thread.
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

cuda_source = r"""
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>

__device__ float relu_of(float x) { return x < 0 ? 0 : x; } // keeps NaN

__global__ void relu_kernel(const float* __restrict__ x, float* __restrict__ y, long long count) {
  const long long first = 4 * (static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x);
  if (first + 3 < count) {
    float4 v = *reinterpret_cast<const float4*>(x + first);
    v.x = relu_of(v.x);
    v.y = relu_of(v.y);
    v.z = relu_of(v.z);
    v.w = relu_of(v.w);
    *reinterpret_cast<float4*>(y + first) = v;
  } else {
    for (long long i = first; i < count; ++i) {
      y[i] = relu_of(x[i]);
    }
  }
}

torch::Tensor relu(torch::Tensor x) {
  TORCH_CHECK(x.is_contiguous() && x.scalar_type() == torch::kFloat);
  auto y = torch::empty_like(x);
  const long long count = x.numel();
  const int threads = 256;
  const long long blocks = (count + 4 * threads - 1) / (4 * threads);
  relu_kernel<<<blocks, threads, 0, c10::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>(), y.data_ptr<float>(), count);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}
"""

module = load_inline(
    name="relu_float4",
    cpp_sources="torch::Tensor relu(torch::Tensor x);",
    cuda_sources=cuda_source,
    functions=["relu"],
)


class ModelNew(nn.Module):
    def forward(self, x):
        return module.relu(x)
