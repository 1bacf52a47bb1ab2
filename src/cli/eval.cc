#include <fmt/format.h>

#include <iostream>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/evaluation_options.h"
#include "cli/exit_status.h"
#include "extract/candidate_file.h"
#include "report/story.h"
#include "run/session.h"
#include "task/open.h"

namespace kernelbench::cli {

namespace {

struct EvalOptions {
  std::string task;
  std::string candidate;
  std::string tasks_directory;
  std::string expect;
  bool json = false;
  EvaluationOptions evaluation;
};

int eval(const EvalOptions& options, const Global& global) {
  std::optional<Outcome> expected;
  if (!options.expect.empty()) {
    expected = parse_outcome(options.expect);
    if (!expected) {
      std::string names;
      for (const Outcome outcome : all_outcomes()) {
        names += fmt::format(" {}", name_of(outcome));
      }
      throw UserError(fmt::format("--expect {}: no such outcome; there are:{}", options.expect, names));
    }
  }
  const Installation installation = Installation::find();
  run::SessionOptions session_options;
  options.evaluation.apply_to(session_options, installation);
  const auto catalog = task::Catalog::load(options.tasks_directory.empty() ? installation.data / "tasks"
                                                                           : std::filesystem::path(options.tasks_directory));
  const auto presets = task::Presets::load(installation.data / "presets");
  const Task task = task::open_task(catalog, presets, options.task,
                                    choose_preset(options.evaluation.preset, session_options.device));
  const Candidate candidate = extract::read_candidate_file(options.candidate);
  if (!global.quiet && !options.json) {
    fmt::print("evaluating {} on {}: {} at preset {}, protocol {}, tolerance {}\n", options.candidate,
               session_options.device.text(), task.id, task.preset, session_options.request.protocol,
               session_options.request.tolerance);
  }
  const auto session = run::Session::open(installation, session_options);
  session->warm_up(build::Builder::has_units(candidate));
  const run::SessionRecord result = session->evaluate({}, task, candidate, session->build(task, candidate));
  const Record& record = result.record;
  if (options.json) {
    std::cout << to_json(record).dump() << std::endl;
  } else if (!result.task_is_bad) {
    std::cout << report::story(record, candidate.source) << std::flush;
  }
  if (record.fault) {
    std::cerr << "kernelbench: " << *record.fault << "\n";
    return result.task_is_bad ? exit_usage : exit_fault;
  }
  if (expected && record.outcome != expected) {
    std::cerr << fmt::format("kernelbench: expected {}, but the outcome is {}\n", options.expect, name_of(*record.outcome));
    return exit_not_expected;
  }
  return exit_done;
}

} // namespace

void add_eval(CLI::App& app, const Global& global, Action& action) {
  CLI::App* command = app.add_subcommand("eval", "evaluate one candidate: build, check, time");
  const auto options = std::make_shared<EvalOptions>();
  command->add_option("TASK", options->task, "id (level1/19, 1/19), name, or path of a task file")->required();
  command->add_option("CANDIDATE", options->candidate, "Python file that defines ModelNew")->required();
  command->add_option("--tasks", options->tasks_directory, "folder of task files to take TASK from, instead of the suite's own");
  command->add_option("--expect", options->expect, "exit with 1 unless this is the outcome");
  command->add_flag("--json", options->json, "print one record as JSON and nothing else");
  options->evaluation.add_to(*command);
  command->footer("Example:\n  kernelbench eval level1/19 my_relu.py --preset smoke --device cpu");
  command->callback([options, &global, &action] { action = [options, &global] { return eval(*options, global); }; });
}

} // namespace kernelbench::cli
