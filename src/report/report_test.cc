#include "report/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/result.h"
#include "report/synthetic_run.h"

namespace kernelbench::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::ThrowsMessage;

std::string rendered(const std::vector<RunReport>& runs, Format format) {
  return render(runs, default_thresholds, format);
}

TEST(Report, GoldenTextOfOneRun) {
  expect_golden("one_run.txt", rendered({synthetic_run()}, Format::text));
}

TEST(Report, GoldenTextOfTwoRuns) {
  expect_golden("two_runs.txt", rendered({synthetic_run(), other_synthetic_run()}, Format::text));
}

TEST(Report, GoldenMarkdown) {
  expect_golden("two_runs.md", rendered({synthetic_run(), other_synthetic_run()}, Format::markdown));
}

TEST(Report, GoldenJson) {
  expect_golden("one_run.json", rendered({synthetic_run()}, Format::json));
}

TEST(Report, GoldenCsv) {
  expect_golden("two_runs.csv", rendered({synthetic_run(), other_synthetic_run()}, Format::csv));
}

TEST(Report, JsonHasTheDocumentedShape) {
  const auto json = nlohmann::json::parse(rendered({synthetic_run(), other_synthetic_run()}, Format::json));
  ASSERT_EQ(json.size(), 1u);
  ASSERT_EQ(json["runs"].size(), 2u);
  const auto& run = json["runs"][0];
  EXPECT_EQ(run.size(), 4u);
  EXPECT_EQ(run["run"], "first");
  EXPECT_EQ(run["tasks"], 4);
  EXPECT_EQ(run["records"], 6);
  const auto& metric = run["metrics"][0];
  EXPECT_EQ(metric["name"], "fast_p");
  EXPECT_EQ(metric["params"], (nlohmann::json{{"p", 0.0}}));
  EXPECT_EQ(metric["scope"], (nlohmann::json{{"level", 1}}));
  EXPECT_EQ(metric["count"], 1);
  EXPECT_EQ(metric["of"], 5);
  EXPECT_EQ(metric["value"], 0.2);
  EXPECT_EQ(metric["interval"].size(), 2u);
}

TEST(Report, OfNothingIsNoError) {
  EXPECT_EQ(rendered({}, Format::text), "");
  EXPECT_EQ(nlohmann::json::parse(rendered({}, Format::json)), nlohmann::json::parse(R"({"runs":[]})"));
  const RunReport empty{"empty", {}, {}};
  EXPECT_THAT(rendered({empty}, Format::text), HasSubstr("0 tasks, 0 planned samples, 0 records"));
  const auto json = nlohmann::json::parse(rendered({empty}, Format::json));
  EXPECT_TRUE(json["runs"][0]["metrics"][0]["value"].is_null());
  EXPECT_EQ(rendered({empty, empty}, Format::csv).find("nan"), std::string::npos);
}

TEST(Report, SurvivesHostileNames) {
  RunReport run = synthetic_run();
  run.run = "a\xff\x1b[2J,\"b\"\n<script>";
  for (Record& record : run.records) {
    record.task_name = "x\x1b[2J\n| <b>";
  }
  for (const Format format : {Format::text, Format::markdown}) {
    EXPECT_THAT(rendered({run, run}, format), Not(HasSubstr("\x1b")));
  }
  EXPECT_THAT(rendered({run}, Format::markdown), Not(HasSubstr("<b>")));
  EXPECT_NO_THROW(nlohmann::json::parse(rendered({run}, Format::json)));
}

TEST(Report, WarnsOnlyWhereRunsDiffer) {
  EXPECT_THAT(rendered({synthetic_run(), other_synthetic_run()}, Format::text), HasSubstr("differ in device;"));
  EXPECT_THAT(rendered({synthetic_run(), synthetic_run()}, Format::text), Not(HasSubstr("differ in")));
  RunReport fewer = synthetic_run();
  fewer.plan.pop_back();
  EXPECT_THAT(rendered({synthetic_run(), fewer}, Format::text), HasSubstr("differ in tasks;"));
}

TEST(Report, RefusesWhatItDoesNotKnow) {
  EXPECT_EQ(parse_format("markdown"), Format::markdown);
  EXPECT_THAT([] { parse_format("pdf"); }, ThrowsMessage<UserError>(HasSubstr("text, markdown, json or csv")));
  EXPECT_THROW(render({synthetic_run()}, {-1}, Format::text), UserError);
}

} // namespace
} // namespace kernelbench::report
