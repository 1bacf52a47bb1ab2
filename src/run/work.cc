#include "run/work.h"

#include <algorithm>
#include <future>
#include <thread>

#include "base/thread_pool.h"

namespace kernelbench::run {


Plan plan_of(const std::vector<Work>& work) {
  Plan plan;
  for (const Work& item : work) {
    plan.push_back({item.task.id, item.sample});
  }
  return plan;
}

bool execute(const std::string& run, const std::vector<Work>& work, Session& session, store::Store& store,
             const std::function<void(const Progress&)>& tell, const std::function<bool()>& stop) {
  std::vector<const Work*> open;
  for (const Work& item : work) {
    const std::string id =
        record_id(run, item.task, item.sample, item.candidate ? item.candidate->sha256 : std::string());
    if (const auto record = store.record(id); !record || record->fault) {
      open.push_back(&item);
    }
  }
  Progress progress{work.size() - open.size(), work.size(), nullptr};
  const auto finish = [&](const Record& record, const std::string& source) {
    store.put_record(record, source);
    ++progress.done;
    progress.record = &record;
    tell(progress);
  };

  session.warm_up(std::any_of(open.begin(), open.end(), [](const Work* item) {
    return item->candidate && build::Builder::has_units(*item->candidate);
  }));
  std::vector<std::future<Result<build::Build>>> builds(open.size());
  ThreadPool pool(std::max(1, static_cast<int>(std::thread::hardware_concurrency()) / 2 + 1));
  for (std::size_t i = 0; i < open.size(); ++i) {
    if (open[i]->candidate) {
      builds[i] = pool.submit([&session, item = open[i]] { return session.build(item->task, *item->candidate); });
    }
  }
  if (!session.options().device.cuda) {
    for (auto& build : builds) {
      while (build.valid() && build.wait_for(std::chrono::milliseconds(100)) != std::future_status::ready) {
        if (stop()) {
          return false;
        }
      }
    }
  }
  for (std::size_t i = 0; i < open.size(); ++i) {
    if (stop()) {
      return false;
    }
    const Work& item = *open[i];
    if (!item.candidate) {
      finish(session.not_extracted(run, item.task, item.sample, item.cause, item.message), {});
      continue;
    }
    Result<build::Build> built = Fault::permanent("");
    try {
      built = builds[i].get();
    } catch (const std::exception& error) {
      built = Fault::permanent(error.what());
    }
    Candidate candidate = *item.candidate;
    candidate.sample = item.sample;
    finish(session.evaluate(run, item.task, candidate, built).record, candidate.source);
  }
  return true;
}

} // namespace kernelbench::run
