#include "task/constant.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/result.h"
#include "task/python_scan.h"

namespace kernelbench::task {

namespace {

std::string python_float(double value) {
  if (!std::isfinite(value)) {
    return fmt::format("float(\"{}\")", value);
  }
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) {
    text += ".0";
  }
  return text;
}

std::string python_string(std::string_view value) {
  std::string text = "\"";
  for (const char c : value) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      text += '\\';
      text += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      text += fmt::format("\\x{:02x}", byte);
    } else {
      text += c;
    }
  }
  return text + "\"";
}

// `old_value` decides, bracket by bracket, whether an array is a tuple or a list.
std::string python_value(const Constant& constant, std::string_view old_value);

std::string python_array(const std::vector<Constant>& elements, std::string_view old_value) {
  const bool tuple = !old_value.empty() && old_value[0] == '(';
  const bool bracket = tuple || (!old_value.empty() && old_value[0] == '[');
  std::string_view inner = bracket ? old_value.substr(1) : std::string_view();
  inner.remove_prefix(std::min(inner.find_first_not_of(" \t\r\n"), inner.size()));
  std::string text;
  for (const Constant& element : elements) {
    text += (text.empty() ? "" : ", ") + python_value(element, inner);
  }
  if (tuple) {
    return fmt::format("({}{})", text, elements.size() == 1 ? "," : "");
  }
  return fmt::format("[{}]", text);
}

std::string python_value(const Constant& constant, std::string_view old_value) {
  switch (constant.value.index()) {
  case 0: return std::get<bool>(constant.value) ? "True" : "False";
  case 1: return fmt::format("{}", std::get<std::int64_t>(constant.value));
  case 2: return python_float(std::get<double>(constant.value));
  case 3: return python_string(std::get<std::string>(constant.value));
  default: return python_array(std::get<std::vector<Constant>>(constant.value), old_value);
  }
}

std::string names_of(const std::vector<TopLevelStatement>& assignments) {
  std::vector<std::string_view> names;
  for (const TopLevelStatement& assignment : assignments) {
    if (std::find(names.begin(), names.end(), assignment.name) == names.end()) {
      names.push_back(assignment.name);
    }
  }
  return names.empty() ? "it has none" : fmt::format("it has {}", fmt::join(names, ", "));
}

} // namespace

std::string rewrite_constants(std::string_view source, const Constants& constants, std::string_view task_id,
                              std::string_view preset) {
  std::vector<TopLevelStatement> assignments = top_level_statements(source);
  std::erase_if(assignments,
                [](const auto& statement) { return statement.kind != TopLevelStatement::Kind::assignment; });
  for (const auto& [name, constant] : constants) {
    if (std::none_of(assignments.begin(), assignments.end(), [&](const auto& found) { return found.name == name; })) {
      throw UserError(fmt::format("preset {} gives task {} a constant \"{}\" that its file does not set; {}", preset,
                                  task_id, name, names_of(assignments)));
    }
  }
  std::string rewritten;
  std::size_t copied = 0;
  for (const TopLevelStatement& assignment : assignments) {
    const auto constant = constants.find(assignment.name);
    if (constant == constants.end()) {
      continue;
    }
    const auto begin = static_cast<std::size_t>(assignment.value.data() - source.data());
    rewritten += source.substr(copied, begin - copied);
    rewritten += python_value(constant->second, assignment.value);
    copied = begin + assignment.value.size();
  }
  rewritten += source.substr(copied);
  return rewritten;
}

} // namespace kernelbench::task
