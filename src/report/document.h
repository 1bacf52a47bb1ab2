#pragma once

#include <string>
#include <variant>
#include <vector>

#include "base/text_table.h"

// What a report says, apart from how it is written: sections build a Document, one writer per format prints it.

namespace kernelbench::report {

struct Heading {
  int level = 1;
  std::string text;
};

struct Paragraph {
  std::string text;
};

using Block = std::variant<Heading, Paragraph, TextTable>;
using Document = std::vector<Block>;

// For a terminal.
std::string as_text(const Document& document);
// GitHub's dialect.
std::string as_markdown(const Document& document);

} // namespace kernelbench::report
