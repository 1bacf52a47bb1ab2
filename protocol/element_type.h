#pragma once

#include <cstdint>

namespace kernelbench::protocol {

// Of a tensor in a region. `other` is what regions do not hold.
enum class ElementType : std::uint8_t { f32, f64, f16, bf16, i8, i16, i32, i64, u8, boolean, other };

} // namespace kernelbench::protocol
