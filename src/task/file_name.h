#pragma once

#include <filesystem>
#include <string_view>

namespace kernelbench::task {

// What the names of task files and of their directories say: level<L>/<N>_<name>.py.

// The number at the start of a task's name, 0 without one: 19 for "19_ReLU", 0 for "3DConv".
int number_in_name(std::string_view name);

// The level a directory's name says, 0 for another name: 2 for "tasks/level2" or, inside it, ".".
int level_of_directory(const std::filesystem::path& directory);

} // namespace kernelbench::task
