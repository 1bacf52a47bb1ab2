#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace kernelbench {

// One answer of an LM, with what it cost.
struct Generation {
  std::string task_id;
  int sample = 0;
  std::string model;  // as the provider names it
  std::string answer; // the whole text, reasoning included where the provider gives it
  std::int64_t prompt_tokens = 0;
  std::int64_t completion_tokens = 0;
  double latency_s = 0;

  bool operator==(const Generation&) const = default;
};

// One line of JSON, without a newline:
//   {"task":..,"sample":..,"model":..,"answer":..,"usage":{"prompt_tokens":..,"completion_tokens":..},"latency_s":..}
std::string to_json_line(const Generation& generation);
// Throws UserError that says where the text is no JSON, or which field is missing or wrong. `model`, `usage` and
// `latency_s` may be missing or null, so that answers from elsewhere can be written down by hand.
Generation generation_from_json_line(std::string_view line);

} // namespace kernelbench
