#include "domain/plan.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/result.h"

namespace kernelbench {

std::string plan_to_json(const Plan& plan) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const PlannedSample& planned : plan) {
    json.push_back({{"task", planned.task}, {"sample", planned.sample}});
  }
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

Plan plan_from_json(std::string_view text) {
  Plan plan;
  if (text.empty()) {
    return plan;
  }
  try {
    const auto json = nlohmann::json::parse(text);
    if (!json.is_array()) {
      throw UserError("a plan must be a JSON array of {\"task\", \"sample\"}");
    }
    for (const auto& planned : json) {
      plan.push_back({planned.at("task").get<std::string>(), planned.at("sample").get<int>()});
    }
  } catch (const nlohmann::json::exception& error) {
    throw UserError(fmt::format("a plan must be a JSON array of {{\"task\", \"sample\"}}: {}", error.what()));
  }
  return plan;
}

} // namespace kernelbench
