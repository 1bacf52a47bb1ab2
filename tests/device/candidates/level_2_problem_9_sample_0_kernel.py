# expect: correct
# CUDA: linear layer, subtraction, multiplication and ReLU in one kernel, an output a thread: the matrices are tiny.
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

cuda_source = r"""
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>

__global__ void fused_kernel(const float* __restrict__ x, const float* __restrict__ weight, const float* __restrict__ bias,
                             float* __restrict__ y, int rows, int inputs, int outputs, float subtract, float multiply) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows * outputs) {
    return;
  }
  const float* of_row = x + i / outputs * inputs;
  const float* of_output = weight + i % outputs * inputs;
  float sum = bias[i % outputs];
  for (int k = 0; k < inputs; ++k) {
    sum += of_row[k] * of_output[k];
  }
  y[i] = fmaxf((sum - subtract) * multiply, 0.0f);
}

torch::Tensor fused(torch::Tensor x, torch::Tensor weight, torch::Tensor bias, double subtract, double multiply) {
  TORCH_CHECK(x.is_contiguous() && weight.is_contiguous() && x.size(1) == weight.size(1));
  const int rows = x.size(0), inputs = x.size(1), outputs = weight.size(0);
  auto y = torch::empty({rows, outputs}, x.options());
  fused_kernel<<<(rows * outputs + 127) / 128, 128, 0, c10::cuda::getCurrentCUDAStream()>>>(
      x.data_ptr<float>(), weight.data_ptr<float>(), bias.data_ptr<float>(), y.data_ptr<float>(), rows, inputs, outputs,
      static_cast<float>(subtract), static_cast<float>(multiply));
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}
"""

module = load_inline(
    name="linear_fused",
    cpp_sources="torch::Tensor fused(torch::Tensor x, torch::Tensor weight, torch::Tensor bias, double subtract, double multiply);",
    cuda_sources=cuda_source,
    functions=["fused"],
)


class ModelNew(nn.Module):
    def __init__(self, in_features, out_features, subtract_value, multiply_value):
        super().__init__()
        self.linear = nn.Linear(in_features, out_features)
        self.subtract_value = subtract_value
        self.multiply_value = multiply_value

    def forward(self, x):
        return module.fused(x, self.linear.weight, self.linear.bias, self.subtract_value, self.multiply_value)
