#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "run/session.h"

namespace kernelbench::run {

// What a run does, read from TOML (docs/formats.md).
struct Specification {
  std::string name;
  std::vector<std::string> tasks = {"*"};
  std::string preset; // empty: by the device
  std::string device; // empty: the first GPU, else the CPU
  std::string provider; // replay
  std::string model;    // of the recorded answers
  int samples = 1;      // per task
  std::string protocol = "paper";
  std::string tolerance = "paper";
  std::string precision = "fp32";
  int trials = 5;
  Limits limits;
  std::string text; // as read
};

// Throws UserError with file, line and column for what is no TOML, and that names the key for what is no specification.
Specification read_specification(const std::filesystem::path& file);
Specification parse_specification(const std::string& text, const std::string& label);

} // namespace kernelbench::run
