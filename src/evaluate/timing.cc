#include "evaluate/timing.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace kernelbench::evaluate {

namespace {

constexpr const char* thresholds[] = {"0.5", "0.8", "1.0", "1.5", "2.0"};
constexpr double normal_quantile = 1.959963984540054; // 97.5 %

std::vector<double> milliseconds(const std::vector<double>& seconds) {
  std::vector<double> scaled(seconds.size());
  std::transform(seconds.begin(), seconds.end(), scaled.begin(), [](double s) { return s * 1e3; });
  return scaled;
}

double relative_variance_of_mean(const TimingStatistics& side) {
  const double relative = side.mean_ms > 0 ? side.std_ms / side.mean_ms : 0;
  return relative * relative / side.n;
}

} // namespace

TimingStatistics statistics_of(const std::vector<double>& seconds) {
  std::vector<double> sorted = milliseconds(seconds);
  std::sort(sorted.begin(), sorted.end());
  TimingStatistics statistics;
  const std::size_t n = sorted.size();
  statistics.n = static_cast<int>(n);
  statistics.min_ms = sorted.front();
  statistics.max_ms = sorted.back();
  statistics.median_ms = n % 2 == 1 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
  statistics.mean_ms = std::accumulate(sorted.begin(), sorted.end(), 0.0) / static_cast<double>(n);
  double squares = 0;
  for (const double ms : sorted) {
    squares += (ms - statistics.mean_ms) * (ms - statistics.mean_ms);
  }
  statistics.std_ms = n > 1 ? std::sqrt(squares / static_cast<double>(n - 1)) : 0;
  return statistics;
}

TimingInfo timing_info(const std::string& protocol, const std::vector<double>& reference_s,
                       const std::vector<double>& candidate_s) {
  TimingInfo timing;
  timing.protocol = protocol;
  timing.reference = statistics_of(reference_s);
  timing.candidate = statistics_of(candidate_s);
  timing.reference_samples_ms = milliseconds(reference_s);
  timing.candidate_samples_ms = milliseconds(candidate_s);
  // A time of zero is below what any clock here resolves.
  timing.speedup = timing.reference.mean_ms / std::max(timing.candidate.mean_ms, 1e-9);
  const double half_width = normal_quantile * std::sqrt(relative_variance_of_mean(timing.reference) +
                                                        relative_variance_of_mean(timing.candidate));
  timing.interval_low = timing.speedup * std::exp(-half_width);
  timing.interval_high = timing.speedup * std::exp(half_width);
  for (const char* text : thresholds) {
    const double p = std::stod(text);
    timing.decision[text] = timing.interval_low > p ? "faster" : timing.interval_high < p ? "slower" : "tie";
  }
  return timing;
}

} // namespace kernelbench::evaluate
