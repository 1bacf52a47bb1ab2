#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/installation.h"
#include "base/result.h"
#include "base/subprocess.h"
#include "sandbox/python_environment.h"

namespace kernelbench::sandbox {

// namespaces: bubblewrap and private namespaces (data/sandbox/namespaces.toml).
// off: the limits and the system-call filter of each child only. For machines one trusts, and never by default.
enum class Profile { namespaces, off };
std::string_view name_of(Profile profile);
// Throws UserError for an unknown name.
Profile parse_profile(std::string_view name);

// Nothing when the full sandbox works here, else why not and what to do about it.
std::optional<std::string> why_no_namespaces();

// A zygote of the worker, running inside its sandbox, and our end of its control socket.
struct ZygoteProcess {
  Subprocess process;
  Fd control;
};

struct ZygoteOptions {
  Profile profile = Profile::namespaces;
  bool gpu = false;                            // its children may use the GPU devices
  std::string visible_gpu;                     // the one they see, as CUDA_VISIBLE_DEVICES names it
  std::vector<std::filesystem::path> read_only; // folders beside those of the policy and of the interpreter
};

Result<ZygoteProcess> start_zygote(const Installation& installation, const PythonEnvironment& python,
                                   const ZygoteOptions& options);

} // namespace kernelbench::sandbox
