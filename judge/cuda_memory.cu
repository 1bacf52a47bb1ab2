#include <cuda_runtime.h>

#include <cstring>

#include "judge/memory.h"

namespace kernelbench::judge {

namespace {

using protocol::ElementType;

void check(cudaError_t status, const char* step) {
  if (status != cudaSuccess) {
    throw MemoryFault(std::string(step) + ": " + cudaGetErrorString(status));
  }
}

class CudaBlock : public Block {
public:
  CudaBlock(std::int64_t bytes, bool shared) {
    bytes_ = bytes;
    // The runtime packs small allocations into pieces of 2 MiB, and an IPC handle opens the whole piece.
    constexpr std::int64_t piece = 2 << 20;
    const std::int64_t size = shared ? (bytes + piece - 1) / piece * piece : bytes;
    void* memory = nullptr;
    check(cudaMalloc(&memory, static_cast<std::size_t>(size > 0 ? size : piece)), "device memory");
    data_ = static_cast<std::byte*>(memory);
    if (shared) {
      cudaIpcMemHandle_t ipc{};
      const cudaError_t status = cudaIpcGetMemHandle(&ipc, memory);
      if (status != cudaSuccess) {
        cudaFree(memory);
        check(status, "sharing device memory");
      }
      handle_.assign(reinterpret_cast<const char*>(&ipc), sizeof ipc);
    }
  }
  ~CudaBlock() override { cudaFree(data_); }
};

// Accumulated on the device; doubles that are never negative are ordered like their bits.
struct DeviceComparison {
  unsigned long long mismatches;
  unsigned long long not_finite;
  unsigned long long max_abs_bits;
  unsigned long long max_rel_bits;
  unsigned long long worst; // excess as float bits, then ~index
};

template <class T>
__global__ void compare_kernel(const T* expected, const T* got, std::int64_t count, Tolerance tolerance, DeviceComparison* result) {
  unsigned long long mismatches = 0;
  unsigned long long not_finite = 0;
  unsigned long long worst = 0;
  double max_abs = 0;
  double max_rel = 0;
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride) {
    const ElementVerdict verdict = judge_element(to_double(expected[i]), to_double(got[i]), tolerance);
    max_abs = verdict.abs_error > max_abs ? verdict.abs_error : max_abs;
    max_rel = verdict.rel_error > max_rel ? verdict.rel_error : max_rel;
    if (verdict.mismatch) {
      ++mismatches;
      not_finite += verdict.not_finite ? 1 : 0;
      const unsigned long long key = (static_cast<unsigned long long>(__float_as_uint(verdict.excess)) << 32) |
                                     (~static_cast<unsigned long long>(i) & 0xffffffffULL);
      worst = key > worst ? key : worst;
    }
  }
  unsigned long long abs_bits = static_cast<unsigned long long>(__double_as_longlong(max_abs));
  unsigned long long rel_bits = static_cast<unsigned long long>(__double_as_longlong(max_rel));
  for (int offset = 16; offset > 0; offset /= 2) {
    mismatches += __shfl_down_sync(0xffffffffU, mismatches, offset);
    not_finite += __shfl_down_sync(0xffffffffU, not_finite, offset);
    abs_bits = max(abs_bits, __shfl_down_sync(0xffffffffU, abs_bits, offset));
    rel_bits = max(rel_bits, __shfl_down_sync(0xffffffffU, rel_bits, offset));
    worst = max(worst, __shfl_down_sync(0xffffffffU, worst, offset));
  }
  if (threadIdx.x % 32 == 0) {
    if (mismatches != 0) {
      atomicAdd(&result->mismatches, mismatches);
      atomicAdd(&result->not_finite, not_finite);
      atomicMax(&result->worst, worst);
    }
    atomicMax(&result->max_abs_bits, abs_bits);
    atomicMax(&result->max_rel_bits, rel_bits);
  }
}

__global__ void differ_kernel(const unsigned char* a, const unsigned char* b, std::int64_t words, std::int64_t bytes, unsigned int* differ) {
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  bool different = false;
  const auto* wide_a = reinterpret_cast<const ulonglong2*>(a);
  const auto* wide_b = reinterpret_cast<const ulonglong2*>(b);
  for (std::int64_t i = first; i < words; i += stride) {
    const ulonglong2 x = wide_a[i];
    const ulonglong2 y = wide_b[i];
    different = different || x.x != y.x || x.y != y.y;
  }
  for (std::int64_t i = words * 16 + first; i < bytes; i += stride) {
    different = different || a[i] != b[i];
  }
  if (different) {
    *differ = 1;
  }
}

// Data that changes from call to call and compresses badly: constant lines can be stored in less than the cache they evict.
__global__ void flush_kernel(unsigned int* data, std::int64_t count, unsigned int salt) {
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride) {
    data[i] = (static_cast<unsigned int>(i) ^ salt) * 2654435761U;
  }
}

constexpr int threads_per_block = 256;

class CudaMemory : public Memory {
public:
  explicit CudaMemory(int index) {
    check(cudaSetDevice(index), "CUDA device");
    check(cudaGetDeviceProperties(&properties_, index), "CUDA device");
    int cache = 0;
    check(cudaDeviceGetAttribute(&cache, cudaDevAttrL2CacheSize, index), "L2 size");
    // Twice what the device reports, and never less than what upstream writes.
    constexpr std::int64_t least = 256 << 20;
    flush_ = allocate(std::max(2 * static_cast<std::int64_t>(cache), least));
    result_ = allocate(sizeof(DeviceComparison));
  }

