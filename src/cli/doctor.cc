#include <fmt/format.h>
#include <sys/statvfs.h>

#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/subprocess.h"
#include "build/toolchain.h"
#include "cli/command.h"
#include "cli/exit_status.h"
#include "sandbox/sandbox.h"
#include "store/store.h"

namespace kernelbench::cli {

namespace {

struct Finding {
  std::string name;
  bool works = false;
  std::string says; // what was found, or what to do
};

Finding compiler(const std::string& name, const std::string& version, const std::string& otherwise) {
  return {name, !version.empty(), version.empty() ? otherwise : version};
}

Finding gpu(const sandbox::PythonEnvironment* python) {
  const auto gpus = device::gpus_present();
  if (gpus.empty()) {
    return {"GPU", false, "none: candidates are evaluated on the CPU"};
  }
  if (python != nullptr && python->torch_cuda.empty()) {
    return {"GPU", false,
            fmt::format("{} present, but torch was built without CUDA: run script/setup with PYTHON=/path/to/python whose "
                        "torch has it",
                        gpus.size())};
  }
  const Output output = run_program({"nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"}, 20);
  return {"GPU", true, output.exit_status == 0 ? output.text.substr(0, output.text.find('\n')) : "present"};
}

int doctor(bool as_json, const Global& global) {
  std::vector<Finding> findings;
  const Installation installation = Installation::find();
  std::optional<sandbox::PythonEnvironment> python;
  try {
    auto found = sandbox::describe_python(installation.python());
    if (found) {
      python = std::move(*found);
      findings.push_back({"Python", true, fmt::format("{} ({})", python->python, python->interpreter.string())});
      findings.push_back({"torch", true,
                          python->torch + (python->torch_cuda.empty() ? ", without CUDA" : ", CUDA " + python->torch_cuda)});
    } else {
      findings.push_back({"Python", false, found.fault().message});
    }
  } catch (const UserError& error) {
    findings.push_back({"worker", false, error.what()});
  }
  const bool judge = find_program(installation.judge().string()).has_value();
  findings.push_back({"judge", judge, judge ? installation.judge().string() : "missing: run script/setup"});
  const auto why = sandbox::why_no_namespaces();
  findings.push_back({"sandbox", !why, why.value_or("namespaces (bubblewrap and a private namespace for each process)")});
  findings.push_back(compiler("C++ compiler", build::cxx_version(),
                              "no c++: C++ candidates do not build here; apt-get install g++"));
  findings.push_back(compiler("CUDA compiler", build::nvcc_version(),
                              "no nvcc: CUDA candidates do not build here; install the CUDA toolkit or set CUDA_HOME"));
  findings.push_back(gpu(python ? &*python : nullptr));
  try {
    findings.push_back({"store", true, store::Store::open(global.store_path()).path().string()});
  } catch (const std::exception& error) {
    findings.push_back({"store", false, error.what()});
  }
  struct statvfs disk {};
  const std::filesystem::path cache = cache_directory();
  std::error_code error;
  std::filesystem::create_directories(cache, error);
  if (error) {
    findings.push_back({"build cache", false,
                        fmt::format("{}: {}; set XDG_CACHE_HOME to a folder that can be written", cache.string(), error.message())});
  } else if (::statvfs(cache.c_str(), &disk) == 0) {
    const double free_gib = static_cast<double>(disk.f_bavail) * static_cast<double>(disk.f_frsize) / (1 << 30);
    findings.push_back({"build cache", free_gib > 1, fmt::format("{} ({:.1f} GiB free)", cache.string(), free_gib)});
  }

  if (as_json) {
    auto json = nlohmann::ordered_json::array();
    for (const Finding& finding : findings) {
      json.push_back({{"name", finding.name}, {"works", finding.works}, {"says", finding.says}});
    }
    std::cout << json.dump(2) << std::endl;
  } else {
    for (const Finding& finding : findings) {
      fmt::print("{:<4} {:<14} {}\n", finding.works ? "ok" : "--", finding.name, finding.says);
    }
  }
  // Without a worker, a judge and a sandbox nothing can be evaluated; the rest only narrows what can.
  return python && judge && !why ? exit_done : exit_usage;
}

} // namespace

void add_doctor(CLI::App& app, const Global& global, Action& action) {
  CLI::App* command = app.add_subcommand("doctor", "what works on this machine, and how to get what is missing");
  const auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "print JSON");
  command->footer("Example:\n  kernelbench doctor");
  command->callback([json, &global, &action] { action = [json, &global] { return doctor(*json, global); }; });
}

} // namespace kernelbench::cli
