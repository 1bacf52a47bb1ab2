#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "domain/candidate.h"

namespace kernelbench::extract {

// Reads a candidate from a file. Throws UserError when the file is missing, no regular file, larger than 1 MiB, or no
// UTF-8 text. The candidate's sample is what the file's name says, if it has upstream's form.
Candidate read_candidate_file(const std::filesystem::path& path);

// What upstream's name of a candidate file says: level_<L>_problem_<P>_sample_<S>_kernel.py.
struct CandidateFileName {
  int level = 0;
  int problem = 0; // the task's number
  int sample = 0;

  bool operator==(const CandidateFileName&) const = default;
};

// `name` is the file's name without its directory. Nothing when it has another form.
std::optional<CandidateFileName> parse_candidate_file_name(std::string_view name);

} // namespace kernelbench::extract
