#pragma once

#include <optional>
#include <string>

#include "domain/outcome.h"
#include "protocol/messages.h"

namespace kernelbench::protocol {

// A candidate's failure: an outcome that is not `correct`, its cause, and what a reader should know.
struct CandidateFailure {
  Outcome outcome = Outcome::crashed;
  std::string cause;
  std::string message;
};

// What the words of a builder or a runner mean.
CandidateFailure failure_of(const Failed& failed);
// What the end of a child's process means; nothing when it never started, which is the harness's fault.
std::optional<CandidateFailure> failure_of(const ChildExit& exit);
// No answer in time: `stage` is build, load, check or time.
CandidateFailure timed_out(const std::string& stage, const std::optional<ChildExit>& exit);

} // namespace kernelbench::protocol
