#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "base/result.h"

namespace kernelbench::task {

// For tests: a directory of files that is removed at the end.
class TestFiles {
public:
  TestFiles() {
    std::string name = testing::TempDir() + "kernelbench-task-XXXXXX";
    root_ = mkdtemp(name.data());
  }
  TestFiles(const TestFiles&) = delete;
  ~TestFiles() { std::filesystem::remove_all(root_); }

  const std::filesystem::path& root() const { return root_; }

  std::filesystem::path add(const std::string& name, const std::string& content = "") const {
    const std::filesystem::path path = root_ / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << content;
    return path;
  }

private:
  std::filesystem::path root_;
};

// For tests: the message of the UserError that `action` throws, or "no error".
template <class Action>
std::string user_error_of(Action action) {
  try {
    action();
  } catch (const UserError& error) {
    return error.what();
  }
  return "no error";
}

} // namespace kernelbench::task
