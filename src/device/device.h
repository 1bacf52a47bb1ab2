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

// Indices of the NVIDIA GPUs whose device nodes exist here.
std::vector<int> gpus_present();

} // namespace kernelbench::device
