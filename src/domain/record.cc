#include "domain/record.h"

#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/file.h"
#include "base/result.h"
#include "domain/json_object.h"

namespace kernelbench {

namespace {

using Json = nlohmann::ordered_json;

constexpr int schema = 1;

Json json_numbers(const std::vector<double>& values) {
  Json array = Json::array();
  for (const double value : values) {
    array.push_back(json_number(value));
  }
  return array;
}

// Writers, one per part of a record; the order of the keys is part of the format.

Json to_json(const BuildInfo& build) {
  return {{"tier", json_text(build.tier)},
          {"seconds", json_number(build.seconds)},
          {"units", build.units},
          {"log", json_text(build.log)}};
}

Json to_json(const WorstElement& worst) {
  return {{"trial", worst.trial},
          {"output", worst.output},
          {"index", worst.index},
          {"expected", json_number(worst.expected)},
          {"got", json_number(worst.got)}};
}

Json to_json(const CheckInfo& check) {
  return {{"trials", check.trials},
          {"passed", check.passed},
          {"tolerance", json_text(check.tolerance)},
          {"max_abs_error", json_number(check.max_abs_error)},
          {"max_rel_error", json_number(check.max_rel_error)},
          {"worst", check.worst ? to_json(*check.worst) : Json(nullptr)},
          {"mismatches", check.mismatches}};
}

Json to_json(const TimingStatistics& statistics) {
  return {{"mean_ms", json_number(statistics.mean_ms)},     {"std_ms", json_number(statistics.std_ms)},
          {"min_ms", json_number(statistics.min_ms)},       {"max_ms", json_number(statistics.max_ms)},
          {"median_ms", json_number(statistics.median_ms)}, {"n", statistics.n}};
}

Json to_json(const TimingInfo& timing) {
  Json decision = Json::object();
  for (const auto& [threshold, decided] : timing.decision) {
    decision[to_valid_utf8(threshold)] = json_text(decided);
  }
  return {{"protocol", json_text(timing.protocol)},
          {"candidate", to_json(timing.candidate)},
          {"reference", to_json(timing.reference)},
          {"speedup", json_number(timing.speedup)},
          {"interval", json_numbers({timing.interval_low, timing.interval_high})},
          {"decision", decision},
          {"verified", timing.verified},
          {"wall_over_event", json_number(timing.wall_over_event)},
          {"floor_ms", nullptr}, // no roofline is computed yet
          {"samples",
           {{"candidate_ms", json_numbers(timing.candidate_samples_ms)},
            {"reference_ms", json_numbers(timing.reference_samples_ms)}}}};
}

Json to_json(const Stages& stages) {
  return {{"queue_s", json_number(stages.queue_s)}, {"build_s", json_number(stages.build_s)},
          {"load_s", json_number(stages.load_s)},   {"check_s", json_number(stages.check_s)},
          {"time_s", json_number(stages.time_s)},   {"gpu_s", json_number(stages.gpu_s)},
          {"total_s", json_number(stages.total_s)}};
}

Json to_json(const Limits& limits) {
  return {{"build_s", json_number(limits.build_s)},
          {"load_s", json_number(limits.load_s)},
          {"check_s", json_number(limits.check_s)},
          {"time_s", json_number(limits.time_s)},
          {"memory_mb", limits.memory_mb},
          {"processes", limits.processes},
          {"disk_mb", limits.disk_mb}};
}

Json to_json(const Provenance& provenance) {
  return {{"device", json_text_or_null(provenance.device)},
          {"device_name", json_text_or_null(provenance.device_name)},
          {"driver", json_text_or_null(provenance.driver)},
          {"torch", json_text_or_null(provenance.torch)},
          {"cuda", json_text_or_null(provenance.cuda)},
          {"python", json_text_or_null(provenance.python)},
          {"compiler", json_text_or_null(provenance.compiler)},
          {"sandbox", json_text_or_null(provenance.sandbox)},
          {"harness", json_text_or_null(provenance.harness)},
          {"host", json_text_or_null(provenance.host)},
          {"threads", provenance.threads},
          {"created", json_text_or_null(provenance.created)},
          {"seeds_sha256", json_text_or_null(provenance.seeds_sha256)},
          {"limits", to_json(provenance.limits)}};
}

// Readers, in the same order.

BuildInfo read_build(const JsonObject& json) {
  return {json.text("tier"), json.number("seconds"), json.integer("units"), json.text("log")};
}

WorstElement read_worst(const JsonObject& json) {
  return {json.integer("trial"), json.integer("output"), json.integer64("index"), json.number("expected"),
          json.number("got")};
}

CheckInfo read_check(const JsonObject& json) {
  CheckInfo check;
  check.trials = json.integer("trials");
  check.passed = json.integer("passed");
  check.tolerance = json.text("tolerance");
  check.max_abs_error = json.number("max_abs_error");
  check.max_rel_error = json.number("max_rel_error");
  if (const auto worst = json.object_or_null("worst")) {
    check.worst = read_worst(*worst);
  }
  check.mismatches = json.has("mismatches") ? json.integer64("mismatches") : 0;
  return check;
}

TimingStatistics read_statistics(const JsonObject& json) {
  return {json.number("mean_ms"), json.number("std_ms"),    json.number("min_ms"),
          json.number("max_ms"),  json.number("median_ms"), json.integer("n")};
}

TimingInfo read_timing(const JsonObject& json) {
  TimingInfo timing;
  timing.protocol = json.text("protocol");
  timing.candidate = read_statistics(json.object("candidate"));
  timing.reference = read_statistics(json.object("reference"));
  timing.speedup = json.number("speedup");
  const std::vector<double> interval = json.numbers("interval");
  if (interval.size() != 2) {
    json.fail("interval", "an array of two numbers, low and high");
  }
  timing.interval_low = interval[0];
  timing.interval_high = interval[1];
  const JsonObject decision = json.object("decision");
  for (const std::string& threshold : decision.keys()) {
    timing.decision[threshold] = decision.text(threshold.c_str());
  }
  timing.verified = json.boolean("verified");
  timing.wall_over_event = json.number("wall_over_event");
  const JsonObject samples = json.object("samples");
  timing.candidate_samples_ms = samples.numbers("candidate_ms");
  timing.reference_samples_ms = samples.numbers("reference_ms");
  return timing;
}

Stages read_stages(const JsonObject& json) {
  return {json.number("queue_s"), json.number("build_s"), json.number("load_s"), json.number("check_s"),
          json.number("time_s"),  json.number("gpu_s"),   json.number("total_s")};
}

Limits read_limits(const JsonObject& json) {
  return {json.number("build_s"),      json.number("load_s"),       json.number("check_s"),   json.number("time_s"),
          json.integer64("memory_mb"), json.integer64("processes"), json.integer64("disk_mb")};
}

Provenance read_provenance(const JsonObject& json) {
  Provenance provenance;
  provenance.device = json.text_or_null("device");
  provenance.device_name = json.text_or_null("device_name");
  provenance.driver = json.text_or_null("driver");
  provenance.torch = json.text_or_null("torch");
  provenance.cuda = json.text_or_null("cuda");
  provenance.python = json.text_or_null("python");
  provenance.compiler = json.text_or_null("compiler");
  provenance.sandbox = json.text_or_null("sandbox");
  provenance.harness = json.text_or_null("harness");
  provenance.host = json.text_or_null("host");
  provenance.threads = json.integer("threads");
  provenance.created = json.text_or_null("created");
  provenance.seeds_sha256 = json.text_or_null("seeds_sha256");
  provenance.limits = read_limits(json.object("limits"));
  return provenance;
}

// 1 for "level1/19", 0 for another id.
int level_in_id(std::string_view id) {
  constexpr std::string_view prefix = "level";
  int level = 0;
  if (id.substr(0, prefix.size()) == prefix) {
    const auto [end, error] = std::from_chars(id.data() + prefix.size(), id.data() + id.size(), level);
    const bool whole = error == std::errc() && end != id.data() + id.size() && *end == '/';
    return whole && level > 0 ? level : 0;
  }
  return 0;
}

void read_result(const JsonObject& json, Record& record) {
  if (const std::string name = json.text_or_null("outcome"); json.has("outcome")) {
    record.outcome = parse_outcome(name);
    if (!record.outcome) {
      json.fail("outcome", "one of the outcomes or null");
    }
  }
  record.cause = json.text_or_null("cause");
  record.message = json.text("message");
  if (const std::string fault = json.text_or_null("fault"); json.has("fault")) {
    record.fault = fault;
  }
  if (record.outcome.has_value() == record.fault.has_value()) {
    throw UserError("record: fields \"outcome\" and \"fault\": exactly one of them must be set");
  }
}

} // namespace

Json to_json(const Record& record) {
  return {{"schema", schema},
          {"id", json_text(record.id)},
          {"run", json_text_or_null(record.run)},
          {"task",
           {{"id", json_text(record.task_id)},
            {"name", json_text(record.task_name)},
            {"preset", json_text(record.task_preset)},
            {"sha256", json_text(record.task_sha256)},
            {"level", record.task_level}}},
          {"candidate",
           {{"sha256", json_text_or_null(record.candidate_sha256)},
            {"path", json_text_or_null(record.candidate_path)},
            {"language", json_text_or_null(record.candidate_language)},
            {"sample", record.sample ? Json(*record.sample) : Json(nullptr)}}},
          {"outcome", record.outcome ? Json(name_of(*record.outcome)) : Json(nullptr)},
          {"cause", json_text_or_null(record.cause)},
          {"message", json_text(record.message)},
          {"fault", record.fault ? json_text(*record.fault) : Json(nullptr)},
          {"build", to_json(record.build)},
          {"check", record.check ? to_json(*record.check) : Json(nullptr)},
          {"timing", record.timing ? to_json(*record.timing) : Json(nullptr)},
          {"stages", to_json(record.stages)},
          {"provenance", to_json(record.provenance)}};
}

Record record_from_json(const Json& json) {
  const JsonObject whole(json, "record");
  if (whole.integer("schema") != schema) {
    whole.fail("schema", fmt::format("{} (another version of kernelbench wrote this record)", schema));
  }
  Record record;
  record.id = whole.text("id");
  record.run = whole.text_or_null("run");

  const JsonObject task = whole.object("task");
  record.task_id = task.text("id");
  record.task_name = task.text("name");
  record.task_preset = task.text("preset");
  record.task_sha256 = task.text("sha256");
  record.task_level = task.has("level") ? task.integer("level") : level_in_id(record.task_id);

  const JsonObject candidate = whole.object("candidate");
  record.candidate_sha256 = candidate.text_or_null("sha256");
  record.candidate_path = candidate.text_or_null("path");
  record.candidate_language = candidate.text_or_null("language");
  record.sample = candidate.integer_or_null("sample");

  read_result(whole, record);
  record.build = read_build(whole.object("build"));
  if (const auto check = whole.object_or_null("check")) {
    record.check = read_check(*check);
  }
  if (const auto timing = whole.object_or_null("timing")) {
    record.timing = read_timing(*timing);
  }
  record.stages = read_stages(whole.object("stages"));
  record.provenance = read_provenance(whole.object("provenance"));
  return record;
}

} // namespace kernelbench
