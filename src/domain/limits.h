#pragma once

#include <cstdint>

namespace kernelbench {

// What one candidate may use. Times are wall-clock seconds spent waiting for the candidate, per stage.
struct Limits {
  double build_s = 300;
  double load_s = 60;
  double check_s = 60;
  double time_s = 120;
  std::int64_t memory_mb = 16384; // private memory of all its processes together, MiB
  std::int64_t processes = 256;   // processes and threads it may start
  std::int64_t disk_mb = 1024;    // its private /tmp, MiB
};

} // namespace kernelbench
