#include "generate/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "base/file.h"
#include "base/result.h"

namespace kernelbench::generate {

std::vector<Generation> read_generations(const std::filesystem::path& jsonl) {
  constexpr std::size_t most_bytes = std::size_t{4} << 30;
  const std::string text = read_file(jsonl, "generations file", most_bytes);
  std::vector<Generation> generations;
  int number = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = std::string_view(text).substr(at, end - at);
    at = end + 1;
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) {
      continue;
    }
    try {
      generations.push_back(generation_from_json_line(line));
    } catch (const UserError& error) {
      throw UserError(fmt::format("{}:{}: {}", jsonl.string(), number, error.what()));
    }
  }
  return generations;
}

} // namespace kernelbench::generate
