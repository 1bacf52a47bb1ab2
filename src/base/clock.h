#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>

namespace kernelbench {

// Seconds on the monotonic clock, from an arbitrary origin.
inline double monotonic_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// A point on the monotonic clock after which waiting ends.
class Deadline {
public:
  static Deadline after(double seconds) { return Deadline(monotonic_seconds() + seconds); }

  double seconds_left() const { return at_ - monotonic_seconds(); }
  bool passed() const { return seconds_left() <= 0; }
  // For poll(2): at least 0, rounded up so that a wait never ends before the deadline.
  int poll_milliseconds() const {
    return static_cast<int>(std::ceil(std::clamp(seconds_left(), 0.0, 1e6) * 1e3));
  }

private:
  explicit Deadline(double at) : at_(at) {}
  double at_;
};

} // namespace kernelbench
