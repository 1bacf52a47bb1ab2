#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace kernelbench::task {

// One task file of a catalog.
struct Entry {
  std::string id;   // "level1/19"; the file's stem where there is no level, "level1/<stem>" where there is no number
  std::string name; // the file's stem: "19_ReLU"
  int level = 0;    // 0 in a directory that is no level
  int number = 0;   // 0 where the name has none
  std::filesystem::path path;
};

// The task files of a directory; they are found, not read.
class Catalog {
public:
  // Either a directory of level<L> directories that hold <N>_<name>.py (data/tasks, upstream's KernelBench), or a flat
  // directory of .py files. Files whose name starts with "." or "_" are no tasks. Throws UserError where there is
  // no task, or where two files have the same id.
  static Catalog load(const std::filesystem::path& directory);

  // Sorted by level, number, name.
  const std::vector<Entry>& entries() const { return entries_; }

  // `spec` is an id, "1/19" for "level1/19", or a name with or without .py; upper and lower case differ. Throws
  // UserError that suggests what is near when there is no such task, or when a name stands in several levels.
  const Entry& find(std::string_view spec) const;

  // The tasks that match at least one pattern, each once, in the catalog's order. A pattern is what find() takes, or
  // has wildcards: "level1/*", "*", "1/?". A pattern that matches nothing is a UserError.
  std::vector<Entry> select(const std::vector<std::string>& patterns) const;

private:
  explicit Catalog(std::vector<Entry> entries) : entries_(std::move(entries)) {}

  std::vector<std::size_t> named(std::string_view spec) const;
  std::string suggestions(std::string_view spec) const;

  std::vector<Entry> entries_;
};

} // namespace kernelbench::task
