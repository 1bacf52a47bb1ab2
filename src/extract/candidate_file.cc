#include "extract/candidate_file.h"

#include <fmt/format.h>

#include <charconv>
#include <string>
#include <system_error>
#include <utility>

#include "base/file.h"
#include "base/result.h"

namespace kernelbench::extract {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t most_bytes = 1u << 20;

// Takes `prefix` and a number off the front of `text`.
std::optional<int> take_number(std::string_view& text, std::string_view prefix) {
  if (text.substr(0, prefix.size()) != prefix) {
    return std::nullopt;
  }
  std::string_view digits = text.substr(prefix.size());
  int number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || digits[0] == '-') {
    return std::nullopt;
  }
  text = digits.substr(static_cast<std::size_t>(end - digits.data()));
  return number;
}

} // namespace

Candidate read_candidate_file(const fs::path& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) {
    throw UserError(fmt::format("candidate file {}: is a directory; give the path of one Python file", path.string()));
  }
  if (const auto size = fs::file_size(path, error); !error && size > most_bytes) {
    throw UserError(fmt::format("candidate file {}: {} bytes; a candidate has at most 1 MiB ({} bytes)", path.string(),
                                size, most_bytes));
  }
  std::string source = read_file(path, "candidate file", most_bytes);
  if (const std::size_t nul = source.find('\0'); nul != std::string::npos) {
    throw UserError(fmt::format("candidate file {}: not a text file (a zero byte at offset {})", path.string(), nul));
  }
  if (const auto offset = first_invalid_utf8(source)) {
    throw UserError(
        fmt::format("candidate file {}: not UTF-8 at byte offset {}; save it as UTF-8", path.string(), *offset));
  }
  const auto name = parse_candidate_file_name(path.filename().string());
  return make_candidate(std::move(source), path.string(), name ? std::optional(name->sample) : std::nullopt);
}

std::optional<CandidateFileName> parse_candidate_file_name(std::string_view name) {
  const auto level = take_number(name, "level_");
  const auto problem = level ? take_number(name, "_problem_") : std::nullopt;
  const auto sample = problem ? take_number(name, "_sample_") : std::nullopt;
  if (!sample || name != "_kernel.py") {
    return std::nullopt;
  }
  return CandidateFileName{*level, *problem, *sample};
}

} // namespace kernelbench::extract
