#include "report/synthetic_run.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "base/file.h"
#include "base/hash.h"

namespace kernelbench::report {

namespace {

Record record_of(const std::string& run, const std::string& task, const std::string& name, int level, int sample) {
  Record record;
  record.run = run;
  record.task_id = task;
  record.task_name = name;
  record.task_level = level;
  record.task_preset = "smoke";
  record.sample = sample;
  record.id = fmt::format("{}-{}-{}", run, name, sample);
  record.candidate_sha256 = sha256_hex(synthetic_source);
  record.candidate_language = "cpp";
  record.outcome = Outcome::correct;
  record.build = {"genuine", 12.5, 1, ""};
  record.stages = {0.25, 12.5, 0.5, 0.125, 1.5, 1.625, 15};
  record.provenance.device = "cpu";
  record.provenance.device_name = "Example CPU";
  record.provenance.torch = "2.9.0";
  record.provenance.sandbox = "namespaces";
  record.provenance.created = "2025-01-02T03:04:05Z";
  return record;
}

CheckInfo check_of(int passed) {
  return {5, passed, "paper", 0.00125, 0.02, 0, std::nullopt};
}

TimingInfo timing_of(double candidate_ms, double reference_ms) {
  TimingInfo timing;
  timing.protocol = "paper";
  timing.candidate = {candidate_ms, candidate_ms / 50, candidate_ms * 0.9, candidate_ms * 1.1, candidate_ms, 100};
  timing.reference = {reference_ms, reference_ms / 50, reference_ms * 0.9, reference_ms * 1.1, reference_ms, 100};
  timing.speedup = reference_ms / candidate_ms;
  timing.interval_low = timing.speedup * 0.99;
  timing.interval_high = timing.speedup * 1.01;
  timing.decision["1.0"] = timing.interval_low > 1 ? "faster" : timing.interval_high < 1 ? "slower" : "tie";
  timing.verified = true;
  return timing;
}

const Plan plan = {{"level1/1", 0},  {"level1/19", 0}, {"level1/19", 1},
                           {"level1/26", 0}, {"level1/26", 1}, {"level2/9", 0}};

} // namespace

RunReport synthetic_run() {
  const std::string run = "first";
  Record fast = record_of(run, "level1/19", "19_ReLU", 1, 1);
  fast.check = check_of(5);
  fast.timing = timing_of(0.8, 1.0);
  fast.candidate_path = "level_1_problem_19_sample_1_kernel.py";

  Record slow = record_of(run, "level2/9", "9_Matmul_Subtract_Multiply_ReLU", 2, 0);
  slow.check = check_of(5);
  slow.timing = timing_of(25, 15);

  Record wrong = record_of(run, "level1/19", "19_ReLU", 1, 0);
  wrong.outcome = Outcome::wrong_output;
  wrong.cause = "value";
  wrong.message = "trial 2: output 0 is outside the tolerance";
  wrong.check = check_of(1);
  wrong.check->mismatches = 37;
  wrong.check->worst = WorstElement{2, 0, 12345, 1.25, -0.333333333333};

  Record broken = record_of(run, "level1/1", "1_Square_matrix_multiplication_", 1, 0);
  broken.outcome = Outcome::build_failed;
  broken.cause = "compiler";
  broken.message = "the compiler refused the extension \x1b[31mmatmul\x1b[0m\nexit status 1";
  broken.build.log = "[1/2] c++ main.cpp\nmain.cpp:3:5: error: 'at' was not declared <in this scope>\nninja: stopped\n";

  Record fault = record_of(run, "level1/26", "26_GELU_", 1, 0);
  fault.outcome.reset();
  fault.fault = "the judge was killed by signal 9 | while it held\nthe device";

  Record unplanned = record_of(run, "level3/1", "1_MLP", 3, 0);
  return {run, plan, {slow, fast, wrong, broken, fault, unplanned}};
}

RunReport other_synthetic_run() {
  const std::string run = "second";
  RunReport report{run, plan, {}};
  double ms = 1;
  for (const PlannedSample& planned : plan) {
    Record record = record_of(run, planned.task, "a_task", planned.task[5] - '0', planned.sample);
    record.provenance.device = "cuda:0";
    record.provenance.device_name = "Example GPU";
    record.check = check_of(5);
    record.timing = timing_of(ms, 2);
    ms += 0.25;
    report.records.push_back(record);
  }
  report.records[0].outcome = Outcome::not_extracted;
  report.records[0].cause = "no_code_block";
  report.records[0].message = "the answer holds no code block";
  report.records[0].candidate_sha256.clear();
  report.records[0].check.reset();
  report.records[0].timing.reset();
  return report;
}

void expect_golden(const std::string& name, const std::string& text) {
  const auto path = std::filesystem::path(KERNELBENCH_SOURCE_DIR) / "src/report/golden" / name;
  if (std::getenv("UPDATE_GOLDEN") != nullptr) {
    write_file_atomically(path, text);
    return;
  }
  EXPECT_EQ(text, read_file(path, "golden file")) << "UPDATE_GOLDEN=1 writes " << path;
}

} // namespace kernelbench::report
