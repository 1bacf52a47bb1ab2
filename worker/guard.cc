#include "worker/guard.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <poll.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "base/clock.h"
#include "protocol/channel.h"
#include "worker/confine.h"
#include "worker/interpreter.h"
#include "worker/roles.h"

namespace kernelbench::worker {

using protocol::ChildExit;
using protocol::Role;
using protocol::Spawn;

namespace {

constexpr double look_every_s = 0.02;
constexpr std::size_t kept_output = 64u << 10; // head and tail together

// The head and the tail of a stream of any length.
class Output {
public:
  void add(const char* bytes, std::size_t size) {
    total_ += static_cast<std::int64_t>(size);
    const std::size_t to_head = std::min(size, kept_output / 2 - std::min(head_.size(), kept_output / 2));
    head_.append(bytes, to_head);
    tail_.append(bytes + to_head, size - to_head);
    if (tail_.size() > kept_output) {
      tail_.erase(0, tail_.size() - kept_output / 2);
    }
  }
  std::int64_t total() const { return total_; }
  std::string text() const {
    const std::string tail = tail_.size() > kept_output / 2 ? tail_.substr(tail_.size() - kept_output / 2) : tail_;
    const auto kept = static_cast<std::int64_t>(head_.size() + tail.size());
    return kept == total_ ? head_ + tail
                          : head_ + "\n[... " + std::to_string(total_ - kept) + " bytes left out ...]\n" + tail;
  }

private:
  std::string head_;
  std::string tail_;
  std::int64_t total_ = 0;
};

struct Usage {
  std::int64_t processes = 0; // threads count as processes
  std::int64_t memory_bytes = 0;
};

// What all processes but ourselves use, as /proc shows it: within a pid namespace these are the child and what it started.
Usage look_around() {
  Usage usage;
  DIR* directory = ::opendir("/proc");
  if (directory == nullptr) {
    return usage;
  }
  while (const dirent* entry = ::readdir(directory)) {
    const int pid = std::atoi(entry->d_name);
    if (pid <= 0 || pid == ::getpid()) {
      continue;
    }
    const std::string place = "/proc/" + std::to_string(pid);
    struct stat tasks {};
    usage.processes += ::stat((place + "/task").c_str(), &tasks) == 0 ? static_cast<std::int64_t>(tasks.st_nlink) - 2 : 1;
    if (FILE* file = std::fopen((place + "/status").c_str(), "re")) {
      // Private memory and memory shared between processes; not files, as which device memory shows.
      std::array<char, 256> line{};
      while (std::fgets(line.data(), line.size(), file) != nullptr) {
        if (std::strncmp(line.data(), "RssAnon:", 8) == 0 || std::strncmp(line.data(), "RssShmem:", 9) == 0) {
          usage.memory_bytes += std::atoll(std::strchr(line.data(), ':') + 1) * 1024;
        }
      }
      std::fclose(file);
    }
  }
  ::closedir(directory);
  return usage;
}

class Guard {
public:
  Guard(const Spawn& request, const ZygoteOptions& options, Fd channel, Fd owner)
      : request_(request), namespaces_(options.namespaces), keep_(options.keep), channel_(std::move(channel)), owner_(std::move(owner)) {}

  [[noreturn]] void run() {
    std::signal(SIGCHLD, SIG_DFL);
    ::setsid();
    ::prctl(PR_SET_DUMPABLE, 0);
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    if (namespaces_) {
      make_private_mounts();
    }
    std::string scratch = "/tmp/kernelbench.XXXXXX";
    if (::mkdtemp(scratch.data()) == nullptr || ::chmod(scratch.c_str(), 0700) != 0) {
      not_started("no scratch directory");
    }
    int pipe_ends[2];
    if (::pipe2(pipe_ends, O_CLOEXEC) != 0) {
      not_started("pipe");
    }
    output_pipe_ = Fd(pipe_ends[0]);
    Fd write_end(pipe_ends[1]);
    child_ = ::fork();
    if (child_ < 0) {
      not_started("fork");
    }
    if (child_ == 0) {
      become_child(write_end.get(), scratch);
    }
    write_end.reset();
    channel_.reset();
    ::fcntl(output_pipe_.get(), F_SETFL, O_NONBLOCK);
    watch();
    kill_all();
    drain_output();
    if (!namespaces_) {
      std::error_code ignored;
      std::filesystem::remove_all(scratch, ignored);
    }
    report();
  }

private:
  [[noreturn]] void not_started(const std::string& step) {
    exit_.how = ChildExit::How::not_started;
    exit_.code = errno;
    exit_.output = step + ": " + std::strerror(errno);
    send_report();
    ::_exit(1);
  }

