#pragma once

#include <CLI/CLI.hpp>

#include <optional>
#include <string>

#include "base/installation.h"
#include "run/session.h"

namespace kernelbench::cli {

// The options that `eval` and `run` share: how candidates are evaluated.
struct EvaluationOptions {
  std::string device;
  std::string preset;
  std::string protocol = "paper";
  std::string tolerance = "paper";
  std::string precision = "fp32";
  int trials = 5;
  std::optional<double> limit_s;
  std::string sandbox = "namespaces";

  void add_to(CLI::App& command);
  run::SessionOptions session_options(const Installation& installation) const;
};

} // namespace kernelbench::cli
