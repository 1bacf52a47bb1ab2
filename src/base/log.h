#pragma once

#include <string_view>

namespace kernelbench::log {

// Diagnostics on standard error, for the operator. What a user asked for is printed, not logged.
enum class Level { quiet, normal, verbose };
void set_level(Level level);

void debug(std::string_view message);   // shown with --verbose
void warning(std::string_view message); // not with --quiet
void error(std::string_view message);

} // namespace kernelbench::log
