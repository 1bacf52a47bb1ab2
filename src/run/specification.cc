#include "run/specification.h"

#include <fmt/format.h>

#define TOML_EXCEPTIONS 1
#include <toml++/toml.h>

#include <algorithm>
#include <initializer_list>

#include "base/file.h"

namespace kernelbench::run {

namespace {

// Reads known keys of one table; every other key is a mistake that is named.
class Section {
public:
  Section(const toml::table& file, const std::string& label, const std::string& name,
          std::initializer_list<std::string_view> keys)
      : table_(file[name].as_table()), place_(fmt::format("{}: [{}]", label, name)) {
    if (table_ == nullptr && file.contains(name)) {
      throw UserError(fmt::format("{}: '{}' is a section: write [{}]", label, name, name));
    }
    if (table_ == nullptr) {
      return;
    }
    for (const auto& [key, value] : *table_) {
      if (std::find(keys.begin(), keys.end(), key.str()) == keys.end()) {
        throw UserError(fmt::format("{}: unknown key '{}' in line {}; known are {}", place_, key.str(),
                                    value.source().begin.line, fmt::join(keys, ", ")));
      }
    }
  }

  template <class T>
  void read(std::string_view key, T& value) const {
    if (table_ == nullptr || !table_->contains(key)) {
      return;
    }
    const auto found = (*table_)[key].value<T>();
    if (!found) {
      throw UserError(fmt::format("{}: '{}' has the wrong type in line {}", place_, key, (*table_)[key].node()->source().begin.line));
    }
    value = *found;
  }

  void read_one_of(std::string_view key, std::string& value, std::initializer_list<std::string_view> allowed) const {
    read(key, value);
    if (table_ != nullptr && table_->contains(key) && std::find(allowed.begin(), allowed.end(), value) == allowed.end()) {
      throw UserError(fmt::format("{}: {} = \"{}\" is none of {}", place_, key, value, fmt::join(allowed, ", ")));
    }
  }

  void read_positive(std::string_view key, auto& value) const {
    read(key, value);
    if (!(value > 0)) {
      throw UserError(fmt::format("{}: '{}' must be greater than 0", place_, key));
    }
  }

  void read_list(std::string_view key, std::vector<std::string>& values) const {
    if (table_ == nullptr || !table_->contains(key)) {
      return;
    }
    const toml::array* array = (*table_)[key].as_array();
    values.clear();
    for (std::size_t i = 0; array != nullptr && i < array->size(); ++i) {
      if (const auto text = (*array)[i].value<std::string>()) {
        values.push_back(*text);
      }
    }
    if (array == nullptr || array->empty() || values.size() != array->size()) {
      throw UserError(fmt::format("{}: '{}' is a list of texts, as in {} = [\"level1/*\"]", place_, key, key));
    }
  }

private:
  const toml::table* table_;
  std::string place_;
};

} // namespace

Specification read_specification(const std::filesystem::path& file) {
  return parse_specification(read_file(file, "run specification", 1u << 20), file.string());
}

Specification parse_specification(const std::string& text, const std::string& label) {
  toml::table file;
  try {
    file = toml::parse(text, label);
  } catch (const toml::parse_error& error) {
    throw UserError(fmt::format("{}:{}:{}: {}", label, error.source().begin.line, error.source().begin.column,
                                error.description()));
  }
  const std::vector<std::string_view> sections = {"run", "method", "lm", "evaluate"};
  for (const auto& [key, value] : file) {
    if (std::find(sections.begin(), sections.end(), key.str()) == sections.end()) {
      throw UserError(fmt::format("{}: unknown section '{}' in line {}; known are {}", label, key.str(),
                                  value.source().begin.line, fmt::join(sections, ", ")));
    }
  }
  Specification specification;
  specification.text = text;
  const Section run(file, label, "run", {"name", "tasks", "preset", "device"});
  run.read("name", specification.name);
  run.read_list("tasks", specification.tasks);
  run.read("preset", specification.preset);
  run.read("device", specification.device);
  const Section method(file, label, "method", {"kind", "samples"});
  std::string kind = "single";
  method.read_one_of("kind", kind, {"single", "sample"});
  method.read_positive("samples", specification.samples);
  if (kind == "single" && specification.samples != 1) {
    throw UserError(fmt::format("{}: [method] kind = \"single\" takes one answer per task; for more write kind = \"sample\"", label));
  }
  const Section lm(file, label, "lm", {"provider", "model"});
  lm.read_one_of("provider", specification.provider, {"replay"});
  lm.read("model", specification.model);
  if (specification.name.empty() || specification.provider.empty() || specification.model.empty()) {
    throw UserError(fmt::format("{}: a run needs [run] name, [lm] provider and [lm] model", label));
  }
  const Section evaluate(file, label, "evaluate",
                         {"protocol", "tolerance", "precision", "trials", "build_s", "load_s", "check_s", "time_s",
                          "memory_mb", "processes", "disk_mb"});
  evaluate.read_one_of("protocol", specification.protocol, {"paper", "none"});
  evaluate.read_one_of("tolerance", specification.tolerance, {"paper", "upstream"});
  evaluate.read_one_of("precision", specification.precision, {"fp32", "tf32", "bf16", "fp16"});
  evaluate.read_positive("trials", specification.trials);
  evaluate.read_positive("build_s", specification.limits.build_s);
  evaluate.read_positive("load_s", specification.limits.load_s);
  evaluate.read_positive("check_s", specification.limits.check_s);
  evaluate.read_positive("time_s", specification.limits.time_s);
  evaluate.read_positive("memory_mb", specification.limits.memory_mb);
  evaluate.read_positive("processes", specification.limits.processes);
  evaluate.read_positive("disk_mb", specification.limits.disk_mb);
  return specification;
}

} // namespace kernelbench::run
