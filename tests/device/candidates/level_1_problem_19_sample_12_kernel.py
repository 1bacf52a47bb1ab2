# expect: timed_out/check
# limit-s: 20
# CUDA: the unit of sample 11, but the flag is never set: the kernel runs for ever.
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

cuda_source = r"""
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

__global__ void relu_kernel(const float* x, float* y, long long count, const volatile int* ready) {
  while (*ready == 0) {
  }
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) {
    y[i] = fmaxf(x[i], 0.0f);
  }
}

torch::Tensor relu(torch::Tensor x, torch::Tensor ready) {
  const c10::cuda::CUDAGuard guard(x.device());
  auto y = torch::empty_like(x);
  const long long count = x.numel();
  relu_kernel<<<(count + 255) / 256, 256, 0, c10::cuda::getCurrentCUDAStream()>>>(
      x.data_ptr<float>(), y.data_ptr<float>(), count, ready.data_ptr<int>());
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}
"""

module = load_inline(
    name="relu_when_ready",
    cpp_sources="torch::Tensor relu(torch::Tensor x, torch::Tensor ready);",
    cuda_sources=cuda_source,
    functions=["relu"],
)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.ready = torch.zeros(1, dtype=torch.int32, device="cuda")

    def forward(self, x):
        return module.relu(x, self.ready)
