#include "report/story.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "report/synthetic_run.h"

namespace kernelbench::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Record find(const std::string& id) {
  for (const RunReport& run : {synthetic_run(), other_synthetic_run()}) {
    for (const Record& record : run.records) {
      if (record.id == id) {
        return record;
      }
    }
  }
  ADD_FAILURE() << id;
  return {};
}

TEST(Story, Golden) {
  std::string stories;
  for (const char* id : {"first-19_ReLU-1", "first-19_ReLU-0", "first-1_Square_matrix_multiplication_-0",
                         "first-26_GELU_-0", "second-a_task-0"}) {
    stories += story(find(id), synthetic_source) + "\n";
  }
  expect_golden("stories.txt", stories);
}

TEST(Story, StaysShortAndOnItsLines) {
  Record record = find("first-1_Square_matrix_multiplication_-0");
  for (int i = 0; i < 1000; ++i) {
    record.message += "\n\x1b[31mline of a message";
    record.build.log += "error: again\r\n" + std::string(5000, 'x');
  }
  const std::string text = story(record, "");
  EXPECT_LE(std::ranges::count(text, '\n'), 16);
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(text, HasSubstr("more lines"));
}

} // namespace
} // namespace kernelbench::report
