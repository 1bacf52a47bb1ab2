#pragma once

#include <cstddef>
#include <vector>

#include "metric/slot.h"
#include "report/document.h"
#include "report/report.h"

// The sections of a report for readers.

namespace kernelbench::report {

std::size_t count_tasks(const std::vector<metric::Slot>& slots);

// Heading, metrics, outcomes, tasks, faults of one run.
void add_run(Document& document, const RunReport& run, const std::vector<double>& thresholds);

// fast_p of several runs, side by side, and a word of warning where they do not measure the same thing.
void add_comparison(Document& document, const std::vector<RunReport>& runs, const std::vector<double>& thresholds);

} // namespace kernelbench::report
