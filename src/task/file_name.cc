#include "task/file_name.h"

#include <charconv>
#include <string>
#include <system_error>

namespace kernelbench::task {

namespace {

// The digits at the start of `text` as a number, if `rest` follows them; else 0.
int leading_number(std::string_view text, std::string_view rest) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view after = text.substr(static_cast<std::size_t>(end - text.data()));
  const bool follows = after.empty() || (!rest.empty() && after.substr(0, rest.size()) == rest);
  return error == std::errc() && follows && number > 0 ? number : 0;
}

} // namespace

int number_in_name(std::string_view name) {
  return leading_number(name, "_");
}

int level_of_directory(const std::filesystem::path& directory) {
  std::filesystem::path whole = std::filesystem::absolute(directory).lexically_normal();
  if (!whole.has_filename()) {
    whole = whole.parent_path();
  }
  const std::string name = whole.filename().string();
  constexpr std::string_view prefix = "level";
  return name.compare(0, prefix.size(), prefix) == 0 ? leading_number(std::string_view(name).substr(prefix.size()), "")
                                                     : 0;
}

} // namespace kernelbench::task
