#include "run/specification.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/result.h"
#include "tests/temporary_folder.h"

namespace kernelbench::run {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using ::testing::ThrowsMessage;

const std::string least = "[run]\nname = \"r\"\n[lm]\nprovider = \"replay\"\nmodel = \"strong\"\n";

// The message of the UserError that the text leads to.
std::string message_of(const std::string& text) {
  try {
    parse_specification(text, "spec.toml");
  } catch (const UserError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Specification, ReadsEveryKey) {
  const std::string text = R"(
[run]
name = "all"
tasks = ["level1/*", "2/9"]
preset = "smoke"
device = "cuda:1"
[method]
kind = "sample"
samples = 7
[lm]
provider = "replay"
model = "weak"
[evaluate]
protocol = "none"
tolerance = "upstream"
precision = "bf16"
trials = 9
build_s = 1.5
load_s = 2
check_s = 3.25
time_s = 4
memory_mb = 100
processes = 200
disk_mb = 300
)";
  const Specification specification = parse_specification(text, "spec.toml");
  EXPECT_EQ(specification.name, "all");
  EXPECT_EQ(specification.tasks, (std::vector<std::string>{"level1/*", "2/9"}));
  EXPECT_EQ(specification.preset, "smoke");
  EXPECT_EQ(specification.device, "cuda:1");
  EXPECT_EQ(specification.samples, 7);
  EXPECT_EQ(specification.provider, "replay");
  EXPECT_EQ(specification.model, "weak");
  EXPECT_EQ(specification.protocol, "none");
  EXPECT_EQ(specification.tolerance, "upstream");
  EXPECT_EQ(specification.precision, "bf16");
  EXPECT_EQ(specification.trials, 9);
  EXPECT_EQ(specification.limits.build_s, 1.5);
  EXPECT_EQ(specification.limits.load_s, 2);
  EXPECT_EQ(specification.limits.check_s, 3.25);
  EXPECT_EQ(specification.limits.time_s, 4);
  EXPECT_EQ(specification.limits.memory_mb, 100);
  EXPECT_EQ(specification.limits.processes, 200);
  EXPECT_EQ(specification.limits.disk_mb, 300);
  EXPECT_EQ(specification.text, text) << "as the store keeps it";
}

TEST(Specification, NeedsLittle) {
  const Specification specification = parse_specification(least, "spec.toml");
  const Specification defaults;
  EXPECT_EQ(specification.name, "r");
  EXPECT_EQ(specification.tasks, std::vector<std::string>{"*"});
  EXPECT_EQ(specification.preset, "");
  EXPECT_EQ(specification.device, "");
  EXPECT_EQ(specification.samples, 1);
  EXPECT_EQ(specification.protocol, "paper");
  EXPECT_EQ(specification.tolerance, "paper");
  EXPECT_EQ(specification.precision, "fp32");
  EXPECT_EQ(specification.trials, 5);
  EXPECT_EQ(specification.limits.build_s, defaults.limits.build_s);
  EXPECT_EQ(specification.limits.memory_mb, defaults.limits.memory_mb);
}

TEST(Specification, SaysWhereItIsNoToml) {
  EXPECT_THAT(message_of("[run]\nname = \"r\"\ntasks = [\"a\"\n[lm]\n"), StartsWith("spec.toml:4:"));
  EXPECT_THAT(message_of("[run\n"), StartsWith("spec.toml:1:5: "));
  EXPECT_THAT(message_of("[run]\nname = r\n"), StartsWith("spec.toml:2:8: "));
  EXPECT_THAT(message_of("[run]\nname = \"a\"\nname = \"b\"\n"), StartsWith("spec.toml:3:"));
}

struct Mistake {
  std::string text;    // beside `least`, or the whole
  std::string message; // that it must lead to
};

TEST(Specification, NamesEveryMistake) {
  const Mistake mistakes[] = {
      {"[speed]\n", "spec.toml: unknown section 'speed' in line 6; known are run, method, lm, evaluate"},
      {"[method]\nkind = 7\n", "spec.toml: [method]: 'kind' has the wrong type in line 7"},
      {"[method]\nkind = \"best\"\n", "spec.toml: [method]: kind = \"best\" is none of single, sample"},
      {"[method]\nkind = \"\"\n", "spec.toml: [method]: kind = \"\" is none of single, sample"},
      {"[method]\nsample = 1\n", "spec.toml: [method]: unknown key 'sample' in line 7; known are kind, samples"},
      {"[method]\nkind = \"sample\"\nsamples = 0\n", "spec.toml: [method]: 'samples' must be greater than 0"},
      {"[method]\nkind = \"sample\"\nsamples = \"2\"\n", "spec.toml: [method]: 'samples' has the wrong type in line 8"},
      {"[method]\nkind = \"sample\"\nsamples = 3000000000\n",
       "spec.toml: [method]: 'samples' has the wrong type in line 8"},
      {"[method]\nsamples = 2\n",
       "spec.toml: [method] kind = \"single\" takes one answer per task; for more write kind = \"sample\""},
      {"[evaluate]\nprotocol = \"fast\"\n", "spec.toml: [evaluate]: protocol = \"fast\" is none of paper, none"},
      {"[evaluate]\nprotocol = \"\"\n", "spec.toml: [evaluate]: protocol = \"\" is none of paper, none"},
      {"[evaluate]\ntolerance = \"loose\"\n",
       "spec.toml: [evaluate]: tolerance = \"loose\" is none of paper, upstream"},
      {"[evaluate]\nprecision = \"fp8\"\n",
       "spec.toml: [evaluate]: precision = \"fp8\" is none of fp32, tf32, bf16, fp16"},
      {"[evaluate]\ntrials = 0\n", "spec.toml: [evaluate]: 'trials' must be greater than 0"},
      {"[evaluate]\ntrials = 1.5\n", "spec.toml: [evaluate]: 'trials' has the wrong type in line 7"},
      {"[evaluate]\nbuild_s = -1\n", "spec.toml: [evaluate]: 'build_s' must be greater than 0"},
      {"[evaluate]\nload_s = 0\n", "spec.toml: [evaluate]: 'load_s' must be greater than 0"},
      {"[evaluate]\ncheck_s = nan\n", "spec.toml: [evaluate]: 'check_s' must be greater than 0"},
      {"[evaluate]\ntime_s = \"long\"\n", "spec.toml: [evaluate]: 'time_s' has the wrong type in line 7"},
      {"[evaluate]\nmemory_mb = 0\n", "spec.toml: [evaluate]: 'memory_mb' must be greater than 0"},
      {"[evaluate]\nprocesses = -5\n", "spec.toml: [evaluate]: 'processes' must be greater than 0"},
      {"[evaluate]\ndisk_mb = 0\n", "spec.toml: [evaluate]: 'disk_mb' must be greater than 0"},
      {"[evaluate]\nlimit_s = 5\n",
       "spec.toml: [evaluate]: unknown key 'limit_s' in line 7; known are protocol, tolerance, precision, trials, "
       "build_s, load_s, check_s, time_s, memory_mb, processes, disk_mb"},
  };
  for (const Mistake& mistake : mistakes) {
    EXPECT_EQ(message_of(least + mistake.text), mistake.message);
  }
}

TEST(Specification, NamesMistakesInItsOwnSections) {
  const std::string lm = "[lm]\nprovider = \"replay\"\nmodel = \"strong\"\n";
  const std::string run = "[run]\nname = \"r\"\n";
  const std::string needs = "spec.toml: a run needs [run] name, [lm] provider and [lm] model";
  const std::string list = "spec.toml: [run]: 'tasks' is a list of texts, as in tasks = [\"level1/*\"]";
  const Mistake mistakes[] = {
      {"", needs},
      {lm, needs},
      {run, needs},
      {"[run]\nname = \"\"\n" + lm, needs},
      {run + "[lm]\nprovider = \"replay\"\n", needs},
      {run + "[lm]\nmodel = \"strong\"\n", needs},
      {run + "[lm]\nprovider = \"openai\"\nmodel = \"m\"\n",
       "spec.toml: [lm]: provider = \"openai\" is none of replay"},
      {run + "[lm]\nprovider = \"replay\"\nmodel = [\"m\"]\n", "spec.toml: [lm]: 'model' has the wrong type in line 5"},
      {run + "[lm]\nurl = \"x\"\n", "spec.toml: [lm]: unknown key 'url' in line 4; known are provider, model"},
      {run + "title = \"x\"\n" + lm,
       "spec.toml: [run]: unknown key 'title' in line 3; known are name, tasks, preset, device"},
      {"[run]\nname = 5\n" + lm, "spec.toml: [run]: 'name' has the wrong type in line 2"},
      {run + "device = 0\n" + lm, "spec.toml: [run]: 'device' has the wrong type in line 3"},
      {run + "tasks = \"level1/1\"\n" + lm, list},
      {run + "tasks = [\"level1/1\", 2]\n" + lm, list},
      {run + "tasks = []\n" + lm, list},
      {"run = \"r\"\n" + lm, "spec.toml: 'run' is a section: write [run]"},
      {"lm = 3\n" + run, "spec.toml: 'lm' is a section: write [lm]"},
      {"name = \"r\"\n" + lm, "spec.toml: unknown section 'name' in line 1; known are run, method, lm, evaluate"},
  };
  for (const Mistake& mistake : mistakes) {
    EXPECT_EQ(message_of(mistake.text), mistake.message) << mistake.text;
  }
}

TEST(Specification, IsReadFromAFile) {
  const TemporaryFolder folder;
  EXPECT_EQ(read_specification(folder.add("good.toml", least)).model, "strong");
  const auto broken = folder.add("broken.toml", "[run]\nname = \n");
  EXPECT_THAT([&] { read_specification(broken); }, ThrowsMessage<UserError>(StartsWith(broken.string() + ":2:")));
  EXPECT_THAT([&] { read_specification(folder.path() / "none.toml"); },
              ThrowsMessage<UserError>(AllOf(StartsWith("run specification "), HasSubstr("none.toml"))));
  const auto large = folder.add("large.toml", least + std::string(2'000'000, '#'));
  EXPECT_THAT([&] { read_specification(large); }, ThrowsMessage<UserError>(HasSubstr("at most 1048576")));
}

} // namespace
} // namespace kernelbench::run
