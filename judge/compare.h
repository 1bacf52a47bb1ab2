#pragma once

#include <cstdint>
#include <cstring>

// How one element of a candidate's output is judged. Compiled for the host and for the device from this one text, so that
// both come to the same verdict. C++17, as what older CMake can ask of nvcc.

#ifdef __CUDACC__
#define KERNELBENCH_BOTH __host__ __device__
#else
#define KERNELBENCH_BOTH
#endif

namespace kernelbench::judge {

// |got - expected| <= absolute + relative * |expected|, as torch.allclose has it.
struct Tolerance {
  double absolute = 0;
  double relative = 0;
};

// What a comparison of two tensors found.
struct Comparison {
  std::uint64_t mismatches = 0; // elements outside the tolerance
  std::uint64_t not_finite = 0; // of these: exactly one of the two is finite, or both are not and differ
  double max_abs_error = 0;     // over elements where both are finite
  double max_rel_error = 0;     // likewise, where the expected value is not 0
  // The element furthest outside, measured in tolerances; meaningful when there are mismatches.
  std::uint64_t worst_index = 0;
  double worst_expected = 0;
  double worst_got = 0;
};

struct ElementVerdict {
  bool mismatch;
  bool not_finite;
  double abs_error;
  double rel_error;
  float excess; // error in tolerances, at most the largest float; orders mismatches
};

KERNELBENCH_BOTH inline bool is_finite(double x) { return x - x == 0; }

KERNELBENCH_BOTH inline ElementVerdict judge_element(double expected, double got, Tolerance tolerance) {
  constexpr float largest = 3.4e38F;
  ElementVerdict verdict{false, false, 0, 0, 0};
  if (!is_finite(expected) || !is_finite(got)) {
    const bool both_nan = expected != expected && got != got;
    verdict.not_finite = !both_nan && expected != got;
    verdict.mismatch = verdict.not_finite;
    verdict.excess = verdict.mismatch ? largest : 0;
    return verdict;
  }
  const double magnitude = expected < 0 ? -expected : expected;
  verdict.abs_error = got > expected ? got - expected : expected - got;
  verdict.rel_error = magnitude > 0 ? verdict.abs_error / magnitude : 0;
  const double allowed = tolerance.absolute + tolerance.relative * magnitude;
  verdict.mismatch = verdict.abs_error > allowed;
  if (verdict.mismatch) {
    const double excess = allowed > 0 ? verdict.abs_error / allowed : static_cast<double>(largest);
    verdict.excess = excess < static_cast<double>(largest) ? static_cast<float>(excess) : largest;
  }
  return verdict;
}

// ---- element types ----------------------------------------------------------------------------------------------

struct Half {
  std::uint16_t bits;
};
struct BFloat16 {
  std::uint16_t bits;
};

KERNELBENCH_BOTH inline float float_from_bits(std::uint32_t bits) {
  float value = 0;
  memcpy(&value, &bits, sizeof value);
  return value;
}

template <class T>
KERNELBENCH_BOTH double to_double(T value) {
  return static_cast<double>(value);
}

KERNELBENCH_BOTH inline double to_double(BFloat16 value) {
  return static_cast<double>(float_from_bits(static_cast<std::uint32_t>(value.bits) << 16));
}

KERNELBENCH_BOTH inline double to_double(Half value) {
  const std::uint32_t sign = static_cast<std::uint32_t>(value.bits & 0x8000U) << 16;
  const std::uint32_t exponent = (value.bits >> 10) & 31U;
  const std::uint32_t fraction = value.bits & 1023U;
  if (exponent == 0) { // zero and subnormals: fraction * 2^-24
    const double magnitude = static_cast<double>(fraction) / 16777216.0;
    return sign != 0 ? -magnitude : magnitude;
  }
  const std::uint32_t wide_exponent = exponent == 31 ? 255U : exponent + 112U;
  return static_cast<double>(float_from_bits(sign | (wide_exponent << 23) | (fraction << 13)));
}

} // namespace kernelbench::judge
