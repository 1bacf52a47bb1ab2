#include "task/task_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "task/test_files.h"

namespace kernelbench::task {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string error_of(std::string_view source) {
  return user_error_of([&] { check_task_source(source, "t.py"); });
}

TEST(CheckTaskSource, TakesDefinitionsAndAssignments) {
  EXPECT_EQ(
      error_of("class Model(nn.Module):\n  pass\ndef get_inputs(): return []\ndef get_init_inputs(): return []\n"),
      "no error");
  EXPECT_EQ(error_of("Model = nn.ReLU\nget_inputs = lambda n=3: [n]\nget_init_inputs = list\n"), "no error");
}

TEST(CheckTaskSource, SaysWhatIsMissing) {
  EXPECT_THAT(error_of("class Model: pass\ndef get_init_inputs(): pass\n"),
              StartsWith("task file t.py defines no get_inputs; a task file must define"));
  EXPECT_THAT(error_of(""), HasSubstr("defines no Model and no get_inputs and no get_init_inputs;"));
  EXPECT_THAT(error_of("class ModelNew: pass\nclass A:\n  class Model: pass\n  def get_inputs(): pass\n"
                       "'''\ndef get_init_inputs(): pass\n'''\n"),
              HasSubstr("no Model and no get_inputs and no get_init_inputs;"));
}

TEST(CheckTaskSource, RefusesWhatIsNoText) {
  EXPECT_THAT(error_of(std::string_view("ab\0c", 4)), HasSubstr("not a text file (a zero byte at offset 2)"));
  EXPECT_THAT(error_of("ab\xff"), HasSubstr("not UTF-8 at byte offset 2"));
}

} // namespace
} // namespace kernelbench::task
