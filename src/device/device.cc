#include "device/device.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "base/result.h"

namespace kernelbench::device {

namespace {

std::optional<int> whole_number(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && value >= 0 ? std::optional(value) : std::nullopt;
}

} // namespace

std::string Device::text() const { return cuda ? fmt::format("cuda:{}", index) : "cpu"; }

Device parse_device(std::string_view text) {
  if (text == "cpu") {
    return {};
  }
  if (text == "cuda") {
    return {true, 0};
  }
  if (text.starts_with("cuda:")) {
    if (const auto index = whole_number(text.substr(5))) {
      return {true, *index};
    }
  }
  throw UserError(fmt::format("unknown device '{}': give cpu, cuda or cuda:N", text));
}

std::vector<std::string> gpus_present() {
  std::vector<std::string> names;
  if (const char* listed = std::getenv("CUDA_VISIBLE_DEVICES")) {
    std::stringstream list(listed);
    for (std::string name; std::getline(list, name, ',');) {
      names.push_back(name);
    }
    return names;
  }
  std::vector<int> indices;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/dev", ignored)) {
    const std::string node = entry.path().filename().string();
    if (node.starts_with("nvidia")) {
      if (const auto index = whole_number(std::string_view(node).substr(6))) {
        indices.push_back(*index);
      }
    }
  }
  std::sort(indices.begin(), indices.end());
  for (const int index : indices) {
    names.push_back(std::to_string(index));
  }
  return names;
}

} // namespace kernelbench::device
