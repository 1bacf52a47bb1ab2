#include "metric/slot.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

namespace kernelbench::metric {

namespace {

PlannedSample key_of(const Record& record) {
  return {record.task_id, record.sample.value_or(0)};
}

// Whether `candidate` goes before `other`, both records of one sample.
bool preferred(const Record& candidate, const Record& other) {
  const auto rank = [](const Record& record) {
    return std::tuple(!record.fault.has_value(), record.provenance.created, record.id);
  };
  return rank(candidate) > rank(other);
}

// 19 of "level1/19" and of "my/19_ReLU.py".
long number_of_task_id(const std::string& task_id) {
  return std::strtol(task_id.c_str() + (task_id.rfind('/') + 1), nullptr, 10);
}

} // namespace

double Slot::speedup() const {
  if (!correct() || !record->timing || !std::isfinite(record->timing->speedup)) {
    return 0;
  }
  return std::max(record->timing->speedup, 0.0);
}

std::vector<Slot> fill(const Plan& plan, const std::vector<Record>& records) {
  std::map<PlannedSample, const Record*> filled;
  for (const PlannedSample& planned : plan) {
    filled[planned] = nullptr;
  }
  // A task's level is a property of the task: one record tells it for the samples that have none.
  std::map<std::string, int> levels;
  for (const Record& record : records) {
    const PlannedSample key = key_of(record);
    if (!plan.empty() && !filled.contains(key)) {
      continue;
    }
    const Record*& slot = filled[key];
    if (slot == nullptr || preferred(record, *slot)) {
      slot = &record;
    }
    int& level = levels[record.task_id];
    level = std::max(level, record.task_level);
  }
  std::vector<Slot> slots;
  for (const auto& [planned, record] : filled) {
    const auto known = levels.find(planned.task);
    slots.push_back({planned, known != levels.end() ? known->second : level_of_task_id(planned.task), record});
  }
  std::ranges::stable_sort(slots, {}, [](const Slot& slot) {
    return std::tuple(slot.level, number_of_task_id(slot.planned.task), slot.planned);
  });
  return slots;
}

std::vector<int> levels_of(const std::vector<Slot>& slots) {
  std::set<int> levels;
  for (const Slot& slot : slots) {
    levels.insert(slot.level);
  }
  return {levels.begin(), levels.end()};
}

std::vector<Slot> at_level(const std::vector<Slot>& slots, int level) {
  std::vector<Slot> found;
  std::ranges::copy_if(slots, std::back_inserter(found), [&](const Slot& slot) { return slot.level == level; });
  return found;
}

int level_of_task_id(const std::string& task_id) {
  constexpr std::string_view prefix = "level";
  const std::size_t end = task_id.rfind('/');
  if (end == std::string::npos || end == 0) {
    return 0;
  }
  const std::size_t slash = task_id.rfind('/', end - 1);
  const std::size_t begin = slash == std::string::npos ? 0 : slash + 1;
  const std::string_view directory = std::string_view(task_id).substr(begin, end - begin);
  const std::string digits(directory.substr(std::min(prefix.size(), directory.size())));
  const bool is_level = directory.starts_with(prefix) && !digits.empty() && digits.size() <= 4 &&
                        std::ranges::all_of(digits, [](unsigned char c) { return std::isdigit(c) != 0; });
  return is_level ? std::atoi(digits.c_str()) : 0;
}

} // namespace kernelbench::metric
