#include "task/preset.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "task/test_files.h"

namespace kernelbench::task {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

std::string error_of(const std::string& toml) {
  const TestFiles files;
  files.add("bad.toml", toml);
  return user_error_of([&] { (void)Presets::load(files.root()); });
}

TEST(Presets, ReadsEveryTypeOfValue) {
  const TestFiles files;
  files.add("tiny.toml", "[\"level1/1\"]\nN = 3\nf = 2.0\nb = true\ns = \"x\"\na = [1, [2, 3]]\n[\"level1/2\"]\n");
  files.add("notes.txt", "no preset");
  const Presets presets = Presets::load(files.root());
  EXPECT_THAT(presets.names(), ElementsAre("paper", "tiny"));
  EXPECT_THAT(presets.task_ids("tiny"), ElementsAre("level1/1", "level1/2"));
  const Constants* constants = presets.find("tiny", "level1/1");
  ASSERT_NE(constants, nullptr);
  const auto& values = *constants;
  EXPECT_EQ(std::get<std::int64_t>(values.at("N").value), 3);
  EXPECT_EQ(std::get<double>(values.at("f").value), 2.0);
  EXPECT_EQ(std::get<bool>(values.at("b").value), true);
  EXPECT_EQ(std::get<std::string>(values.at("s").value), "x");
  EXPECT_EQ(std::get<std::vector<Constant>>(values.at("a").value).size(), 2u);
  EXPECT_THAT(*presets.find("tiny", "level1/2"), IsEmpty());
  EXPECT_EQ(presets.find("tiny", "level1/3"), nullptr);
  EXPECT_EQ(presets.find("none", "level1/1"), nullptr);
}

TEST(Presets, AlwaysHasPaper) {
  const TestFiles files;
  const Presets presets = Presets::load(files.root());
  EXPECT_TRUE(presets.has("paper"));
  EXPECT_FALSE(presets.has("smoke"));
  EXPECT_EQ(presets.find("paper", "level1/1"), nullptr);
  files.add("paper.toml", "");
  EXPECT_THAT(user_error_of([&] { (void)Presets::load(files.root()); }), HasSubstr("own values"));
}

TEST(Presets, SaysWhereAFileIsBroken) {
  EXPECT_THAT(error_of("[\"level1/1\"]\nN = \n"), HasSubstr("bad.toml:2:"));
  EXPECT_THAT(error_of("N = 3\n"), HasSubstr("bad.toml:1:5: \"N\" stands outside a task's table"));
  EXPECT_THAT(error_of("[\"level1/1\"]\nN = 1\nd = 1979-05-27\n"), HasSubstr("bad.toml:3:5: \"d\" must be a number"));
  EXPECT_THAT(error_of("[\"level1/1\"]\na = [1, {b = 2}]\n"), HasSubstr("\"a\" must be a number"));
  EXPECT_THAT(error_of("[x]\ns = \"\xff\"\n"), HasSubstr("bad.toml:2:"));
  EXPECT_THAT(user_error_of([] { (void)Presets::load("no/such/directory"); }),
              StartsWith("preset directory no/such/directory: "));
}

} // namespace
} // namespace kernelbench::task
