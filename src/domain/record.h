#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "domain/limits.h"
#include "domain/outcome.h"

// A Record is everything known of one evaluation. Schema 1; docs/formats.md describes every field.

namespace kernelbench {

struct BuildInfo {
  std::string tier = "none"; // none | cache | genuine (the faster tiers come between)
  double seconds = 0;
  int units = 0;   // extension units the candidate compiled
  std::string log; // of the compiler when it failed; cut in the middle
};

// The element that is furthest outside the tolerance.
struct WorstElement {
  int trial = 0;
  int output = 0;
  std::int64_t index = 0; // in the contiguous order of the reference's output
  double expected = 0;
  double got = 0;
};

struct CheckInfo {
  int trials = 0;
  int passed = 0;
  std::string tolerance;
  double max_abs_error = 0;
  double max_rel_error = 0;
  std::int64_t mismatches = 0; // elements outside the tolerance, all trials together
  std::optional<WorstElement> worst;
};

// Statistics of one side's timed calls, milliseconds; the standard deviation is that of the sample (n - 1).
struct TimingStatistics {
  double mean_ms = 0;
  double std_ms = 0;
  double min_ms = 0;
  double max_ms = 0;
  double median_ms = 0;
  int n = 0;
};

struct TimingInfo {
  std::string protocol;
  TimingStatistics candidate;
  TimingStatistics reference;
  double speedup = 0; // mean reference / mean candidate
  double interval_low = 0;
  double interval_high = 0;                    // 95 % confidence
  std::map<std::string, std::string> decision; // threshold p -> faster | slower | tie
  bool verified = false;                       // every timed output was compared and passed
  double wall_over_event = 0; // the judge's wall time of the candidate's timed calls over the sum of their times
  std::vector<double> candidate_samples_ms;
  std::vector<double> reference_samples_ms;
};

// Seconds spent in each stage.
struct Stages {
  double queue_s = 0;
  double build_s = 0;
  double load_s = 0;
  double check_s = 0;
  double time_s = 0;
  double gpu_s = 0; // time the device was leased
  double total_s = 0;
};

struct Provenance {
  std::string device; // "cpu", "cuda:0"
  std::string device_name;
  std::string driver;
  std::string torch;
  std::string cuda;
  std::string python;
  std::string compiler;
  std::string sandbox;       // namespaces | off
  std::string harness;       // version and commit of this program
  std::string host;          // operating system and kernel
  int threads = 0;           // CPU threads each runner may use
  std::string created;       // UTC, ISO 8601
  std::string seeds_sha256;  // commitment to the seeds, published before the candidate runs
  Limits limits;
};

struct Record {
  std::string id;  // unique: run, task, preset, sample and candidate decide it
  std::string run; // empty for a single `eval`

  std::string task_id;
  std::string task_name;
  int task_level = 0;
  std::string task_preset;
  std::string task_sha256;

  std::string candidate_sha256; // empty when nothing was extracted
  std::string candidate_path;
  std::string candidate_language;
  std::optional<int> sample;

  // A record has an outcome, or a fault of the harness; never both.
  std::optional<Outcome> outcome;
  std::string cause;   // empty for `correct`
  std::string message; // what happened, for a reader; first line is a summary
  std::optional<std::string> fault;

  BuildInfo build;
  std::optional<CheckInfo> check;
  std::optional<TimingInfo> timing;
  Stages stages;
  Provenance provenance;
};

nlohmann::ordered_json to_json(const Record& record);
// Throws UserError that names the field that is missing or wrong.
Record record_from_json(const nlohmann::ordered_json& json);

} // namespace kernelbench
