#include "judge/runner.h"

#include <csignal>
#include <cstring>

namespace kernelbench::judge {

using namespace protocol;

namespace {

const char* name_of(Runner::Stage stage) {
  switch (stage) {
  case Runner::Stage::load: return "load";
  case Runner::Stage::check: return "check";
  case Runner::Stage::time: return "time";
  }
  return "";
}

Failure candidate_failed(Outcome outcome, std::string cause, std::string message) {
  return {Failure::Blame::candidate, outcome, std::move(cause), std::move(message)};
}

Failure harness_failed(std::string message) {
  return {Failure::Blame::harness, Outcome::crashed, {}, std::move(message)};
}

std::string with_output(std::string message, const ChildExit& exit) {
  return exit.output.empty() ? message : std::move(message) + "\nIt printed:\n" + exit.output;
}

bool has(const std::string& text, const char* words) { return text.find(words) != std::string::npos; }

} // namespace

std::optional<Failure> Runner::start(Zygote& zygote, const Spawn& spawn, std::unique_ptr<Runner>& runner) {
  constexpr std::uint32_t longest_answer = 4u << 20;
  auto child = zygote.spawn(spawn, longest_answer);
  if (!child) {
    return harness_failed("the zygote is gone");
  }
  Frame frame;
  if (child->channel().receive_frame(frame, Deadline::after(30)) != Status::ok || !message_in<ChildReady>(frame)) {
    const auto exit = child->kill();
    return harness_failed("a runner did not start: " + (exit ? exit->output : std::string("no report from its guard")));
  }
  runner.reset(new Runner(std::move(child)));
  return std::nullopt;
}

void Runner::set_time_left(Stage stage, double seconds) {
  stage_ = stage;
  time_left_ = seconds;
}

OrFailure<Mapped> Runner::map(Region region, const Block& block) {
  const Map message{region, block.bytes(), block.handle()};
  return request<Mapped>(message, block.fd() >= 0 ? std::vector<int>{block.fd()} : std::vector<int>{});
}

template <class Answer, class Message>
OrFailure<Answer> Runner::request(const Message& message, const std::vector<int>& fds) {
  const double start = monotonic_seconds();
  const Deadline deadline = Deadline::after(time_left_);
  Frame frame;
  Status status = child_->channel().send(message, deadline, fds);
  if (status == Status::ok) {
    status = child_->channel().receive_frame(frame, deadline);
  }
  last_request_s_ = monotonic_seconds() - start;
  time_left_ -= last_request_s_;
  if (status != Status::ok) {
    return no_answer(status);
  }
  if (auto answer = message_in<Answer>(frame)) {
    return std::move(*answer);
  }
  if (const auto failed = message_in<Failed>(frame)) {
    return failure_of(*failed);
  }
  return no_answer(Status::malformed);
}

Failure Runner::no_answer(Status status) {
  switch (status) {
  case Status::timeout: {
    const auto exit = child_->kill();
    const std::string message = std::string("no answer within the time allowed for the stage '") + name_of(stage_) + "'";
    return candidate_failed(Outcome::timed_out, name_of(stage_), exit ? with_output(message, *exit) : message);
  }
  case Status::malformed:
    child_->kill();
    return candidate_failed(Outcome::cheated, "protocol_violation", "the runner sent what no runner of ours sends");
  case Status::closed:
  case Status::ok: break;
  }
  return ended();
}

Failure Runner::ended() {
  auto exit = child_->wait_exit(Deadline::after(5));
  if (!exit) {
    exit = child_->kill(); // it closed its channel and lives on
  }
  if (!exit) {
    return harness_failed("a runner's guard ended without a report");
  }
  switch (exit->how) {
  case ChildExit::How::exited:
    return candidate_failed(Outcome::crashed, "exited_early",
                            with_output("the process ended by itself with status " + std::to_string(exit->code), *exit));
  case ChildExit::How::signalled: {
    if (exit->code == SIGXFSZ) {
      return candidate_failed(Outcome::out_of_memory, "disk", with_output("a file grew beyond the disk limit", *exit));
    }
    const char* name = ::strsignal(exit->code);
    return candidate_failed(Outcome::crashed, "signal",
                            with_output("the process was ended by signal " + std::to_string(exit->code) + " (" +
                                            (name != nullptr ? name : "?") + ")",
                                        *exit));
  }
  case ChildExit::How::memory_limit:
    return candidate_failed(Outcome::out_of_memory, "host",
                            with_output("its processes held " + std::to_string(exit->peak_memory_bytes >> 20) +
                                            " MiB together, more than the memory limit",
                                        *exit));
  case ChildExit::How::process_limit:
    return candidate_failed(Outcome::out_of_memory, "processes",
                            with_output("it started more processes and threads than the limit", *exit));
  case ChildExit::How::not_started: break;
  }
  return harness_failed("a runner did not start: " + exit->output);
}

Failure Runner::failure_of(const Failed& failed) const {
  std::string message = failed.type.empty() ? failed.message : failed.type + ": " + failed.message;
  if (!failed.traceback.empty()) {
    message += "\n" + failed.traceback;
  }
  const auto failure = [&](Outcome outcome, const char* cause) { return candidate_failed(outcome, cause, message); };
  switch (failed.failure) {
  case Failed::Kind::syntax: return failure(Outcome::not_extracted, "syntax_error");
  case Failed::Kind::no_class: return failure(Outcome::not_extracted, "no_model_new");
  case Failed::Kind::import:
    if (has(failed.message, "undefined symbol")) {
      return failure(Outcome::build_failed, "linker");
    }
    return failure(Outcome::build_failed, "import");
  case Failed::Kind::build: return failure(Outcome::build_failed, "compiler");
  case Failed::Kind::missing_tool: return failure(Outcome::build_failed, "missing_tool");
  case Failed::Kind::host_memory: return failure(Outcome::out_of_memory, "host");
  case Failed::Kind::device_memory: return failure(Outcome::out_of_memory, "device");
  case Failed::Kind::disk: return failure(Outcome::out_of_memory, "disk");
  case Failed::Kind::processes: return failure(Outcome::out_of_memory, "processes");
  case Failed::Kind::exit: return failure(Outcome::crashed, "exited_early");
  case Failed::Kind::not_a_tensor: return failure(Outcome::wrong_output, "type");
  case Failed::Kind::output_device: return failure(Outcome::wrong_output, "device");
  case Failed::Kind::exception: break;
  }
  if (has(failed.message, "illegal memory access") || has(failed.message, "misaligned address")) {
    return failure(Outcome::crashed, "illegal_memory_access");
  }
  if (has(failed.message, "CUDA error")) {
    return failure(Outcome::crashed, "launch_failure");
  }
  return failure(Outcome::crashed, "exception");
}

} // namespace kernelbench::judge
