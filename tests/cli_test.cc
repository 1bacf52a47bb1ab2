// Runs the real program, as a user and as a script would: what it answers, with what exit status, and where. Every test
// has folders of its own for the store and the cache.

#include <SQLiteCpp/SQLiteCpp.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "base/fd.h"
#include "base/file.h"
#include "base/subprocess.h"
#include "store/store.h"
#include "tests/temporary_folder.h"

namespace kernelbench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using ::testing::_;
using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Pair;
using ::testing::StartsWith;

const fs::path source_directory = KERNELBENCH_SOURCE_DIR;

// Longer than any program here takes, even on a machine that does much else; only a failing test waits for it.
constexpr double forever_s = 600;

fs::path program() {
  return fs::read_symlink("/proc/self/exe").parent_path() / "kernelbench";
}

std::string content_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

// ---- processes ----

// One process, told from a later one with the same number by its start.
struct Process {
  int pid = 0;
  int parent = 0;
  char state = 0;
  unsigned long long start = 0;

  bool lives() const { return state != 'Z' && state != 'X'; }
};

std::optional<Process> process_of(int pid) {
  const std::string text = content_of(fmt::format("/proc/{}/stat", pid));
  const std::size_t name_end = text.rfind(')');
  if (name_end == std::string::npos) {
    return std::nullopt;
  }
  Process process;
  process.pid = pid;
  std::istringstream fields(text.substr(name_end + 1));
  fields >> process.state >> process.parent;
  std::string skipped;
  for (int field = 5; field < 22; ++field) {
    fields >> skipped;
  }
  fields >> process.start;
  return process;
}

std::vector<Process> all_processes() {
  std::vector<Process> processes;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator("/proc", ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") == std::string::npos) {
      if (const auto process = process_of(std::stoi(name))) {
        processes.push_back(*process);
      }
    }
  }
  return processes;
}

std::vector<Process> descendants_of(int pid) {
  const std::vector<Process> all = all_processes();
  std::vector<Process> found;
  std::set<int> parents = {pid};
  for (bool more = true; more;) {
    more = false;
    for (const Process& process : all) {
      if (parents.count(process.parent) > 0 && parents.insert(process.pid).second) {
        found.push_back(process);
        more = true;
      }
    }
  }
  return found;
}

std::string command_line_of(int pid) {
  std::string text = content_of(fmt::format("/proc/{}/cmdline", pid));
  std::replace(text.begin(), text.end(), '\0', ' ');
  return text;
}

// Those of `before` that live on, and whatever names the folder in its arguments or its environment: their command
// lines.
std::map<int, std::string> survivors(const std::vector<Process>& before, const fs::path& folder) {
  std::map<int, std::string> found;
  for (const Process& process : all_processes()) {
    if (!process.lives() || process.pid == ::getpid()) {
      continue;
    }
    const bool known = std::any_of(before.begin(), before.end(), [&](const Process& one) {
      return one.pid == process.pid && one.start == process.start;
    });
    const std::string arguments = command_line_of(process.pid);
    if (known || arguments.find(folder.string()) != std::string::npos ||
        content_of(fmt::format("/proc/{}/environ", process.pid)).find(folder.string()) != std::string::npos) {
      found[process.pid] = arguments;
    }
  }
  return found;
}

// ---- the program ----

struct Ended {
  int status = -1; // exit status, or 128 + signal
  std::string out;
  std::string err;
};

// The program at work; its output goes into files.
class Running {
public:
  Running(const TemporaryFolder& folder, const std::vector<std::string>& arguments,
          std::map<std::string, std::string> environment)
      : out_(folder.add("stdout")), err_(folder.add("stderr")) {
    const Fd out(::open(out_.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC));
    const Fd err(::open(err_.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC));
    Subprocess::Options options;
    options.argv = {program().string()};
    options.argv.insert(options.argv.end(), arguments.begin(), arguments.end());
    options.environment = std::move(environment);
    options.stdout_fd = out.get();
    options.stderr_fd = err.get();
    auto started = Subprocess::start(options);
    if (!started) {
      throw std::runtime_error(started.fault().message);
    }
    process_.emplace(std::move(*started));
  }

  int pid() const { return process_->pid(); }
  std::string err() const { return content_of(err_); }

  // To it and its process group, as a terminal does on Ctrl-C.
  void interrupt() const { ::kill(-pid(), SIGINT); }
  void kill() const { ::kill(pid(), SIGKILL); }

