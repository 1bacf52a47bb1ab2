#include "domain/record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/result.h"

namespace kernelbench {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;

Record full_record() {
  Record record;
  record.id = "r1";
  record.run = "first";
  record.task_id = "level1/19";
  record.task_name = "19_ReLU";
  record.task_level = 1;
  record.task_preset = "smoke";
  record.task_sha256 = "aa";
  record.candidate_sha256 = "bb";
  record.candidate_path = "relu.py";
  record.candidate_language = "cpp";
  record.sample = 3;
  record.outcome = Outcome::wrong_output;
  record.cause = "value";
  record.message = "1 element differs";
  record.build = {"genuine", 41.5, 1, "ok"};
  record.check = CheckInfo{5, 4, "calibrated", 0.5, 0.25, 7, WorstElement{2, 1, 5000000000, 1.5, 2.5}};
  TimingInfo timing;
  timing.protocol = "paper";
  timing.candidate = {1, 0.1, 0.9, 1.2, 1.05, 100};
  timing.reference = {2, 0.2, 1.9, 2.2, 2.05, 90};
  timing.speedup = 2;
  timing.interval_low = 1.9;
  timing.interval_high = 2.1;
  timing.decision = {{"1.0", "faster"}};
  timing.verified = true;
  timing.wall_over_event = 1.01;
  timing.candidate_samples_ms = {1, 1.1};
  timing.reference_samples_ms = {2, 2.1};
  record.timing = timing;
  record.stages = {1, 2, 3, 4, 5, 6, 7};
  record.provenance = {"cpu",        "Xeon",      "",      "2.9", "",    "3.11", "g++ 12",
                       "namespaces", "0.1.0 abc", "Linux", 2,     "now", "seed", {300, 60, 50, 120, 16384, 256, 1024}};
  return record;
}

// The format itself: every key, in its order.
const char* const full_text = R"({"schema":1,"id":"r1","run":"first",)"
                              R"("task":{"id":"level1/19","name":"19_ReLU","preset":"smoke","sha256":"aa","level":1},)"
                              R"("candidate":{"sha256":"bb","path":"relu.py","language":"cpp","sample":3},)"
                              R"("outcome":"wrong_output","cause":"value","message":"1 element differs","fault":null,)"
                              R"("build":{"tier":"genuine","seconds":41.5,"units":1,"log":"ok"},)"
                              R"("check":{"trials":5,"passed":4,"tolerance":"calibrated","max_abs_error":0.5,)"
                              R"("max_rel_error":0.25,"worst":{"trial":2,"output":1,"index":5000000000,)"
                              R"("expected":1.5,"got":2.5},"mismatches":7},)"
                              R"("timing":{"protocol":"paper","candidate":{"mean_ms":1.0,"std_ms":0.1,"min_ms":0.9,)"
                              R"("max_ms":1.2,"median_ms":1.05,"n":100},"reference":{"mean_ms":2.0,"std_ms":0.2,)"
                              R"("min_ms":1.9,"max_ms":2.2,"median_ms":2.05,"n":90},"speedup":2.0,)"
                              R"("interval":[1.9,2.1],"decision":{"1.0":"faster"},"verified":true,)"
                              R"("wall_over_event":1.01,"floor_ms":null,)"
                              R"("samples":{"candidate_ms":[1.0,1.1],"reference_ms":[2.0,2.1]}},)"
                              R"("stages":{"queue_s":1.0,"build_s":2.0,"load_s":3.0,"check_s":4.0,"time_s":5.0,)"
                              R"("gpu_s":6.0,"total_s":7.0},)"
                              R"("provenance":{"device":"cpu","device_name":"Xeon","driver":null,"torch":"2.9",)"
                              R"("cuda":null,"python":"3.11","compiler":"g++ 12","sandbox":"namespaces",)"
                              R"("harness":"0.1.0 abc","host":"Linux","threads":2,"created":"now",)"
                              R"("seeds_sha256":"seed","limits":{"build_s":300.0,"load_s":60.0,"check_s":50.0,)"
                              R"("time_s":120.0,"memory_mb":16384,"processes":256,"disk_mb":1024}}})";

std::string error_of(const Json& json) {
  try {
    (void)record_from_json(json);
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

Json through_text(const Record& record) {
  return Json::parse(to_json(record).dump());
}

TEST(Record, HasTheFormatOfTheDesign) {
  EXPECT_EQ(to_json(full_record()).dump(), full_text);
}

TEST(Record, IsReadBackFromItsText) {
  EXPECT_EQ(to_json(record_from_json(Json::parse(full_text))).dump(), full_text);
}

TEST(Record, WritesNullForWhatIsAbsent) {
  Record record;
  record.id = "r";
  record.fault = "the judge died";
  const Json json = through_text(record);
  for (const char* key : {"run", "outcome", "cause", "check", "timing"}) {
    EXPECT_TRUE(json.at(key).is_null()) << key;
  }
  EXPECT_TRUE(json.at("candidate").at("sample").is_null());
  EXPECT_TRUE(json.at("candidate").at("sha256").is_null());
  const Record read = record_from_json(json);
  EXPECT_FALSE(read.outcome);
  EXPECT_FALSE(read.check);
  EXPECT_FALSE(read.timing);
  EXPECT_FALSE(read.sample);
  EXPECT_EQ(read.fault, "the judge died");
}

TEST(Record, KeepsNumbersThatAreNotFinite) {
  Record record = full_record();
  record.check->max_abs_error = std::numeric_limits<double>::infinity();
  record.check->worst->expected = -std::numeric_limits<double>::infinity();
  record.check->worst->got = std::numeric_limits<double>::quiet_NaN();
  const Record read = record_from_json(through_text(record));
  EXPECT_EQ(read.check->max_abs_error, std::numeric_limits<double>::infinity());
  EXPECT_EQ(read.check->worst->expected, -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(read.check->worst->got));
}

TEST(Record, ReplacesBytesThatAreNoUtf8) {
  Record record = full_record();
  record.build.log = "a\xff"
                     "b";
  EXPECT_EQ(record_from_json(through_text(record)).build.log, "a\xef\xbf\xbd"
                                                              "b");
}

TEST(Record, IgnoresUnknownKeys) {
  Json json = Json::parse(full_text);
  json["new"] = 1;
  json["timing"]["new"] = {1, 2};
  EXPECT_EQ(to_json(record_from_json(json)).dump(), full_text);
}

TEST(Record, TellsTheLevelByTheIdWhereItIsNotSaid) {
  Json json = Json::parse(full_text);
  json["task"].erase("level");
  EXPECT_EQ(record_from_json(json).task_level, 1);
  json["task"]["id"] = "level/x.py";
  EXPECT_EQ(record_from_json(json).task_level, 0);
}

TEST(Record, NamesTheMissingField) {
  Json json = Json::parse(full_text);
  json["timing"]["candidate"].erase("n");
  EXPECT_EQ(error_of(json), "record: field \"timing.candidate.n\" is missing");
}

TEST(Record, NamesTheWrongField) {
  const auto with = [](auto change) {
    Json json = Json::parse(full_text);
    change(json);
    return error_of(json);
  };
  EXPECT_EQ(with([](Json& json) { json = Json::array(); }), "record must be a JSON object, not array");
  EXPECT_EQ(with([](Json& json) { json["build"] = 3; }), "record: field \"build\" must be a JSON object, not number");
  EXPECT_EQ(with([](Json& json) { json["build"]["units"] = 1.5; }),
            "record: field \"build.units\" must be an integer, not 1.5");
  EXPECT_THAT(with([](Json& json) { json["build"]["units"] = 5000000000; }), HasSubstr("\"build.units\""));
  EXPECT_THAT(with([](Json& json) { json["schema"] = 2; }), HasSubstr("\"schema\" must be 1"));
  EXPECT_THAT(with([](Json& json) { json["outcome"] = "fine"; }), HasSubstr("\"outcome\" must be one of"));
  EXPECT_THAT(with([](Json& json) { json["fault"] = "both"; }), HasSubstr("exactly one"));
  EXPECT_THAT(with([](Json& json) { json["timing"]["interval"] = {1.0}; }), HasSubstr("\"timing.interval\""));
  EXPECT_THAT(with([](Json& json) { json["timing"]["samples"]["candidate_ms"] = {"x"}; }),
              HasSubstr("\"timing.samples.candidate_ms\" must be an array of numbers"));
  EXPECT_THAT(with([](Json& json) { json["stages"]["gpu_s"] = nullptr; }), HasSubstr("\"stages.gpu_s\""));
  EXPECT_THAT(with([](Json& json) { json["provenance"]["limits"].erase("disk_mb"); }),
              HasSubstr("\"provenance.limits.disk_mb\" is missing"));
}

// Every required field, taken away or replaced by an object of another kind, is named.
TEST(Record, NamesEveryFieldThatIsMissing) {
  const Json whole = Json::parse(full_text);
  const Json flat = whole.flatten();
  for (const auto& [pointer, value] : flat.items()) {
    const Json::json_pointer at(pointer);
    const std::string key = at.back();
    if (whole.at(at.parent_pointer()).is_array() || key == "level" || key == "mismatches" || key == "floor_ms" ||
        key == "1.0") {
      continue;
    }
    Json json = whole;
    json.at(at.parent_pointer()).erase(key);
    EXPECT_THAT(error_of(json), HasSubstr(key + "\" is missing")) << pointer;
  }
}

// Bytes that are no UTF-8 do not come back as they were, so there are none.
std::string any_text() {
  return to_valid_utf8(*rc::gen::string<std::string>());
}

double any_double() {
  return *rc::gen::arbitrary<double>();
}

TimingStatistics any_statistics() {
  return {any_double(), any_double(), any_double(), any_double(), any_double(), *rc::gen::arbitrary<int>()};
}

RC_GTEST_PROP(Record, RoundTripsThroughText, ()) {
  Record record;
  record.id = any_text();
  record.run = any_text();
  record.message = any_text();
  record.task_level = *rc::gen::arbitrary<int>();
  if (*rc::gen::arbitrary<bool>()) {
    record.outcome = *rc::gen::elementOf(std::vector<Outcome>(all_outcomes().begin(), all_outcomes().end()));
    record.cause = any_text();
  } else {
    record.fault = any_text();
  }
  if (*rc::gen::arbitrary<bool>()) {
    record.sample = *rc::gen::arbitrary<int>();
  }
  if (*rc::gen::arbitrary<bool>()) {
    record.check = CheckInfo{.max_abs_error = any_double(), .mismatches = *rc::gen::arbitrary<std::int64_t>()};
    if (*rc::gen::arbitrary<bool>()) {
      record.check->worst = WorstElement{1, 2, *rc::gen::arbitrary<std::int64_t>(), any_double(), any_double()};
    }
  }
  if (*rc::gen::arbitrary<bool>()) {
    record.timing.emplace();
    record.timing->candidate = any_statistics();
    record.timing->reference = any_statistics();
    record.timing->interval_high = any_double();
    record.timing->decision[any_text()] = "tie";
    record.timing->candidate_samples_ms = *rc::gen::arbitrary<std::vector<double>>();
  }
  record.stages.gpu_s = any_double();
  record.provenance.limits.memory_mb = *rc::gen::arbitrary<std::int64_t>();

  const Json json = to_json(record);
  const Record read = record_from_json(Json::parse(json.dump()));
  RC_ASSERT(to_json(read) == json);
  RC_ASSERT(read.stages.gpu_s == record.stages.gpu_s);
  RC_ASSERT(read.fault == record.fault);
}

} // namespace
} // namespace kernelbench