  void make_private_mounts() {
    const auto size = "size=" + std::to_string(request_.disk_bytes) + ",mode=1777";
    const unsigned long flags = MS_NOSUID | MS_NODEV;
    if (::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) {
      not_started("private mounts");
    }
    std::vector<Fd> kept;
    for (const std::string& folder : keep_) {
      kept.emplace_back(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    }
    if (::mount("tmpfs", "/tmp", "tmpfs", flags, size.c_str()) != 0) {
      not_started("private /tmp");
    }
    for (std::size_t i = 0; i < keep_.size(); ++i) {
      const std::string below = "/proc/self/fd/" + std::to_string(kept[i].get());
      std::error_code ignored;
      std::filesystem::create_directories(keep_[i], ignored);
      if (::mount(below.c_str(), keep_[i].c_str(), nullptr, MS_BIND | MS_REC, nullptr) != 0) {
        not_started("keeping " + keep_[i]);
      }
    }
    if (::mount("tmpfs", "/dev/shm", "tmpfs", flags | MS_NOEXEC, size.c_str()) != 0) {
      not_started("private /dev/shm");
    }
    if (::mount("proc", "/proc", "proc", flags | MS_NOEXEC, nullptr) != 0) {
      not_started("private /proc");
    }
  }

  [[noreturn]] void become_child(int output, const std::string& scratch) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    const int nothing = ::open("/dev/null", O_RDONLY);
    ::dup2(nothing, 0);
    ::dup2(output, 1);
    ::dup2(output, 2);
    ::dup2(channel_.get(), 3);
    ::syscall(SYS_close_range, 4U, ~0U, 0U);
    ::fcntl(3, F_SETFD, FD_CLOEXEC);
    ::setsid();
    if (::chdir(scratch.c_str()) != 0) {
      ::_exit(1);
    }
    confine(request_, namespaces_);
    play_role(request_, protocol::Channel(Fd(3), 256u << 20, 1), scratch);
  }

  // Until the child ends, its owner lets go, or a limit is passed.
  void watch() {
    double next_look = 0;
    while (true) {
      std::array<pollfd, 2> entries{{{owner_.get(), POLLIN, 0}, {output_pipe_.get(), POLLIN, 0}}};
      ::poll(entries.data(), output_pipe_ ? 2 : 1, static_cast<int>(look_every_s * 1e3));
      if (output_pipe_ && entries[1].revents != 0) {
        drain_output();
      }
      if (reap()) {
        return;
      }
      if (entries[0].revents != 0) {
        return; // nothing is ever said on this socket: readable means closed
      }
      if (monotonic_seconds() < next_look) {
        continue;
      }
      next_look = monotonic_seconds() + look_every_s;
      if (namespaces_ && passed_limits()) {
        return;
      }
    }
  }

  bool passed_limits() {
    const Usage usage = look_around();
    exit_.peak_memory_bytes = std::max(exit_.peak_memory_bytes, usage.memory_bytes);
    if (request_.memory_bytes > 0 && usage.memory_bytes > request_.memory_bytes) {
      exit_.how = ChildExit::How::memory_limit;
    } else if (request_.processes > 0 && usage.processes > request_.processes) {
      exit_.how = ChildExit::How::process_limit;
    } else {
      return false;
    }
    limit_passed_ = true;
    return true;
  }

