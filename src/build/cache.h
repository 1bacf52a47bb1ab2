#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace kernelbench::build {

// Compiled extension units, content-addressed: units/<key>/<name>.so, and builds/<key>.json, which says what units a
// candidate needed. Many processes may use one cache: entries appear whole, by rename, and are never changed.
class Cache {
public:
  explicit Cache(std::filesystem::path directory);

  // What runners and builders must be able to read.
  std::filesystem::path units_directory() const { return directory_ / "units"; }

  std::optional<std::filesystem::path> find_unit(const std::string& key) const;
  // Copies the library behind the descriptor into the cache and returns its path. Throws std::system_error.
  std::filesystem::path put_unit(const std::string& key, const std::string& file_name, int library_fd);

  struct BuiltUnit {
    std::string digest; // of the unit's specification
    std::string key;
  };
  std::optional<std::vector<BuiltUnit>> find_build(const std::string& key) const;
  void put_build(const std::string& key, const std::vector<BuiltUnit>& units);

private:
  std::filesystem::path directory_;
};

} // namespace kernelbench::build
