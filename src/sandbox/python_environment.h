#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"

namespace kernelbench::sandbox {

// What is known of an interpreter and its torch without importing torch.
struct PythonEnvironment {
  std::filesystem::path interpreter;
  std::string python;                         // version
  std::string torch;                          // version
  std::string torch_cuda;                     // that torch was built for, or empty
  std::vector<std::filesystem::path> folders; // that must be readable for it to run
};

// Asks the interpreter. A Fault says what is missing.
Result<PythonEnvironment> describe_python(const std::filesystem::path& interpreter);

} // namespace kernelbench::sandbox
