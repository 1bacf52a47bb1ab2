// Evaluates the candidates of a folder on a device, and compares what becomes of each with what its first lines expect
// (README.md says what they may say). Then it evaluates the reference's own code in three fresh sessions: its speedup
// must be 1. Prints one table, and what the harness said of each candidate that differs.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <future>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "base/text_table.h"
#include "base/thread_pool.h"
#include "extract/candidate_file.h"
#include "report/figures.h"
#include "run/session.h"
#include "task/open.h"

namespace {

using namespace kernelbench;
namespace fs = std::filesystem;

constexpr double same_code_low = 0.97;
constexpr double same_code_high = 1.03;
constexpr int same_code_times = 3;
constexpr int message_lines = 15;

struct Options {
  std::string candidates;
  std::string device = "cuda";
  bool quick = false;
  std::string records;
};

struct Case {
  extract::CandidateFileName name;
  Task task;
  Candidate candidate;
  std::string expected; // outcome, or outcome/cause
  bool same_code = false;
  std::optional<double> limit_s;

  std::string text() const { return fmt::format("{}/{} sample {}", name.level, name.problem, name.sample); }
};

// What was expected of one evaluation, and what came of it.
struct Row {
  std::string name;
  std::string expected;
  std::string got;
  bool passed = false;
  Record record;
};

// The "# key: value" lines that a candidate begins with.
std::map<std::string, std::string> header_of(const Candidate& candidate) {
  std::map<std::string, std::string> header;
  std::istringstream source(candidate.source);
  for (std::string line; std::getline(source, line) && line.starts_with("# ");) {
    const std::size_t colon = line.find(": ");
    header[line.substr(2, colon - 2)] = colon == std::string::npos ? "" : line.substr(colon + 2);
  }
  return header;
}

// Sorted, the reference's own code first: when not even that can be evaluated, nothing can.
std::vector<Case> read_cases(const Options& options, const Installation& installation, bool cuda) {
  const auto catalog = task::Catalog::load(installation.data / "tasks");
  const auto presets = task::Presets::load(installation.data / "presets");
  std::vector<Case> cases;
  for (const fs::directory_entry& file : fs::directory_iterator(options.candidates)) {
    const auto name = extract::parse_candidate_file_name(file.path().filename().string());
    if (!name) {
      continue;
    }
    Case item{*name, {}, extract::read_candidate_file(file.path()), {}};
    const auto header = header_of(item.candidate);
    if (options.quick && !header.count("quick")) {
      continue;
    }
    item.same_code = header.count("same-code") > 0;
    if (!header.count("expect")) {
      throw UserError(fmt::format("{}: its first lines lack '# expect: OUTCOME/CAUSE'", file.path().string()));
    }
    item.expected = header.at("expect");
    if (header.count("limit-s")) {
      item.limit_s = std::stod(header.at("limit-s"));
    }
    item.task = task::open_task(catalog, presets, fmt::format("level{}/{}", name->level, name->problem),
                                cuda ? "paper" : "smoke");
    cases.push_back(std::move(item));
  }
  std::sort(cases.begin(), cases.end(), [](const Case& a, const Case& b) {
    return std::tuple(!a.same_code, a.name.level, a.name.problem, a.name.sample) <
           std::tuple(!b.same_code, b.name.level, b.name.problem, b.name.sample);
  });
  if (cases.empty()) {
    throw UserError(fmt::format("{} holds no candidates named level_<L>_problem_<P>_sample_<S>_kernel.py{}",
                                options.candidates, options.quick ? " that say '# quick'" : ""));
  }
  return cases;
}

std::vector<Result<build::Build>> build_all(run::Session& session, const std::vector<Case>& cases) {
  ThreadPool pool(std::max(1, static_cast<int>(std::thread::hardware_concurrency())));
  std::vector<std::future<Result<build::Build>>> futures;
  for (const Case& item : cases) {
    futures.push_back(pool.submit([&] { return session.build(item.task, item.candidate); }));
  }
  std::vector<Result<build::Build>> builds;
  for (auto& future : futures) {
    builds.push_back(future.get());
  }
  return builds;
}

std::string became(const Record& record) {
  return record.fault ? "FAULT"
                      : fmt::format("{}{}{}", name_of(*record.outcome), record.cause.empty() ? "" : "/", record.cause);
}

// Rows as they come: each is shown and its record written down, so that a run that is ended early leaves what it had.
struct Results {
  std::ofstream records; // open only when asked for
  std::vector<Row> rows;

