#pragma once

#include <string>
#include <vector>

#include "domain/record.h"

namespace kernelbench::evaluate {

// Mean, sample standard deviation, extremes and median of times given in seconds. `seconds` is not empty.
TimingStatistics statistics_of(const std::vector<double>& seconds);

// The timing of protocol `paper` (§C.1): statistics of both sides, speedup = mean reference / mean candidate with a 95 %
// interval (normal approximation of the ratio of two means, on the log scale), and the decision for each threshold p of
// fast_p (§3.3): tie when the interval includes p.
TimingInfo timing_info(const std::string& protocol, const std::vector<double>& reference_s,
                       const std::vector<double>& candidate_s);

} // namespace kernelbench::evaluate
