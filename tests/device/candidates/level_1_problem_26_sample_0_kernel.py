# expect: correct
# CUDA: GELU in its exact form, four elements a thread.
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

cuda_source = r"""
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>

__device__ float gelu_of(float x) { return 0.5f * x * (1.0f + erff(x * 0.70710678118654752f)); }

__global__ void gelu_kernel(const float* __restrict__ x, float* __restrict__ y, long long count) {
  const long long first = 4 * (static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x);
  if (first + 3 < count) {
    float4 v = *reinterpret_cast<const float4*>(x + first);
    v.x = gelu_of(v.x);
    v.y = gelu_of(v.y);
    v.z = gelu_of(v.z);
    v.w = gelu_of(v.w);
    *reinterpret_cast<float4*>(y + first) = v;
  } else {
    for (long long i = first; i < count; ++i) {
      y[i] = gelu_of(x[i]);
    }
  }
}

torch::Tensor gelu(torch::Tensor x) {
  TORCH_CHECK(x.is_contiguous() && x.scalar_type() == torch::kFloat);
  auto y = torch::empty_like(x);
  const long long count = x.numel();
  const int threads = 256;
  const long long blocks = (count + 4 * threads - 1) / (4 * threads);
  gelu_kernel<<<blocks, threads, 0, c10::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>(), y.data_ptr<float>(), count);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}
"""

module = load_inline(
    name="gelu_float4",
    cpp_sources="torch::Tensor gelu(torch::Tensor x);",
    cuda_sources=cuda_source,
    functions=["gelu"],
)


class ModelNew(nn.Module):
    def forward(self, x):
        return module.gelu(x)
