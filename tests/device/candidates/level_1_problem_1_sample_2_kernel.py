# expect: wrong_output/value
# CUDA: a tiled matmul that leaves out the last tile of the sum.
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

cuda_source = r"""
constexpr int tile = 16;

__global__ void matmul_kernel(const float* a, const float* b, float* c, int n) {
  __shared__ float a_tile[tile][tile];
  __shared__ float b_tile[tile][tile];
  const int row = blockIdx.y * tile + threadIdx.y;
  const int column = blockIdx.x * tile + threadIdx.x;
  float sum = 0;
  for (int done = 0; done + tile < n; done += tile) { // should be done < n
    a_tile[threadIdx.y][threadIdx.x] = row < n ? a[row * n + done + threadIdx.x] : 0;
    b_tile[threadIdx.y][threadIdx.x] = column < n ? b[(done + threadIdx.y) * n + column] : 0;
    __syncthreads();
    for (int i = 0; i < tile; ++i) {
      sum += a_tile[threadIdx.y][i] * b_tile[i][threadIdx.x];
    }
    __syncthreads();
  }
  if (row < n && column < n) {
    c[row * n + column] = sum;
  }
}

torch::Tensor matmul(torch::Tensor a, torch::Tensor b) {
  const int n = a.size(0);
  auto c = torch::empty_like(a);
  const dim3 blocks((n + tile - 1) / tile, (n + tile - 1) / tile);
  matmul_kernel<<<blocks, dim3(tile, tile)>>>(a.data_ptr<float>(), b.data_ptr<float>(), c.data_ptr<float>(), n);
  return c;
}
"""

module = load_inline(
    name="short_matmul",
    cpp_sources="torch::Tensor matmul(torch::Tensor a, torch::Tensor b);",
    cuda_sources=cuda_source,
    functions=["matmul"],
)


class ModelNew(nn.Module):
    def forward(self, A, B):
        return module.matmul(A, B)
