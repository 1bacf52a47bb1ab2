#include "domain/generation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "base/file.h"
#include "base/result.h"

namespace kernelbench {
namespace {

using testing::HasSubstr;

std::string error_of(std::string_view line) {
  try {
    (void)generation_from_json_line(line);
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

TEST(Generation, HasTheFormatOfTheDesign) {
  const Generation generation{"level1/1", 2, "m", "a\nb", 10, 20, 1.5};
  const std::string line = R"({"task":"level1/1","sample":2,"model":"m","answer":"a\nb",)"
                           R"("usage":{"prompt_tokens":10,"completion_tokens":20},"latency_s":1.5})";
  EXPECT_EQ(to_json_line(generation), line);
  EXPECT_EQ(generation_from_json_line(line), generation);
}

TEST(Generation, NeedsNoCosts) {
  const Generation expected{"level1/1", 0, "", "x", 0, 0, 0};
  EXPECT_EQ(generation_from_json_line(R"({"task":"level1/1","sample":0,"answer":"x"})"), expected);
  EXPECT_EQ(generation_from_json_line(
                R"({"task":"level1/1","sample":0,"answer":"x","model":null,"usage":null,"latency_s":null})"),
            expected);
}

TEST(Generation, NamesWhatIsWrong) {
  EXPECT_EQ(error_of(R"({"sample":0,"answer":"x"})"), "generation: field \"task\" is missing");
  EXPECT_EQ(error_of(R"({"task":"t","sample":"0","answer":"x"})"),
            "generation: field \"sample\" must be an integer, not \"0\"");
  EXPECT_THAT(error_of(R"({"task":"t","sample":0,"answer":"x","usage":{}})"), HasSubstr("\"usage.prompt_tokens\""));
  EXPECT_THAT(error_of(R"({"task":"t",)"), HasSubstr("not valid JSON at byte"));
  EXPECT_THAT(error_of("{\"task\":\"\xff\"}"), HasSubstr("not valid JSON"));
  EXPECT_THAT(error_of("[]"), HasSubstr("must be a JSON object"));
}

RC_GTEST_PROP(Generation, RoundTrips, ()) {
  Generation generation;
  generation.task_id = to_valid_utf8(*rc::gen::string<std::string>());
  generation.sample = *rc::gen::arbitrary<int>();
  generation.answer = to_valid_utf8(*rc::gen::string<std::string>());
  generation.completion_tokens = *rc::gen::arbitrary<std::int64_t>();
  generation.latency_s = *rc::gen::arbitrary<double>();
  const std::string line = to_json_line(generation);
  RC_ASSERT(line.find('\n') == std::string::npos);
  RC_ASSERT(generation_from_json_line(line) == generation);
}

} // namespace
} // namespace kernelbench
