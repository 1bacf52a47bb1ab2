#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>

#include "base/installation.h"
#include "build/builder.h"
#include "device/device.h"
#include "domain/candidate.h"
#include "domain/record.h"
#include "domain/task.h"
#include "evaluate/station.h"
#include "sandbox/sandbox.h"

namespace kernelbench::run {

struct SessionOptions {
  device::Device device;
  sandbox::Profile sandbox = sandbox::Profile::namespaces;
  evaluate::Request request;
};

// One record, and whether the task itself is what does not work (then the record has a fault, and the user is to mend the task).
struct SessionRecord {
  Record record;
  bool task_is_bad = false;
};

// Everything that evaluating candidates on one device needs, started once and used for many: a builder, a station. Harness
// faults that may pass are retried with fresh processes; candidates never are.
class Session {
public:
  // Throws UserError when something that the user can mend is missing (the worker, the sandbox, the device).
  static std::unique_ptr<Session> open(const Installation& installation, const SessionOptions& options);

  // Starts the processes that will be needed without waiting for them: the station's, and the builder's when `builds` says
  // so. To be called by the thread that keeps the session: the processes end with it.
  void warm_up(bool builds);

  // Ends builds that other threads are in the middle of; nothing is built afterwards.
  void stop_builds();

  Result<build::Build> build(const Task& task, const Candidate& candidate);
  // `built` is what build() gave for the same candidate. `run` and the task's and candidate's names go into the record.
  SessionRecord evaluate(const std::string& run, const Task& task, const Candidate& candidate,
                         const Result<build::Build>& built);

  // A record of an answer that held no candidate.
  Record not_extracted(const std::string& run, const Task& task, int sample, const std::string& cause,
                       const std::string& message) const;

  const SessionOptions& options() const { return options_; }
  // How candidates are evaluated from now on. A memory limit beyond three quarters of the machine's is lowered to that.
  void set_request(const evaluate::Request& request);

private:
  Session(Installation installation, sandbox::PythonEnvironment python, SessionOptions options);
  Record new_record(const std::string& run, const Task& task) const;
  std::optional<Fault> start_station();
  Result<evaluate::Station*> station();

  Installation installation_;
  sandbox::PythonEnvironment python_;
  SessionOptions options_;
  build::Builder builder_;
  std::unique_ptr<evaluate::Station> station_;
  std::atomic<bool> builds_stopped_ = false;
};

// The id of the record of this work: the same work has the same id, so that doing it again replaces the record.
std::string record_id(const std::string& run, const Task& task, std::optional<int> sample, const std::string& candidate_sha256);

} // namespace kernelbench::run
