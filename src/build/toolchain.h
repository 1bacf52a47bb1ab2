#pragma once

#include <string>

namespace kernelbench::build {

// What the C++ compiler that builds candidates ($CXX, else c++) says of itself, one line; empty when there is none.
std::string cxx_version();
// "nvcc 13.0", of the nvcc in $CUDA_HOME or /usr/local/cuda or on PATH; empty when there is none.
std::string nvcc_version();

} // namespace kernelbench::build
