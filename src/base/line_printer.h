#pragma once

#include <cstdio>
#include <string>

namespace kernelbench {

// Progress for a person: one line that is written over on a terminal, and a line each elsewhere.
class LinePrinter {
public:
  explicit LinePrinter(std::FILE* stream);
  // A state that the next one replaces. Only shown on a terminal; cut to its width.
  void state(const std::string& text);
  // A line that stays.
  void line(const std::string& text);
  ~LinePrinter();

private:
  void clear();

  std::FILE* stream_;
  bool terminal_;
  bool state_shown_ = false;
};

} // namespace kernelbench
