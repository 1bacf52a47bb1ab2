#include "task/task_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/result.h"
#include "task/python_scan.h"

namespace kernelbench::task {

namespace {

bool defines(const std::vector<TopLevelStatement>& statements, std::string_view name) {
  return std::any_of(statements.begin(), statements.end(), [&](const auto& found) { return found.name == name; });
}

} // namespace

void check_task_source(std::string_view source, std::string_view label) {
  if (const std::size_t nul = source.find('\0'); nul != std::string_view::npos) {
    throw UserError(fmt::format("task file {}: not a text file (a zero byte at offset {})", label, nul));
  }
  if (const auto offset = first_invalid_utf8(source)) {
    throw UserError(fmt::format("task file {}: not UTF-8 at byte offset {}; save it as UTF-8", label, *offset));
  }
  const std::vector<TopLevelStatement> statements = top_level_statements(source);
  std::string missing;
  for (const char* name : {"Model", "get_inputs", "get_init_inputs"}) {
    if (!defines(statements, name)) {
      missing += (missing.empty() ? "" : " and no ") + std::string(name);
    }
  }
  if (!missing.empty()) {
    throw UserError(fmt::format("task file {} defines no {}; a task file must define, at its top level, class Model, "
                                "get_inputs() (the list of forward's arguments) and get_init_inputs() (the list of the "
                                "constructor's arguments)",
                                label, missing));
  }
}

} // namespace kernelbench::task
