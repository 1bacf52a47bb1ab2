#pragma once

#include <CLI/CLI.hpp>

#include <filesystem>
#include <functional>
#include <string>

#include "base/installation.h"
#include "device/device.h"

namespace kernelbench::cli {

// Options that every command has.
struct Global {
  std::string store; // --store, or empty: the default place
  bool quiet = false;
  bool verbose = false;

  std::filesystem::path store_path() const;
};

// Each command adds itself to the program and leaves what is to be done in `action`, which returns the exit status.
using Action = std::function<int()>;
void add_eval(CLI::App& app, const Global& global, Action& action);
void add_run(CLI::App& app, const Global& global, Action& action);
void add_report(CLI::App& app, const Global& global, Action& action);
void add_tasks(CLI::App& app, const Global& global, Action& action);
void add_doctor(CLI::App& app, const Global& global, Action& action);

// The device asked for; the first GPU, or else the CPU, when none was.
device::Device choose_device(const std::string& text, const Installation& installation);
// `paper` on a GPU, `smoke` on a CPU, when none was asked for.
std::string choose_preset(const std::string& text, const device::Device& device);

} // namespace kernelbench::cli