  void add(Row row) {
    fmt::print(stderr, "{}: {}\n", row.name, row.got);
    if (records.is_open()) {
      records << to_json(row.record).dump() << std::endl;
    }
    rows.push_back(std::move(row));
  }
};

void evaluate_all(const Installation& installation, const run::SessionOptions& options, const std::vector<Case>& cases,
                  Results& results) {
  const auto session = run::Session::open(installation, options);
  session->warm_up(true);
  const auto builds = build_all(*session, cases); // all end here: a compiler on the other cores would show in the times
  fmt::print(stderr, "{} candidates are built\n", cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Case& item = cases[i];
    evaluate::Request request = options.request;
    if (item.limit_s) {
      request.limits.load_s = request.limits.check_s = request.limits.time_s = *item.limit_s;
    }
    session->set_request(request);
    Record record = session->evaluate("device", item.task, item.candidate, builds[i]).record;
    if (item.same_code && record.fault) {
      throw UserError("not even the reference's own code can be evaluated: " + *record.fault);
    }
    const std::string got = became(record);
    results.add({item.text(), item.expected, got, got == item.expected, std::move(record)});
  }
}

void evaluate_same_code(const Installation& installation, const run::SessionOptions& options, const Case& item,
                        Results& results) {
  for (int number = 1; number <= same_code_times; ++number) {
    const auto session = run::Session::open(installation, options);
    const auto built = session->build(item.task, item.candidate);
    Record record = session->evaluate(fmt::format("same-code-{}", number), item.task, item.candidate, built).record;
    const double speedup = record.timing ? record.timing->speedup : 0;
    results.add({fmt::format("same code, {} of {}", number, same_code_times),
                 fmt::format("{}-{}", same_code_low, same_code_high),
                 record.timing ? fmt::format("{:.4f}", speedup) : became(record),
                 speedup >= same_code_low && speedup <= same_code_high, std::move(record)});
  }
}

std::string table_of(const std::vector<Row>& rows) {
  using enum TextTable::Align;
  std::vector<TextTable::Align> columns(14, right);
  std::fill_n(columns.begin(), 4, left);
  TextTable table(columns);
  table.add_row({"candidate", "expected", "got", "", "candidate ms", "reference ms", "speedup", "interval", "build s",
                 "load s", "check s", "time s", "lease s", "total s"});
  for (const Row& row : rows) {
    std::vector<std::string> cells = {row.name, row.expected, row.got, row.passed ? "PASS" : "FAIL"};
    if (const auto& timing = row.record.timing) {
      cells.insert(cells.end(),
                   {fmt::format("{:.4g}", timing->candidate.mean_ms), fmt::format("{:.4g}", timing->reference.mean_ms),
                    fmt::format("{:.3f}", timing->speedup),
                    fmt::format("{:.3f}-{:.3f}", timing->interval_low, timing->interval_high)});
    }
    cells.resize(8);
    const Stages& stages = row.record.stages;
    for (const double seconds :
         {stages.build_s, stages.load_s, stages.check_s, stages.time_s, stages.gpu_s, stages.total_s}) {
      cells.push_back(fmt::format("{:.1f}", seconds));
    }
    table.add_row(std::move(cells));
  }
  return table.plain();
}

// The table, then what was said of each row that differs, then the sums. The number of rows that differ.
std::size_t print(const std::vector<Row>& rows) {
  fmt::print("{}", table_of(rows));
  std::vector<double> leases;
  std::size_t failed = 0;
  for (const Row& row : rows) {
    if (row.record.stages.gpu_s > 0 && row.record.run == "device") {
      leases.push_back(row.record.stages.gpu_s);
    }
    if (row.passed) {
      continue;
    }
    ++failed;
    fmt::print("\n-- {}: {}, expected {}\n", row.name, row.got, row.expected);
    std::istringstream message(row.record.fault.value_or(row.record.message));
    std::string line;
    for (int i = 0; i < message_lines && std::getline(message, line); ++i) {
      fmt::print("   {}\n", report::one_line(line, 200));
    }
  }
  if (!leases.empty()) {
    std::nth_element(leases.begin(), leases.begin() + leases.size() / 2, leases.end());
    fmt::print("\nmedian lease: {:.2f} s, of {} candidates that reached the device\n", leases[leases.size() / 2],
               leases.size());
  }
  fmt::print("\n{} passed, {} failed\n", rows.size() - failed, failed);
  return failed;
}

int run_test(const Options& options) {
  const Installation installation = Installation::find();
  run::SessionOptions session;
  session.device = device::parse_device(options.device);
  const std::vector<Case> cases = read_cases(options, installation, session.device.cuda);
  Results results;
  if (!options.records.empty()) {
    results.records.open(options.records);
    if (!results.records) {
      throw UserError(fmt::format("--records {}: cannot be written", options.records));
    }
  }
  evaluate_all(installation, session, cases, results);
  for (const Case& item : cases) {
    if (item.same_code) {
      evaluate_same_code(installation, session, item, results);
    }
  }
  return print(results.rows) == 0 ? 0 : 1;
}

} // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Evaluates candidates on a device and compares their outcomes with what their first lines expect.");
  app.add_option("CANDIDATES_DIR", options.candidates)->required()->check(CLI::ExistingDirectory);
  app.add_option("--device", options.device, "cpu, cuda or cuda:N")->capture_default_str();
  app.add_flag("--quick", options.quick, "only the candidates that say '# quick'");
  app.add_option("--records", options.records, "where each record is written, one JSON a line");
  try {
    app.parse(argc, argv);
    return run_test(options);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const std::exception& error) {
    std::cerr << "device_candidates_test: " << error.what() << "\n";
    return 2;
  }
}
