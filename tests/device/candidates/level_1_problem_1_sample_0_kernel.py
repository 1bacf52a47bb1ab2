# expect: correct
# quick
# CUDA: fp32 matmul, tiles of 128 x 128 in shared memory, 8 x 8 outputs a thread, the next tile fetched while this one is used.
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

cuda_source = r"""
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>

constexpr int tile = 128;   // rows and columns of c that a block computes
constexpr int depth = 8;    // of the slices of a and b that are in shared memory at a time
constexpr int threads = 256;

// Four neighbours of a row; zero where the matrix ends.
__device__ float4 load4(const float* matrix, int rows, int columns, int row, int column) {
  const float* place = matrix + static_cast<long long>(row) * columns + column;
  if (row < rows && column + 3 < columns && columns % 4 == 0) {
    return *reinterpret_cast<const float4*>(place);
  }
  float4 values = {0, 0, 0, 0};
  if (row < rows) {
    if (column < columns) values.x = place[0];
    if (column + 1 < columns) values.y = place[1];
    if (column + 2 < columns) values.z = place[2];
    if (column + 3 < columns) values.w = place[3];
  }
  return values;
}

__global__ void __launch_bounds__(threads, 2)
matmul_kernel(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int m, int n, int k) {
  __shared__ __align__(16) float a_slice[2][depth][tile]; // transposed
  __shared__ __align__(16) float b_slice[2][depth][tile];
  const int thread = threadIdx.x;
  const int first_row = blockIdx.y * tile;
  const int first_column = blockIdx.x * tile;
  // What this thread fetches of each slice: four numbers of a row of a, four of a row of b.
  const int a_row = thread / 2, a_column = thread % 2 * 4;
  const int b_row = thread / 32, b_column = thread % 32 * 4;
  // What it computes: rows and columns first + {0..3} and first + 64 + {0..3}.
  const int row = thread / 16 * 4, column = thread % 16 * 4;
  float sum[8][8] = {};

  const auto keep = [&](int which, float4 from_a, float4 from_b) {
    a_slice[which][a_column + 0][a_row] = from_a.x;
    a_slice[which][a_column + 1][a_row] = from_a.y;
    a_slice[which][a_column + 2][a_row] = from_a.z;
    a_slice[which][a_column + 3][a_row] = from_a.w;
    *reinterpret_cast<float4*>(&b_slice[which][b_row][b_column]) = from_b;
  };
  keep(0, load4(a, m, k, first_row + a_row, a_column), load4(b, k, n, b_row, first_column + b_column));
  __syncthreads();

  int which = 0;
  for (int done = 0; done < k; done += depth) {
    const int next = done + depth;
    float4 from_a, from_b;
    if (next < k) {
      from_a = load4(a, m, k, first_row + a_row, next + a_column);
      from_b = load4(b, k, n, next + b_row, first_column + b_column);
    }
#pragma unroll
    for (int d = 0; d < depth; ++d) {
      __align__(16) float x[8], y[8];
      *reinterpret_cast<float4*>(x) = *reinterpret_cast<const float4*>(&a_slice[which][d][row]);
      *reinterpret_cast<float4*>(x + 4) = *reinterpret_cast<const float4*>(&a_slice[which][d][row + 64]);
      *reinterpret_cast<float4*>(y) = *reinterpret_cast<const float4*>(&b_slice[which][d][column]);
      *reinterpret_cast<float4*>(y + 4) = *reinterpret_cast<const float4*>(&b_slice[which][d][column + 64]);
#pragma unroll
      for (int i = 0; i < 8; ++i) {
#pragma unroll
        for (int j = 0; j < 8; ++j) {
          sum[i][j] += x[i] * y[j];
        }
      }
    }
    if (next < k) {
      which ^= 1;
      keep(which, from_a, from_b);
      __syncthreads();
    }
  }

#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int c_row = first_row + row + i % 4 + i / 4 * 64;
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int c_column = first_column + column + half * 64;
      float* place = c + static_cast<long long>(c_row) * n + c_column;
      const float* values = &sum[i][half * 4];
      if (c_row < m && c_column + 3 < n && n % 4 == 0) {
        *reinterpret_cast<float4*>(place) = make_float4(values[0], values[1], values[2], values[3]);
      } else if (c_row < m) {
#pragma unroll
        for (int j = 0; j < 4; ++j) {
          if (c_column + j < n) place[j] = values[j];
        }
      }
    }
  }
}

torch::Tensor matmul(torch::Tensor a, torch::Tensor b) {
  TORCH_CHECK(a.is_contiguous() && b.is_contiguous() && a.size(1) == b.size(0));
  const int m = a.size(0), k = a.size(1), n = b.size(1);
  auto c = torch::empty({m, n}, a.options());
  const dim3 blocks((n + tile - 1) / tile, (m + tile - 1) / tile);
  matmul_kernel<<<blocks, threads, 0, c10::cuda::getCurrentCUDAStream()>>>(
      a.data_ptr<float>(), b.data_ptr<float>(), c.data_ptr<float>(), m, n, k);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return c;
}
"""

module = load_inline(
    name="tiled_matmul",
    cpp_sources="torch::Tensor matmul(torch::Tensor a, torch::Tensor b);",
    cuda_sources=cuda_source,
    functions=["matmul"],
    extra_cuda_cflags=["-O3"],
)


class ModelNew(nn.Module):
    def forward(self, A, B):
        return module.matmul(A, B)
