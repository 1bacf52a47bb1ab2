#include <fmt/format.h>

#include <iostream>
#include <memory>

#include "cli/command.h"
#include "cli/exit_status.h"
#include "report/report.h"
#include "report/story.h"
#include "store/store.h"

namespace kernelbench::cli {

namespace {

struct ReportOptions {
  std::vector<std::string> runs;
  std::vector<double> thresholds = report::default_thresholds;
  std::string format = "text";
  std::string record;
  std::string task;
  int sample = 0;
};

std::string known_runs(store::Store& store) {
  std::string names;
  for (const store::RunRow& row : store.runs()) {
    names += (names.empty() ? "" : ", ") + row.name;
  }
  return names.empty() ? "there are none yet: start one with 'kernelbench run'" : "there are " + names;
}

int tell_story(store::Store& store, const Record& record) {
  std::cout << report::story(record, store.candidate_source(record.candidate_sha256).value_or("")) << std::flush;
  return exit_done;
}

int report_runs(const ReportOptions& options, const Global& global) {
  const report::Format format = report::parse_format(options.format);
  store::Store store = store::Store::open(global.store_path());
  if (!options.record.empty()) {
    const auto record = store.record(options.record);
    if (!record) {
      throw UserError(fmt::format("no record '{}' in {}", options.record, store.path().string()));
    }
    return tell_story(store, *record);
  }
  if (options.runs.empty()) {
    throw UserError("which run? " + known_runs(store));
  }
  std::vector<report::RunReport> reports;
  for (const std::string& name : options.runs) {
    const auto row = store.find_run(name);
    if (!row) {
      throw UserError(fmt::format("no run '{}' in {}: {}", name, store.path().string(), known_runs(store)));
    }
    reports.push_back({name, plan_from_json(row->plan), store.records(name)});
  }
  if (!options.task.empty()) {
    for (const Record& record : reports.front().records) {
      if ((record.task_id == options.task || record.task_name == options.task) && record.sample.value_or(0) == options.sample) {
        return tell_story(store, record);
      }
    }
    throw UserError(fmt::format("run '{}' has no record of {} sample {}: 'kernelbench report {}' lists what it has",
                                options.runs.front(), options.task, options.sample, options.runs.front()));
  }
  std::cout << report::render(reports, options.thresholds, format) << std::flush;
  return exit_done;
}

} // namespace

void add_report(CLI::App& app, const Global& global, Action& action) {
  CLI::App* command = app.add_subcommand("report", "metrics and tables of one or several runs");
  const auto options = std::make_shared<ReportOptions>();
  command->add_option("RUN", options->runs, "names of runs");
  command->add_option("--p", options->thresholds, "thresholds of fast_p")->delimiter(',')->capture_default_str();
  command->add_option("--format", options->format, "text, markdown, json or csv")->capture_default_str();
  command->add_option("--task", options->task, "tell the story of the run's candidate for this task");
  command->add_option("--sample", options->sample, "with --task: which of the task's candidates")->capture_default_str();
  command->add_option("--record", options->record, "tell the story of the record with this id");
  command->footer("Example:\n  kernelbench report strong weak --p 0,1,2 --format markdown\n"
                  "  kernelbench report weak --task level1/26");
  command->callback([options, &global, &action] { action = [options, &global] { return report_runs(*options, global); }; });
}

} // namespace kernelbench::cli
