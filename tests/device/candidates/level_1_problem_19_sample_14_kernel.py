# expect: correct
# CUDA: a ReLU whose unit is built in the constructor, not at import.
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

cuda_source = r"""
#include <c10/cuda/CUDAStream.h>

__global__ void relu_kernel(const float* x, float* y, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) {
    y[i] = fmaxf(x[i], 0.0f);
  }
}

torch::Tensor relu(torch::Tensor x) {
  auto y = torch::empty_like(x);
  const int count = x.numel();
  relu_kernel<<<(count + 255) / 256, 256, 0, c10::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>(), y.data_ptr<float>(), count);
  return y;
}
"""


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.module = load_inline(
            name="relu_in_constructor",
            cpp_sources="torch::Tensor relu(torch::Tensor x);",
            cuda_sources=cuda_source,
            functions=["relu"],
            extra_cuda_cflags=["--use_fast_math"],
        )

    def forward(self, x):
        return self.module.relu(x)
