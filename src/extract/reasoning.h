#pragma once

#include <string>
#include <string_view>

namespace kernelbench::extract {

// An answer without its reasoning.
struct FinalAnswer {
  std::string text;
  bool cut_off = false; // the answer ends within its reasoning
};

// See extract_candidate for what counts as reasoning.
FinalAnswer without_reasoning(std::string_view answer);

} // namespace kernelbench::extract
