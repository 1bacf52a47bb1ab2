#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "judge/memory.h"
#include "protocol/child.h"
#include "protocol/failure.h"

namespace kernelbench::judge {

// What ended a runner's part of the evaluation: the candidate's failure, or the harness's own.
struct Failure : protocol::CandidateFailure {
  bool of_harness = false; // then only `message` counts
};

template <class T>
using OrFailure = std::variant<T, Failure>;

// One single-use runner process, as the judge sees it: requests that end in an answer or in a Failure, within the time that
// is left for the stage. Whatever the process sends, no request throws and none waits longer.
class Runner {
public:
  enum class Stage { load, check, time };

  ~Runner();
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  // Nothing when `runner` is a child that serves.
  static std::optional<Failure> start(protocol::Zygote& zygote, const protocol::Spawn& spawn, std::unique_ptr<Runner>& runner);

  // Seconds that requests of this stage may still take together.
  void set_time_left(Stage stage, double seconds);

  OrFailure<protocol::Loaded> load(const protocol::Load& message);
  OrFailure<protocol::Drawn> draw(std::uint64_t seed);
  OrFailure<protocol::Stored> store(const protocol::Store& message);
  OrFailure<protocol::Mapped> map(protocol::Region region, const Block& block);
  OrFailure<protocol::Called> call(const protocol::Call& message);

  // Wall-clock seconds of the last request, by the judge's clock.
  double last_request_s() const { return last_request_s_; }

private:
  explicit Runner(std::unique_ptr<protocol::Child> child) : child_(std::move(child)) {}

  template <class Answer, class Message>
  OrFailure<Answer> request(const Message& message, const std::vector<int>& fds = {});
  Failure no_answer(protocol::Status status);
  Failure ended();

  std::unique_ptr<protocol::Child> child_;
  Stage stage_ = Stage::load;
  double time_left_ = 0;
  double last_request_s_ = 0;
};

} // namespace kernelbench::judge
