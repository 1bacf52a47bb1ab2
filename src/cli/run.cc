#include <fmt/chrono.h>
#include <fmt/format.h>

#include <atomic>
#include <csignal>
#include <ctime>
#include <iostream>
#include <memory>

#include "base/file.h"
#include "base/line_printer.h"
#include "cli/command.h"
#include "cli/evaluation_options.h"
#include "cli/exit_status.h"
#include "extract/candidate_file.h"
#include "extract/extract.h"
#include "generate/replay.h"
#include "report/report.h"
#include "run/specification.h"
#include "run/work.h"
#include "task/open.h"

namespace kernelbench::cli {

namespace {

namespace fs = std::filesystem;

struct RunOptions {
  std::string specification;
  std::string candidates;
  std::string name;
  std::string resume;
  std::string tasks_directory;
  EvaluationOptions evaluation;
};

std::atomic<bool> interrupted = false;

// The text of a specification that a run with --candidates leaves in the store, to be resumed by.
struct Prepared {
  std::string name;
  std::string specification;
  run::SessionOptions session;
  std::string preset;
  std::vector<run::Work> work;
  std::vector<Generation> generations; // answers that the run used
};

struct Tasks {
  task::Catalog catalog;
  task::Presets presets;
};

Tasks tasks_of(const Installation& installation, const std::string& directory) {
  return {task::Catalog::load(directory.empty() ? installation.data / "tasks" : fs::path(directory)),
          task::Presets::load(installation.data / "presets")};
}

Prepared from_specification(const RunOptions& options, const run::Specification& specification,
                            const Installation& installation) {
  Prepared prepared;
  prepared.name = options.name.empty() ? specification.name : options.name;
  prepared.specification = specification.text;
  evaluate::Request& request = prepared.session.request;
  request.protocol = specification.protocol;
  request.tolerance = specification.tolerance;
  request.precision = specification.precision;
  request.trials = specification.trials;
  request.limits = specification.limits;
  EvaluationOptions given = options.evaluation;
  given.device = given.device.empty() ? specification.device : given.device;
  given.apply_to(prepared.session, installation);
  prepared.preset = choose_preset(given.preset.empty() ? specification.preset : given.preset, prepared.session.device);

  const Tasks tasks = tasks_of(installation, options.tasks_directory);
  const fs::path answers = specification.model.ends_with(".jsonl")
                               ? fs::path(specification.model)
                               : installation.data / "generations" / (specification.model + ".jsonl");
  const std::vector<Generation> recorded = generate::read_generations(answers);
  for (const task::Entry& entry : tasks.catalog.select(specification.tasks)) {
    for (int sample = 0; sample < specification.samples; ++sample) {
      const auto answer = std::find_if(recorded.begin(), recorded.end(), [&](const Generation& generation) {
        return generation.task_id == entry.id && generation.sample == sample;
      });
      if (answer == recorded.end()) {
        throw UserError(fmt::format("{} has no answer for {} sample {}: leave that task out of [run] tasks, or ask for fewer "
                                    "samples",
                                    answers.string(), entry.id, sample));
      }
      run::Work item{task::open_task(tasks.catalog, tasks.presets, entry.id, prepared.preset), sample, {}, {}, {}};
      extract::Extraction extraction = extract::extract_candidate(answer->answer);
      if (extraction.cause.empty()) {
        item.candidate = make_candidate(std::move(extraction.source), {}, sample);
      } else {
        item.cause = extraction.cause;
        item.message = extraction.message;
      }
      prepared.work.push_back(std::move(item));
      prepared.generations.push_back(*answer);
    }
  }
  return prepared;
}

Prepared from_candidates(const RunOptions& options, const Installation& installation) {
  Prepared prepared;
  const fs::path directory = options.candidates;
  if (!fs::is_directory(directory)) {
    throw UserError(fmt::format("--candidates {}: no such folder", directory.string()));
  }
  prepared.name = options.name.empty()
                      ? fmt::format("{}-{:%Y%m%d-%H%M%S}", fs::absolute(directory).lexically_normal().filename().string(),
                                    fmt::gmtime(std::time(nullptr)))
                      : options.name;
  options.evaluation.apply_to(prepared.session, installation);
  prepared.preset = choose_preset(options.evaluation.preset, prepared.session.device);
  const Tasks tasks = tasks_of(installation, options.tasks_directory);
  for (const fs::directory_entry& file : fs::directory_iterator(directory)) {
    const auto name = extract::parse_candidate_file_name(file.path().filename().string());
    if (!name) {
      continue;
    }
    const std::string id = fmt::format("level{}/{}", name->level, name->problem);
    run::Work item{task::open_task(tasks.catalog, tasks.presets, id, prepared.preset), name->sample, {}, {}, {}};
    item.candidate = extract::read_candidate_file(file.path());
    prepared.work.push_back(std::move(item));
  }
  if (prepared.work.empty()) {
    throw UserError(fmt::format("{} holds no candidates: files named level_<L>_problem_<P>_sample_<S>_kernel.py are taken",
                                directory.string()));
  }
  std::sort(prepared.work.begin(), prepared.work.end(), [](const run::Work& a, const run::Work& b) {
    return std::tie(a.task.level, a.task.number, a.sample) < std::tie(b.task.level, b.task.number, b.sample);
  });
  prepared.specification = fmt::format("# run --candidates {}\n", directory.string());
  return prepared;
}

Prepared prepare(const RunOptions& options, store::Store& store, const Installation& installation) {
  const int given = (options.specification.empty() ? 0 : 1) + (options.candidates.empty() ? 0 : 1);
  if (options.resume.empty()) {
    if (given != 1) {
      throw UserError("run takes a specification (SPEC.toml), or --candidates DIR, or --resume RUN: one of them");
    }
    return options.candidates.empty()
               ? from_specification(options, run::read_specification(options.specification), installation)
               : from_candidates(options, installation);
  }
  const auto row = store.find_run(options.resume);
  if (!row) {
    throw UserError(fmt::format("--resume {}: there is no such run in {}", options.resume, store.path().string()));
  }
  RunOptions again = options;
  again.name = options.resume;
  if (!options.candidates.empty()) {
    return from_candidates(again, installation);
  }
  if (row->specification.starts_with("# run --candidates")) {
    throw UserError(fmt::format("run {} took its candidates from a folder: give --candidates DIR along with --resume",
                                options.resume));
  }
  return from_specification(again, run::parse_specification(row->specification, "run " + options.resume), installation);
}

std::string describe(const Record& record) {
  const std::string what = fmt::format("{:<12} sample {}", record.task_id, record.sample.value_or(0));
  if (record.fault) {
    return fmt::format("{}  FAULT of the harness: {}", what, record.fault->substr(0, record.fault->find('\n')));
  }
  std::string text = fmt::format("{}  {}", what, name_of(*record.outcome));
  if (!record.cause.empty()) {
    text += "/" + record.cause;
  }
  if (record.timing) {
    text += fmt::format("  {:.3g}x  ({:.3g} ms, reference {:.3g} ms)", record.timing->speedup, record.timing->candidate.mean_ms,
                        record.timing->reference.mean_ms);
  }
  return text;
}

// What goes on with the run as it began: a specification is in the store, what was given on the command line is not.
std::string resume_command(const std::string& name, const RunOptions& options, const Global& global) {
  const EvaluationOptions& given = options.evaluation;
  std::string command = "kernelbench run --resume " + name;
  const auto add = [&](std::string_view flag, const std::string& value) {
    command += value.empty() ? "" : fmt::format(" {} {}", flag, value);
  };
  add("--candidates", options.candidates);
  add("--tasks", options.tasks_directory);
  add("--device", given.device);
  add("--preset", given.preset);
  add("--protocol", given.protocol.value_or(""));
  add("--tolerance", given.tolerance.value_or(""));
  add("--precision", given.precision.value_or(""));
  add("--trials", given.trials ? fmt::format("{}", *given.trials) : "");
  add("--limit-s", given.limit_s ? fmt::format("{}", *given.limit_s) : "");
  add("--sandbox", given.sandbox == "namespaces" ? "" : given.sandbox);
  add("--store", global.store);
  return command;
}

int run_all(const RunOptions& options, const Global& global) {
  const Installation installation = Installation::find();
  store::Store store = store::Store::open(global.store_path());
  const Prepared prepared = prepare(options, store, installation);
  const auto session = run::Session::open(installation, prepared.session);
  const std::string plan = plan_to_json(run::plan_of(prepared.work));
  if (options.resume.empty()) {
    store.create_run({prepared.name, {}, prepared.specification, plan});
  } else if (store.find_run(prepared.name)->plan != plan) {
    throw UserError(fmt::format("--resume {}: the run was planned for other tasks or samples than there are now; give those it "
                                "began with, or start another run",
                                prepared.name));
  }
  // A run that was stopped early has not all of them.
  if (store.generations(prepared.name).size() < prepared.generations.size()) {
    for (const Generation& generation : prepared.generations) {
      store.put_generation(prepared.name, generation);
    }
  }
  std::signal(SIGINT, [](int) { interrupted = true; });
  std::signal(SIGTERM, [](int) { interrupted = true; });
  LinePrinter printer(stderr);
  if (!global.quiet) {
    printer.line(fmt::format("run {}: {} candidates on {} at preset {}, protocol {}, tolerance {}", prepared.name,
                             prepared.work.size(), prepared.session.device.text(), prepared.preset,
                             prepared.session.request.protocol, prepared.session.request.tolerance));
    printer.state("building");
  }
  std::size_t faults = 0;
  const bool complete = run::execute(
      prepared.name, prepared.work, *session, store,
      [&](const run::Progress& progress) {
        faults += progress.record->fault ? 1 : 0;
        if (!global.quiet) {
          printer.line(fmt::format("[{}/{}] {}", progress.done, progress.total, describe(*progress.record)));
        }
      },
      [] { return interrupted.load(); });
  if (!complete) {
    std::cerr << fmt::format("kernelbench: stopped; go on with '{}'\n", resume_command(prepared.name, options, global));
    return exit_fault;
  }
  store.finish_run(prepared.name);
  std::cout << report::render({{prepared.name, run::plan_of(prepared.work), store.records(prepared.name)}},
                              report::default_thresholds, report::Format::text)
            << std::flush;
  return faults == 0 ? exit_done : exit_fault;
}

} // namespace

void add_run(CLI::App& app, const Global& global, Action& action) {
  CLI::App* command = app.add_subcommand("run", "evaluate many candidates, store every record, print the report");
  const auto options = std::make_shared<RunOptions>();
  command->add_option("SPEC", options->specification, "run specification, TOML");
  command->add_option("--candidates", options->candidates, "folder of level_<L>_problem_<P>_sample_<S>_kernel.py files");
  command->add_option("--name", options->name, "of the run (default: the specification's, or the folder's and the time)");
  command->add_option("--resume", options->resume, "go on with a run that was stopped");
  command->add_option("--tasks", options->tasks_directory, "folder of task files, instead of the suite's own");
  options->evaluation.add_to(*command);
  command->footer("Examples:\n  kernelbench run strong.toml\n  kernelbench run --candidates runs/mine --device cpu");
  command->callback([options, &global, &action] { action = [options, &global] { return run_all(*options, global); }; });
}

} // namespace kernelbench::cli
