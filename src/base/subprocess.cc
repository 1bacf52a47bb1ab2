#include "base/subprocess.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

namespace kernelbench {

Result<Subprocess> Subprocess::start(const Options& options) {
  std::vector<char*> argv;
  for (const std::string& argument : options.argv) {
    argv.push_back(const_cast<char*>(argument.c_str()));
  }
  argv.push_back(nullptr);
  std::vector<std::string> variables;
  std::vector<char*> environment;
  if (options.environment) {
    for (const auto& [name, value] : *options.environment) {
      variables.push_back(name + "=" + value);
    }
    for (std::string& variable : variables) {
      environment.push_back(variable.data());
    }
    environment.push_back(nullptr);
  }
  int failure_pipe[2];
  if (::pipe2(failure_pipe, O_CLOEXEC) != 0) {
    return Fault::transient(std::string("pipe: ") + std::strerror(errno));
  }
  Fd failure_read(failure_pipe[0]);
  Fd failure_write(failure_pipe[1]);

  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0) {
    return Fault::transient(std::string("fork: ") + std::strerror(errno));
  }
  if (pid == 0) { // only async-signal-safe calls from here to exec: other threads may hold locks
    if (options.killed_when_we_die) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    }
    if (::getppid() != parent) {
      ::_exit(1);
    }
    ::setpgid(0, 0); // Ctrl-C is for us to handle
    ::signal(SIGPIPE, SIG_DFL);
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    if (options.stdout_fd >= 0) {
      ::dup2(options.stdout_fd, 1);
    }
    if (options.stderr_fd >= 0) {
      ::dup2(options.stderr_fd, 2);
    }
    ::syscall(SYS_close_range, 3U, ~0U, CLOSE_RANGE_CLOEXEC); // what libraries opened without thinking of exec
    for (const int fd : options.keep_fds) {
      ::fcntl(fd, F_SETFD, 0);
    }
    if (options.environment) {
      ::execve(argv[0], argv.data(), environment.data());
    } else {
      ::execv(argv[0], argv.data());
    }
    const int error = errno;
    (void)!::write(failure_write.get(), &error, sizeof error);
    ::_exit(127);
  }
  failure_write.reset();
  int error = 0;
  if (::read(failure_read.get(), &error, sizeof error) == static_cast<ssize_t>(sizeof error)) {
    ::waitpid(pid, nullptr, 0);
    return Fault::permanent(options.argv.front() + ": " + std::strerror(error));
  }
  return Subprocess(pid);
}

Subprocess::Subprocess(Subprocess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)), status_(std::exchange(other.status_, std::nullopt)) {}

Subprocess& Subprocess::operator=(Subprocess&& other) noexcept {
  if (this != &other) {
    end();
    pid_ = std::exchange(other.pid_, -1);
    status_ = std::exchange(other.status_, std::nullopt);
  }
  return *this;
}

Subprocess::~Subprocess() { end(); }

void Subprocess::end() {
  if (pid_ > 0 && !status_) {
    ::kill(pid_, SIGKILL);
    ::kill(-pid_, SIGKILL); // its group: what it started goes with it
    ::waitpid(pid_, nullptr, 0);
  }
  pid_ = -1;
}

std::optional<int> Subprocess::wait(const Deadline& deadline) {
  while (!status_) {
    int status = 0;
    const pid_t pid = ::waitpid(pid_, &status, WNOHANG);
    if (pid == pid_ || (pid < 0 && errno == ECHILD)) {
      status_ = status;
    } else if (deadline.passed()) {
      return std::nullopt;
    } else {
      ::poll(nullptr, 0, 5);
    }
  }
  return status_;
}

bool Subprocess::running() { return !wait(Deadline::after(0)); }

Output run_program(const std::vector<std::string>& argv, double seconds) {
  Output output;
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    return output;
  }
  Fd read_end(ends[0]);
  Fd write_end(ends[1]);
  Subprocess::Options options;
  options.argv = argv;
  if (const auto program = find_program(argv.front())) {
    options.argv.front() = *program;
  }
  options.stdout_fd = write_end.get();
  options.stderr_fd = write_end.get();
  auto process = Subprocess::start(options);
  if (!process) {
    return output;
  }
  write_end.reset();
  const Deadline deadline = Deadline::after(seconds);
  std::array<char, 4096> bytes{};
  while (true) {
    pollfd entry{read_end.get(), POLLIN, 0};
    if (::poll(&entry, 1, deadline.poll_milliseconds()) <= 0) {
      return output;
    }
    const ssize_t n = ::read(read_end.get(), bytes.data(), bytes.size());
    if (n <= 0) {
      break;
    }
    output.text.append(bytes.data(), static_cast<std::size_t>(n));
  }
  const auto status = process->wait(deadline);
  output.exit_status = status && WIFEXITED(*status) ? WEXITSTATUS(*status) : -1;
  return output;
}

std::optional<std::string> find_program(const std::string& name) {
  const auto runs = [](const std::string& path) {
    return ::access(path.c_str(), X_OK) == 0 && !std::filesystem::is_directory(path);
  };
  if (name.find('/') != std::string::npos) {
    return runs(name) ? std::optional(name) : std::nullopt;
  }
  const char* path = std::getenv("PATH");
  std::string rest = path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin";
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    const std::string file = rest.substr(0, end) + "/" + name;
    if (end > 0 && runs(file)) {
      return file;
    }
    rest.erase(0, end + 1);
  }
  return std::nullopt;
}

} // namespace kernelbench
