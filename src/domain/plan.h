#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kernelbench {

// One piece of planned work: one candidate for one task.
struct PlannedSample {
  std::string task; // id, "level1/19"
  int sample = 0;

  auto operator<=>(const PlannedSample&) const = default;
};

// All the work of a run. Metrics divide by it, so that work that was never done counts as failed.
using Plan = std::vector<PlannedSample>;

// [{"task":"level1/1","sample":0},...], as the store keeps it.
std::string plan_to_json(const Plan& plan);
// Throws UserError when the text is something else. Empty text is an empty plan.
Plan plan_from_json(std::string_view text);

} // namespace kernelbench
