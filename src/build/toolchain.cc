#include "build/toolchain.h"

#include <cstdlib>

#include "base/subprocess.h"

namespace kernelbench::build {

namespace {

constexpr double answer_s = 20;

std::string environment(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : otherwise;
}

} // namespace

std::string cxx_version() {
  const Output output = run_program({environment("CXX", "c++"), "--version"}, answer_s);
  return output.exit_status == 0 ? output.text.substr(0, output.text.find('\n')) : std::string();
}

std::string nvcc_version() {
  const auto nvcc = find_program(environment("CUDA_HOME", "/usr/local/cuda") + "/bin/nvcc");
  const Output output = run_program({nvcc.value_or("nvcc"), "--version"}, answer_s);
  const std::size_t at = output.text.find("release ");
  return output.exit_status != 0 || at == std::string::npos
             ? std::string()
             : "nvcc " + output.text.substr(at + 8, output.text.find(',', at) - at - 8);
}

} // namespace kernelbench::build
