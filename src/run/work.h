#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "domain/candidate.h"
#include "domain/plan.h"
#include "domain/record.h"
#include "domain/task.h"
#include "run/session.h"
#include "store/store.h"

namespace kernelbench::run {

// One piece of a run's work: a candidate for a task, or why there is none.
struct Work {
  Task task;
  int sample = 0;
  std::optional<Candidate> candidate;
  std::string cause;   // of outcome not_extracted, without a candidate
  std::string message;
};

Plan plan_of(const std::vector<Work>& work);

// What a run tells while it goes on.
struct Progress {
  std::size_t done = 0;
  std::size_t total = 0;
  const Record* record = nullptr; // the one just stored
};

// Builds, evaluates and stores every piece of work that has no record yet (or only one of a fault), and tells of each. Builds
// run side by side, and never while a candidate is evaluated, which they would disturb. Stops between two evaluations when
// `stop` says so, and returns whether all is done. Throws StoreFault.
bool execute(const std::string& run, const std::vector<Work>& work, Session& session, store::Store& store,
             const std::function<void(const Progress&)>& tell, const std::function<bool()>& stop);

} // namespace kernelbench::run
