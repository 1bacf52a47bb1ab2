#include "task/catalog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "task/test_files.h"

namespace kernelbench::task {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::vector<std::string> ids(const std::vector<Entry>& entries) {
  std::vector<std::string> ids;
  for (const Entry& entry : entries) {
    ids.push_back(entry.id);
  }
  return ids;
}

class CatalogOfLevels : public testing::Test {
protected:
  CatalogOfLevels() {
    for (const char* name : {"level2/3_Conv.py", "level1/10_Bmm.py", "level1/2_ReLU.py", "level1/1_Square_matmul_.py",
                             "level10/1_Deep.py", "level2/4_Twice.py", "level1/5_Twice.py"}) {
      files_.add(name);
    }
    for (const char* name : {"README.md", "level1/__init__.py", "level1/.hidden.py", "level1/notes.txt", "stray.py",
                             "levels/1_Other.py", "level1/6_Folder.py/x"}) {
      files_.add(name);
    }
  }
  Catalog catalog() const { return Catalog::load(files_.root()); }
  std::string error_of_find(std::string_view spec) const {
    return user_error_of([&] { (void)catalog().find(spec); });
  }

  TestFiles files_;
};

TEST_F(CatalogOfLevels, IsSortedByNumber) {
  EXPECT_THAT(ids(catalog().entries()),
              ElementsAre("level1/1", "level1/2", "level1/5", "level1/10", "level2/3", "level2/4", "level10/1"));
}

TEST_F(CatalogOfLevels, FindsByIdShortIdAndName) {
  const Catalog tasks = catalog();
  for (const char* spec : {"level1/2", "1/2", "2_ReLU", "2_ReLU.py"}) {
    EXPECT_EQ(tasks.find(spec).id, "level1/2") << spec;
  }
  const Entry& entry = tasks.find("10/1");
  EXPECT_EQ(entry.name, "1_Deep");
  EXPECT_EQ(entry.level, 10);
  EXPECT_EQ(entry.number, 1);
  EXPECT_EQ(entry.path, files_.root() / "level10" / "1_Deep.py");
}

TEST_F(CatalogOfLevels, SuggestsWhatIsNear) {
  EXPECT_EQ(error_of_find("2_Relu"), "no task \"2_Relu\"; did you mean level1/2 (2_ReLU)?");
  EXPECT_THAT(error_of_find("1_Square_matmul"), HasSubstr("did you mean level1/1 (1_Square_matmul_)?"));
  EXPECT_THAT(error_of_find("relu"), HasSubstr("did you mean level1/2 (2_ReLU)"));
  EXPECT_THAT(error_of_find("matmul"), HasSubstr("did you mean level1/1 "));
  EXPECT_THAT(error_of_find("level2/5"), HasSubstr(" or level2/3 (3_Conv) or "));
  EXPECT_THAT(error_of_find("nothing like it"), AllOf(Not(HasSubstr("did you mean")), HasSubstr("tasks list")));
  EXPECT_THAT(error_of_find(std::string(100000, 'x')), HasSubstr("tasks list"));
  EXPECT_THAT(error_of_find(""), HasSubstr("no task \"\""));
  const std::string many = error_of_find("level1/3");
  EXPECT_EQ(std::count(many.begin(), many.end(), '('), 3) << many;
}

TEST_F(CatalogOfLevels, RefusesANameOfTwoTasks) {
  files_.add("level3/2_ReLU.py");
  EXPECT_EQ(error_of_find("2_ReLU"), "the name \"2_ReLU\" stands for level1/2 and level3/2; give the id");
}

TEST_F(CatalogOfLevels, SelectsEachTaskOnceInItsOrder) {
  const Catalog tasks = catalog();
  const auto select = [&](std::vector<std::string> patterns) { return ids(tasks.select(patterns)); };
  EXPECT_EQ(select({"*"}).size(), 7u);
  EXPECT_THAT(select({"level2/*", "1/2", "2_ReLU"}), ElementsAre("level1/2", "level2/3", "level2/4"));
  EXPECT_THAT(select({"level1/*"}), ElementsAre("level1/1", "level1/2", "level1/5", "level1/10"));
  EXPECT_THAT(select({"2/?"}), ElementsAre("level2/3", "level2/4"));
  EXPECT_THAT(select({"*_Twice.py"}), ElementsAre("level1/5", "level2/4"));
  EXPECT_THAT(select({}), ElementsAre());
}

TEST_F(CatalogOfLevels, RefusesAPatternThatMatchesNothing) {
  const Catalog tasks = catalog();
  EXPECT_EQ(user_error_of([&] {
              (void)tasks.select({"*", "level9/*"});
            }),
            "no task matches \"level9/*\"; the 7 tasks go from level1/1 to level10/1");
  EXPECT_THAT(user_error_of([&] { (void)tasks.select({"2_Relu"}); }), HasSubstr("did you mean level1/2"));
}

TEST_F(CatalogOfLevels, RefusesTwoFilesOfOneNumber) {
  files_.add("level1/02_Again.py");
  EXPECT_THAT(user_error_of([&] { (void)catalog(); }),
              AllOf(HasSubstr("two task files are level1/2"), HasSubstr("02_Again.py"), HasSubstr("2_ReLU.py")));
}

TEST(Catalog, TakesTheLevelOfAFlatDirectoryFromItsName) {
  const TestFiles files;
  files.add("level3/7_VGG.py");
  files.add("level3/plain.py");
  EXPECT_THAT(ids(Catalog::load(files.root() / "level3").entries()), ElementsAre("level3/plain", "level3/7"));
  EXPECT_THAT(ids(Catalog::load(files.root() / "level3/").entries()), ElementsAre("level3/plain", "level3/7"));
}

TEST(Catalog, NamesTasksOfAnotherFlatDirectoryByTheirStem) {
  const TestFiles files;
  files.add("7_VGG.py");
  files.add("plain.py");
  files.add("3DConv.py");
  const Catalog catalog = Catalog::load(files.root());
  EXPECT_THAT(ids(catalog.entries()), ElementsAre("3DConv", "plain", "7_VGG"));
  EXPECT_EQ(catalog.find("7_VGG.py").number, 7);
  EXPECT_EQ(catalog.find("plain").level, 0);
  EXPECT_EQ(user_error_of([&] { (void)catalog.find("plian"); }), "no task \"plian\"; did you mean plain?");
}

TEST(Catalog, SaysWhatADirectoryMustHold) {
  const TestFiles files;
  EXPECT_THAT(user_error_of([&] { (void)Catalog::load(files.root()); }), HasSubstr("level<L>/<number>_<name>.py"));
  EXPECT_THAT(user_error_of([&] { (void)Catalog::load(files.root() / "none"); }), HasSubstr("No such file"));
}

TEST(Catalog, LoadsTheTasksOfTheProject) {
  const Catalog catalog = Catalog::load(std::filesystem::path(KERNELBENCH_SOURCE_DIR) / "data" / "tasks");
  EXPECT_EQ(catalog.find("1/19").name, "19_ReLU");
  EXPECT_GE(catalog.select({"level1/*"}).size(), 10u);
}

} // namespace
} // namespace kernelbench::task
