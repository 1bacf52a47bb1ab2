#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "domain/record.h"
#include "domain/plan.h"

namespace kernelbench::report {

enum class Format { text, markdown, json, csv };

// Throws UserError that lists the formats.
Format parse_format(std::string_view name);

// The thresholds p of fast_p that a report shows unless asked for others (§3.3; Figure 3 goes beyond).
inline const std::vector<double> default_thresholds = {0, 0.5, 0.8, 1, 1.5, 2};

struct RunReport {
  std::string run;
  Plan plan; // empty: what the records hold
  std::vector<Record> records;
};

// text, markdown: per run a heading, the metrics per level and overall, the outcomes, the tasks, the faults; of several
// runs
//   first fast_p side by side.
// json: {"runs":[{"run","tasks","records","metrics":[...]}]} (docs/formats.md); a value of nothing is null.
// csv: the same metrics, one per row.
// `thresholds` are those of fast_p. Throws UserError when one is negative or not finite.
std::string render(const std::vector<RunReport>& runs, const std::vector<double>& thresholds, Format format);

} // namespace kernelbench::report
