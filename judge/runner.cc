#include "judge/runner.h"

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

Failure harness_failed(std::string message) { return {{Outcome::crashed, {}, std::move(message)}, true}; }

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

// The process must be gone, and its device memory with it, before the judge's memory that it maps is freed and before the
// next evaluation begins.
Runner::~Runner() { child_->kill(); }

void Runner::set_time_left(Stage stage, double seconds) {
  stage_ = stage;
  time_left_ = seconds;
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
    return Failure{protocol::failure_of(*failed)};
  }
  return no_answer(Status::malformed);
}

OrFailure<Loaded> Runner::load(const Load& message) { return request<Loaded>(message); }

OrFailure<Drawn> Runner::draw(std::uint64_t seed) { return request<Drawn>(Draw{seed}); }

OrFailure<Stored> Runner::store(const Store& message) { return request<Stored>(message); }

OrFailure<Called> Runner::call(const Call& message) { return request<Called>(message); }

OrFailure<Mapped> Runner::map(Region region, const Block& block) {
  const Map message{region, block.bytes(), block.handle()};
  return request<Mapped>(message, block.fd() >= 0 ? std::vector<int>{block.fd()} : std::vector<int>{});
}

Failure Runner::no_answer(Status status) {
  if (status == Status::timeout) {
    return {timed_out(name_of(stage_), child_->kill())};
  }
  if (status == Status::malformed) {
    child_->kill();
    return {{Outcome::cheated, "protocol_violation", "the runner sent what no runner of ours sends"}};
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
  if (auto failure = failure_of(*exit)) {
    return {std::move(*failure)};
  }
  return harness_failed("a runner did not start: " + exit->output);
}

} // namespace kernelbench::judge
