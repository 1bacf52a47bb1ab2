#include "task/preset.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <system_error>

#include "base/file.h"
#include "base/result.h"

namespace kernelbench::task {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view paper = "paper";

// Turns a parsed TOML file into constants; every error says where in the file it is.
class PresetReader {
public:
  explicit PresetReader(const fs::path& path) : path_(path) {}

  std::map<std::string, Constants, std::less<>> read() const {
    const std::string text = read_file(path_, "preset file");
    std::map<std::string, Constants, std::less<>> tasks;
    for (const auto& [id, node] : parse(text)) {
      const toml::table* table = node.as_table();
      if (!table) {
        fail(node.source().begin,
             fmt::format("\"{}\" stands outside a task's table; begin one with [\"level1/1\"]", id.str()));
      }
      Constants& constants = tasks[std::string(id.str())];
      for (const auto& [name, value] : *table) {
        constants.emplace(std::string(name.str()), constant_of(value, name.str()));
      }
    }
    return tasks;
  }

private:
  toml::table parse(const std::string& text) const {
    try {
      return toml::parse(text, path_.string());
    } catch (const toml::parse_error& error) {
      fail(error.source().begin, error.description());
    }
  }

  Constant constant_of(const toml::node& node, std::string_view name) const {
    if (const auto* boolean = node.as_boolean()) {
      return {boolean->get()};
    }
    if (const auto* integer = node.as_integer()) {
      return {integer->get()};
    }
    if (const auto* number = node.as_floating_point()) {
      return {number->get()};
    }
    if (const auto* text = node.as_string()) {
      return {text->get()};
    }
    if (const auto* array = node.as_array()) {
      std::vector<Constant> elements;
      for (const toml::node& element : *array) {
        elements.push_back(constant_of(element, name));
      }
      return {std::move(elements)};
    }
    fail(node.source().begin,
         fmt::format("\"{}\" must be a number, true or false, a string or an array of these", name));
  }

  [[noreturn]] void fail(const toml::source_position& at, std::string_view message) const {
    throw UserError(fmt::format("{}:{}:{}: {}", path_.string(), at.line, at.column, message));
  }

  const fs::path& path_;
};

} // namespace

Presets Presets::load(const fs::path& directory) {
  Presets presets;
  presets.presets_[std::string(paper)];
  std::error_code error;
  for (fs::directory_iterator it(directory, error), end; !error && it != end; it.increment(error)) {
    const fs::path& path = it->path();
    if (path.extension() != ".toml") {
      continue;
    }
    if (path.stem() == paper) {
      throw UserError(fmt::format("{}: the preset paper is the task files' own values; give this file another name",
                                  path.string()));
    }
    presets.presets_[path.stem().string()] = PresetReader(path).read();
  }
  if (error) {
    throw UserError(fmt::format("preset directory {}: {}", directory.string(), error.message()));
  }
  return presets;
}

bool Presets::has(std::string_view preset) const {
  return presets_.find(preset) != presets_.end();
}

std::vector<std::string> Presets::names() const {
  std::vector<std::string> names;
  for (const auto& [name, tasks] : presets_) {
    names.push_back(name);
  }
  return names;
}

const Constants* Presets::find(std::string_view preset, std::string_view task_id) const {
  const auto tasks = presets_.find(preset);
  if (tasks == presets_.end()) {
    return nullptr;
  }
  const auto constants = tasks->second.find(task_id);
  return constants == tasks->second.end() ? nullptr : &constants->second;
}

std::vector<std::string> Presets::task_ids(std::string_view preset) const {
  std::vector<std::string> ids;
  if (const auto tasks = presets_.find(preset); tasks != presets_.end()) {
    for (const auto& [id, constants] : tasks->second) {
      ids.push_back(id);
    }
  }
  return ids;
}

} // namespace kernelbench::task
