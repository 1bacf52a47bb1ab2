#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/installation.h"
#include "base/result.h"
#include "build/cache.h"
#include "domain/candidate.h"
#include "domain/limits.h"
#include "domain/record.h"
#include "domain/task.h"
#include "protocol/child.h"
#include "protocol/failure.h"
#include "sandbox/sandbox.h"

namespace kernelbench::build {

struct BuilderOptions {
  sandbox::Profile sandbox = sandbox::Profile::namespaces;
  std::string device;                     // cpu or cuda
  std::vector<std::string> architectures; // of the GPU, "9.0"
  int threads = 1;                        // that one build may use
};

// What building a candidate came to. With `failure`, nothing else counts but `info`.
struct Build {
  BuildInfo info;
  std::vector<protocol::Unit> units;
  std::optional<protocol::CandidateFailure> failure;
};

// Builds the extension units of candidates. The candidate is imported in a builder without a device; whenever it asks for a
// unit, the unit is looked up in the cache, or compiled in a process of its own from nothing but what was asked for: no
// candidate can put another's unit into the cache. Several threads may build at once.
class Builder {
public:
  Builder(Installation installation, sandbox::PythonEnvironment python, Cache cache, BuilderOptions options);

  // Starts the zygote without waiting for it.
  void warm_up();
  // Ends all builds at once, and begins no other: they come back as faults.
  void stop();
  // Whether the candidate says that it builds anything. Who hides it builds late, in the runner, on its own time.
  static bool has_units(const Candidate& candidate);

  Result<Build> build(const Task& task, const Candidate& candidate, const Limits& limits);

  const Cache& cache() const { return cache_; }
  // Versions of everything that units are made with; part of their keys and of records.
  const std::string& compiler() const { return compiler_; }

private:
  struct Work; // one candidate's build

  std::optional<Fault> start_zygote(); // with zygote_mutex_ held
  Result<std::unique_ptr<protocol::Child>> spawn(protocol::Role role, const Limits& limits);
  Result<bool> import_candidate(Work& work);
  Result<protocol::Unit> unit(Work& work, const std::string& specification);
  std::string key_of(const std::string& text) const;

  Installation installation_;
  sandbox::PythonEnvironment python_;
  Cache cache_;
  BuilderOptions options_;
  std::string compiler_;
  std::string toolchain_;
  std::mutex zygote_mutex_; // guards the four below
  std::optional<sandbox::ZygoteProcess> process_;
  std::unique_ptr<protocol::Zygote> zygote_;
  bool zygote_ready_ = false;
  bool stopped_ = false;
};

} // namespace kernelbench::build
