#include "evaluate/station.h"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>

#include "base/file.h"
#include "evaluate/timing.h"

namespace kernelbench::evaluate {

using namespace protocol;

namespace {

constexpr double start_s = 180;
constexpr std::size_t kept_message = 32u << 10;

int usable_cores() {
  cpu_set_t set;
  return ::sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

CheckInfo check_info(const Check& check, const Request& request) {
  CheckInfo info;
  info.trials = check.trials;
  info.passed = check.passed;
  info.tolerance = request.tolerance;
  info.max_abs_error = check.max_abs_error;
  info.max_rel_error = check.max_rel_error;
  info.mismatches = check.mismatches;
  if (check.has_worst) {
    info.worst = WorstElement{check.worst_trial, check.worst_output, check.worst_index, check.worst_expected, check.worst_got};
  }
  return info;
}

} // namespace

Result<Station> Station::start(const Installation& installation, const sandbox::PythonEnvironment& python,
                               const StationOptions& options) {
  sandbox::ZygoteOptions zygote_options;
  zygote_options.profile = options.sandbox;
  zygote_options.gpu = options.device.cuda;
  zygote_options.visible_gpu = options.visible_gpu;
  zygote_options.read_only = options.read_only;
  auto zygote = sandbox::start_zygote(installation, python, zygote_options);
  if (!zygote) {
    return zygote.fault();
  }
  auto [ours, theirs] = socket_pair();
  Subprocess::Options start;
  start.argv = {installation.judge().string(), "--control-fd", std::to_string(theirs.get()), "--zygote-fd",
                std::to_string(zygote->control.get()), "--device", options.device.cuda ? "cuda" : "cpu"};
  start.keep_fds = {theirs.get(), zygote->control.get()};
  if (options.device.cuda) {
    // The judge and its runners see the one GPU as device 0.
    std::map<std::string, std::string> environment;
    for (char** variable = environ; *variable != nullptr; ++variable) {
      const std::string text = *variable;
      environment[text.substr(0, text.find('='))] = text.substr(std::min(text.find('='), text.size() - 1) + 1);
    }
    environment["CUDA_VISIBLE_DEVICES"] = options.visible_gpu;
    environment["CUDA_DEVICE_ORDER"] = "PCI_BUS_ID"; // as nvidia-smi counts
    start.environment = std::move(environment);
  }
  auto judge = Subprocess::start(start);
  if (!judge) {
    return judge.fault();
  }
  theirs.reset();
  Station station(std::move(zygote->process), std::move(*judge), Channel(std::move(ours)));
  zygote->control.reset(); // the judge has its own copy
  station.threads_ = usable_cores();
  return station;
}

std::optional<Fault> Station::wait_ready() {
  if (is_ready_) {
    return std::nullopt;
  }
  Frame frame;
  const Status status = control_.receive_frame(frame, Deadline::after(start_s));
  auto ready = message_in<JudgeReady>(frame);
  if (status != Status::ok || !ready) {
    alive_ = false;
    return Fault::permanent("the judge did not start; its message is above");
  }
  ready_ = std::move(*ready);
  is_ready_ = true;
  return std::nullopt;
}

Result<Evaluated> Station::evaluate(const Task& task, const Candidate& candidate, const std::vector<Unit>& units,
                                    const Request& request) {
  Evaluate message;
  message.task_source = task.source;
  message.candidate_source = candidate.source;
  message.units = units;
  message.protocol = request.protocol;
  message.tolerance = request.tolerance;
  message.precision = request.precision;
  message.trials = request.trials;
  message.threads = threads_;
  message.load_s = request.limits.load_s;
  message.check_s = request.limits.check_s;
  message.time_s = request.limits.time_s;
  message.memory_bytes = request.limits.memory_mb << 20;
  message.processes = request.limits.processes;
  message.disk_bytes = request.limits.disk_mb << 20;
  // The judge itself keeps to the limits; this deadline only ends a judge that does not.
  const Deadline deadline =
      Deadline::after(2400 + request.limits.load_s + request.limits.check_s + request.limits.time_s);
  Frame frame;
  Status status = control_.send(message, deadline);
  while (status == Status::ok && !control_.readable(Deadline::after(1))) {
    status = deadline.passed() || !judge_.running() ? Status::closed : Status::ok;
  }
  if (status == Status::ok) {
    status = control_.receive_frame(frame, Deadline::after(60));
  }
  const auto verdict = message_in<Verdict>(frame);
  if (status != Status::ok || !verdict) {
    alive_ = false;
    return Fault::transient("the judge ended in the middle of an evaluation");
  }
  if (verdict->verdict == Verdict::Kind::fault_transient || verdict->verdict == Verdict::Kind::fault_permanent) {
    alive_ = false; // a fresh pair of processes is cheap, and knows nothing of what went wrong
    return Fault{verdict->verdict == Verdict::Kind::fault_transient ? Fault::Kind::transient : Fault::Kind::permanent,
                 verdict->message};
  }
  Evaluated evaluated;
  evaluated.message = cut_middle(to_valid_utf8(verdict->message), kept_message);
  if (verdict->verdict == Verdict::Kind::bad_task) {
    evaluated.bad_task = evaluated.message;
    return evaluated;
  }
  evaluated.outcome = verdict->outcome;
  evaluated.cause = verdict->cause;
  if (verdict->checked) {
    evaluated.check = check_info(verdict->check, request);
  }
  if (verdict->timed && verdict->outcome == Outcome::correct) {
    evaluated.timing = timing_info(request.protocol, verdict->reference_s, verdict->candidate_s);
    evaluated.timing->verified = true;
    evaluated.timing->wall_over_event = verdict->wall_over_event;
  }
  evaluated.stages.load_s = verdict->load_s;
  evaluated.stages.check_s = verdict->check_s;
  evaluated.stages.time_s = verdict->time_s;
  evaluated.stages.gpu_s = ready_.architecture.empty() ? 0 : verdict->lease_s;
  return evaluated;
}

} // namespace kernelbench::evaluate
