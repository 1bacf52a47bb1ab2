#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "metric/slot.h"

// Numbers over the records of one run, as pure functions. Shares divide by the planned samples: what is missing, and
// what the harness failed to evaluate (a fault), counts as not achieved; `missing` and `faults` say how much that is.

namespace kernelbench::metric {

struct Metric {
  std::string name;
  std::map<std::string, double> params; // {"p": 1.0}
  std::map<std::string, int> scope;     // {"level": 1}; empty: all levels together
  double value = 0;                     // NaN where there is nothing to average
  // 95 % confidence.
  std::optional<std::pair<double, double>> interval;
  std::int64_t count = 0; // samples that the value counts, or averages over
  std::int64_t of = 0;    // planned samples
};

using Slots = std::vector<Slot>;

// Share of samples that are correct with a speedup > p (§3.3, §C.1). fast_0 is the share of correct ones, timed or not.
// Throws UserError unless p is finite and >= 0.
Metric fast_p(const Slots& slots, double p);
// Share of correct samples, the same as fast_0 (§3.3).
Metric correct_rate(const Slots& slots);
// Share of samples whose code was extracted, allowed and built: not not_extracted, rejected, build_failed,
// timed_out/build.
Metric compiled_rate(const Slots& slots);

// Over the correct samples that were timed; the speedup is mean reference time over mean candidate time (§C.1).
Metric geometric_mean_speedup(const Slots& slots);
Metric median_speedup(const Slots& slots); // the mean of the middle two of an even number (Figure 6)

// Shares by class ("execution_failure_share", "correctness_error_share": Figure 2, §4.2), then by outcome
// ("not_extracted_share" ... "cheated_share").
std::vector<Metric> failure_shares(const Slots& slots);

// The number (not the share) of samples with a fault of the harness, and of planned samples without a record.
Metric faults(const Slots& slots);
Metric missing(const Slots& slots);

// All of the above: for each level, then for all levels together (also when there is only one).
std::vector<Metric> all_metrics(const Slots& slots, const std::vector<double>& thresholds);

// Wilson's score interval for `count` successes of `of`, 95 %: the whole of [0, 1] when `of` is 0. E. B. Wilson, JASA
// 22 (1927), 209-212.
std::pair<double, double> wilson_interval(std::int64_t count, std::int64_t of);

} // namespace kernelbench::metric
