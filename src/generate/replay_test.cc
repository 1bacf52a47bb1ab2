#include "generate/replay.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "base/result.h"

namespace kernelbench::generate {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace fs = std::filesystem;

class Replay : public testing::Test {
protected:
  Replay() {
    std::string name = testing::TempDir() + "kernelbench-replay-XXXXXX";
    directory_ = mkdtemp(name.data());
  }
  ~Replay() override { fs::remove_all(directory_); }

  std::vector<Generation> read(const std::string& content) const {
    std::ofstream(directory_ / "answers.jsonl", std::ios::binary) << content;
    return read_generations(directory_ / "answers.jsonl");
  }
  std::string error_of(const std::string& content) const {
    try {
      (void)read(content);
    } catch (const UserError& error) {
      return error.what();
    }
    return "no error";
  }

  fs::path directory_;
};

const Generation first{"level1/1", 0, "m", "one", 1, 2, 0.5};
const Generation second{"level1/2", 3, "m", "two\nlines", 3, 4, 1.5};

TEST_F(Replay, ReadsOneGenerationPerLine) {
  const std::string a = to_json_line(first);
  const std::string b = to_json_line(second);
  EXPECT_THAT(read(a + "\n" + b + "\n"), ElementsAre(first, second));
  EXPECT_THAT(read("\n" + b + "\r\n  \n" + a), ElementsAre(second, first));
  EXPECT_THAT(read(""), IsEmpty());
}

TEST_F(Replay, NamesFileAndLine) {
  const std::string good = to_json_line(first) + "\n";
  EXPECT_THAT(error_of(good + "\n{\"task\":\"t\"}\n"), HasSubstr("answers.jsonl:3: generation: field \"sample\""));
  EXPECT_THAT(error_of(good + "{\"task\":"), HasSubstr("answers.jsonl:2: generation: not valid JSON"));
  EXPECT_THROW((void)read_generations(directory_ / "none.jsonl"), UserError);
}

TEST(ReplayOfTheProject, ReadsTheRecordedAnswers) {
  const fs::path directory = fs::path(KERNELBENCH_SOURCE_DIR) / "data" / "generations";
  std::error_code error;
  for (const fs::directory_entry& file : fs::directory_iterator(directory, error)) {
    if (file.path().extension() == ".jsonl") {
      EXPECT_NO_THROW(EXPECT_FALSE(read_generations(file.path()).empty())) << file.path();
    }
  }
}

} // namespace
} // namespace kernelbench::generate
