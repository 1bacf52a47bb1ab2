#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/fd.h"
#include "base/result.h"

namespace kernelbench {

// A program that runs beside us until it ends or the object goes; then it is killed, with what it started in its process
// group. Its standard error is ours unless told otherwise; it is killed when we die.
class Subprocess {
public:
  struct Options {
    std::vector<std::string> argv;
    std::vector<int> keep_fds; // passed on under the same numbers; every other descriptor is closed
    std::optional<std::map<std::string, std::string>> environment; // instead of ours
    int stdout_fd = -1;        // default: ours
    int stderr_fd = -1;
    // False for a program that sees to that itself, and that may leave others behind when it is killed while it starts.
    bool killed_when_we_die = true;
  };

  static Result<Subprocess> start(const Options& options);

  Subprocess(Subprocess&& other) noexcept;
  Subprocess& operator=(Subprocess&& other) noexcept;
  ~Subprocess();

  int pid() const { return pid_; }
  // The wait status, or nothing at the deadline.
  std::optional<int> wait(const Deadline& deadline);
  bool running();

private:
  explicit Subprocess(int pid) : pid_(pid) {}
  void end();

  int pid_ = -1;
  std::optional<int> status_;
};

// What a program prints and how it ends, run to its end. Used for small questions ("c++ --version").
struct Output {
  int exit_status = -1; // -1: it could not be started, did not end in time, or was ended by a signal
  std::string text;     // standard output and standard error
};
Output run_program(const std::vector<std::string>& argv, double seconds);

// The file that a name means on PATH, or nothing.
std::optional<std::string> find_program(const std::string& name);

} // namespace kernelbench
