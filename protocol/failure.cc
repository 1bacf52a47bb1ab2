#include "protocol/failure.h"

#include <csignal>
#include <cstring>
#include <initializer_list>

namespace kernelbench::protocol {

namespace {

bool says_any(const std::string& text, std::initializer_list<const char*> words) {
  for (const char* word : words) {
    if (text.find(word) != std::string::npos) {
      return true;
    }
  }
  return false;
}

const char* cause_of_build_log(const std::string& log) {
  if (says_any(log, {"Ninja is required", "CUDA_HOME", "nvcc: not found",
                     "c++: not found", "g++: not found", "No such file or directory: '/usr/local/cuda"})) {
    return "missing_tool";
  }
  if (says_any(log, {"undefined reference", "cannot find -l", "ld returned 1", "undefined symbol"})) {
    return "linker";
  }
  return "compiler";
}

std::string with_output(std::string message, const ChildExit& exit) {
  return exit.output.empty() ? message : std::move(message) + "\nIt printed:\n" + exit.output;
}

} // namespace

CandidateFailure failure_of(const Failed& failed) {
  const auto failure = [&](Outcome outcome, const char* cause) {
    std::string message = failed.type.empty() ? failed.message : failed.type + ": " + failed.message;
    // A compiler's log says where; the Python frames above it are ours.
    if (!failed.traceback.empty() && failed.failure != Failed::Kind::build) {
      message += "\n" + failed.traceback;
    }
    return CandidateFailure{outcome, cause, std::move(message)};
  };
  switch (failed.failure) {
  case Failed::Kind::syntax: return failure(Outcome::not_extracted, "syntax_error");
  case Failed::Kind::no_class: return failure(Outcome::not_extracted, "no_model_new");
  case Failed::Kind::import:
    return failure(Outcome::build_failed, says_any(failed.message, {"undefined symbol"}) ? "linker" : "import");
  case Failed::Kind::build: return failure(Outcome::build_failed, cause_of_build_log(failed.message));
  case Failed::Kind::host_memory: return failure(Outcome::out_of_memory, "host");
  case Failed::Kind::device_memory: return failure(Outcome::out_of_memory, "device");
  case Failed::Kind::disk: return failure(Outcome::out_of_memory, "disk");
  case Failed::Kind::processes: return failure(Outcome::out_of_memory, "processes");
  case Failed::Kind::exit: return failure(Outcome::crashed, "exited_early");
  case Failed::Kind::not_a_tensor: return failure(Outcome::wrong_output, "type");
  case Failed::Kind::output_device: return failure(Outcome::wrong_output, "device");
  case Failed::Kind::exception: break;
  }
  if (says_any(failed.message, {"illegal memory access", "misaligned address"})) {
    return failure(Outcome::crashed, "illegal_memory_access");
  }
  return failure(Outcome::crashed, says_any(failed.message, {"CUDA error"}) ? "launch_failure" : "exception");
}

std::optional<CandidateFailure> failure_of(const ChildExit& exit) {
  const auto failure = [&](Outcome outcome, const char* cause, std::string message) {
    return CandidateFailure{outcome, cause, with_output(std::move(message), exit)};
  };
  switch (exit.how) {
  case ChildExit::How::exited:
    return failure(Outcome::crashed, "exited_early",
                   "the process ended by itself with status " + std::to_string(exit.code));
  case ChildExit::How::signalled: {
    if (exit.code == SIGXFSZ) {
      return failure(Outcome::out_of_memory, "disk", "a file grew beyond the disk limit");
    }
    const char* name = ::sigabbrev_np(exit.code);
    return failure(Outcome::crashed, "signal",
                   "the process was ended by signal " + std::to_string(exit.code) +
                       (name != nullptr ? std::string(" (SIG") + name + ")" : std::string()));
  }
  case ChildExit::How::memory_limit:
    return failure(Outcome::out_of_memory, "host",
                   "its processes held " + std::to_string(exit.peak_memory_bytes >> 20) +
                       " MiB together, more than the memory limit");
  case ChildExit::How::process_limit:
    return failure(Outcome::out_of_memory, "processes", "it started more processes and threads than the limit");
  case ChildExit::How::not_started: break;
  }
  return std::nullopt;
}

CandidateFailure timed_out(const std::string& stage, const std::optional<ChildExit>& exit) {
  std::string message = "no answer within the time allowed for the stage '" + stage + "'";
  return {Outcome::timed_out, stage, exit ? with_output(std::move(message), *exit) : message};
}

} // namespace kernelbench::protocol
