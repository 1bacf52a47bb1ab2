#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>

#include "judge/layout.h"
#include "judge/memory.h"

namespace kernelbench::judge {

namespace {

using protocol::ElementType;

[[noreturn]] void fail(const char* step) { throw MemoryFault(std::string(step) + ": " + std::strerror(errno)); }

class HostBlock : public Block {
public:
  HostBlock(std::int64_t bytes, bool shared) {
    bytes_ = bytes;
    const auto size = mapped_size();
    if (shared) {
      fd_ = Fd(::memfd_create("kernelbench", MFD_CLOEXEC | MFD_ALLOW_SEALING));
      // Sealed at its size: a runner that shrank it would kill the judge by its next access.
      if (!fd_ || ::ftruncate(fd_.get(), static_cast<off_t>(size)) != 0 ||
          ::fcntl(fd_.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
        fail("shared memory");
      }
    }
    void* memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, shared ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS,
                          shared ? fd_.get() : -1, 0);
    if (memory == MAP_FAILED) {
      fail("memory");
    }
    data_ = static_cast<std::byte*>(memory);
  }
  ~HostBlock() override { ::munmap(data_, mapped_size()); }

private:
  std::size_t mapped_size() const { return static_cast<std::size_t>(bytes_ > 0 ? bytes_ : 1); }
};

template <class T>
Comparison compare_typed(const std::byte* expected, const std::byte* got, std::int64_t count, Tolerance tolerance) {
  Comparison result;
  float worst_excess = -1;
  for (std::int64_t i = 0; i < count; ++i) {
    T e;
    T g;
    std::memcpy(&e, expected + i * static_cast<std::int64_t>(sizeof(T)), sizeof(T));
    std::memcpy(&g, got + i * static_cast<std::int64_t>(sizeof(T)), sizeof(T));
    const ElementVerdict verdict = judge_element(to_double(e), to_double(g), tolerance);
    result.max_abs_error = verdict.abs_error > result.max_abs_error ? verdict.abs_error : result.max_abs_error;
    result.max_rel_error = verdict.rel_error > result.max_rel_error ? verdict.rel_error : result.max_rel_error;
    result.mismatches += verdict.mismatch ? 1 : 0;
    result.not_finite += verdict.not_finite ? 1 : 0;
    if (verdict.mismatch && verdict.excess > worst_excess) {
      worst_excess = verdict.excess;
      result.worst_index = static_cast<std::uint64_t>(i);
      result.worst_expected = to_double(e);
      result.worst_got = to_double(g);
    }
  }
  return result;
}

class HostMemory : public Memory {
public:
  std::string device_name() const override {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
      if (line.starts_with("model name")) {
        return line.substr(line.find(": ") + 2);
      }
    }
    return "CPU";
  }
  std::string driver() const override { return {}; }
  std::string architecture() const override { return {}; }

  std::unique_ptr<Block> allocate(std::int64_t bytes) override { return std::make_unique<HostBlock>(bytes, false); }
  std::unique_ptr<Block> allocate_shared(std::int64_t bytes) override { return std::make_unique<HostBlock>(bytes, true); }

  void copy(std::byte* to, const std::byte* from, std::int64_t bytes) override {
    std::memcpy(to, from, static_cast<std::size_t>(bytes));
  }
  void poison(std::byte* data, std::int64_t bytes) override { std::memset(data, 0xff, static_cast<std::size_t>(bytes)); }
  bool equal(const std::byte* a, const std::byte* b, std::int64_t bytes) override {
    return std::memcmp(a, b, static_cast<std::size_t>(bytes)) == 0;
  }

  Comparison compare(const std::byte* expected, const std::byte* got, ElementType type, std::int64_t count,
                     Tolerance tolerance) override {
    if (equal(expected, got, count * element_bytes(type))) {
      return {};
    }
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

  void flush_cache() override {}
};

} // namespace

std::unique_ptr<Memory> open_host_memory() { return std::make_unique<HostMemory>(); }

} // namespace kernelbench::judge