  // False when it ends without having said that on standard error.
  bool wait_until_it_says(const std::string& text) {
    const Deadline deadline = Deadline::after(forever_s);
    while (err().find(text) == std::string::npos) {
      if (deadline.passed() || !process_->running()) {
        return err().find(text) != std::string::npos;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return true;
  }

  Ended wait() {
    const auto status = process_->wait(Deadline::after(forever_s));
    Ended ended;
    if (status) {
      ended.status = WIFEXITED(*status) ? WEXITSTATUS(*status) : 128 + WTERMSIG(*status);
    }
    ended.out = content_of(out_);
    ended.err = content_of(err_);
    return ended;
  }

private:
  fs::path out_;
  fs::path err_;
  std::optional<Subprocess> process_;
};

using Arguments = std::vector<std::string>;

class CommandLine : public testing::Test {
protected:
  CommandLine() {
    for (const char* name : {"PATH", "LD_LIBRARY_PATH", "LANG", "TMPDIR", "CUDA_HOME"}) {
      if (const char* value = std::getenv(name)) {
        environment_[name] = value;
      }
    }
    environment_["HOME"] = (folder_.path() / "home").string();
    environment_["XDG_CACHE_HOME"] = (folder_.path() / "cache").string();
    environment_["XDG_DATA_HOME"] = (folder_.path() / "data").string();
    environment_["KERNELBENCH_DATA"] = (source_directory / "data").string();
    fs::create_directories(folder_.path() / "home");
  }

  Running start(const Arguments& arguments) const { return {folder_, arguments, environment_}; }
  Ended run(const Arguments& arguments) const { return start(arguments).wait(); }

  // Wrong use or configuration: exit 2, one clear message on standard error, nothing on standard output.
  void expect_refused(const Arguments& arguments, const std::vector<std::string>& says, int status = 2) const {
    const Ended ended = run(arguments);
    const std::string what = fmt::format("kernelbench {}", fmt::join(arguments, " "));
    EXPECT_EQ(ended.status, status) << what << "\n" << ended.err;
    EXPECT_EQ(ended.out, "") << what;
    EXPECT_THAT(ended.err, StartsWith("kernelbench: ")) << what;
    EXPECT_EQ(std::count(ended.err.begin(), ended.err.end(), '\n'), 1) << what << "\n" << ended.err;
    for (const std::string& text : says) {
      EXPECT_THAT(ended.err, HasSubstr(text)) << what;
    }
  }

  // Refused by the option parser, whose messages have another form.
  void expect_usage_error(const Arguments& arguments, const std::vector<std::string>& says) const {
    const Ended ended = run(arguments);
    const std::string what = fmt::format("kernelbench {}", fmt::join(arguments, " "));
    EXPECT_EQ(ended.status, 2) << what << "\n" << ended.err;
    EXPECT_EQ(ended.out, "") << what;
    for (const std::string& text : says) {
      EXPECT_THAT(ended.err, HasSubstr(text)) << what;
    }
  }

  fs::path store_file() const { return folder_.path() / "data" / "kernelbench" / "store.db"; }
  store::Store store() const { return store::Store::open(store_file()); }

  // A copy of the suite's data that may be changed.
  fs::path own_data() {
    const fs::path copy = folder_.path() / "suite";
    fs::create_directories(copy);
    for (const char* part : {"tasks", "presets", "sandbox"}) {
      fs::copy(source_directory / "data" / part, copy / part, fs::copy_options::recursive);
    }
    environment_["KERNELBENCH_DATA"] = copy.string();
    return copy;
  }

  std::string add(const std::string& name, std::string_view content) const {
    return folder_.add(name, content).string();
  }

  TemporaryFolder folder_;
  std::map<std::string, std::string> environment_;
};

const std::string relu = "import torch\n"
                         "\n"
                         "\n"
                         "class ModelNew(torch.nn.Module):\n"
                         "    def forward(self, x):\n"
                         "        return x.clamp(min=0.0)\n";

// As `relu`, but each forward takes a while. `number` tells candidates apart.
std::string slow_relu(int number, double seconds) {
  return fmt::format("import time\n"
                     "import torch\n"
                     "\n"
                     "\n"
                     "class ModelNew(torch.nn.Module):  # {}\n"
                     "    def forward(self, x):\n"
                     "        time.sleep({})\n"
                     "        return x.clamp(min=0.0)\n",
                     number, seconds);
}

const std::string good_task = "import torch\n"
                              "\n"
                              "\n"
                              "class Model(torch.nn.Module):\n"
                              "    def forward(self, x):\n"
                              "        return torch.relu(x)\n"
                              "\n"
                              "\n"
                              "def get_inputs():\n"
                              "    return [torch.randn(7, 9)]\n"
                              "\n"
                              "\n"
                              "def get_init_inputs():\n"
                              "    return []\n";

// ---- what it says of itself ----

TEST_F(CommandLine, EveryCommandHelpsWithAnExample) {
  const std::vector<Arguments> commands = {{"eval"},          {"run"},           {"report"}, {"tasks"},
                                           {"tasks", "list"}, {"tasks", "show"}, {"doctor"}};
  for (Arguments arguments : commands) {
    const std::string what = fmt::format("{}", fmt::join(arguments, " "));
    arguments.emplace_back("--help");
    const Ended ended = run(arguments);
    EXPECT_EQ(ended.status, 0) << what;
    EXPECT_THAT(ended.out, HasSubstr("Example")) << what;
    EXPECT_THAT(ended.out, HasSubstr("kernelbench " + what)) << what;
    EXPECT_EQ(ended.err, "") << what;
  }
  const Ended all = run({"--help"});
  EXPECT_EQ(all.status, 0);
  for (const Arguments& arguments : commands) {
    EXPECT_THAT(all.out, HasSubstr(arguments.front()));
  }
}

TEST_F(CommandLine, HasAVersion) {
  const Ended ended = run({"--version"});
  EXPECT_EQ(ended.status, 0);
  EXPECT_THAT(ended.out, testing::MatchesRegex("kernelbench [0-9]+\\.[0-9]+\\.[0-9]+.*\n"));
}

TEST_F(CommandLine, DoctorListsWhatWorks) {
  const Ended ended = run({"doctor", "--json"});
  EXPECT_EQ(ended.status, 0) << ended.out << ended.err;
  const json findings = json::parse(ended.out, nullptr, false);
  ASSERT_TRUE(findings.is_array()) << ended.out;
  std::map<std::string, json> by_name;
  for (const json& finding : findings) {
    by_name[finding.at("name")] = finding;
    EXPECT_TRUE(finding.at("works").is_boolean());
    EXPECT_THAT(finding.at("says").get<std::string>(), Not(IsEmpty())) << finding;
  }
  for (const char* name : {"Python", "torch", "judge", "sandbox", "store", "build cache"}) {
    ASSERT_EQ(by_name.count(name), 1U) << name;
    EXPECT_TRUE(by_name[name].at("works")) << by_name[name];
  }
  EXPECT_EQ(by_name["store"].at("says"), store_file().string());
  EXPECT_THAT(by_name["build cache"].at("says").get<std::string>(), StartsWith((folder_.path() / "cache").string()));
  const Ended text = run({"doctor"});
  EXPECT_EQ(text.status, 0);
  EXPECT_THAT(text.out, AllOf(StartsWith("ok   Python"), HasSubstr("ok   sandbox")));
}

// ---- tasks ----

TEST_F(CommandLine, ListsTasks) {
  const Ended ended = run({"tasks", "list", "--json"});
  ASSERT_EQ(ended.status, 0) << ended.err;
  const json tasks = json::parse(ended.out, nullptr, false);
  ASSERT_TRUE(tasks.is_array());
  EXPECT_GE(tasks.size(), 24U);
  EXPECT_EQ(tasks[0],
            json::parse(R"({"id":"level1/1","name":"1_Square_matrix_multiplication_","level":1,"number":1})"));

  const Ended some = run({"tasks", "list", "level3/*", "1/19"});
  EXPECT_EQ(some.status, 0);
  EXPECT_THAT(some.out, AllOf(StartsWith("id "), HasSubstr("level1/19  19_ReLU\n"), HasSubstr("level3/1  "),
                              Not(HasSubstr("level2/"))));
}

TEST_F(CommandLine, ShowsATaskByEachOfItsNames) {
  std::string first;
  for (const std::string name : {"level1/19", "1/19", "19_ReLU", "19_ReLU.py"}) {
    const Ended ended = run({"tasks", "show", name, "--preset", "smoke", "--json"});
    ASSERT_EQ(ended.status, 0) << name << ended.err;
    const json task = json::parse(ended.out, nullptr, false);
    ASSERT_TRUE(task.is_object());
    EXPECT_EQ(task.at("id"), "level1/19");
    EXPECT_EQ(task.at("preset"), "smoke");
    EXPECT_THAT(task.at("source").get<std::string>(), HasSubstr("class Model("));
    first = first.empty() ? ended.out : first;
    EXPECT_EQ(ended.out, first);
  }
  const Ended text = run({"tasks", "show", "level1/19"});
  EXPECT_THAT(text.out, AllOf(StartsWith("# level1/19 19_ReLU, preset paper, sha256 "), HasSubstr("get_inputs")));
}

TEST_F(CommandLine, SuggestsTheNearestTask) {
  const std::string candidate = add("relu.py", relu);
  expect_refused({"tasks", "show", "level1/91"}, {"no task \"level1/91\"; did you mean level1/"});
  expect_refused({"eval", "Relu", candidate, "--device", "cpu"},
                 {"no task \"Relu\"", "did you mean level1/19 (19_ReLU)"});
  expect_refused({"tasks", "list", "level7/*"}, {"no task matches \"level7/*\"", "from level1/1 to level3/50"});
  expect_refused({"tasks", "show", ""}, {"no task \"\""});
  expect_refused({"tasks", "show", "level1/19", "--preset", "giant"}, {"no preset \"giant\"; there are paper, smoke"});
}

TEST_F(CommandLine, RefusesTasksThatAreNone) {
  const std::string candidate = add("relu.py", relu);
  const auto refuse = [&](const std::string& task, const std::vector<std::string>& says) {
    expect_refused({"eval", task, candidate, "--device", "cpu", "--preset", "paper"}, says);
    expect_refused({"eval", task, candidate, "--device", "cpu", "--preset", "paper", "--json"}, says);
  };
  refuse(add("no_inputs.py", good_task.substr(0, good_task.find("def get_inputs"))),
         {"no_inputs.py defines no get_inputs and no get_init_inputs; a task file must define"});
  refuse(add("no_model.py", good_task.substr(good_task.find("def get_inputs"))), {"no_model.py defines no Model"});
  refuse(add("empty.py", ""), {"defines no Model and no get_inputs and no get_init_inputs"});
  refuse(add("binary.py", std::string("\x7f"
                                      "ELF\0\0",
                                      6)),
         {"binary.py: not a text file (a zero byte at offset 4)"});
  refuse(add("latin1.py", "# caf\xe9\n" + good_task), {"latin1.py: not UTF-8 at byte offset 5"});
  refuse((folder_.path() / "missing.py").string(), {"missing.py: No such file or directory"});
}

TEST_F(CommandLine, RefusesATaskWithASyntaxError) {
  const std::string task = add("broken.py", good_task + "\n\nx = = 1\n");
  const std::string candidate = add("relu.py", relu);
  const Ended ended = run({"eval", task, candidate, "--device", "cpu", "--preset", "paper", "--protocol", "none"});
  EXPECT_EQ(ended.status, 2) << ended.out;
  EXPECT_THAT(ended.err,
              AllOf(StartsWith("kernelbench: the task itself does not work: "), HasSubstr("invalid syntax")));
  EXPECT_THAT(ended.out, Not(HasSubstr("verdict"))) << "no verdict on the candidate";
}

TEST_F(CommandLine, RefusesBrokenPresets) {
  const fs::path data = own_data();
  const std::string candidate = add("relu.py", relu);
  const fs::path smoke = data / "presets" / "smoke.toml";

  std::ofstream(smoke) << "[\"level1/19\"]\nbatch_size = 15\nwidth = 16001\n";
  const std::vector<std::string> unknown = {
      "preset smoke gives task level1/19 a constant \"width\" that its file does not set; it has batch_size, dim"};
  expect_refused({"tasks", "show", "level1/19", "--preset", "smoke"}, unknown);
  expect_refused({"eval", "level1/19", candidate, "--device", "cpu", "--preset", "smoke"}, unknown);
  expect_refused({"tasks", "show", "level1/1", "--preset", "smoke"}, {"preset smoke has no sizes for level1/1"});

  std::ofstream(smoke) << "[\"level1/19\"]\nbatch_size = 15\ndim = = 3\n";
  expect_refused({"tasks", "show", "level1/19", "--preset", "smoke"}, {"smoke.toml:3:7: "});
  expect_refused({"eval", "level1/19", candidate, "--device", "cpu"}, {"smoke.toml:3:7: "});

  std::ofstream(smoke) << "batch_size = 15\n";
  expect_refused({"tasks", "show", "level1/19"}, {"smoke.toml:1:", "\"batch_size\" stands outside a task's table"});
}

// ---- candidates ----

TEST_F(CommandLine, RefusesCandidatesThatAreNone) {
  const auto refuse = [&](const std::string& candidate, const std::vector<std::string>& says) {
    expect_refused({"eval", "level1/19", candidate, "--device", "cpu"}, says);
  };
  refuse((folder_.path() / "missing.py").string(), {"candidate file ", "missing.py: No such file or directory"});
  refuse(folder_.path().string(), {"is a directory; give the path of one Python file"});
  refuse(add("binary.py", std::string("\x7f"
                                      "ELF\0\0",
                                      6)),
         {"binary.py: not a text file (a zero byte at offset 4)"});
  refuse(add("latin1.py", "# caf\xe9\n" + relu), {"latin1.py: not UTF-8 at byte offset 5"});
  const std::string large = add("large.py", relu);
  fs::resize_file(large, 50'000'000);
  refuse(large, {"large.py: 50000000 bytes; a candidate has at most 1 MiB"});
  const fs::path pipe = folder_.path() / "pipe.py";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  refuse(pipe.string(), {"pipe.py: not a regular file"});
  if (::geteuid() != 0) {
    const std::string secret = add("secret.py", relu);
    fs::permissions(secret, fs::perms::none);
    refuse(secret, {"secret.py: Permission denied"});
  }
}

// ---- eval ----

TEST_F(CommandLine, EvalPrintsOneRecord) {
  const std::string candidate = add("my relu.py", relu);
  const Ended ended = run({"eval", "level1/19", candidate, "--device", "cpu", "--json", "--expect", "correct"});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_EQ(ended.err, "");
  EXPECT_EQ(std::count(ended.out.begin(), ended.out.end(), '\n'), 1);
  EXPECT_THAT(ended.out, EndsWith("}\n"));
  const json record = json::parse(ended.out, nullptr, false);
  ASSERT_TRUE(record.is_object()) << ended.out;
  EXPECT_EQ(record.at("schema"), 1);
  EXPECT_EQ(record.at("outcome"), "correct");
  EXPECT_TRUE(record.at("cause").is_null());
  EXPECT_TRUE(record.at("fault").is_null());
  EXPECT_EQ(record.at("task").at("id"), "level1/19");
  EXPECT_EQ(record.at("task").at("preset"), "smoke") << "the default on a CPU";
  EXPECT_EQ(record.at("candidate").at("path"), candidate);
  EXPECT_EQ(record.at("check").at("passed"), 5);
  EXPECT_EQ(record.at("timing").at("protocol"), "paper");
  EXPECT_EQ(record.at("timing").at("candidate").at("n"), 100);
  EXPECT_GT(record.at("timing").at("speedup"), 0);
}

TEST_F(CommandLine, EvalSaysWhetherTheExpectationIsMet) {
  const std::string candidate = add("relu.py", relu);
  const Arguments evaluation = {
      "eval",    add("task.py", good_task), candidate, "--device", "cpu", "--preset", "paper", "--protocol", "none",
      "--expect"};
  const auto expecting = [&](const std::string& outcome) {
    Arguments arguments = evaluation;
    arguments.push_back(outcome);
    return arguments;
  };
  const Ended met = run(expecting("correct"));
  EXPECT_EQ(met.status, 0) << met.err;
  EXPECT_THAT(met.out, AllOf(StartsWith("evaluating "), HasSubstr(" on cpu"), HasSubstr("correct")));
  EXPECT_EQ(met.err, "");
  const Ended not_met = run(expecting("wrong_output"));
  EXPECT_EQ(not_met.status, 1);
  EXPECT_THAT(not_met.out, HasSubstr("correct")) << "the story is told all the same";
  EXPECT_EQ(not_met.err, "kernelbench: expected wrong_output, but the outcome is correct\n");
  expect_refused(expecting("wrong"), {"--expect wrong: no such outcome; there are: not_extracted rejected"});
}

TEST_F(CommandLine, RefusesWrongUse) {
  const std::string candidate = add("relu.py", relu);
  expect_refused({"evaluate"}, {"there is no command 'evaluate'; there are eval, run, report, tasks, doctor"});
  expect_usage_error({}, {"subcommand is required"});
  expect_usage_error({"--quiet", "evaluate"}, {"evaluate"});
  expect_usage_error({"eval", "level1/19"}, {"CANDIDATE"});
  expect_usage_error({"eval", "level1/19", candidate, "--trial", "3"}, {"--trial"});
  expect_usage_error({"eval", "level1/19", candidate, "--trials", "0"}, {"--trials"});
  expect_usage_error({"eval", "level1/19", candidate, "--trials", "many"}, {"--trials"});
  expect_usage_error({"eval", "level1/19", candidate, "--limit-s", "-1"}, {"--limit-s"});
  expect_usage_error({"eval", "level1/19", candidate, "--protocol", "fast"}, {"--protocol", "paper"});
  expect_usage_error({"eval", "level1/19", candidate, "--tolerance", "none"}, {"--tolerance", "upstream"});
  expect_usage_error({"eval", "level1/19", candidate, "--precision", "fp8"}, {"--precision", "bf16"});
  expect_usage_error({"eval", "level1/19", candidate, "--sandbox", "none"}, {"--sandbox", "namespaces"});
  expect_usage_error({"tasks"}, {"subcommand"});
  expect_refused({"eval", "level1/19", candidate, "--device", "tpu"},
                 {"unknown device 'tpu': give cpu, cuda or cuda:N"});
  expect_refused({"eval", "level1/19", candidate, "--device", "cuda:99", "--json"},
                 {"there is no GPU 99 here", "--device"});
}

TEST_F(CommandLine, SaysWhatOfItsSurroundingsIsMissing) {
  environment_["KERNELBENCH_DATA"] = (folder_.path() / "none").string();
  expect_refused({"tasks", "list"}, {"no data folder at ", "KERNELBENCH_DATA"});
  environment_["KERNELBENCH_DATA"] = (source_directory / "data").string();
  environment_.erase("HOME");
  environment_.erase("XDG_DATA_HOME");
  expect_refused({"report", "r"}, {"neither XDG_DATA_HOME nor HOME is set"});
}

// ---- run: configuration ----

TEST_F(CommandLine, RefusesRunsThatCannotBe) {
  const Arguments anything = {"run takes a specification (SPEC.toml), or --candidates DIR, or --resume RUN"};
  expect_refused({"run"}, anything);
  expect_refused({"run", "spec.toml", "--candidates", "."}, anything);
  expect_refused({"run", (folder_.path() / "none.toml").string()}, {"run specification ", "No such file or directory"});
  expect_refused({"run", add("a.toml", "[run]\nname = \"r\"\ntasks = [\"level1/*\"\n[lm]\n")}, {"a.toml:4:"});
  expect_refused({"run", add("b.toml", "[run]\nname = r\n")}, {"b.toml:2:8: "});
  expect_refused({"run", add("c.toml", "[run]\nnaem = \"r\"\n")},
                 {"c.toml: [run]: unknown key 'naem' in line 2; known are name"});
  expect_refused({"run", add("d.toml", "[run]\nname = \"r\"\n")},
                 {"a run needs [run] name, [lm] provider and [lm] model"});
  const std::string run_section = "[run]\nname = \"r\"\ndevice = \"cpu\"\ntasks = [\"level1/19\"]\n";
  expect_refused({"run", add("e.toml", run_section + "[lm]\nprovider = \"replay\"\nmodel = \"nobody\"\n")},
                 {"nobody.jsonl: No such file or directory"});
  const std::string answers =
      add("answers.jsonl", "{\"task\":\"level1/19\",\"sample\":0,\"answer\":\"none\"}\n{\"task\":\n");
  expect_refused({"run", add("f.toml", run_section + "[lm]\nprovider = \"replay\"\nmodel = \"" + answers + "\"\n")},
                 {"answers.jsonl:2: "});
  add("answers.jsonl", "{\"task\":\"level1/1\",\"sample\":0,\"answer\":\"none\"}\n");
  expect_refused({"run", add("g.toml", run_section + "[lm]\nprovider = \"replay\"\nmodel = \"" + answers + "\"\n")},
                 {"answers.jsonl has no answer for level1/19 sample 0"});

  expect_refused({"run", "--candidates", (folder_.path() / "none").string()}, {"no such folder"});
  fs::create_directories(folder_.path() / "empty");
  add("empty/relu.py", relu);
  expect_refused({"run", "--candidates", (folder_.path() / "empty").string()},
                 {"holds no candidates: files named level_<L>_problem_<P>_sample_<S>_kernel.py are taken"});
  add("odd/level_9_problem_9_sample_0_kernel.py", relu);
  expect_refused({"run", "--candidates", (folder_.path() / "odd").string(), "--device", "cpu"},
                 {"no task \"level9/9\""});
  add("bad/level_1_problem_19_sample_0_kernel.py", std::string_view("\0", 1));
  expect_refused({"run", "--candidates", (folder_.path() / "bad").string(), "--device", "cpu"}, {"not a text file"});
  expect_refused({"run", "--resume", "nothing"},
                 {"--resume nothing: there is no such run in " + store_file().string()});

  EXPECT_TRUE(store().runs().empty()) << "nothing half-begun is left";
}

TEST_F(CommandLine, RefusesReportsOfNothing) {
  expect_refused({"report"}, {"which run? there are none yet: start one with 'kernelbench run'"});
  expect_refused({"report", "r"}, {"no run 'r' in " + store_file().string()});
  store().create_run({.name = "other"});
  expect_refused({"report", "r"}, {"no run 'r'", "there are other"});
  expect_refused({"report", "--record", "0123"}, {"no record '0123' in " + store_file().string()});
  expect_refused({"report", "other", "--format", "html5"}, {"html5", "text, markdown, json or csv"});
  expect_usage_error({"report", "other", "--p", "fast"}, {"--p"});
}

// ---- the store ----

TEST_F(CommandLine, RefusesStoresItCannotUse) {
  const std::string candidates = (folder_.path() / "candidates").string();
  add("candidates/level_1_problem_19_sample_0_kernel.py", relu);
  const auto refuse = [&](const std::string& file, const std::vector<std::string>& says) {
    expect_refused({"report", "r", "--store", file}, says);
    expect_refused({"run", "--candidates", candidates, "--device", "cpu", "--store", file}, says);
  };
  const std::string newer = (folder_.path() / "newer.db").string();
  store::Store::open(newer).create_run({.name = "r"});
  SQLite::Database(newer, SQLite::OPEN_READWRITE).exec("PRAGMA user_version = 999");
  refuse(newer, {"newer.db was written by a newer kernelbench (schema 999, this one knows 1): update this program"});

  refuse(add("text.db",
             "this is no database, but a text of some length that SQLite does not take for one of its own files\n"),
         {"text.db is not a store of kernelbench"});
  const std::string other = (folder_.path() / "other.db").string();
  SQLite::Database(other, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE).exec("CREATE TABLE t (x)");
  refuse(other, {"other.db is an SQLite database, but not a store of kernelbench"});
  refuse(folder_.path().string(), {"is a directory: name a file with --store"});
  refuse("/proc/store.db", {"cannot write the store /proc/store.db"});
  refuse("/proc/none/store.db", {"cannot make the directory /proc/none"});
  EXPECT_EQ(SQLite::Database(newer).execAndGet("PRAGMA user_version").getInt(), 999) << "left as it was";
}

TEST_F(CommandLine, RefusesAStoreInAReadOnlyFolder) {
  if (::geteuid() == 0) {
    GTEST_SKIP() << "root writes everywhere";
  }
  const fs::path place = folder_.path() / "locked";
  store::Store::open(place / "store.db").create_run({.name = "r"});
  fs::create_directories(folder_.path() / "locked_too");
  fs::permissions(place, fs::perms(0555));
  fs::permissions(folder_.path() / "locked_too", fs::perms(0555));
  expect_refused({"report", "r", "--store", (place / "store.db").string()},
                 {"cannot write the store", "give write access"});
  expect_refused({"report", "r", "--store", (folder_.path() / "locked_too" / "store.db").string()},
                 {"cannot write the store", "give write access"});
  fs::permissions(place, fs::perms(0755));
  EXPECT_TRUE(store::Store::open(place / "store.db").find_run("r"));
}

// ---- run ----

class Runs : public CommandLine {
protected:
  // `count` candidates for the same small task, all correct, each about `seconds` long.
  std::string slow_candidates(int count, double seconds) const {
    for (int sample = 0; sample < count; ++sample) {
      add(fmt::format("candidates/level_1_problem_1_sample_{}_kernel.py", sample), slow_relu(sample, seconds / 5));
    }
    add("tasks/level1/1_Small.py", good_task);
    return (folder_.path() / "candidates").string();
  }
  Arguments slow_run(const Arguments& more) const {
    Arguments arguments = {"run",
                           "--candidates",
                           (folder_.path() / "candidates").string(),
                           "--tasks",
                           (folder_.path() / "tasks").string(),
                           "--device",
                           "cpu",
                           "--preset",
                           "paper",
                           "--protocol",
                           "none"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }

  // The records of a run by sample, as JSON. Each is whole, and none is there twice.
  std::map<int, std::string> records(const std::string& name) const {
    std::map<int, std::string> by_sample;
    store::Store opened = store();
    for (const Record& record : opened.records(name)) {
      EXPECT_TRUE(by_sample.emplace(record.sample.value_or(-1), to_json(record).dump()).second)
          << "two records of sample " << record.sample.value_or(-1);
      if (!record.candidate_sha256.empty()) {
        EXPECT_TRUE(opened.candidate_source(record.candidate_sha256)) << record.id;
      }
    }
    return by_sample;
  }

  void expect_complete(const std::string& name, int count) const {
    const auto all = records(name);
    EXPECT_EQ(all.size(), static_cast<std::size_t>(count));
    for (int sample = 0; sample < count; ++sample) {
      ASSERT_EQ(all.count(sample), 1U) << sample;
      EXPECT_EQ(json::parse(all.at(sample)).at("outcome"), "correct") << all.at(sample);
    }
    EXPECT_EQ(store().find_run(name)->state, "finished");
    SQLite::Database database(store_file().string());
    EXPECT_EQ(database.execAndGet("PRAGMA integrity_check").getString(), "ok");
    EXPECT_EQ(database.execAndGet("SELECT count(*) FROM records").getInt(), count) << "of all runs";
  }

  // Records that were there before are there still, unchanged.
  void expect_kept(const std::map<int, std::string>& before, const std::string& name) const {
    const auto after = records(name);
    for (const auto& [sample, record] : before) {
      ASSERT_EQ(after.count(sample), 1U) << sample;
      EXPECT_EQ(after.at(sample), record);
    }
  }

  // A worker that is just importing torch leaves when it has done so, which takes long where many do it at once.
  void expect_no_survivors(const std::vector<Process>& before) const {
    const Deadline deadline = Deadline::after(90);
    std::map<int, std::string> living;
    do {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      living = survivors(before, folder_.path());
    } while (!living.empty() && !deadline.passed());
    EXPECT_THAT(living, IsEmpty());
    for (const auto& [pid, arguments] : living) {
      ::kill(pid, SIGKILL);
    }
  }
};

TEST_F(Runs, EvaluatesAFolderAndReportsOnIt) {
  add("candidates/level_1_problem_19_sample_0_kernel.py", relu);
  add("candidates/level_1_problem_21_sample_0_kernel.py", relu);
  add("candidates/level_1_problem_21_sample_1_kernel.py",
      "raise RuntimeError('not today')\n\n\nclass ModelNew:\n    pass\n");
  add("candidates/notes.txt", "not a candidate");
  const Arguments arguments = {"run",    "--candidates", (folder_.path() / "candidates").string(), "--device", "cpu",
                               "--name", "mine"};
  const Ended ended = run(arguments);
  ASSERT_EQ(ended.status, 0) << ended.err;
  EXPECT_THAT(ended.err, AllOf(HasSubstr("run mine: 3 candidates on cpu at preset smoke"), HasSubstr("[1/3] level1/19"),
                               HasSubstr("[2/3] level1/21"), HasSubstr("[3/3] level1/21")));
  EXPECT_THAT(ended.out, AllOf(HasSubstr("Run mine"), HasSubstr("3 planned samples, 3 records"), HasSubstr("fast_1 ")));

  std::map<std::string, std::string> verdicts;
  std::map<std::string, std::string> ids;
  store::Store opened = store();
  for (const Record& record : opened.records("mine")) {
    const std::string key = fmt::format("{} {}", record.task_id, record.sample.value_or(-1));
    verdicts[key] = fmt::format("{}/{}", name_of(*record.outcome), record.cause);
    ids[key] = record.id;
  }
  const std::map<std::string, std::string> expected = {
      {"level1/19 0", "correct/"}, {"level1/21 0", "wrong_output/value"}, {"level1/21 1", "build_failed/import"}};
  EXPECT_EQ(verdicts, expected);
  EXPECT_EQ(opened.find_run("mine")->state, "finished");

  const Ended as_json = run({"report", "mine", "--format", "json", "--p", "0,1"});
  ASSERT_EQ(as_json.status, 0) << as_json.err;
  const json report = json::parse(as_json.out, nullptr, false);
  ASSERT_TRUE(report.is_object()) << as_json.out;
  const json& one = report.at("runs").at(0);
  EXPECT_EQ(one.at("run"), "mine");
  EXPECT_EQ(one.at("tasks"), 2);
  EXPECT_EQ(one.at("records"), 3);
  const auto fast_0 = std::find_if(one.at("metrics").begin(), one.at("metrics").end(), [](const json& metric) {
    return metric.at("name") == "fast_p" && metric.at("params").at("p") == 0.0 && metric.at("scope").at("level") == 1;
  });
  ASSERT_NE(fast_0, one.at("metrics").end()) << as_json.out;
  EXPECT_EQ(fast_0->at("count"), 1);

  const Ended csv = run({"report", "mine", "--format", "csv"});
  EXPECT_EQ(csv.status, 0);
  EXPECT_THAT(csv.out, StartsWith("run,metric,p,level,value,interval_low,interval_high,count,of\r\nmine,"));
  std::istringstream rows(csv.out);
  for (std::string row; std::getline(rows, row);) {
    EXPECT_EQ(std::count(row.begin(), row.end(), ','), 8) << row;
  }
  const Ended markdown = run({"report", "mine", "--format", "markdown"});
  EXPECT_EQ(markdown.status, 0);
  EXPECT_THAT(markdown.out, AllOf(StartsWith("# Run mine\n"), HasSubstr("\n| ---"), HasSubstr("\n| fast_1 ")));
  const Ended text = run({"report", "mine"});
  EXPECT_EQ(text.status, 0);
  EXPECT_EQ(text.out, ended.out) << "as the run itself ended";
  for (const Ended* each : {&as_json, &csv, &markdown, &text}) {
    EXPECT_EQ(each->err, "");
  }

  const Ended story = run({"report", "--record", ids["level1/21 1"]});
  EXPECT_EQ(story.status, 0) << story.err;
  EXPECT_THAT(story.out, AllOf(HasSubstr("level1/21"), HasSubstr("build_failed/import"), HasSubstr("not today"),
                               HasSubstr(ids["level1/21 1"])));

  // The name is taken now.
  expect_refused(arguments, {"a run named mine is in the store already", "kernelbench run --resume mine"});
  // There is nothing left to do.
  Arguments again = arguments;
  again[5] = "--resume";
  const Ended resumed = run(again);
  EXPECT_EQ(resumed.status, 0) << resumed.err;
  EXPECT_EQ(resumed.out, ended.out);
  EXPECT_THAT(resumed.err, Not(HasSubstr("[1/3]")));
  expect_refused({"run", "--resume", "mine"},
                 {"took its candidates from a folder: give --candidates DIR along with --resume"});
}

TEST_F(Runs, ReplaysRecordedAnswers) {
  const std::string answers =
      add("answers.jsonl",
          json{{"task", "level1/1"}, {"sample", 0}, {"answer", "```python\n" + relu + "```\n"}}.dump() + "\n" +
              json{{"task", "level1/1"}, {"sample", 1}, {"answer", "I would rather not."}}.dump() + "\n");
  add("tasks/level1/1_Small.py", good_task);
  const std::string specification =
      add("spec.toml",
          "[run]\nname = \"told\"\ndevice = \"cpu\"\npreset = \"paper\"\n[method]\nkind = \"sample\"\nsamples = 2\n"
          "[lm]\nprovider = \"replay\"\nmodel = \"" +
              answers + "\"\n[evaluate]\nprotocol = \"none\"\n");
  const Arguments tasks = {"--tasks", (folder_.path() / "tasks").string()};
  const Ended ended = run({"run", specification, tasks[0], tasks[1]});
  EXPECT_EQ(ended.status, 0) << ended.err;
  store::Store opened = store();
  const auto found = opened.records("told");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].outcome, Outcome::correct);
  EXPECT_EQ(found[1].outcome, Outcome::not_extracted);
  EXPECT_EQ(found[1].cause, "no_code_block");
  EXPECT_EQ(opened.generations("told").size(), 2U);
  EXPECT_EQ(opened.find_run("told")->specification, content_of(specification));

  fs::remove(specification); // the store has it
  const Ended resumed = run({"run", "--resume", "told", tasks[0], tasks[1]});
  EXPECT_EQ(resumed.status, 0) << resumed.err;
  EXPECT_EQ(resumed.out, ended.out);
}

TEST_F(Runs, CtrlCStopsAndResumeGoesOn) {
  constexpr int count = 8;
  slow_candidates(count, 0.3);
  Running running = start(slow_run({"--name", "r"}));
  ASSERT_TRUE(running.wait_until_it_says("[1/8]")) << running.err();
  const auto processes = descendants_of(running.pid());
  EXPECT_GE(processes.size(), 2U) << "a judge and a worker";
  running.interrupt();
  const Ended stopped = running.wait();
  EXPECT_EQ(stopped.status, 3) << stopped.err;
  EXPECT_EQ(stopped.out, "");
  EXPECT_THAT(stopped.err, EndsWith("\n")) << "whole lines";
  EXPECT_THAT(stopped.err, HasSubstr("kernelbench run --resume r"));
  expect_no_survivors(processes);
  const auto before = records("r");
  EXPECT_GE(before.size(), 1U);
  EXPECT_LT(before.size(), static_cast<std::size_t>(count));
  EXPECT_EQ(store().find_run("r")->state, "running");

  const Ended resumed = run(slow_run({"--resume", "r"}));
  EXPECT_EQ(resumed.status, 0) << resumed.err;
  EXPECT_THAT(resumed.err, AllOf(HasSubstr(fmt::format("[{}/8]", before.size() + 1)),
                                 Not(HasSubstr(fmt::format("[{}/8]", before.size())))));
  expect_complete("r", count);
  expect_kept(before, "r");
}

// What the program says after Ctrl-C can be typed as it stands, and goes on as the run began.
TEST_F(Runs, TheAdviceAfterCtrlCIsComplete) {
  constexpr int count = 6;
  slow_candidates(count, 0.3);
  Running running = start(slow_run({"--name", "r", "--trials", "4"}));
  ASSERT_TRUE(running.wait_until_it_says("[1/6]")) << running.err();
  running.interrupt();
  const std::string said = running.wait().err;
  const std::string before_command = "go on with 'kernelbench ";
  ASSERT_THAT(said, HasSubstr(before_command));
  ASSERT_THAT(said, EndsWith("'\n"));
  const std::string command = said.substr(said.find(before_command) + before_command.size());
  Arguments arguments;
  std::istringstream words(command.substr(0, command.size() - 2));
  for (std::string word; words >> word;) {
    arguments.push_back(word);
  }
  const Ended resumed = run(arguments);
  EXPECT_EQ(resumed.status, 0) << resumed.err;
  expect_complete("r", count);
  for (const auto& [sample, text] : records("r")) {
    const json record = json::parse(text);
    EXPECT_EQ(record.at("task").at("preset"), "paper") << sample;
    EXPECT_EQ(record.at("check").at("trials"), 4) << sample;
    EXPECT_TRUE(record.at("timing").is_null()) << sample << ": the protocol was none";
  }
}

TEST_F(Runs, ResumeKeepsToThePlan) {
  slow_candidates(2, 0);
  ASSERT_EQ(run(slow_run({"--name", "r"})).status, 0);
  slow_candidates(3, 0);
  const Ended more = run(slow_run({"--resume", "r"}));
  EXPECT_EQ(more.status, 2) << "a run does not grow";
  EXPECT_EQ(records("r").size(), 2U);
}

TEST_F(Runs, KilledAtAnyMomentItResumesAndLeavesNoProcess) {
  constexpr int count = 8;
  slow_candidates(count, 0.3);
  std::map<int, std::string> before;
  Arguments name = {"--name", "r"};
  int killed_in_the_middle = 0;
  // First when the run is in the store and nothing else yet; then in the middle of an evaluation.
  for (int round = 0; round < 3 && before.size() + 1 < count; ++round) {
    Running running = start(slow_run(name));
    const std::string moment = round == 0 ? "run r: 8 candidates" : fmt::format("[{}/8]", before.size() + 1);
    ASSERT_TRUE(running.wait_until_it_says(moment)) << running.err();
    const auto processes = descendants_of(running.pid());
    if (round > 0) {
      for (const char* name_of_program : {"kernelbench-judge", "kernelbench-worker"}) {
        EXPECT_THAT(survivors(processes, folder_.path()), Contains(Pair(_, HasSubstr(name_of_program))))
            << "or the look sees nothing";
      }
    }
    running.kill();
    EXPECT_EQ(running.wait().status, 128 + SIGKILL);
    expect_no_survivors(processes);
    expect_kept(before, "r");
    const auto after = records("r");
    EXPECT_GE(after.size(), before.size() + (round == 0 ? 0 : 1)) << "what it had told was stored";
    killed_in_the_middle += after.size() < count ? 1 : 0;
    before = after;
    name = {"--resume", "r"};
  }
  EXPECT_GE(killed_in_the_middle, 1);
  const Ended resumed = run(slow_run(name));
  EXPECT_EQ(resumed.status, 0) << resumed.err;
  expect_complete("r", count);
  expect_kept(before, "r");
}

// While it starts them, its processes do not yet know that they are to die with it.
TEST_F(Runs, KilledWhileItStartsItsProcessesItLeavesNone) {
  slow_candidates(1, 300);
  for (int delay_ms = 0; delay_ms < 60; delay_ms += 5) {
    const std::string name = fmt::format("r{}", delay_ms);
    Running running = start(slow_run({"--name", name}));
    ASSERT_TRUE(running.wait_until_it_says("run " + name)) << running.err();
    std::this_thread::sleep_for(std::chrono::milliseconds(delay_ms));
    running.kill();
    EXPECT_EQ(running.wait().status, 128 + SIGKILL);
  }
  expect_no_survivors({});
}

// Without namespaces too: there the guards are told by their owner's end.
TEST_F(Runs, KilledWithoutASandboxItLeavesNoProcess) {
  slow_candidates(1, 300);
  Running running = start(slow_run({"--name", "r", "--sandbox", "off"}));
  const Deadline deadline = Deadline::after(forever_s);
  // A judge, a zygote, a guard and a runner for each side.
  while (descendants_of(running.pid()).size() < 6 && !deadline.passed()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  const auto processes = descendants_of(running.pid());
  ASSERT_GE(processes.size(), 6U) << running.err();
  running.kill();
  running.wait();
  expect_no_survivors(processes);
  EXPECT_TRUE(records("r").empty());
}

// The harness's own processes may die as well: their work is done again, by fresh ones.
TEST_F(Runs, OutlivesItsJudgeAndItsWorkers) {
  constexpr int count = 6;
  slow_candidates(count, 0.3);
  Running running = start(slow_run({"--name", "r"}));
  int killed = 0;
  for (const auto& [moment, victim] :
       {std::pair<std::string, std::string>{"[1/6]", "kernelbench-judge"}, {"[3/6]", "kernelbench-worker"}}) {
    ASSERT_TRUE(running.wait_until_it_says(moment)) << running.err();
    for (const Process& process : descendants_of(running.pid())) {
      if (command_line_of(process.pid).find(victim) != std::string::npos) {
        killed += ::kill(process.pid, SIGKILL) == 0 ? 1 : 0;
      }
    }
  }
  EXPECT_GE(killed, 2);
  const Ended ended = running.wait();
  EXPECT_EQ(ended.status, 0) << ended.err;
  expect_complete("r", count);
}

// ---- a full disk ----

// What the program writes fails beyond this size, as on a full disk.
class FileSizeLimit {
public:
  explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

private:
  rlimit before_{};
  void (*handler_)(int);
};

class FullDisk : public Runs {
protected:
  static constexpr int answers = 60;

  // Answers that hold no code: the run does nothing but write.
  std::string specification() const {
    std::string lines;
    for (int sample = 0; sample < answers; ++sample) {
      lines +=
          json{{"task", "level1/1"}, {"sample", sample}, {"answer", fmt::format("Sorry, {}.", sample)}}.dump() + "\n";
    }
    const std::string file = add("answers.jsonl", lines);
    add("tasks/level1/1_Small.py", good_task);
    return add("spec.toml",
               fmt::format("[run]\nname = \"r\"\ndevice = \"cpu\"\npreset = \"paper\"\n[method]\nkind = \"sample\"\n"
                           "samples = {}\n[lm]\nprovider = \"replay\"\nmodel = \"{}\"\n",
                           answers, file));
  }
  Ended run_with_limit(const Arguments& arguments, rlim_t bytes) const {
    std::optional<FileSizeLimit> limit(bytes);
    Running running = start(arguments);
    limit.reset();
    return running.wait();
  }
};

TEST_F(FullDisk, IsAFaultAndNothingIsHalfWritten) {
  const std::string file = specification();
  const Arguments tasks = {"--tasks", (folder_.path() / "tasks").string()};
  // Reached while the store is made, while the answers are stored, and between the records.
  std::size_t most_records = 0;
  for (const rlim_t bytes : {8'000, 200'000, 900'000}) {
    fs::remove_all(folder_.path() / "data");
    const Ended full = run_with_limit({"run", file, tasks[0], tasks[1]}, bytes);
    EXPECT_EQ(full.status, 3) << bytes << full.err;
    EXPECT_EQ(full.out, "");
    EXPECT_THAT(full.err, HasSubstr("kernelbench: the store " + store_file().string())) << bytes;
    EXPECT_THAT(full.err, AnyOf(HasSubstr("the disk is full"), HasSubstr("reading or writing failed"))) << bytes;
    EXPECT_THAT(full.err, HasSubstr("what was stored before is intact")) << bytes;

    // With room again, all that was told to be stored is there, and the rest can be done.
    const bool begun = store().find_run("r").has_value();
    const auto before = records("r");
    EXPECT_LT(before.size(), static_cast<std::size_t>(answers));
    for (std::size_t told = 1; told <= before.size(); ++told) {
      EXPECT_THAT(full.err, HasSubstr(fmt::format("[{}/{}]", told, answers)));
    }
    most_records = std::max(most_records, before.size());
    const Ended resumed =
        begun ? run({"run", "--resume", "r", tasks[0], tasks[1]}) : run({"run", file, tasks[0], tasks[1]});
    EXPECT_EQ(resumed.status, 0) << resumed.err;
    expect_kept(before, "r");
    EXPECT_EQ(records("r").size(), static_cast<std::size_t>(answers)) << bytes;
    EXPECT_EQ(store().generations("r").size(), static_cast<std::size_t>(answers)) << bytes << ": answers were lost";
    EXPECT_EQ(SQLite::Database(store_file().string()).execAndGet("PRAGMA integrity_check").getString(), "ok");
  }
  EXPECT_GT(most_records, 0U) << "some limit is reached in the middle of the records";
}

} // namespace
} // namespace kernelbench
