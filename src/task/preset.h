#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "task/constant.h"

namespace kernelbench::task {

// The presets of a directory: <name>.toml, with one table per task id (["level1/1"]) of constant = value. The preset
// `paper` is a task file's own values: it always exists and changes nothing.
class Presets {
public:
  // Throws UserError with file, line and column for a file that is no such TOML.
  static Presets load(const std::filesystem::path& directory);

  bool has(std::string_view preset) const;
  std::vector<std::string> names() const; // sorted; "paper" is among them
  // What the preset changes in a task, or nullptr when it says nothing about the task.
  const Constants* find(std::string_view preset, std::string_view task_id) const;
  // The ids of the tasks that the preset has a table for, sorted.
  std::vector<std::string> task_ids(std::string_view preset) const;

private:
  using Tasks = std::map<std::string, Constants, std::less<>>;
  std::map<std::string, Tasks, std::less<>> presets_;
};

} // namespace kernelbench::task
