#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "protocol/messages.h"

namespace kernelbench::judge {

// Places for the tensors of one call in a region: offsets into `values`, aligned as CUDA's allocator aligns.
class Layout {
public:
  Layout() = default;
  explicit Layout(std::vector<protocol::Value> values);

  const std::vector<protocol::Value>& values() const { return values_; }
  std::int64_t bytes() const { return bytes_; }
  // The same types, shapes and strides.
  bool fits(const std::vector<protocol::Value>& values) const;

private:
  std::vector<protocol::Value> values_;
  std::int64_t bytes_ = 0;
};

// Bytes of one element; 0 for ElementType::other.
std::int64_t element_bytes(protocol::ElementType type);
std::string name_of(protocol::ElementType type);
// Elements of a shape; -1 when a dimension is negative or the product does not fit.
std::int64_t element_count(const std::vector<std::int64_t>& shape);
// "[2, 3]"
std::string text_of(const std::vector<std::int64_t>& shape);

} // namespace kernelbench::judge
