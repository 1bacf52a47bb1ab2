#include "judge/compare.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "judge/layout.h"
#include "judge/memory.h"

namespace kernelbench::judge {
namespace {

using protocol::ElementType;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr Tolerance one_percent{1e-2, 1e-2};

TEST(Compare, FollowsAllclose) {
  EXPECT_FALSE(judge_element(1.0, 1.0199, one_percent).mismatch);
  EXPECT_TRUE(judge_element(1.0, 1.0201, one_percent).mismatch);
  EXPECT_FALSE(judge_element(-100.0, -101.009, one_percent).mismatch);
  EXPECT_TRUE(judge_element(0.0, 0.011, one_percent).mismatch);
}

TEST(Compare, NonFiniteElementsMustCoincide) {
  EXPECT_TRUE(judge_element(1.0, nan, one_percent).not_finite);
  EXPECT_TRUE(judge_element(nan, 1.0, one_percent).not_finite);
  EXPECT_TRUE(judge_element(infinity, -infinity, one_percent).not_finite);
  EXPECT_TRUE(judge_element(infinity, nan, one_percent).not_finite);
  EXPECT_FALSE(judge_element(nan, nan, one_percent).mismatch);
  EXPECT_FALSE(judge_element(-infinity, -infinity, one_percent).mismatch);
}

TEST(Compare, IntegersCompareExactly) {
  const auto memory = open_host_memory();
  const std::vector<std::int64_t> expected{5, -7, 1};
  std::vector<std::int64_t> got = expected;
  const auto bytes = [](auto& v) { return reinterpret_cast<const std::byte*>(v.data()); };
  EXPECT_EQ(memory->compare(bytes(expected), bytes(got), ElementType::i64, 3, {0, 0}).mismatches, 0u);
  got[1] = -6;
  const Comparison found = memory->compare(bytes(expected), bytes(got), ElementType::i64, 3, {0, 0});
  EXPECT_EQ(found.mismatches, 1u);
  EXPECT_EQ(found.worst_index, 1u);
  EXPECT_EQ(found.worst_expected, -7);
  EXPECT_EQ(found.worst_got, -6);
}

TEST(Compare, FindsTheElementFurthestOutside) {
  const auto memory = open_host_memory();
  const std::vector<float> expected{1, 100, 1, 1};
  const std::vector<float> got{1.5F, 110, 1, 3};
  const auto bytes = [](auto& v) { return reinterpret_cast<const std::byte*>(v.data()); };
  const Comparison found = memory->compare(bytes(expected), bytes(got), ElementType::f32, 4, one_percent);
  EXPECT_EQ(found.mismatches, 3u);
  EXPECT_EQ(found.worst_index, 3u); // 2 / 0.02, against 0.5 / 0.02 and 10 / 1.01
  EXPECT_DOUBLE_EQ(found.max_abs_error, 10);
  EXPECT_DOUBLE_EQ(found.max_rel_error, 2);
}

TEST(Compare, ReadsHalfTypes) {
  EXPECT_EQ(to_double(Half{0x3c00}), 1.0);
  EXPECT_EQ(to_double(Half{0xc000}), -2.0);
  EXPECT_EQ(to_double(Half{0x7bff}), 65504.0);
  EXPECT_EQ(to_double(Half{0x0001}), std::ldexp(1.0, -24));
  EXPECT_EQ(to_double(Half{0x8000}), 0.0);
  EXPECT_TRUE(std::isnan(to_double(Half{0x7e00})));
  EXPECT_EQ(to_double(Half{0xfc00}), -infinity);
  EXPECT_EQ(to_double(BFloat16{0x3f80}), 1.0);
  EXPECT_EQ(to_double(BFloat16{0xc040}), -3.0);
}

TEST(Memory, PoisonIsNanInEveryFloatingType) {
  const auto memory = open_host_memory();
  const auto block = memory->allocate_shared(64);
  memory->poison(block->data(), 64);
  float value = 0;
  std::memcpy(&value, block->data(), sizeof value);
  EXPECT_TRUE(std::isnan(value));
  EXPECT_TRUE(std::isnan(to_double(Half{0xffff})));
  EXPECT_TRUE(std::isnan(to_double(BFloat16{0xffff})));
}

TEST(Layout, KeepsValuesApartAndKnowsItsOwnShapes) {
  protocol::Value value;
  value.is_tensor = true;
  value.shape = {3};
  value.strides = {1};
  value.bytes = 12;
  protocol::Value scalar;
  scalar.pickled = "x";
  const Layout layout({value, scalar, value});
  EXPECT_EQ(layout.values()[2].offset, 512);
  EXPECT_EQ(layout.bytes(), 1024);
  EXPECT_TRUE(layout.fits({value, scalar, value}));
  EXPECT_FALSE(layout.fits({value, value, value}));
  EXPECT_EQ(element_count({1LL << 40, 1LL << 40}), -1);
  EXPECT_EQ(element_count({}), 1);
}

} // namespace
} // namespace kernelbench::judge
