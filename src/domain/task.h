#pragma once

#include <string>

namespace kernelbench {

// A reference `Model` with `get_inputs()` and `get_init_inputs()`, at the sizes of one preset.
struct Task {
  std::string id;     // "level1/19"; the file's path for a task given by path
  std::string name;   // "19_ReLU": the file's name without .py
  int level = 0;      // 0 for a task given by path whose directory is no level
  int number = 0;     // the number at the start of the file's name, 0 without one
  std::string preset; // "paper", "smoke", ...
  std::string source; // Python, constants already rewritten for the preset: what an LM sees and what is evaluated
  std::string sha256; // of `source`
};

} // namespace kernelbench