  std::string device_name() const override { return properties_.name; }
  std::string driver() const override {
    int version = 0;
    check(cudaDriverGetVersion(&version), "driver version");
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
  }
  std::string architecture() const override {
    return std::to_string(properties_.major) + "." + std::to_string(properties_.minor);
  }

  std::unique_ptr<Block> allocate(std::int64_t bytes) override { return std::make_unique<CudaBlock>(bytes, false); }
  std::unique_ptr<Block> allocate_shared(std::int64_t bytes) override { return std::make_unique<CudaBlock>(bytes, true); }

  void copy(std::byte* to, const std::byte* from, std::int64_t bytes) override {
    check(cudaMemcpyAsync(to, from, static_cast<std::size_t>(bytes), cudaMemcpyDeviceToDevice), "copy");
    finish("copy");
  }
  void poison(std::byte* data, std::int64_t bytes) override {
    check(cudaMemsetAsync(data, 0xff, static_cast<std::size_t>(bytes)), "poison");
    finish("poison");
  }

  bool equal(const std::byte* a, const std::byte* b, std::int64_t bytes) override {
    auto* differ = reinterpret_cast<unsigned int*>(result_->data());
    check(cudaMemsetAsync(differ, 0, sizeof *differ), "compare inputs");
    differ_kernel<<<blocks(bytes / 16), threads_per_block>>>(reinterpret_cast<const unsigned char*>(a),
                                                             reinterpret_cast<const unsigned char*>(b), bytes / 16, bytes, differ);
    unsigned int found = 0;
    check(cudaMemcpy(&found, differ, sizeof found, cudaMemcpyDeviceToHost), "compare inputs");
    return found == 0;
  }

  Comparison compare(const std::byte* expected, const std::byte* got, ElementType type, std::int64_t count,
                     Tolerance tolerance) override {
    switch (type) {
    case ElementType::f32: return compare_typed<float>(expected, got, count, tolerance);
    case ElementType::f64: return compare_typed<double>(expected, got, count, tolerance);
    case ElementType::f16: return compare_typed<Half>(expected, got, count, tolerance);
    case ElementType::bf16: return compare_typed<BFloat16>(expected, got, count, tolerance);
    case ElementType::i8: return compare_typed<std::int8_t>(expected, got, count, tolerance);
    case ElementType::i16: return compare_typed<std::int16_t>(expected, got, count, tolerance);
    case ElementType::i32: return compare_typed<std::int32_t>(expected, got, count, tolerance);
    case ElementType::i64: return compare_typed<std::int64_t>(expected, got, count, tolerance);
    case ElementType::u8:
    case ElementType::boolean: return compare_typed<std::uint8_t>(expected, got, count, tolerance);
    case ElementType::other: break;
    }
    throw MemoryFault("an element type that cannot be compared");
  }

  void flush_cache() override {
    // Lines that a candidate pinned would outlive the write. Not every device has them; then these calls fail, and nothing is lost.
    cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 0);
    cudaCtxResetPersistingL2Cache();
    cudaGetLastError();
    const std::int64_t words = flush_->bytes() / 4;
    flush_kernel<<<blocks(words), threads_per_block>>>(reinterpret_cast<unsigned int*>(flush_->data()), words, ++salt_);
    finish("flush");
  }

private:
  int blocks(std::int64_t items) const {
    const std::int64_t wanted = (items + threads_per_block - 1) / threads_per_block;
    const std::int64_t most = static_cast<std::int64_t>(properties_.multiProcessorCount) * 16;
    return static_cast<int>(wanted < 1 ? 1 : wanted > most ? most : wanted);
  }

  static void finish(const char* step) {
    check(cudaGetLastError(), step);
    check(cudaStreamSynchronize(nullptr), step);
  }

  template <class T>
  Comparison compare_typed(const std::byte* expected, const std::byte* got, std::int64_t count, Tolerance tolerance) {
    auto* device = reinterpret_cast<DeviceComparison*>(result_->data());
    check(cudaMemsetAsync(device, 0, sizeof *device), "compare");
    const T* typed_expected = reinterpret_cast<const T*>(expected);
    const T* typed_got = reinterpret_cast<const T*>(got);
    compare_kernel<T><<<blocks(count), threads_per_block>>>(typed_expected, typed_got, count, tolerance, device);
    DeviceComparison found{};
    check(cudaMemcpy(&found, device, sizeof found, cudaMemcpyDeviceToHost), "compare");
    Comparison result;
    result.mismatches = found.mismatches;
    result.not_finite = found.not_finite;
    std::memcpy(&result.max_abs_error, &found.max_abs_bits, sizeof(double));
    std::memcpy(&result.max_rel_error, &found.max_rel_bits, sizeof(double));
    if (found.mismatches != 0) {
      result.worst_index = ~found.worst & 0xffffffffULL;
      result.worst_expected = element(typed_expected + result.worst_index);
      result.worst_got = element(typed_got + result.worst_index);
    }
    return result;
  }

  template <class T>
  static double element(const T* place) {
    T value{};
    check(cudaMemcpy(&value, place, sizeof value, cudaMemcpyDeviceToHost), "worst element");
    return to_double(value);
  }

  cudaDeviceProp properties_{};
  std::unique_ptr<Block> flush_;
  std::unique_ptr<Block> result_;
  unsigned int salt_ = 0;
};

} // namespace

std::unique_ptr<Memory> open_cuda_memory(int index) { return std::make_unique<CudaMemory>(index); }

} // namespace kernelbench::judge
