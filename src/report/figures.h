#pragma once

#include <string>
#include <string_view>

#include "metric/metric.h"

// Numbers and texts as a reader sees them, the same in every table.

namespace kernelbench::report {

// Four significant digits without an exponent where that is readable: "0.004123", "1.234", "12.34", "12345".
// "-" for NaN.
std::string significant(double value);
// "41.7 % [19.3, 68.0]"; "-" for a share of nothing.
std::string share(const metric::Metric& metric);
// "1.414 (4)": an average and how many values it is of; "-" of none.
std::string average(const metric::Metric& metric);
// "1.524 [1.502, 1.547]"; without the interval when there is none, "-" when the speedup is unknown.
std::string speedup(const TimingInfo& timing);

// "correct", "wrong_output/value", "fault", "no record".
std::string verdict(const metric::Slot& slot);
std::string verdict(const Record& record);

// One line of valid UTF-8 without control characters, at most `limit` characters (the rest is "..."): what a candidate,
// a compiler or an LM wrote must not move the cursor or break a table.
std::string one_line(std::string_view text, std::size_t limit);

} // namespace kernelbench::report
