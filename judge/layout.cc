#include "judge/layout.h"

#include <algorithm>
#include <utility>

namespace kernelbench::judge {

using protocol::ElementType;
using protocol::Value;

Layout::Layout(std::vector<Value> values) : values_(std::move(values)) {
  constexpr std::int64_t alignment = 512;
  for (Value& value : values_) {
    if (value.is_tensor) {
      value.offset = bytes_;
      bytes_ += (value.bytes + alignment - 1) / alignment * alignment;
    }
  }
  bytes_ = std::max(bytes_, alignment); // a region of nothing cannot be mapped
}

bool Layout::fits(const std::vector<Value>& values) const {
  if (values.size() != values_.size()) {
    return false;
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Value& a = values[i];
    const Value& b = values_[i];
    if (a.is_tensor != b.is_tensor || a.type != b.type || a.shape != b.shape || a.strides != b.strides || a.bytes != b.bytes) {
      return false;
    }
  }
  return true;
}

std::int64_t element_bytes(ElementType type) {
  switch (type) {
  case ElementType::f64:
  case ElementType::i64: return 8;
  case ElementType::f32:
  case ElementType::i32: return 4;
  case ElementType::f16:
  case ElementType::bf16:
  case ElementType::i16: return 2;
  case ElementType::i8:
  case ElementType::u8:
  case ElementType::boolean: return 1;
  case ElementType::other: break;
  }
  return 0;
}

std::string name_of(ElementType type) {
  static const char* const names[] = {"float32", "float64", "float16", "bfloat16", "int8", "int16",
                                      "int32",   "int64",   "uint8",   "bool",     "an element type that is not supported"};
  const auto index = static_cast<std::size_t>(type);
  return index < std::size(names) ? names[index] : "an unknown element type";
}

std::int64_t element_count(const std::vector<std::int64_t>& shape) {
  std::int64_t count = 1;
  for (const std::int64_t size : shape) {
    if (size < 0 || __builtin_mul_overflow(count, size, &count)) {
      return -1;
    }
  }
  return count;
}

std::string text_of(const std::vector<std::int64_t>& shape) {
  std::string text = "[";
  for (std::size_t i = 0; i < shape.size() && i < 16; ++i) {
    text += (i > 0 ? ", " : "") + std::to_string(shape[i]);
  }
  return text + (shape.size() > 16 ? ", ...]" : "]");
}

} // namespace kernelbench::judge
