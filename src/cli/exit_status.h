#pragma once

namespace kernelbench::cli {

inline constexpr int exit_done = 0;
inline constexpr int exit_not_expected = 1;
inline constexpr int exit_usage = 2;
inline constexpr int exit_fault = 3;

} // namespace kernelbench::cli
