#include "metric/metric.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "base/result.h"

namespace kernelbench::metric {
namespace {

using ::testing::DoubleNear;
using ::testing::Pair;

struct Work {
  std::vector<Record> records;
  Plan plan;
};

Record& add(Work& work, const std::string& task, int sample, std::optional<Outcome> outcome, double speedup = 0) {
  Record record;
  record.id = fmt::format("{}#{}", task, sample);
  record.task_id = task;
  record.task_level = level_of_task_id(task);
  record.sample = sample;
  record.outcome = outcome;
  if (!outcome) {
    record.fault = "the judge was killed";
  }
  if (speedup > 0) {
    record.timing.emplace().speedup = speedup;
  }
  work.plan.push_back({task, sample});
  work.records.push_back(record);
  return work.records.back();
}

// Ten planned samples: level 1 has six (four correct: speedups 0.5, 1, 2, and one not timed), level 2 four, of which
// one is missing and one a fault.
Work small_run() {
  Work work;
  add(work, "level1/1", 0, Outcome::correct, 0.5);
  add(work, "level1/2", 0, Outcome::correct, 1.0);
  add(work, "level1/3", 0, Outcome::correct, 2.0);
  add(work, "level1/4", 0, Outcome::correct);
  add(work, "level1/5", 0, Outcome::build_failed);
  add(work, "level1/6", 0, Outcome::timed_out).cause = "build";
  add(work, "level2/1", 0, Outcome::correct, 4.0);
  add(work, "level2/2", 0, Outcome::wrong_output, 9.0); // a time of a wrong candidate counts nowhere
  add(work, "level2/3", 0, std::nullopt);
  work.plan.push_back({"level2/4", 0});
  return work;
}

TEST(FastP, IsTheShareThatIsCorrectAndFaster) {
  const Work work = small_run();
  const auto slots = fill(work.plan, work.records);
  const auto count = [&](double p) { return fast_p(slots, p).count; };
  EXPECT_EQ(count(0), 5); // correct, timed or not
  EXPECT_EQ(count(0.25), 4);
  EXPECT_EQ(count(0.5), 3); // strictly above p
  EXPECT_EQ(count(1), 2);
  EXPECT_EQ(count(4), 0);
  const Metric metric = fast_p(slots, 1);
  EXPECT_EQ(metric.name, "fast_p");
  EXPECT_EQ(metric.params, (std::map<std::string, double>{{"p", 1.0}}));
  EXPECT_EQ(metric.of, 10);
  EXPECT_DOUBLE_EQ(metric.value, 0.2);
}

TEST(FastP, RefusesThresholdsThatMakeNoSense) {
  for (const double p : {-0.1, std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_THROW(fast_p({}, p), UserError) << p;
  }
}

TEST(Rates, CountMissingSamplesAndFaultsAsFailures) {
  const Work work = small_run();
  const auto slots = fill(work.plan, work.records);
  EXPECT_DOUBLE_EQ(correct_rate(slots).value, 0.5);
  EXPECT_EQ(compiled_rate(slots).count, 6); // the five correct ones and the wrong one
  EXPECT_EQ(faults(slots).value, 1);
  EXPECT_EQ(missing(slots).value, 1);
  EXPECT_EQ(missing(slots).of, 10);
}

TEST(CompiledRate, FollowsTheOutcome) {
  const auto compiled = [](Outcome outcome, const std::string& cause) {
    Work work;
    add(work, "level1/1", 0, outcome).cause = cause;
    return compiled_rate(fill(work.plan, work.records)).count == 1;
  };
  EXPECT_FALSE(compiled(Outcome::not_extracted, "no_code_block"));
  EXPECT_FALSE(compiled(Outcome::rejected, "rule"));
  EXPECT_FALSE(compiled(Outcome::build_failed, "compiler"));
  EXPECT_FALSE(compiled(Outcome::timed_out, "build"));
  EXPECT_TRUE(compiled(Outcome::timed_out, "load"));
  EXPECT_TRUE(compiled(Outcome::crashed, "signal"));
  EXPECT_TRUE(compiled(Outcome::out_of_memory, "device"));
  EXPECT_TRUE(compiled(Outcome::wrong_output, "value"));
  EXPECT_TRUE(compiled(Outcome::cheated, "stale_output"));
  EXPECT_TRUE(compiled(Outcome::correct, ""));
}

TEST(Speedups, AverageOverCorrectTimedOnes) {
  const Work work = small_run();
  const auto slots = fill(work.plan, work.records);
  EXPECT_DOUBLE_EQ(geometric_mean_speedup(slots).value, std::sqrt(2.0)); // (0.5 * 1 * 2 * 4)^(1/4)
  EXPECT_DOUBLE_EQ(median_speedup(slots).value, 1.5);
  EXPECT_EQ(median_speedup(slots).count, 4);
  EXPECT_EQ(median_speedup(slots).of, 10);
  EXPECT_DOUBLE_EQ(median_speedup(at_level(slots, 1)).value, 1.0);
  EXPECT_TRUE(std::isnan(median_speedup({}).value));
  EXPECT_TRUE(std::isnan(geometric_mean_speedup({}).value));
  EXPECT_FALSE(geometric_mean_speedup(slots).interval);
}

TEST(FailureShares, AreByClassThenByOutcome) {
  const Work work = small_run();
  std::map<std::string, std::int64_t> counts;
  for (const Metric& metric : failure_shares(fill(work.plan, work.records))) {
    counts[metric.name] = metric.count;
    EXPECT_EQ(metric.of, 10);
    EXPECT_TRUE(metric.interval);
  }
  EXPECT_EQ(counts.size(), 10u);
  EXPECT_EQ(counts["execution_failure_share"], 2);
  EXPECT_EQ(counts["correctness_error_share"], 1);
  EXPECT_EQ(counts["build_failed_share"], 1);
  EXPECT_EQ(counts["timed_out_share"], 1);
  EXPECT_EQ(counts["wrong_output_share"], 1);
  EXPECT_EQ(counts["cheated_share"], 0);
}

TEST(AllMetrics, AreGivenPerLevelAndOverall) {
  const Work work = small_run();
  const auto metrics = all_metrics(fill(work.plan, work.records), {0, 1});
  std::map<std::string, std::int64_t> correct;
  for (const Metric& metric : metrics) {
    if (metric.name == "fast_p" && metric.params.at("p") == 0) {
      correct[metric.scope.empty() ? "all" : std::to_string(metric.scope.at("level"))] = metric.count;
    }
  }
  EXPECT_EQ(correct, (std::map<std::string, std::int64_t>{{"1", 4}, {"2", 1}, {"all", 5}}));
  EXPECT_EQ(metrics.size(), 3u * (2 + 2 + 2 + 10 + 2));
}

TEST(AllMetrics, OfNoWorkHaveNoValue) {
  const auto metrics = all_metrics({}, {1});
  EXPECT_TRUE(std::isnan(metrics.at(0).value));
  EXPECT_FALSE(metrics.at(0).interval);
}

// By hand: p = 12/100, z = 1.959964: centre (0.12 + 0.0192073) / 1.0384146, half-width z/1.0384146 * sqrt(0.00105600 +
// 0.0000960365).
TEST(Wilson, AgreesWithHandComputedIntervals) {
  const auto near = [](double low, double high) { return Pair(DoubleNear(low, 5e-5), DoubleNear(high, 5e-5)); };
  EXPECT_THAT(wilson_interval(12, 100), near(0.0700, 0.1981));
  EXPECT_THAT(wilson_interval(1, 2), near(0.0945, 0.9055));
  EXPECT_THAT(wilson_interval(0, 10), near(0, 0.2775));
  EXPECT_THAT(wilson_interval(10, 10), near(0.7225, 1));
  EXPECT_THAT(wilson_interval(0, 0), Pair(0, 1));
}

// Any run: samples that are missing, faults, and every outcome with and without a time.
Work arbitrary_work() {
  Work work;
  const int size = *rc::gen::inRange(0, 40);
  for (int i = 0; i < size; ++i) {
    const std::string task = fmt::format("level{}/{}", *rc::gen::inRange(1, 4), *rc::gen::inRange(1, 6));
    const int kind = *rc::gen::inRange(0, 11);
    if (kind == 0) {
      work.plan.push_back({task, i});
    } else {
      const double speedup = *rc::gen::inRange(0, 300) / 100.0;
      add(work, task, i, kind == 1 ? std::nullopt : std::optional(all_outcomes()[static_cast<std::size_t>(kind - 2)]),
          speedup);
    }
  }
  return work;
}

TEST(Properties, FastPFallsAsPRises) {
  EXPECT_TRUE(rc::check([] {
    const Work work = arbitrary_work();
    const auto slots = fill(work.plan, work.records);
    const double low = *rc::gen::inRange(0, 300) / 100.0;
    const double high = low + *rc::gen::inRange(0, 300) / 100.0;
    RC_ASSERT(fast_p(slots, low).count >= fast_p(slots, high).count);
    RC_ASSERT(fast_p(slots, 0).count == correct_rate(slots).count);
    RC_ASSERT(correct_rate(slots).count <= compiled_rate(slots).count);
  }));
}

TEST(Properties, EverySampleIsCountedOnce) {
  EXPECT_TRUE(rc::check([] {
    const Work work = arbitrary_work();
    const auto slots = fill(work.plan, work.records);
    std::int64_t by_class = correct_rate(slots).count + faults(slots).count + missing(slots).count;
    std::int64_t by_outcome = by_class;
    for (const Metric& metric : failure_shares(slots)) {
      const bool is_class = metric.name == "execution_failure_share" || metric.name == "correctness_error_share";
      (is_class ? by_class : by_outcome) += metric.count;
    }
    RC_ASSERT(by_class == std::ssize(slots));
    RC_ASSERT(by_outcome == std::ssize(slots));
  }));
}

TEST(Properties, OrderDoesNotMatter) {
  EXPECT_TRUE(rc::check([] {
    const Work work = arbitrary_work();
    Work shuffled = work;
    std::mt19937 random(*rc::gen::arbitrary<unsigned>());
    std::ranges::shuffle(shuffled.records, random);
    std::ranges::shuffle(shuffled.plan, random);
    const auto before = all_metrics(fill(work.plan, work.records), {0, 1});
    const auto after = all_metrics(fill(shuffled.plan, shuffled.records), {0, 1});
    RC_ASSERT(before.size() == after.size());
    for (std::size_t i = 0; i < before.size(); ++i) {
      RC_ASSERT(before[i].name == after[i].name);
      RC_ASSERT(before[i].scope == after[i].scope);
      RC_ASSERT(before[i].count == after[i].count);
      RC_ASSERT(before[i].value == after[i].value || (std::isnan(before[i].value) && std::isnan(after[i].value)));
    }
  }));
}

TEST(Properties, AWilsonIntervalHoldsItsShareAndNarrows) {
  EXPECT_TRUE(rc::check([] {
    const int of = *rc::gen::inRange(1, 500);
    const int count = *rc::gen::inRange(0, of + 1);
    const double share = static_cast<double>(count) / of;
    const auto [low, high] = wilson_interval(count, of);
    RC_ASSERT(0 <= low && low <= share && share <= high && high <= 1);
    const auto [low4, high4] = wilson_interval(4 * count, 4 * of);
    RC_ASSERT(high4 - low4 < high - low);
  }));
}

} // namespace
} // namespace kernelbench::metric
