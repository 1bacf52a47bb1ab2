#include "report/sections.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "metric/metric.h"
#include "report/figures.h"

namespace kernelbench::report {

namespace {

using metric::Slot;
using metric::Slots;
using Align = TextTable::Align;

constexpr std::size_t name_limit = 36;
constexpr std::size_t message_limit = 100;

// "1 task", "2 tasks".
std::string counted(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

// A part of the work that metrics are given for: one level, or all.
struct Scope {
  std::string name;
  std::optional<int> level;

  Slots of(const Slots& slots) const { return level ? metric::at_level(slots, *level) : slots; }
};

std::vector<Scope> scopes_of(const std::vector<int>& levels) {
  std::vector<Scope> scopes;
  for (const int level : levels) {
    scopes.push_back({level == 0 ? "other tasks" : fmt::format("level {}", level), level});
  }
  scopes.push_back({"all", std::nullopt});
  return scopes;
}

std::string fast_p_name(double p) {
  return p == 0 ? "fast_0 (correct)" : fmt::format("fast_{:g}", p);
}

// The circumstances of a run, each with all the values that occur: {"device": {"cpu (Example CPU)"}, ...}.
std::map<std::string, std::set<std::string>> circumstances_of(const std::vector<Record>& records) {
  std::map<std::string, std::set<std::string>> found;
  const auto add = [&](const char* what, const std::string& value) {
    if (!value.empty()) {
      found[what].insert(one_line(value, 80));
    }
  };
  for (const Record& record : records) {
    const Provenance& provenance = record.provenance;
    if (!provenance.device_name.empty()) { // a candidate that never ran does not know its device's name
      add("device", fmt::format("{} ({})", provenance.device, provenance.device_name));
    }
    add("preset", record.task_preset);
    if (record.timing) {
      add("protocol", record.timing->protocol);
    }
    if (record.check) {
      add("tolerance", record.check->tolerance);
    }
  }
  if (found["device"].empty() && !records.empty()) {
    add("device", records.front().provenance.device);
  }
  return found;
}

std::string heading_text(const RunReport& run, const Slots& slots) {
  std::string text = fmt::format("{}, {}, {}", counted(count_tasks(slots), "task"),
                                 counted(slots.size(), "planned sample"), counted(run.records.size(), "record"));
  const auto circumstances = circumstances_of(run.records);
  for (const char* what : {"device", "preset", "protocol", "tolerance"}) {
    const auto values = circumstances.find(what);
    text += fmt::format("; {} {}", what,
                        values == circumstances.end() ? "-" : fmt::format("{}", fmt::join(values->second, " and ")));
  }
  return text + ".";
}

void add_notes(Document& document, const RunReport& run, const Slots& slots) {
  if (const auto missing = static_cast<std::size_t>(metric::missing(slots).count); missing > 0) {
    document.push_back(Paragraph{fmt::format("{} without a record: counted as failed. `kernelbench run --resume {}` "
                                             "evaluates what is missing.",
                                             counted(missing, "planned sample"), one_line(run.run, name_limit))});
  }
  std::set<PlannedSample> planned(run.plan.begin(), run.plan.end());
  std::size_t outside = 0;
  for (const Record& record : run.records) {
    outside += !planned.empty() && !planned.contains({record.task_id, record.sample.value_or(0)}) ? 1 : 0;
  }
  if (outside > 0) {
    document.push_back(Paragraph{fmt::format("{} outside the plan: not counted.", counted(outside, "record"))});
  }
}

void add_metrics(Document& document, const Slots& slots, const std::vector<double>& thresholds) {
  const std::vector<Scope> scopes = scopes_of(metric::levels_of(slots));
  std::vector<Align> columns(scopes.size() + 1, Align::right);
  columns[0] = Align::left;
  TextTable table(columns);
  std::vector<std::string> titles = {"metric [95 % interval]"};
  for (const Scope& scope : scopes) {
    titles.push_back(scope.name);
  }
  table.add_row(titles);
  const auto add = [&](std::string name, const std::function<std::string(const Slots&)>& cell) {
    std::vector<std::string> row = {std::move(name)};
    for (const Scope& scope : scopes) {
      row.push_back(cell(scope.of(slots)));
    }
    table.add_row(row);
  };
  for (const double p : thresholds) {
    add(fast_p_name(p), [p](const Slots& part) { return share(metric::fast_p(part, p)); });
  }
  add("compiled", [](const Slots& part) { return share(metric::compiled_rate(part)); });
  add("geometric-mean speedup (of)", [](const Slots& part) { return average(metric::geometric_mean_speedup(part)); });
  add("median speedup (of)", [](const Slots& part) { return average(metric::median_speedup(part)); });
  add("planned samples", [](const Slots& part) { return fmt::format("{}", part.size()); });
  document.push_back(std::move(table));
}

void add_outcomes(Document& document, const Slots& slots) {
  std::map<std::pair<Outcome, std::string>, std::size_t> counts; // in the order of the pipeline
  for (const Slot& slot : slots) {
    if (!slot.missing() && !slot.faulted() && slot.record->outcome) {
      ++counts[{*slot.record->outcome, slot.record->cause}];
    }
  }
  TextTable table({Align::left, Align::left, Align::right});
  table.add_row({"outcome", "cause", "count"});
  for (const auto& [verdict, count] : counts) {
    table.add_row({std::string(name_of(verdict.first)), one_line(verdict.second, 40), fmt::format("{}", count)});
  }
  const auto add_other = [&](const char* name, const metric::Metric& number) {
    if (number.count > 0) {
      table.add_row({fmt::format("({})", name), "", fmt::format("{}", number.count)});
    }
  };
  add_other("fault", metric::faults(slots));
  add_other("no record", metric::missing(slots));
  document.push_back(Heading{2, "Outcomes"});
  document.push_back(std::move(table));
}

void add_tasks(Document& document, const Slots& slots) {
  TextTable table({Align::left, Align::left, Align::right, Align::left, Align::right, Align::right, Align::right});
  table.add_row({"task", "name", "sample", "outcome", "candidate ms", "reference ms", "speedup [95 % interval]"});
  for (const Slot& slot : slots) {
    std::vector<std::string> row = {one_line(slot.planned.task, 60),
                                    slot.missing() ? "" : one_line(slot.record->task_name, name_limit),
                                    fmt::format("{}", slot.planned.sample),
                                    verdict(slot),
                                    "",
                                    "",
                                    ""};
    if (!slot.missing() && slot.record->timing) {
      const TimingInfo& timing = *slot.record->timing;
      row[4] = significant(timing.candidate.mean_ms);
      row[5] = timing.reference.mean_ms > 0 ? significant(timing.reference.mean_ms) : "-";
      row[6] = speedup(timing);
    }
    table.add_row(row);
  }
  document.push_back(Heading{2, "Tasks"});
  document.push_back(std::move(table));
}

void add_faults(Document& document, const Slots& slots) {
  TextTable table({Align::left, Align::right, Align::left});
  table.add_row({"task", "sample", "what failed"});
  for (const Slot& slot : slots) {
    if (slot.faulted()) {
      table.add_row({one_line(slot.planned.task, 60), fmt::format("{}", slot.planned.sample),
                     one_line(*slot.record->fault, message_limit)});
    }
  }
  if (metric::faults(slots).count > 0) {
    document.push_back(Heading{2, "Faults"});
    document.push_back(
        Paragraph{"The harness failed here, not the candidates. A fault is no verdict; it counts as not done."});
    document.push_back(std::move(table));
  }
}

// What would make a difference between runs say nothing about their candidates.
void add_warnings(Document& document, const std::vector<RunReport>& runs, const std::vector<Slots>& slots) {
  std::vector<std::string> differences;
  for (const char* what : {"device", "preset", "protocol", "tolerance"}) {
    std::set<std::set<std::string>> values;
    for (const RunReport& run : runs) {
      auto circumstances = circumstances_of(run.records);
      if (circumstances.contains(what)) {
        values.insert(circumstances.at(what));
      }
    }
    if (values.size() > 1) {
      differences.emplace_back(what);
    }
  }
  std::set<std::set<std::string>> tasks;
  for (const Slots& of_run : slots) {
    std::set<std::string> ids;
    for (const Slot& slot : of_run) {
      ids.insert(slot.planned.task);
    }
    tasks.insert(ids);
  }
  if (tasks.size() > 1) {
    differences.emplace_back("tasks");
  }
  if (!differences.empty()) {
    document.push_back(
        Paragraph{fmt::format("Careful: these runs differ in {}; a difference between their numbers may come "
                              "from that.",
                              fmt::join(differences, ", "))});
  }
}

} // namespace

std::size_t count_tasks(const Slots& slots) {
  std::set<std::string> tasks;
  for (const Slot& slot : slots) {
    tasks.insert(slot.planned.task);
  }
  return tasks.size();
}

void add_run(Document& document, const RunReport& run, const std::vector<double>& thresholds) {
  const Slots slots = metric::fill(run.plan, run.records);
  document.push_back(Heading{1, fmt::format("Run {}", one_line(run.run, 80))});
  document.push_back(Paragraph{heading_text(run, slots)});
  add_notes(document, run, slots);
  add_metrics(document, slots, thresholds);
  add_outcomes(document, slots);
  add_tasks(document, slots);
  add_faults(document, slots);
}

void add_comparison(Document& document, const std::vector<RunReport>& runs, const std::vector<double>& thresholds) {
  std::vector<Slots> slots;
  std::set<int> levels;
  std::vector<std::string> titles = {"tasks", "metric"};
  for (const RunReport& run : runs) {
    slots.push_back(metric::fill(run.plan, run.records));
    std::ranges::copy(metric::levels_of(slots.back()), std::inserter(levels, levels.end()));
    titles.push_back(one_line(run.run, name_limit));
  }
  std::vector<Align> columns(titles.size(), Align::right);
  columns[0] = columns[1] = Align::left;
  TextTable table(columns);
  table.add_row(titles);
  for (const Scope& scope : scopes_of({levels.begin(), levels.end()})) {
    for (const double p : thresholds) {
      std::vector<std::string> row = {scope.name, fast_p_name(p)};
      for (const Slots& of_run : slots) {
        row.push_back(share(metric::fast_p(scope.of(of_run), p)));
      }
      table.add_row(row);
    }
  }
  document.push_back(Heading{1, "fast_p side by side [95 % interval]"});
  add_warnings(document, runs, slots);
  document.push_back(std::move(table));
}

} // namespace kernelbench::report
