#include "base/text_table.h"

#include <algorithm>

namespace kernelbench {

namespace {

// Columns on a terminal: code points, not bytes.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string padded(const std::string& text, std::size_t width, TextTable::Align align) {
  const std::string space(width - std::min(width, width_of(text)), ' ');
  return align == TextTable::Align::right ? space + text : text + space;
}

} // namespace

std::vector<std::size_t> TextTable::widths() const {
  std::vector<std::size_t> widths(columns_.size(), 0);
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < widths.size(); ++i) {
      widths[i] = std::max(widths[i], width_of(row.at(i)));
    }
  }
  return widths;
}

std::string TextTable::plain() const {
  const auto column_widths = widths();
  std::string text;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    std::string line;
    for (std::size_t i = 0; i < column_widths.size(); ++i) {
      line += (i > 0 ? "  " : "") + padded(rows_[r][i], column_widths[i], columns_[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
    if (r == 0) {
      std::string rule;
      for (std::size_t i = 0; i < column_widths.size(); ++i) {
        rule += (i > 0 ? "  " : "") + std::string(column_widths[i], '-');
      }
      text += rule + "\n";
    }
  }
  return text;
}

std::string TextTable::markdown() const {
  std::string text;
  const auto column_widths = widths();
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    text += "|";
    for (std::size_t i = 0; i < column_widths.size(); ++i) {
      std::string cell;
      for (const char c : rows_[r][i]) {
        cell += c == '|' ? "\\|" : std::string(1, c);
      }
      text += " " + padded(cell, column_widths[i], columns_[i]) + " |";
    }
    text += "\n";
    if (r == 0) {
      text += "|";
      for (std::size_t i = 0; i < column_widths.size(); ++i) {
        text += " " + std::string(std::max<std::size_t>(column_widths[i], 3) - 1, '-') +
                (columns_[i] == Align::right ? ":" : "-") + " |";
      }
      text += "\n";
    }
  }
  return text;
}

std::string TextTable::csv() const {
  std::string text;
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      text += i > 0 ? "," : "";
      if (row[i].find_first_of(",\"\r\n") == std::string::npos) {
        text += row[i];
        continue;
      }
      text += '"';
      for (const char c : row[i]) {
        text += c == '"' ? "\"\"" : std::string(1, c);
      }
      text += '"';
    }
    text += "\r\n";
  }
  return text;
}

} // namespace kernelbench
