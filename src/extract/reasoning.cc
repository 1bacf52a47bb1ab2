#include "extract/reasoning.h"

#include <cstddef>

namespace kernelbench::extract {

namespace {

constexpr std::string_view opening = "<think>";
constexpr std::string_view closing = "</think>";

bool begins_line(std::string_view text, std::size_t at) {
  const std::size_t before = text.substr(0, at).find_last_not_of(" \t");
  return before == std::string_view::npos || text[before] == '\n';
}

} // namespace

FinalAnswer without_reasoning(std::string_view answer) {
  FinalAnswer rest;
  std::size_t kept = 0;                        // everything before is in `rest` or left out
  std::size_t opened = std::string_view::npos; // the tag that reasoning began with
  for (std::size_t at = answer.find('<'); at != std::string_view::npos; at = answer.find('<', at + 1)) {
    if (answer.compare(at, closing.size(), closing) == 0) {
      if (opened == std::string_view::npos) {
        rest.text.clear();
      } else {
        rest.text += answer.substr(kept, opened - kept);
      }
      kept = at + closing.size();
      opened = std::string_view::npos;
    } else if (opened == std::string_view::npos && answer.compare(at, opening.size(), opening) == 0) {
      opened = at;
    }
  }
  rest.cut_off = opened != std::string_view::npos && begins_line(answer, opened);
  rest.text += answer.substr(kept, rest.cut_off ? opened - kept : std::string_view::npos);
  return rest;
}

} // namespace kernelbench::extract
