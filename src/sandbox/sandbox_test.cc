#include "sandbox/sandbox.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "base/file.h"
#include "tests/temporary_folder.h"

namespace kernelbench::sandbox {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using ::testing::ThrowsMessage;

// Sets a variable of the environment, and sets it back at the end.
class Variable {
public:
  Variable(std::string name, const std::string& value) : name_(std::move(name)) {
    if (const char* before = std::getenv(name_.c_str())) {
      before_ = before;
    }
    ::setenv(name_.c_str(), value.c_str(), 1);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() {
    if (before_) {
      ::setenv(name_.c_str(), before_->c_str(), 1);
    } else {
      ::unsetenv(name_.c_str());
    }
  }

private:
  std::string name_;
  std::optional<std::string> before_;
};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    lines.push_back(line);
  }
  return lines;
}

TEST(Profile, HasTwoNames) {
  EXPECT_EQ(parse_profile("namespaces"), Profile::namespaces);
  EXPECT_EQ(parse_profile("off"), Profile::off);
  for (const Profile profile : {Profile::namespaces, Profile::off}) {
    EXPECT_EQ(parse_profile(name_of(profile)), profile);
  }
  for (const char* name : {"", "Off", "on", "none", "landlock", "off "}) {
    EXPECT_THAT([&] { parse_profile(name); },
                ThrowsMessage<UserError>("unknown sandbox '" + std::string(name) + "': 'namespaces' and 'off' exist"));
  }
}

TEST(WhyNoNamespaces, SaysHowToGetBubblewrap) {
  const TemporaryFolder folder;
  const Variable path("PATH", folder.path().string());
  EXPECT_EQ(why_no_namespaces(), "bubblewrap is not installed: apt-get install bubblewrap");
}

TEST(WhyNoNamespaces, TellsWhatBubblewrapSaid) {
  const TemporaryFolder folder;
  folder.add_program("bwrap", "echo 'bwrap: No permissions to create new namespace' >&2; echo more >&2; exit 1\n");
  {
    const Variable path("PATH", folder.path().string());
    EXPECT_THAT(
        why_no_namespaces().value_or(""),
        AllOf(StartsWith("user namespaces are not allowed here (bwrap: No permissions to create new namespace)"),
              HasSubstr("apparmor"), HasSubstr("seccomp"), Not(HasSubstr("more"))));
  }
  folder.add_program("bwrap", "exit 0\n");
  const Variable path("PATH", folder.path().string());
  EXPECT_EQ(why_no_namespaces(), std::nullopt);
}

TEST(DescribePython, ReadsTheAnswer) {
  const TemporaryFolder folder;
  const auto python = folder.add_program(
      "python", R"(echo '{"python":"3.11.2","torch":"2.9.0+cu130","cuda":"13.0","folders":["/a","/b/c"]}')");
  const auto found = describe_python(python);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->interpreter, python);
  EXPECT_EQ(found->python, "3.11.2");
  EXPECT_EQ(found->torch, "2.9.0+cu130");
  EXPECT_EQ(found->torch_cuda, "13.0");
  EXPECT_EQ(found->folders, (std::vector<fs::path>{"/a", "/b/c"}));
}

TEST(DescribePython, SaysWhatIsMissing) {
  const TemporaryFolder folder;
  const auto fault_of = [](const fs::path& interpreter) {
    const auto found = describe_python(interpreter);
    return found ? std::string("no fault") : found.fault().message;
  };
  const auto none = folder.path() / "none";
  EXPECT_THAT(fault_of(none), HasSubstr(none.string() + " cannot be used"));
  EXPECT_THAT(fault_of(folder.add_program("no_torch", "echo it has no torch >&2; exit 1\n")),
              AllOf(HasSubstr("no_torch cannot be used"), HasSubstr("it has no torch")));
  EXPECT_THAT(fault_of(folder.add_program("chatty", "echo hello\n")), HasSubstr("chatty answered: hello"));
}

// A worker, and bubblewrap, that only write down how they were started.
class StartZygote : public testing::Test {
protected:
  StartZygote() {
    const std::string note = "printf '%s\\n' \"$@\" > \"$(dirname \"$0\")/arguments.new\"\n"
                             "env > \"$(dirname \"$0\")/environment\"\n"
                             "mv \"$(dirname \"$0\")/arguments.new\" \"$(dirname \"$0\")/arguments\"\n";
    folder_.add_program("bin/kernelbench-worker", note);
    folder_.add_program("path/bwrap", note);
    set_policy("pass = [\"PATH\", \"LANG\", \"CUDA_VISIBLE_DEVICES\"]\n[set]\nHOME = \"/tmp\"\nN = \"1\"\n");
    folder_.add("data/sandbox/namespaces.toml",
                "read_only = [\"/usr\", \"/no/such/folder\"]\ngpu_devices = [\"/dev/nul[l]\"]\n");
    installation_.programs = folder_.path() / "bin";
    installation_.data = folder_.path() / "data";
    python_.interpreter = folder_.path() / "venv" / "bin" / "python";
    python_.folders = {folder_.path() / "venv"};
    fs::create_directories(folder_.path() / "venv");
  }

