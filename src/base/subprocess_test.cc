#include "base/subprocess.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "base/file.h"
#include "tests/temporary_folder.h"

namespace kernelbench {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

// Long enough for any machine; only a failing test waits for it.
constexpr double forever_s = 60;

// Its state as /proc shows it, 'Z' when it ended and nobody asked, or nothing when there is none.
std::optional<char> state_of(int pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::stringstream text;
  text << file.rdbuf();
  const std::size_t name_end = text.str().rfind(')');
  return name_end == std::string::npos ? std::nullopt : std::optional(text.str().at(name_end + 2));
}

bool ends(int pid) {
  for (const Deadline deadline = Deadline::after(forever_s); !deadline.passed();) {
    const auto state = state_of(pid);
    if (!state || *state == 'Z' || *state == 'X') {
      return true;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

Subprocess start(const std::vector<std::string>& argv, int stdout_fd = -1) {
  Subprocess::Options options;
  options.argv = argv;
  options.argv.front() = find_program(argv.front()).value_or(argv.front());
  options.stdout_fd = stdout_fd;
  auto started = Subprocess::start(options);
  if (!started) {
    throw std::runtime_error(started.fault().message);
  }
  return std::move(*started);
}

// What a program prints, run to its end with these options.
std::string printed(Subprocess::Options options) {
  const TemporaryFolder folder;
  const fs::path file = folder.add("stdout");
  const Fd out(::open(file.c_str(), O_WRONLY | O_CLOEXEC));
  options.argv.front() = find_program(options.argv.front()).value_or(options.argv.front());
  options.stdout_fd = out.get();
  auto started = Subprocess::start(options);
  EXPECT_TRUE(started) << started.fault().message;
  EXPECT_EQ(started->wait(Deadline::after(forever_s)), 0);
  return read_file(file, "stdout");
}

TEST(Subprocess, SaysWhyAProgramDoesNotStart) {
  const TemporaryFolder folder;
  const std::string missing = (folder.path() / "none").string();
  const auto started = Subprocess::start({{missing, "argument"}});
  ASSERT_FALSE(started);
  EXPECT_EQ(started.fault().kind, Fault::Kind::permanent);
  EXPECT_EQ(started.fault().message, missing + ": No such file or directory");

  const std::string text = folder.add("text", "no program").string();
  const auto refused = Subprocess::start({{text}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.fault().message, text + ": Permission denied");
}

TEST(Subprocess, GivesTheWaitStatus) {
  Subprocess exits = start({"sh", "-c", "exit 7"});
  const auto status = exits.wait(Deadline::after(forever_s));
  ASSERT_TRUE(status);
  EXPECT_TRUE(WIFEXITED(*status));
  EXPECT_EQ(WEXITSTATUS(*status), 7);
  EXPECT_EQ(exits.wait(Deadline::after(0)), status) << "the second time as well";
  EXPECT_FALSE(exits.running());

  Subprocess signalled = start({"sh", "-c", "kill -TERM $$"});
  const auto killed = signalled.wait(Deadline::after(forever_s));
  ASSERT_TRUE(killed);
  EXPECT_TRUE(WIFSIGNALED(*killed));
  EXPECT_EQ(WTERMSIG(*killed), SIGTERM);
}

TEST(Subprocess, WaitsNoLongerThanTheDeadline) {
  Subprocess process = start({"sleep", "1000"});
  EXPECT_EQ(process.wait(Deadline::after(0.02)), std::nullopt);
  EXPECT_TRUE(process.running());
  EXPECT_EQ(::kill(process.pid(), SIGKILL), 0);
  EXPECT_TRUE(process.wait(Deadline::after(forever_s)));
}

TEST(Subprocess, IsKilledAndReapedWhenTheObjectGoes) {
  int pid = 0;
  {
    const Subprocess process = start({"sleep", "1000"});
    pid = process.pid();
    EXPECT_TRUE(state_of(pid));
  }
  EXPECT_FALSE(state_of(pid)) << "not even a zombie";
}

TEST(Subprocess, MovesLikeAPointer) {
  Subprocess first = start({"sleep", "1000"});
  Subprocess second = start({"sleep", "1000"});
  const int first_pid = first.pid();
  const int second_pid = second.pid();
  first = std::move(second);
  EXPECT_FALSE(state_of(first_pid)) << "the old one has gone";
  EXPECT_EQ(first.pid(), second_pid);
  EXPECT_TRUE(first.running());
  Subprocess third(std::move(first));
  EXPECT_EQ(third.pid(), second_pid);
  EXPECT_TRUE(third.running());
}

TEST(Subprocess, TakesWhatItStartedAlong) {
  const TemporaryFolder folder;
  const fs::path file = folder.add("stdout");
  int grandchild = 0;
  {
    const Fd out(::open(file.c_str(), O_WRONLY | O_CLOEXEC));
    const Subprocess process = start({"sh", "-c", "sleep 1000 & echo $!; wait"}, out.get());
    const Deadline deadline = Deadline::after(forever_s);
    while (read_file(file, "stdout").find('\n') == std::string::npos && !deadline.passed()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    grandchild = std::stoi(read_file(file, "stdout"));
  }
  EXPECT_TRUE(ends(grandchild));
}

// The number of a process that was started by one that has been killed since; -1 when that went wrong.
int orphan_of_a_killed_parent(const Subprocess::Options& options) {
  int pipe_ends[2];
  if (::pipe2(pipe_ends, O_CLOEXEC) != 0) {
    return -1;
  }
  const Fd read_end(pipe_ends[0]);
  Fd write_end(pipe_ends[1]);
  const pid_t parent = ::fork();
  if (parent == 0) {
    auto process = Subprocess::start(options);
    const int pid = process ? process->pid() : -1;
    (void)!::write(write_end.get(), &pid, sizeof pid);
    ::pause();
    ::_exit(1);
  }
  write_end.reset();
  int pid = -1;
  if (::read(read_end.get(), &pid, sizeof pid) != static_cast<ssize_t>(sizeof pid)) {
    pid = -1;
  }
  ::kill(parent, SIGKILL);
  ::waitpid(parent, nullptr, 0);
  return pid;
}

// A parent that is killed cannot tidy up.
TEST(Subprocess, DiesWithItsParent) {
  Subprocess::Options options;
  options.argv = {find_program("sleep").value_or(""), "1000"};
  const int pid = orphan_of_a_killed_parent(options);
  ASSERT_GT(pid, 0);
  EXPECT_TRUE(ends(pid));
}

TEST(Subprocess, OutlivesItsParentWhenToldTo) {
  Subprocess::Options options;
  options.argv = {find_program("sleep").value_or(""), "1000"};
  options.killed_when_we_die = false;
  const int pid = orphan_of_a_killed_parent(options);
  ASSERT_GT(pid, 0);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(state_of(pid).value_or('-'), 'S');
  ::kill(pid, SIGKILL);
}

TEST(Subprocess, HasTheEnvironmentItIsGiven) {
  ::setenv("KERNELBENCH_TEST_VARIABLE", "ours", 1);
  Subprocess::Options options;
  options.argv = {"env"};
  EXPECT_THAT(printed(options), HasSubstr("KERNELBENCH_TEST_VARIABLE=ours\n"));
  options.environment = {{"A", "1"}, {"B", "two words=x"}, {"C", ""}};
  EXPECT_EQ(printed(options), "A=1\nB=two words=x\nC=\n");
  options.environment.emplace();
  EXPECT_EQ(printed(options), "");
  ::unsetenv("KERNELBENCH_TEST_VARIABLE");
}

TEST(Subprocess, PassesOnlyTheDescriptorsItIsTold) {
  const Fd kept(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  const Fd closed(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  const Fd careless(::open("/dev/null", O_RDONLY)); // as libraries open files
  Subprocess::Options options;
  options.argv = {"sh", "-c", "for fd in \"$@\"; do test -e /proc/self/fd/$fd && echo $fd; done; true", "sh"};
  for (const Fd* fd : {&kept, &closed, &careless}) {
    options.argv.push_back(std::to_string(fd->get()));
  }
  options.keep_fds = {kept.get()};
  EXPECT_EQ(printed(options), std::to_string(kept.get()) + "\n");
}

TEST(Subprocess, HasTheUsualSignals) {
  sigset_t blocked;
  sigset_t before;
  ::sigemptyset(&blocked);
  ::sigaddset(&blocked, SIGTERM);
  ::pthread_sigmask(SIG_BLOCK, &blocked, &before);
  const auto handler = std::signal(SIGPIPE, SIG_IGN);
  Subprocess terminated = start({"sh", "-c", "kill -TERM $$; exit 1"});
  Subprocess piped = start({"sh", "-c", "kill -PIPE $$; exit 1"});
  std::signal(SIGPIPE, handler);
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  const int by_term = terminated.wait(Deadline::after(forever_s)).value_or(0);
  EXPECT_TRUE(WIFSIGNALED(by_term)) << "SIGTERM is not blocked";
  const int by_pipe = piped.wait(Deadline::after(forever_s)).value_or(0);
  EXPECT_TRUE(WIFSIGNALED(by_pipe)) << "SIGPIPE is not ignored";
}

TEST(Subprocess, LeadsAProcessGroupOfItsOwn) {
  const Subprocess process = start({"sleep", "1000"});
  EXPECT_EQ(::getpgid(process.pid()), process.pid()) << "Ctrl-C must not reach it";
}

TEST(RunProgram, GivesBothStreamsAndTheStatus) {
  const Output output = run_program({"sh", "-c", "echo out; echo err >&2; exit 3"}, forever_s);
  EXPECT_EQ(output.exit_status, 3);
  EXPECT_EQ(output.text, "out\nerr\n");
  const Output large = run_program({"sh", "-c", "head -c 3000000 /dev/zero"}, forever_s);
  EXPECT_EQ(large.exit_status, 0);
  EXPECT_EQ(large.text.size(), 3'000'000U);
}

TEST(RunProgram, SaysWhenThereIsNoStatus) {
  EXPECT_EQ(run_program({"no-such-program-of-ours"}, forever_s).exit_status, -1);
  EXPECT_EQ(run_program({"/no/such/program"}, forever_s).text, "");
  EXPECT_EQ(run_program({"sh", "-c", "kill -KILL $$"}, forever_s).exit_status, -1);
}

TEST(RunProgram, WaitsForAProgramThatPrintsNoMore) {
  EXPECT_EQ(run_program({"sh", "-c", "exec >&- 2>&-; sleep 0.05; exit 4"}, forever_s).exit_status, 4);
}

TEST(RunProgram, EndsWhatTakesTooLong) {
  const Output output = run_program({"sh", "-c", "echo $$; exec sleep 1000"}, 0.5);
  EXPECT_EQ(output.exit_status, -1);
  ASSERT_THAT(output.text, testing::MatchesRegex("[0-9]+\n"));
  EXPECT_FALSE(state_of(std::stoi(output.text)));
  EXPECT_EQ(run_program({"sh", "-c", "exec >&- 2>&-; exec sleep 1000"}, 0.3).exit_status, -1);
}

// The program has ended, but what it left behind holds its output.
TEST(RunProgram, EndsWhatTheProgramLeftBehind) {
  const Output output = run_program({"sh", "-c", "sleep 1000 & echo $!"}, 0.5);
  EXPECT_EQ(output.exit_status, -1);
  ASSERT_THAT(output.text, testing::MatchesRegex("[0-9]+\n"));
  EXPECT_TRUE(ends(std::stoi(output.text)));
}

class FindProgram : public testing::Test {
protected:
  FindProgram() : before_(std::getenv("PATH") != nullptr ? std::getenv("PATH") : "") {}
  ~FindProgram() override { ::setenv("PATH", before_.c_str(), 1); }

  static void set_path(const std::string& path) { ::setenv("PATH", path.c_str(), 1); }

  TemporaryFolder folder_;

private:
  std::string before_;
};

TEST_F(FindProgram, TakesTheFirstThatCanBeRun) {
  folder_.add("a/tool", "not executable");
  fs::create_directories(folder_.path() / "b" / "tool"); // a folder can be "executed"
  const fs::path first = folder_.add_program("c/tool", "exit 0\n");
  folder_.add_program("d/tool", "exit 0\n");
  const std::string root = folder_.path().string();
  set_path(root + "/none:" + root + "/a::" + root + "/b:" + root + "/c:" + root + "/d");
  EXPECT_EQ(find_program("tool"), first.string());
  EXPECT_EQ(find_program("other"), std::nullopt);
  set_path(root + "/c");
  EXPECT_EQ(find_program("tool"), first.string());
  set_path("");
  EXPECT_EQ(find_program("tool"), std::nullopt);
}

TEST_F(FindProgram, TakesAPathAsItIs) {
  const std::string program = folder_.add_program("tool", "exit 0\n").string();
  EXPECT_EQ(find_program(program), program);
  EXPECT_EQ(find_program(folder_.add("text").string()), std::nullopt);
  EXPECT_EQ(find_program(folder_.path().string()), std::nullopt);
  EXPECT_EQ(find_program(folder_.path().string() + "/none"), std::nullopt);
}

} // namespace
} // namespace kernelbench
