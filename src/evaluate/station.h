#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/installation.h"
#include "base/result.h"
#include "base/subprocess.h"
#include "device/device.h"
#include "domain/candidate.h"
#include "domain/limits.h"
#include "domain/record.h"
#include "domain/task.h"
#include "protocol/channel.h"
#include "protocol/messages.h"
#include "sandbox/sandbox.h"

namespace kernelbench::evaluate {

struct StationOptions {
  sandbox::Profile sandbox = sandbox::Profile::namespaces;
  device::Device device;
  std::string visible_gpu; // the device as CUDA_VISIBLE_DEVICES names it; empty on a CPU
  std::vector<std::filesystem::path> read_only; // folders that runners read: the build cache's units
};

struct Request {
  std::string protocol = "paper";  // paper | none
  std::string tolerance = "paper"; // paper | upstream
  std::string precision = "fp32";  // fp32 | tf32 | bf16 | fp16
  int trials = 5;
  Limits limits;
};

// What the judge found, put into the record's words.
struct Evaluated {
  std::optional<Outcome> outcome; // empty: `bad_task` says why the task itself does not work
  std::string bad_task;
  std::string cause;
  std::string message;
  std::optional<CheckInfo> check;
  std::optional<TimingInfo> timing;
  Stages stages;
};

// One device's judge and the zygote of its runners, as a unit: when either fails, both are started anew. Evaluations on one
// station follow each other.
class Station {
public:
  // Starts both processes and returns at once; wait_ready() waits for them. They end with the thread that started them.
  static Result<Station> start(const Installation& installation, const sandbox::PythonEnvironment& python,
                               const StationOptions& options);
  // Nothing when the judge is ready for work.
  std::optional<Fault> wait_ready();

  const protocol::JudgeReady& ready() const { return ready_; }
  int threads() const { return threads_; } // CPU threads that each runner may use

  // A Fault when the harness failed; the station cannot be used afterwards when alive() is false.
  Result<Evaluated> evaluate(const Task& task, const Candidate& candidate, const std::vector<protocol::Unit>& units,
                             const Request& request);
  bool alive() { return alive_ && judge_.running() && zygote_.running(); }

private:
  Station(Subprocess zygote, Subprocess judge, protocol::Channel control)
      : zygote_(std::move(zygote)), judge_(std::move(judge)), control_(std::move(control)) {}

  Subprocess zygote_;
  Subprocess judge_;
  protocol::Channel control_;
  protocol::JudgeReady ready_;
  bool is_ready_ = false;
  int threads_ = 1;
  bool alive_ = true;
};

} // namespace kernelbench::evaluate
