#include "evaluate/timing.h"

#include <gtest/gtest.h>

#include <cmath>

namespace kernelbench::evaluate {
namespace {

TEST(Timing, StatisticsOfAHandComputedCase) {
  const TimingStatistics statistics = statistics_of({0.004, 0.001, 0.002, 0.005});
  EXPECT_EQ(statistics.n, 4);
  EXPECT_DOUBLE_EQ(statistics.mean_ms, 3);
  EXPECT_DOUBLE_EQ(statistics.median_ms, 3);
  EXPECT_DOUBLE_EQ(statistics.min_ms, 1);
  EXPECT_DOUBLE_EQ(statistics.max_ms, 5);
  EXPECT_NEAR(statistics.std_ms, std::sqrt(10.0 / 3), 1e-12);
}

TEST(Timing, SpeedupIsARatioOfMeansAndDecisionsFollowTheInterval) {
  const TimingInfo timing = timing_info("paper", {0.0040, 0.0041, 0.0039, 0.0040}, {0.0020, 0.0020, 0.0020, 0.0020});
  EXPECT_NEAR(timing.speedup, 2, 1e-9);
  EXPECT_LT(timing.interval_low, 2);
  EXPECT_GT(timing.interval_high, 2);
  EXPECT_EQ(timing.decision.at("1.0"), "faster");
  EXPECT_EQ(timing.decision.at("2.0"), "tie");
  EXPECT_EQ(timing_info("paper", {1, 1}, {4, 4}).decision.at("0.5"), "slower");
}

TEST(Timing, OneSampleHasNoSpread) {
  const TimingInfo timing = timing_info("paper", {0.002}, {0.001});
  EXPECT_DOUBLE_EQ(timing.reference.std_ms, 0);
  EXPECT_DOUBLE_EQ(timing.interval_low, timing.speedup);
}

} // namespace
} // namespace kernelbench::evaluate
