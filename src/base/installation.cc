#include "base/installation.h"

#include <fmt/format.h>

#include <cstdlib>
#include <string>

#include "base/file.h"
#include "base/result.h"

namespace kernelbench {

namespace {

std::filesystem::path xdg_directory(const char* variable, const char* under_home) {
  if (const char* value = std::getenv(variable); value != nullptr && *value == '/') {
    return std::filesystem::path(value) / "kernelbench";
  }
  const char* home = std::getenv("HOME");
  if (home == nullptr || *home == '\0') {
    throw UserError(fmt::format("neither {} nor HOME is set: set one of them", variable));
  }
  return std::filesystem::path(home) / under_home / "kernelbench";
}

} // namespace

Installation Installation::find() {
  Installation found;
  found.programs = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  if (const char* data = std::getenv("KERNELBENCH_DATA"); data != nullptr && *data != '\0') {
    found.data = data;
  } else {
    found.data = found.programs.parent_path() / "share" / "kernelbench";
    if (!std::filesystem::is_directory(found.data)) {
      found.data = found.programs.parent_path().parent_path() / "data";
    }
  }
  if (!std::filesystem::is_directory(found.data / "tasks")) {
    throw UserError(fmt::format("no data folder at {}: set KERNELBENCH_DATA to the repository's data/, or install with "
                                "'cmake --install build'",
                                found.data.string()));
  }
  return found;
}

std::filesystem::path Installation::python() const {
  if (!std::filesystem::exists(worker())) {
    throw UserError(fmt::format("{} is missing: run script/setup", worker().string()));
  }
  std::string path = read_file(worker().string() + ".python", "the worker's note of its interpreter");
  path.erase(path.find_last_not_of(" \n") + 1);
  return path;
}

std::filesystem::path cache_directory() { return xdg_directory("XDG_CACHE_HOME", ".cache"); }
std::filesystem::path data_directory() { return xdg_directory("XDG_DATA_HOME", ".local/share"); }

} // namespace kernelbench
