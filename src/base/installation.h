#pragma once

#include <filesystem>

namespace kernelbench {

// Where our own programs and data lie: beside the running program in a build folder (build/bin, ../../data), or under the
// prefix of an installation (bin, ../share/kernelbench). KERNELBENCH_DATA names another data folder.
struct Installation {
  std::filesystem::path programs;
  std::filesystem::path data;

  // Throws UserError when the data folder is missing.
  static Installation find();

  std::filesystem::path judge() const { return programs / "kernelbench-judge"; }
  std::filesystem::path worker() const { return programs / "kernelbench-worker"; }
  // The interpreter that the worker was built to embed. Throws UserError when the worker is missing.
  std::filesystem::path python() const;
};

// $XDG_CACHE_HOME/kernelbench, $XDG_DATA_HOME/kernelbench, with the usual defaults under HOME.
std::filesystem::path cache_directory();
std::filesystem::path data_directory();

} // namespace kernelbench
