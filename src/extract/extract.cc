#include "extract/extract.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <optional>
#include <vector>

#include "base/file.h"
#include "extract/code_blocks.h"
#include "extract/reasoning.h"

namespace kernelbench::extract {

namespace {

bool may_be_python(std::string_view language) {
  constexpr std::array<std::string_view, 6> names{"", "python", "python3", "py", "py3", "ipython"};
  std::string lower(language.substr(0, 16));
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
  return std::find(names.begin(), names.end(), lower) != names.end();
}

// What was seen of the blocks, for a message: "2 code blocks (cpp, no language)".
class Sightings {
public:
  void add(std::string_view language) {
    constexpr std::size_t most = 5;
    ++blocks_;
    const std::string shown = language.empty() ? "no language" : to_valid_utf8(language.substr(0, 20));
    if (languages_.size() < most && std::find(languages_.begin(), languages_.end(), shown) == languages_.end()) {
      languages_.push_back(shown);
    }
  }
  std::size_t blocks() const { return blocks_; }
  std::string text() const {
    return fmt::format("{} code block{} ({})", blocks_, blocks_ == 1 ? "" : "s", fmt::join(languages_, ", "));
  }

private:
  std::size_t blocks_ = 0;
  std::vector<std::string> languages_;
};

// Whether the first line that is neither blank nor a comment begins as Python does and prose does not.
bool begins_as_python(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    at = end + 1;
    line = line.substr(0, line.find_last_not_of(" \t\r") + 1);
    if (line.empty() || line[0] == '#') {
      continue;
    }
    const auto begins = [&](std::string_view word) { return line.substr(0, word.size()) == word; };
    const std::size_t name = std::min(line.find_first_of(" =:.("), line.size());
    const std::size_t equals = line.find_first_not_of(' ', name);
    const bool assigns = name > 0 && equals != std::string_view::npos && line[equals] == '=';
    return begins("import ") || (begins("from ") && line.find(" import") != std::string_view::npos) ||
           begins("class ") || begins("def ") || begins("@") || begins("\"\"\"") || begins("'''") ||
           begins("r\"\"\"") || assigns;
  }
  return false;
}

bool is_python_with_model_new(std::string_view text) {
  const CodeBlock whole{{}, text, 0};
  return defines_model_new(whole) && begins_as_python(text);
}

Extraction not_found(const FinalAnswer& answer, const Sightings& seen) {
  if (seen.blocks() > 0) {
    return {{}, "no_model_new", fmt::format("the answer has {}, but none defines ModelNew", seen.text())};
  }
  if (answer.cut_off) {
    return {{}, "no_code_block", "the answer ends within its reasoning and has no code block"};
  }
  const bool empty = answer.text.find_first_not_of(" \t\r\n") == std::string::npos;
  return {{},
          "no_code_block",
          empty ? "the answer is empty"
                : fmt::format("the answer has no code block in its {} bytes of text", answer.text.size())};
}

} // namespace

Extraction extract_candidate(std::string_view answer) {
  const FinalAnswer rest = without_reasoning(answer);
  Sightings seen;
  std::optional<CodeBlock> python;
  std::optional<CodeBlock> other;
  CodeBlockReader reader(rest.text);
  while (const auto block = reader.next()) {
    seen.add(block->language);
    if (defines_model_new(*block)) {
      (may_be_python(block->language) ? python : other) = block;
    }
  }
  if (python || other) {
    return {source_of(python ? *python : *other), {}, {}};
  }
  if (seen.blocks() == 0 && is_python_with_model_new(rest.text)) {
    return {source_of(CodeBlock{{}, rest.text, 0}), {}, {}};
  }
  return not_found(rest, seen);
}

} // namespace kernelbench::extract