  // True once the child itself is gone. Whatever else ended is reaped on the way.
  bool reap() {
    int status = 0;
    while (!child_gone_) {
      const pid_t pid = ::waitpid(-1, &status, WNOHANG);
      if (pid <= 0) {
        return false;
      }
      if (pid == child_) {
        child_ended(status);
      }
    }
    return true;
  }

  void child_ended(int status) {
    child_gone_ = true;
    if (!limit_passed_) {
      exit_.how = WIFSIGNALED(status) ? ChildExit::How::signalled : ChildExit::How::exited;
    }
    exit_.code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
  }

  void kill_all() {
    for (int round = 0; round < 100; ++round) {
      if (namespaces_) {
        ::kill(-1, SIGKILL); // everything in our pid namespace but ourselves
      } else {
        ::kill(-child_, SIGKILL);
        kill_orphans();
      }
      int status = 0;
      pid_t pid = 0;
      while ((pid = ::waitpid(-1, &status, round == 0 ? WNOHANG : 0)) > 0) {
        if (pid == child_) {
          child_ended(status);
        }
      }
      if (pid < 0 && errno == ECHILD) {
        return;
      }
    }
  }

  // Without a pid namespace: processes that left the child's group come to us when their parent ends.
  static void kill_orphans() {
    DIR* directory = ::opendir("/proc");
    while (const dirent* entry = directory != nullptr ? ::readdir(directory) : nullptr) {
      const int pid = std::atoi(entry->d_name);
      if (pid <= 0) {
        continue;
      }
      FILE* file = std::fopen(("/proc/" + std::to_string(pid) + "/stat").c_str(), "re");
      int parent = 0;
      if (file != nullptr && std::fscanf(file, "%*d (%*[^)]) %*c %d", &parent) == 1 && parent == ::getpid()) {
        ::kill(pid, SIGKILL);
      }
      if (file != nullptr) {
        std::fclose(file);
      }
    }
    if (directory != nullptr) {
      ::closedir(directory);
    }
  }

  void drain_output() {
    std::array<char, 65536> bytes{};
    while (output_pipe_) {
      const ssize_t n = ::read(output_pipe_.get(), bytes.data(), bytes.size());
      if (n > 0) {
        output_.add(bytes.data(), static_cast<std::size_t>(n));
        if (n < static_cast<ssize_t>(bytes.size())) {
          return; // a flood must not keep us from looking at the limits
        }
      } else {
        if (n == 0) {
          output_pipe_.reset();
        }
        return;
      }
    }
  }

  void send_report() {
    exit_.output_bytes = output_.total();
    if (exit_.output.empty()) {
      exit_.output = output_.text();
    }
    protocol::Channel owner(std::move(owner_));
    (void)owner.send(exit_, Deadline::after(5));
  }

  [[noreturn]] void report() {
    send_report();
    ::_exit(0);
  }

  Spawn request_;
  bool namespaces_;
  std::vector<std::string> keep_;
  Fd channel_;
  Fd owner_;
  Fd output_pipe_;
  Output output_;
  pid_t child_ = -1;
  bool child_gone_ = false;
  bool limit_passed_ = false;
  ChildExit exit_;
};

} // namespace

void start_guarded_child(const Spawn& request, const ZygoteOptions& options, Fd channel, Fd owner) {
  const unsigned long flags = options.namespaces ? CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWIPC | CLONE_NEWUTS : 0;
  const long pid = ::syscall(SYS_clone, flags | SIGCHLD, nullptr, nullptr, nullptr, nullptr);
  if (pid == 0) {
    Guard(request, options, std::move(channel), std::move(owner)).run();
  }
  if (pid < 0) {
    ChildExit failed;
    failed.how = ChildExit::How::not_started;
    failed.code = errno;
    failed.output = std::string("clone: ") + std::strerror(errno);
    (void)protocol::Channel(std::move(owner)).send(failed, Deadline::after(5));
  }
}

} // namespace kernelbench::worker
