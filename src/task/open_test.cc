#include "task/open.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/hash.h"
#include "task/task_source.h"
#include "task/test_files.h"

namespace kernelbench::task {
namespace {

using testing::AllOf;
using testing::HasSubstr;

namespace fs = std::filesystem;

const char* const rest = "class Model: pass\ndef get_inputs(): return [N]\ndef get_init_inputs(): return []\n";

class OpenTask : public testing::Test {
protected:
  OpenTask() {
    files_.add("tasks/level1/19_ReLU.py", std::string("N = 64\n") + rest);
    files_.add("tasks/level1/20_Tanh.py", std::string("N = 65\n") + rest);
    files_.add("presets/smoke.toml", "[\"level1/19\"]\nN = 3\n");
    files_.add("presets/large.toml", "[\"level1/19\"]\nN = 4096\n");
  }
  Task open(std::string_view spec, std::string_view preset) const {
    return open_task(Catalog::load(files_.root() / "tasks"), Presets::load(files_.root() / "presets"), spec, preset);
  }
  std::string error_of(std::string_view spec, std::string_view preset) const {
    return user_error_of([&] { (void)open(spec, preset); });
  }

  TestFiles files_;
};

TEST_F(OpenTask, RewritesTheConstantsOfThePreset) {
  const Task task = open("1/19", "smoke");
  EXPECT_EQ(task.id, "level1/19");
  EXPECT_EQ(task.name, "19_ReLU");
  EXPECT_EQ(task.level, 1);
  EXPECT_EQ(task.number, 19);
  EXPECT_EQ(task.preset, "smoke");
  EXPECT_EQ(task.source, std::string("N = 3\n") + rest);
  EXPECT_EQ(task.sha256, sha256_hex(task.source));
}

TEST_F(OpenTask, KeepsTheFilesOwnValuesUnderPaper) {
  EXPECT_EQ(open("19_ReLU", "paper").source, std::string("N = 64\n") + rest);
}

TEST_F(OpenTask, KeepsTheFilesOwnValuesWhereAPresetIsSilent) {
  const Task task = open("1/20", "large");
  EXPECT_EQ(task.source, std::string("N = 65\n") + rest);
  EXPECT_EQ(task.preset, "large");
}

TEST_F(OpenTask, RefusesSmokeWithoutSizes) {
  EXPECT_THAT(error_of("1/20", "smoke"), HasSubstr("preset smoke has no sizes for level1/20: "));
}

TEST_F(OpenTask, TakesPaths) {
  const fs::path path = files_.root() / "tasks" / "level1" / "19_ReLU.py";
  const Task task = open(path.string(), "smoke");
  EXPECT_EQ(task.id, path.string());
  EXPECT_EQ(task.name, "19_ReLU");
  EXPECT_EQ(task.level, 1);
  EXPECT_EQ(task.number, 19);
  EXPECT_EQ(task.preset, "paper");
  EXPECT_THAT(task.source, HasSubstr("N = 64"));

  const Task other = open(files_.add("my_task", rest).string(), "paper");
  EXPECT_EQ(other.name, "my_task");
  EXPECT_EQ(other.level, 0);
  EXPECT_EQ(other.number, 0);
}

TEST_F(OpenTask, RefusesWhatDoesNotExist) {
  EXPECT_EQ(error_of("1/19", "tiny"), "no preset \"tiny\"; there are large, paper, smoke");
  EXPECT_THAT(error_of("19_Relu", "paper"), HasSubstr("did you mean level1/19"));
  EXPECT_THAT(error_of("no/such/task.py", "paper"), AllOf(HasSubstr("no/such/task.py"), HasSubstr("No such file")));
}

TEST_F(OpenTask, RefusesAFileThatIsNoTask) {
  EXPECT_THAT(error_of(files_.add("x.py", "print(1)\n").string(), "paper"), HasSubstr("a task file must define"));
}

// The data of the project: every task opens under every preset that has sizes for it, and every size has its task.
TEST(OpenTaskOfTheProject, OpensEveryTaskUnderEveryPreset) {
  const fs::path data = fs::path(KERNELBENCH_SOURCE_DIR) / "data";
  const Catalog catalog = Catalog::load(data / "tasks");
  const Presets presets = Presets::load(data / "presets");
  for (const Entry& entry : catalog.entries()) {
    EXPECT_NO_THROW((void)open_task(catalog, presets, entry.id, "paper")) << entry.id;
  }
  for (const std::string& preset : presets.names()) {
    for (const std::string& id : presets.task_ids(preset)) {
      const auto open = [&] {
        const Task task = open_task(catalog, presets, id, preset);
        check_task_source(task.source, id);
      };
      EXPECT_EQ(user_error_of(open), "no error") << preset << " " << id;
    }
  }
}

} // namespace
} // namespace kernelbench::task