  void set_policy(const std::string& text) { folder_.add("data/sandbox/environment.toml", text); }

  // Starts it and waits until it has ended. `where` is the folder of the program that was started.
  void start(const ZygoteOptions& options, const std::string& where) {
    auto zygote = start_zygote(installation_, python_, options);
    ASSERT_TRUE(zygote) << zygote.fault().message;
    EXPECT_TRUE(zygote->control);
    ASSERT_EQ(zygote->process.wait(Deadline::after(60)), 0);
    arguments_ = lines_of(read_file(folder_.path() / where / "arguments", "arguments"));
    environment_.clear();
    for (const std::string& line : lines_of(read_file(folder_.path() / where / "environment", "environment"))) {
      environment_[line.substr(0, line.find('='))] = line.substr(line.find('=') + 1);
    }
  }

  // What follows each `flag` among the arguments.
  std::vector<std::string> after(const std::string& flag) const {
    std::vector<std::string> found;
    for (auto it = arguments_.begin(); it != arguments_.end(); ++it) {
      if (*it == flag && it + 1 != arguments_.end()) {
        found.push_back(*(it + 1));
      }
    }
    return found;
  }

  TemporaryFolder folder_;
  Installation installation_;
  PythonEnvironment python_;
  std::vector<std::string> arguments_;
  std::map<std::string, std::string> environment_;
};

TEST_F(StartZygote, PassesNothingOfOurEnvironmentButWhatThePolicyNames) {
  const Variable secret("KERNELBENCH_TEST_API_KEY", "secret");
  const Variable language("LANG", "C.UTF-8");
  const Variable gpus("CUDA_VISIBLE_DEVICES", "3");
  start({.profile = Profile::off}, "bin");
  EXPECT_EQ(environment_.count("KERNELBENCH_TEST_API_KEY"), 0U);
  EXPECT_EQ(environment_["LANG"], "C.UTF-8");
  EXPECT_EQ(environment_["HOME"], "/tmp");
  EXPECT_EQ(environment_["N"], "1");
  EXPECT_EQ(environment_["CUDA_VISIBLE_DEVICES"], "") << "it has no GPU";
  EXPECT_EQ(environment_["PATH"], (folder_.path() / "venv" / "bin").string() + ":" + std::getenv("PATH"));
  EXPECT_EQ(after("--python"), std::vector<std::string>{python_.interpreter.string()});
  EXPECT_EQ(after("--namespaces"), std::vector<std::string>{"no"});
  EXPECT_EQ(after("--control-fd").size(), 1U);

  start({.profile = Profile::off, .gpu = true, .visible_gpu = "5"}, "bin");
  EXPECT_EQ(environment_["CUDA_VISIBLE_DEVICES"], "5") << "the one it is given, whatever the caller sees";
}

TEST_F(StartZygote, SetsUpNamespaces) {
  const Variable path("PATH", (folder_.path() / "path").string() + ":" + std::getenv("PATH"));
  const fs::path units = folder_.path() / "units";
  fs::create_directories(units);
  start({.read_only = {units}}, "path");
  for (const char* flag :
       {"--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-net", "--unshare-uts", "--die-with-parent"}) {
    EXPECT_THAT(arguments_, Contains(flag));
  }
  const auto read_only = after("--ro-bind");
  for (const fs::path& folder : {fs::path("/usr"), installation_.programs, python_.folders[0], units}) {
    EXPECT_THAT(read_only, Contains(folder.string()));
  }
  EXPECT_THAT(read_only, Not(Contains("/no/such/folder"))) << "this machine lacks it";
  EXPECT_THAT(arguments_, Not(Contains("--bind"))) << "nothing can be written";
  EXPECT_THAT(arguments_, Not(Contains("--dev-bind"))) << "no GPU was asked for";
  EXPECT_EQ(after("--tmpfs"), std::vector<std::string>{"/tmp"});
  EXPECT_EQ(after("--namespaces"), std::vector<std::string>{"yes"});
  EXPECT_THAT(arguments_, Contains((installation_.programs / "kernelbench-worker").string()));
  if (folder_.path().string().starts_with("/tmp/")) { // each child gets a /tmp of its own over it
    EXPECT_THAT(after("--keep"), Contains(units.string()));
  }

  start({.gpu = true}, "path");
  EXPECT_EQ(after("--dev-bind"), std::vector<std::string>{"/dev/null"});
}

TEST_F(StartZygote, SaysWhereThePolicyIsNoToml) {
  set_policy("pass = [\"PATH\"]\n[set\n");
  EXPECT_THAT([&] { (void)start_zygote(installation_, python_, {.profile = Profile::off}); },
              ThrowsMessage<UserError>(HasSubstr("environment.toml:2:")));
}

TEST_F(StartZygote, SaysThatTheWorkerIsMissing) {
  fs::remove(installation_.worker());
  const auto zygote = start_zygote(installation_, python_, {.profile = Profile::off});
  ASSERT_FALSE(zygote);
  EXPECT_THAT(zygote.fault().message, HasSubstr("kernelbench-worker: No such file"));
}

} // namespace
} // namespace kernelbench::sandbox
