#include "build/builder.h"

#include <fmt/format.h>

#include <system_error>

#include "base/file.h"
#include "base/hash.h"
#include "build/toolchain.h"

namespace kernelbench::build {

using namespace protocol;

namespace {

constexpr double zygote_start_s = 120;
constexpr std::size_t kept_log = 32u << 10;

bool is_file_name(const std::string& name) {
  return !name.empty() && name != "." && name != ".." && name.find('/') == std::string::npos;
}

} // namespace

struct Builder::Work {
  const Task& task;
  const Candidate& candidate;
  const Limits& limits;
  Deadline deadline;
  Build build;
  std::vector<Cache::BuiltUnit> built;
  bool compiled = false; // some unit was not in the cache
};

Builder::Builder(Installation installation, sandbox::PythonEnvironment python, Cache cache, BuilderOptions options)
    : installation_(std::move(installation)), python_(std::move(python)), cache_(std::move(cache)),
      options_(std::move(options)) {
  compiler_ = cxx_version();
  if (const std::string nvcc = nvcc_version(); !nvcc.empty()) {
    compiler_ += (compiler_.empty() ? "" : ", ") + nvcc;
  }
  toolchain_ = fmt::format("{}|torch {}|python {}|{}|{}", compiler_, python_.torch, python_.python, options_.device,
                           fmt::join(options_.architectures, ","));
}

std::string Builder::key_of(const std::string& text) const { return sha256_hex(toolchain_ + "\n" + text); }

Result<Build> Builder::build(const Task& task, const Candidate& candidate, const Limits& limits) {
  const double start = monotonic_seconds();
  Work work{task, candidate, limits, Deadline::after(limits.build_s), {}, {}, false};
  if (!has_units(candidate)) {
    return std::move(work.build);
  }
  const std::string key = key_of(task.sha256 + "\n" + candidate.source); // units may depend on the task's arguments
  if (const auto known = cache_.find_build(key)) {
    for (const Cache::BuiltUnit& built : *known) {
      work.build.units.push_back({built.digest, cache_.find_unit(built.key)->string(), {}});
    }
    work.build.info.tier = work.build.units.empty() ? "none" : "cache";
  } else {
    auto imported = import_candidate(work);
    if (!imported) {
      return imported.fault();
    }
    // A build in which a unit failed is not kept: its log would be lost.
    if (!work.build.failure && *imported && work.built.size() == work.build.units.size()) {
      cache_.put_build(key, work.built);
    }
    work.build.info.tier = work.build.units.empty() ? "none" : work.compiled ? "genuine" : "cache";
  }
  if (work.build.failure) {
    work.build.info.log = cut_middle(to_valid_utf8(work.build.failure->message), kept_log);
  }
  work.build.info.units = static_cast<int>(work.build.units.size());
  work.build.info.seconds = monotonic_seconds() - start;
  return std::move(work.build);
}

bool Builder::has_units(const Candidate& candidate) {
  return candidate.source.find("cpp_extension") != std::string::npos ||
         candidate.source.find("load_inline") != std::string::npos;
}

void Builder::warm_up() {
  const std::lock_guard lock(zygote_mutex_);
  (void)start_zygote(); // spawn() tries again, and reports it
}

void Builder::stop() {
  const std::lock_guard lock(zygote_mutex_);
  stopped_ = true;
  process_.reset(); // and with it everything that runs inside its sandbox
}

std::optional<Fault> Builder::start_zygote() {
  if (stopped_) {
    return Fault::permanent("stopped");
  }
  if (process_ && process_->process.running()) {
    return std::nullopt;
  }
  sandbox::ZygoteOptions zygote;
  zygote.profile = options_.sandbox;
  zygote.read_only = {cache_.units_directory()};
  auto started = sandbox::start_zygote(installation_, python_, zygote);
  if (!started) {
    return started.fault();
  }
  process_ = std::move(*started);
  zygote_ = std::make_unique<Zygote>(Fd(process_->control.release()));
  zygote_ready_ = false;
  return std::nullopt;
}

Result<std::unique_ptr<Child>> Builder::spawn(Role role, const Limits& limits) {
  const std::lock_guard lock(zygote_mutex_);
  if (auto fault = start_zygote()) {
    return *fault;
  }
  if (!zygote_ready_ && !zygote_->wait_ready(Deadline::after(zygote_start_s))) {
    process_.reset();
    return Fault::permanent("the builder's worker did not start; its message is above");
  }
  zygote_ready_ = true;
  Spawn request;
  request.role = role;
  request.threads = options_.threads;
  request.memory_bytes = limits.memory_mb << 20;
  request.processes = limits.processes;
  // Object files and intermediate text of compilers are large.
  request.disk_bytes = std::max<std::int64_t>(limits.disk_mb, 4096) << 20;
  auto child = zygote_->spawn(request, 64u << 20, role == Role::compiler ? 1 : 0);
  if (!child) {
    process_.reset();
    return Fault::transient("the builder's worker is gone");
  }
  Frame frame;
  if (child->channel().receive_frame(frame, Deadline::after(30)) != Status::ok || !message_in<ChildReady>(frame)) {
    const auto exit = child->kill();
    return Fault::transient("a builder did not start: " + (exit ? exit->output : "no report from its guard"));
  }
  return child;
}

// True when the candidate's module could be imported as far as that matters here: all its units are known.
Result<bool> Builder::import_candidate(Work& work) {
  auto spawned = spawn(Role::builder, work.limits);
  if (!spawned) {
    return spawned.fault();
  }
  Child& child = **spawned;
  ImportCandidate request;
  request.source = work.candidate.source;
  request.file_name = "candidate.py";
  request.task_source = work.task.source;
  request.architectures = options_.architectures;
  Status status = child.channel().send(request, work.deadline);
  while (status == Status::ok) {
    Frame frame;
    status = child.channel().receive_frame(frame, work.deadline);
    if (status != Status::ok) {
      break;
    }
    if (const auto need = message_in<NeedUnit>(frame)) {
      auto result = unit(work, need->specification);
      if (!result) {
        return result.fault();
      }
      if (work.build.failure) {
        return false;
      }
      work.build.units.push_back(*result);
      status = child.channel().send(UnitBuilt{*result}, work.deadline);
    } else if (message_in<Imported>(frame)) {
      return true;
    } else if (const auto failed = message_in<Failed>(frame)) {
      CandidateFailure failure = failure_of(*failed);
      // There is no GPU here: what its absence breaks is for the runner to judge.
      const bool may_need_device = options_.device == "cuda" && failed->failure != Failed::Kind::build &&
                                   failed->failure != Failed::Kind::syntax;
      if (!may_need_device) {
        work.build.failure = std::move(failure);
      }
      return false;
    } else {
      work.build.failure = CandidateFailure{Outcome::cheated, "protocol_violation", "the builder sent what no builder of ours sends"};
      return false;
    }
  }
  if (status == Status::timeout) {
    work.build.failure = timed_out("build", child.kill());
    return false;
  }
  auto exit = child.wait_exit(Deadline::after(5));
  if (!exit) {
    exit = child.kill();
  }
  if (!exit) {
    return Fault::transient("a builder's guard ended without a report");
  }
  work.build.failure = failure_of(*exit);
  if (!work.build.failure) {
    return Fault::transient("a builder did not start: " + exit->output);
  }
  return false;
}

Result<Unit> Builder::unit(Work& work, const std::string& specification) {
  Unit unit{sha256_hex(specification), {}, {}};
  const std::string key = key_of(specification);
  if (const auto cached = cache_.find_unit(key)) {
    unit.path = cached->string();
    work.built.push_back({unit.digest, key});
    return unit;
  }
  work.compiled = true;
  auto spawned = spawn(Role::compiler, work.limits);
  if (!spawned) {
    return spawned.fault();
  }
  Child& child = **spawned;
  Frame frame;
  Status status = child.channel().send(CompileUnit{specification, options_.architectures}, work.deadline);
  if (status == Status::ok) {
    status = child.channel().receive_frame(frame, work.deadline);
  }
  if (const auto compiled = message_in<UnitCompiled>(frame);
      status == Status::ok && compiled && frame.fds.size() == 1 && is_file_name(compiled->name)) {
    try {
      unit.path = cache_.put_unit(key, compiled->name, frame.fds[0].get()).string();
    } catch (const std::system_error& error) {
      return Fault::permanent(error.what());
    }
    work.built.push_back({unit.digest, key});
    return unit;
  }
  if (const auto failed = message_in<Failed>(frame); status == Status::ok && failed) {
    // The candidate is told, as load_inline would tell it: it may have another way.
    const CandidateFailure failure = failure_of(*failed);
    unit.log = failed->message;
    if (failure.outcome != Outcome::build_failed) {
      work.build.failure = failure;
    }
    return unit;
  }
  if (status == Status::timeout) {
    work.build.failure = timed_out("build", child.kill());
    return unit;
  }
  const auto exit = child.kill();
  work.build.failure = exit ? failure_of(*exit) : std::nullopt;
  if (!work.build.failure) {
    return Fault::transient("a compiler process ended without a report");
  }
  return unit;
}

} // namespace kernelbench::build
