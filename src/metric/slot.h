#pragma once

#include <string>
#include <vector>

#include "domain/record.h"
#include "domain/plan.h"

namespace kernelbench::metric {

// One planned sample, and the record that fills it. Metrics are functions over slots.
struct Slot {
  PlannedSample planned;
  int level = 0;                  // 0: the task belongs to no level
  const Record* record = nullptr; // null: the work was not done (yet)

  bool missing() const { return record == nullptr; }
  bool faulted() const { return record != nullptr && record->fault.has_value(); }
  bool has(Outcome outcome) const { return record != nullptr && !record->fault && record->outcome == outcome; }
  bool correct() const { return has(Outcome::correct); }
  // Of a correct candidate; 0 when it was not timed.
  double speedup() const;
};

// The slots of a plan, sorted by level, task number, sample. They point into `records`, which must outlive them.
// - An empty plan means: what the records hold is what was planned. Otherwise a record outside the plan fills no slot.
// - Of several records for one sample, one with an outcome goes before a fault, then the newest.
// The order of the plan and of the records does not matter; a sample that is planned twice counts once.
std::vector<Slot> fill(const Plan& plan, const std::vector<Record>& records);
std::vector<Slot> fill(const Plan& plan, std::vector<Record>&& records) = delete;

// The levels that occur, ascending.
std::vector<int> levels_of(const std::vector<Slot>& slots);
std::vector<Slot> at_level(const std::vector<Slot>& slots, int level);

// The level of a task that has no record, from its id: 1 for "level1/19" and "my/level1/19_ReLU.py", 0 for
// "my/19_ReLU.py".
int level_of_task_id(const std::string& task_id);

} // namespace kernelbench::metric
