#pragma once

#include <CLI/CLI.hpp>

#include <optional>
#include <string>

#include "base/installation.h"
#include "run/session.h"

namespace kernelbench::cli {

// The options that `eval` and `run` share: how candidates are evaluated. What is not given is left to a run's specification,
// or to the defaults.
struct EvaluationOptions {
  std::string device;
  std::string preset;
  std::optional<std::string> protocol;
  std::optional<std::string> tolerance;
  std::optional<std::string> precision;
  std::optional<int> trials;
  std::optional<double> limit_s;
  std::string sandbox = "namespaces";

  void add_to(CLI::App& command);
  // Puts what was given over `options`.
  void apply_to(run::SessionOptions& options, const Installation& installation) const;
};

} // namespace kernelbench::cli
