#include "domain/candidate.h"

#include <string_view>
#include <utility>

#include "base/hash.h"

namespace kernelbench {

namespace {

std::string language_of(std::string_view source) {
  const auto has = [&](std::string_view word) { return source.find(word) != std::string_view::npos; };
  if (has("cuda_sources") || has("__global__")) {
    return "cuda";
  }
  if (has("import triton") || has("from triton")) {
    return "triton";
  }
  return has("cpp_extension") ? "cpp" : "python";
}

} // namespace

Candidate make_candidate(std::string source, std::string path, std::optional<int> sample) {
  Candidate candidate;
  candidate.sha256 = sha256_hex(source);
  candidate.language = language_of(source);
  candidate.source = std::move(source);
  candidate.path = std::move(path);
  candidate.sample = sample;
  return candidate;
}

} // namespace kernelbench
