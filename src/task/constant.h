#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace kernelbench::task {

// The value a preset gives to a module-level constant of a task.
struct Constant {
  std::variant<bool, std::int64_t, double, std::string, std::vector<Constant>> value;
};
using Constants = std::map<std::string, Constant, std::less<>>;

// `source` with the values of module-level constants (NAME = value, NAME: int = value) replaced; everything else stays
// as it is. An array becomes a tuple where the old value is one, else a list. Throws UserError for a constant that the
// source does not have; `task_id` and `preset` name the place in the message.
std::string rewrite_constants(std::string_view source, const Constants& constants, std::string_view task_id,
                              std::string_view preset);

} // namespace kernelbench::task
