#pragma once

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

namespace kernelbench {

// For tests: a folder of its own, removed at the end with everything in it.
class TemporaryFolder {
public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "kernelbench-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) {
      throw std::system_error(errno, std::generic_category(), name);
    }
    path_ = name;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  const std::filesystem::path& path() const { return path_; }

  // Writes a file, and the folders above it where they are missing.
  std::filesystem::path add(const std::string& name, std::string_view content = {}) const {
    const std::filesystem::path file = path_ / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << content;
    return file;
  }

  // Writes a shell script that can be run.
  std::filesystem::path add_program(const std::string& name, std::string_view script) const {
    const std::filesystem::path file = add(name, "#!/bin/sh\n" + std::string(script));
    std::filesystem::permissions(file, std::filesystem::perms(0755));
    return file;
  }

private:
  std::filesystem::path path_;
};

} // namespace kernelbench
