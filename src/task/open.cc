#include "task/open.h"

#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <system_error>

#include "base/file.h"
#include "base/hash.h"
#include "base/result.h"
#include "task/file_name.h"
#include "task/task_source.h"

namespace kernelbench::task {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t most_bytes = 1u << 20;

bool is_path(std::string_view spec) {
  std::error_code error;
  return fs::is_regular_file(fs::path(spec), error) ||
         (spec.find('/') != std::string_view::npos && fs::path(spec).extension() == ".py");
}

std::string read_source(const fs::path& path, std::string_view label) {
  std::string source = read_file(path, "task file", most_bytes);
  check_task_source(source, label);
  return source;
}

Task with_source(Task task, std::string source) {
  task.source = std::move(source);
  task.sha256 = sha256_hex(task.source);
  return task;
}

Task open_path(const fs::path& path) {
  Task task;
  task.id = path.string();
  task.name = path.stem().string();
  task.level = level_of_directory(fs::absolute(path).parent_path());
  task.number = number_in_name(task.name);
  task.preset = "paper";
  return with_source(std::move(task), read_source(path, path.string()));
}

Task open_entry(const Entry& entry, const Presets& presets, std::string_view preset) {
  std::string source = read_source(entry.path, entry.path.string());
  Task task{entry.id, entry.name, entry.level, entry.number, std::string(preset), {}, {}};
  if (const Constants* constants = presets.find(preset, entry.id)) {
    return with_source(std::move(task), rewrite_constants(source, *constants, entry.id, preset));
  }
  if (preset == "smoke") {
    throw UserError(fmt::format("preset smoke has no sizes for {}: choose another preset (--preset paper keeps the "
                                "file's own values)",
                                entry.id));
  }
  return with_source(std::move(task), std::move(source));
}

} // namespace

Task open_task(const Catalog& catalog, const Presets& presets, std::string_view spec, std::string_view preset) {
  if (!presets.has(preset)) {
    throw UserError(fmt::format("no preset \"{}\"; there are {}", preset, fmt::join(presets.names(), ", ")));
  }
  return is_path(spec) ? open_path(fs::path(spec)) : open_entry(catalog.find(spec), presets, preset);
}

} // namespace kernelbench::task
