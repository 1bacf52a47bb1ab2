#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

#include "base/fd.h"
#include "judge/compare.h"
#include "protocol/element_type.h"

namespace kernelbench::judge {

// The device or the operating system refused; a fault of the harness.
class MemoryFault : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

// A piece of device memory that the judge owns. Freed with the object.
class Block {
public:
  virtual ~Block() = default;
  std::byte* data() const { return data_; }
  std::int64_t bytes() const { return bytes_; }
  // How another process maps it: a descriptor (CPU) or a CUDA IPC handle (GPU). Only of shared blocks.
  int fd() const { return fd_.get(); }
  const std::string& handle() const { return handle_; }

protected:
  std::byte* data_ = nullptr;
  std::int64_t bytes_ = 0;
  Fd fd_;
  std::string handle_;
};

// One device's memory and what the judge does with it. Every call has finished on the device when it returns.
class Memory {
public:
  virtual ~Memory() = default;

  virtual std::string device_name() const = 0;
  virtual std::string driver() const = 0;       // or empty
  virtual std::string architecture() const = 0; // compute capability, or empty

  virtual std::unique_ptr<Block> allocate(std::int64_t bytes) = 0;
  // Memory that no allocation of the judge's own shares a page with, since a runner maps whole pages.
  virtual std::unique_ptr<Block> allocate_shared(std::int64_t bytes) = 0;

  virtual void copy(std::byte* to, const std::byte* from, std::int64_t bytes) = 0;
  // Fills with a pattern that is NaN in every floating-point type.
  virtual void poison(std::byte* data, std::int64_t bytes) = 0;
  virtual bool equal(const std::byte* a, const std::byte* b, std::int64_t bytes) = 0;
  virtual Comparison compare(const std::byte* expected, const std::byte* got, protocol::ElementType type, std::int64_t count,
                             Tolerance tolerance) = 0;
  // Leaves nothing of earlier calls in the caches: drops persisting lines and writes twice the L2 with changing data. Does
  // nothing on a CPU.
  virtual void flush_cache() = 0;
};

std::unique_ptr<Memory> open_host_memory();
// Throws MemoryFault when there is no such device, or the judge was built without CUDA.
std::unique_ptr<Memory> open_cuda_memory(int index);

} // namespace kernelbench::judge
