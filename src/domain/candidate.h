#pragma once

#include <optional>
#include <string>

namespace kernelbench {

// The source that defines `ModelNew`.
struct Candidate {
  std::string source;
  std::string sha256;   // of `source`
  std::string path;     // where it was read from, or empty
  std::string language; // "python", "cpp", "cuda", "triton": told from the source, for reports only
  std::optional<int> sample;
};

// Makes a candidate of its source: hash and language are filled in.
Candidate make_candidate(std::string source, std::string path = {}, std::optional<int> sample = std::nullopt);

} // namespace kernelbench
