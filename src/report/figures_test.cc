#include "report/figures.h"

#include <gtest/gtest.h>

#include <cmath>

namespace kernelbench::report {
namespace {

TEST(Figures, SignificantDigits) {
  EXPECT_EQ(significant(0), "0");
  EXPECT_EQ(significant(0.0041234), "0.004123");
  EXPECT_EQ(significant(0.00001234), "1.23e-05");
  EXPECT_EQ(significant(0.25), "0.2500");
  EXPECT_EQ(significant(1), "1.000");
  EXPECT_EQ(significant(1.23456), "1.235");
  EXPECT_EQ(significant(-12.3456), "-12.35");
  EXPECT_EQ(significant(123.456), "123.5");
  EXPECT_EQ(significant(12345.6), "12346");
  EXPECT_EQ(significant(1.5e9), "1.5e+09");
  EXPECT_EQ(significant(std::nan("")), "-");
  EXPECT_EQ(significant(INFINITY), "inf");
}

TEST(Figures, SharesAndAverages) {
  metric::Metric metric;
  EXPECT_EQ(share(metric), "-");
  EXPECT_EQ(average(metric), "-");
  metric.value = 5.0 / 12;
  metric.interval = {0.193, 0.68};
  metric.count = 5;
  EXPECT_EQ(share(metric), "41.7 % [19.3, 68.0]");
  metric.value = 1.41421;
  EXPECT_EQ(average(metric), "1.414 (5)");
}

TEST(Figures, SpeedupWithWhatIsKnown) {
  TimingInfo timing;
  EXPECT_EQ(speedup(timing), "-");
  timing.speedup = 1.5;
  EXPECT_EQ(speedup(timing), "1.500");
  timing.interval_low = 1.45;
  timing.interval_high = 1.55;
  EXPECT_EQ(speedup(timing), "1.500 [1.450, 1.550]");
}

TEST(Figures, VerdictsHaveACauseWhereThereIsOne) {
  Record record;
  EXPECT_EQ(verdict(metric::Slot{}), "no record");
  record.outcome = Outcome::correct;
  EXPECT_EQ(verdict(record), "correct");
  record.outcome = Outcome::wrong_output;
  record.cause = "value";
  EXPECT_EQ(verdict(record), "wrong_output/value");
  record.outcome.reset();
  record.fault = "fault";
  EXPECT_EQ(verdict(record), "fault");
}

TEST(Figures, OneLineIsSafeForATerminal) {
  EXPECT_EQ(one_line("a\n\tb\x1b[31m\x7f", 20), "a  b [31m");
  EXPECT_EQ(one_line("na\xc3\xafve \xff", 20), "na\xc3\xafve \xef\xbf\xbd");
  EXPECT_EQ(one_line("x\xc2\x9by", 20), "x y"); // CSI as one character
  EXPECT_EQ(one_line("\xc3\xa4\xc3\xb6\xc3\xbc", 2), "\xc3\xa4\xc3\xb6...");
  EXPECT_EQ(one_line("", 5), "");
}

} // namespace
} // namespace kernelbench::report
