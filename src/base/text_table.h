#pragma once

#include <string>
#include <vector>

namespace kernelbench {

// A table of text cells, laid out in columns. The first row is the heading.
class TextTable {
public:
  enum class Align { left, right };
  explicit TextTable(std::vector<Align> columns) : columns_(std::move(columns)) {}

  // `cells` has one entry per column.
  void add_row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

  // Columns padded to their widest cell, two spaces between them, a rule under the heading.
  std::string plain() const;
  std::string markdown() const;
  // RFC 4180: fields quoted where needed.
  std::string csv() const;

private:
  std::vector<std::size_t> widths() const;

  std::vector<Align> columns_;
  std::vector<std::vector<std::string>> rows_;
};

} // namespace kernelbench
