#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kernelbench::device {

// What candidates are evaluated on: the CPU, or one GPU.
struct Device {
  bool cuda = false;
  int index = 0;
  std::string text() const; // "cpu", "cuda:0"
};

// "cpu", "cuda" or "cuda:N". Throws UserError for anything else.
Device parse_device(std::string_view text);

// The NVIDIA GPUs that may be used here, each as CUDA_VISIBLE_DEVICES names it: what that variable lists when it is set, else
// the indices of the device nodes. cuda:N is the N-th.
std::vector<std::string> gpus_present();

} // namespace kernelbench::device
