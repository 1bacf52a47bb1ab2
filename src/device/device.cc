#include "device/device.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

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

std::vector<int> gpus_present() {
  std::vector<int> indices;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/dev", ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("nvidia")) {
      if (const auto index = whole_number(std::string_view(name).substr(6))) {
        indices.push_back(*index);
      }
    }
  }
  std::sort(indices.begin(), indices.end());
  return indices;
}

} // namespace kernelbench::device
