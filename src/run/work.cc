#include "run/work.h"

#include <algorithm>
#include <future>
#include <thread>

#include "base/thread_pool.h"

namespace kernelbench::run {


namespace {

// What was not built when `stop` said so, or by an error of ours, is a fault.
std::vector<Result<build::Build>> build_all(const std::vector<const Work*>& work, Session& session, int threads,
                                            const std::function<bool()>& stop) {
  ThreadPool pool(threads);
  std::vector<std::future<Result<build::Build>>> futures(work.size());
  for (std::size_t i = 0; i < work.size(); ++i) {
    if (work[i]->candidate) {
      futures[i] = pool.submit([&session, item = work[i]] { return session.build(item->task, *item->candidate); });
    }
  }
  std::vector<Result<build::Build>> builds(work.size(), Fault::transient("not built"));
  for (std::size_t i = 0; i < work.size(); ++i) {
    while (futures[i].valid() && futures[i].wait_for(std::chrono::milliseconds(100)) != std::future_status::ready && !stop()) {
    }
    if (stop()) {
      session.stop_builds();
      break;
    }
    if (futures[i].valid()) {
      try {
        builds[i] = futures[i].get();
      } catch (const std::exception& error) {
        builds[i] = Fault::permanent(error.what());
      }
    }
  }
  return builds;
}

} // namespace

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
  // A window of candidates is built, then evaluated: a compiler on the other cores would show in the times.
  const int threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()) / 2 + 1);
  const std::size_t window = 4 * static_cast<std::size_t>(threads);
  for (std::size_t begin = 0; begin < open.size(); begin += window) {
    const std::size_t end = std::min(begin + window, open.size());
    const auto builds = build_all({open.begin() + static_cast<std::ptrdiff_t>(begin), open.begin() + static_cast<std::ptrdiff_t>(end)},
                                  session, threads, stop);
    for (std::size_t i = begin; i < end; ++i) {
      if (stop()) {
        return false;
      }
      const Work& item = *open[i];
      if (!item.candidate) {
        finish(session.not_extracted(run, item.task, item.sample, item.cause, item.message), {});
        continue;
      }
      Candidate candidate = *item.candidate;
      candidate.sample = item.sample;
      finish(session.evaluate(run, item.task, candidate, builds[i - begin]).record, candidate.source);
    }
  }
  return true;
}

} // namespace kernelbench::run
