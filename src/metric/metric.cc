#include "metric/metric.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "base/result.h"

namespace kernelbench::metric {

namespace {

template <class Predicate>
std::int64_t count_of(const Slots& slots, Predicate predicate) {
  return std::ranges::count_if(slots, predicate);
}

template <class Predicate>
Metric share(std::string name, const Slots& slots, Predicate predicate) {
  Metric metric;
  metric.name = std::move(name);
  metric.count = count_of(slots, predicate);
  metric.of = std::ssize(slots);
  if (metric.of == 0) {
    metric.value = std::numeric_limits<double>::quiet_NaN();
    return metric;
  }
  metric.value = static_cast<double>(metric.count) / static_cast<double>(metric.of);
  metric.interval = wilson_interval(metric.count, metric.of);
  return metric;
}

template <class Predicate>
Metric number(std::string name, const Slots& slots, Predicate predicate) {
  Metric metric;
  metric.name = std::move(name);
  metric.count = count_of(slots, predicate);
  metric.of = std::ssize(slots);
  metric.value = static_cast<double>(metric.count);
  return metric;
}

// Ascending.
std::vector<double> speedups(const Slots& slots) {
  std::vector<double> found;
  for (const Slot& slot : slots) {
    if (slot.speedup() > 0) {
      found.push_back(slot.speedup());
    }
  }
  std::ranges::sort(found);
  return found;
}

Metric average(std::string name, const Slots& slots, const std::vector<double>& values, double value) {
  Metric metric;
  metric.name = std::move(name);
  metric.value = values.empty() ? std::numeric_limits<double>::quiet_NaN() : value;
  metric.count = std::ssize(values);
  metric.of = std::ssize(slots);
  return metric;
}

bool compiled(const Slot& slot) {
  if (slot.missing() || slot.faulted() || !slot.record->outcome) {
    return false;
  }
  switch (*slot.record->outcome) {
  case Outcome::not_extracted:
  case Outcome::rejected:
  case Outcome::build_failed: return false;
  case Outcome::timed_out: return slot.record->cause != "build";
  default: return true;
  }
}

std::vector<Metric> metrics_of(const Slots& slots, const std::vector<double>& thresholds) {
  std::vector<Metric> metrics;
  for (const double p : thresholds) {
    metrics.push_back(fast_p(slots, p));
  }
  metrics.push_back(correct_rate(slots));
  metrics.push_back(compiled_rate(slots));
  metrics.push_back(geometric_mean_speedup(slots));
  metrics.push_back(median_speedup(slots));
  std::ranges::move(failure_shares(slots), std::back_inserter(metrics));
  metrics.push_back(faults(slots));
  metrics.push_back(missing(slots));
  return metrics;
}

} // namespace

Metric fast_p(const Slots& slots, double p) {
  if (!std::isfinite(p) || p < 0) {
    throw UserError(fmt::format("the threshold p of fast_p must be a number >= 0, not {}", p));
  }
  Metric metric =
      share("fast_p", slots, [&](const Slot& slot) { return slot.correct() && (p == 0 || slot.speedup() > p); });
  metric.params["p"] = p;
  return metric;
}

Metric correct_rate(const Slots& slots) {
  return share("correct_rate", slots, [](const Slot& slot) { return slot.correct(); });
}

Metric compiled_rate(const Slots& slots) {
  return share("compiled_rate", slots, compiled);
}

Metric geometric_mean_speedup(const Slots& slots) {
  const std::vector<double> values = speedups(slots);
  double sum_of_logs = 0;
  for (const double value : values) {
    sum_of_logs += std::log(value);
  }
  return average("geometric_mean_speedup", slots, values, std::exp(sum_of_logs / static_cast<double>(values.size())));
}

Metric median_speedup(const Slots& slots) {
  const std::vector<double> values = speedups(slots);
  const std::size_t middle = values.size() / 2;
  const double median = values.empty()           ? 0
                        : values.size() % 2 == 1 ? values[middle]
                                                 : (values[middle - 1] + values[middle]) / 2;
  return average("median_speedup", slots, values, median);
}

std::vector<Metric> failure_shares(const Slots& slots) {
  std::vector<Metric> shares;
  for (const auto& [name, outcome_class] : {std::pair("execution_failure", OutcomeClass::execution_failure),
                                            std::pair("correctness_error", OutcomeClass::correctness_error)}) {
    shares.push_back(share(fmt::format("{}_share", name), slots, [&, wanted = outcome_class](const Slot& slot) {
      return !slot.missing() && !slot.faulted() && slot.record->outcome && class_of(*slot.record->outcome) == wanted;
    }));
  }
  for (const Outcome outcome : all_outcomes()) {
    if (outcome != Outcome::correct) {
      shares.push_back(
          share(fmt::format("{}_share", name_of(outcome)), slots, [&](const Slot& slot) { return slot.has(outcome); }));
    }
  }
  return shares;
}

Metric faults(const Slots& slots) {
  return number("faults", slots, [](const Slot& slot) { return slot.faulted(); });
}

Metric missing(const Slots& slots) {
  return number("missing", slots, [](const Slot& slot) { return slot.missing(); });
}

std::vector<Metric> all_metrics(const Slots& slots, const std::vector<double>& thresholds) {
  std::vector<Metric> metrics;
  for (const int level : levels_of(slots)) {
    for (Metric& metric : metrics_of(at_level(slots, level), thresholds)) {
      metric.scope["level"] = level;
      metrics.push_back(std::move(metric));
    }
  }
  std::ranges::move(metrics_of(slots, thresholds), std::back_inserter(metrics));
  return metrics;
}

std::pair<double, double> wilson_interval(std::int64_t count, std::int64_t of) {
  if (of <= 0) {
    return {0, 1};
  }
  constexpr double z = 1.959963984540054; // the normal quantile at 97.5 %
  const double n = static_cast<double>(of);
  const double share = static_cast<double>(count) / n;
  const double scale = 1 + z * z / n;
  const double centre = (share + z * z / (2 * n)) / scale;
  const double half_width = z / scale * std::sqrt(share * (1 - share) / n + z * z / (4 * n * n));
  // At the ends the formula gives exactly 0 and 1, but for rounding.
  return {count == 0 ? 0 : centre - half_width, count == of ? 1 : centre + half_width};
}

} // namespace kernelbench::metric
