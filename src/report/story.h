#pragma once

#include <string>

#include "domain/record.h"

namespace kernelbench::report {

// One candidate's story in about 15 lines for a terminal: the task, what the candidate is, how it was built, what
// became of it and where it failed (message, worst element), its check and timing, and where the time went. An empty
// source means that there is none. Every line ends with a newline.
std::string story(const Record& record, const std::string& candidate_source);

} // namespace kernelbench::report
