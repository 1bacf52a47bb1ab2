#include "report/story.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "report/figures.h"

namespace kernelbench::report {

namespace {

constexpr std::size_t line_limit = 150;
constexpr int message_lines = 4;

// Lines of "label      text"; a line without a label continues the one before.
class Lines {
public:
  void add(std::string_view label, std::string_view text) {
    text_ += fmt::format("{:<11}{}\n", label, one_line(text, line_limit));
  }
  std::string take() { return std::move(text_); }

private:
  std::string text_;
};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (line.find_first_not_of(" \t\r") != std::string::npos) {
      lines.push_back(line);
    }
  }
  return lines;
}

std::string task_text(const Record& record) {
  std::string text = fmt::format("{} {}, preset {}", record.task_id, record.task_name, record.task_preset);
  if (!record.run.empty()) {
    text += fmt::format(", sample {} of run {}", record.sample.value_or(0), record.run);
  }
  return text;
}

std::string candidate_text(const Record& record, const std::string& source) {
  if (record.candidate_sha256.empty()) {
    return "none: the answer of the LM held no code that defines ModelNew";
  }
  std::string text = record.candidate_sha256.substr(0, 12);
  if (!record.candidate_language.empty()) {
    text += ", " + record.candidate_language;
  }
  if (!source.empty()) {
    text += fmt::format(", {} lines, {} bytes", std::ranges::count(source, '\n') + (source.ends_with('\n') ? 0 : 1),
                        source.size());
  }
  return record.candidate_path.empty() ? text : fmt::format("{}, from {}", text, record.candidate_path);
}

std::string build_text(const BuildInfo& build) {
  if (build.units == 0) {
    return fmt::format("nothing to compile, {} s", significant(build.seconds));
  }
  return fmt::format("{} extension unit{}, tier {}, {} s", build.units, build.units == 1 ? "" : "s", build.tier,
                     significant(build.seconds));
}

// The lines of a compiler's log that say why: the first errors, or else its end.
std::vector<std::string> telling_lines(const std::string& log) {
  const std::vector<std::string> lines = lines_of(log);
  std::vector<std::string> errors;
  std::ranges::copy_if(lines, std::back_inserter(errors),
                       [](const std::string& line) { return line.find("error") != std::string::npos; });
  if (errors.empty() && !lines.empty()) {
    errors.push_back(lines.back());
  }
  errors.resize(std::min<std::size_t>(errors.size(), 2));
  return errors;
}

void add_verdict(Lines& lines, const Record& record) {
  lines.add("verdict", verdict(record));
  int shown = 0;
  const auto messages = lines_of(record.fault ? *record.fault : record.message);
  for (const std::string& line : messages) {
    if (shown++ == message_lines) {
      lines.add("", fmt::format("... ({} more lines)", static_cast<int>(messages.size()) - message_lines));
      break;
    }
    lines.add("", line);
  }
  if (record.outcome == Outcome::build_failed) {
    for (const std::string& line : telling_lines(record.build.log)) {
      lines.add("", line);
    }
  }
}

void add_check(Lines& lines, const CheckInfo& check) {
  lines.add("check", fmt::format("{} of {} trials passed, tolerance {}; largest error {} absolute, {} relative",
                                 check.passed, check.trials, check.tolerance, significant(check.max_abs_error),
                                 significant(check.max_rel_error)));
  if (check.worst) {
    const WorstElement& worst = *check.worst;
    lines.add(
        "worst",
        fmt::format("trial {}, output {}, element {}: expected {:.9g}, got {:.9g}{}", worst.trial, worst.output,
                    worst.index, worst.expected, worst.got,
                    check.mismatches > 0 ? fmt::format(" ({} elements outside the tolerance)", check.mismatches) : ""));
  }
}

std::string statistics_text(const TimingStatistics& statistics) {
  return fmt::format("{} ms +- {} (min {}, median {}, max {}, n {})", significant(statistics.mean_ms),
                     significant(statistics.std_ms), significant(statistics.min_ms), significant(statistics.median_ms),
                     significant(statistics.max_ms), statistics.n);
}

void add_timing(Lines& lines, const TimingInfo& timing) {
  lines.add("timing", fmt::format("candidate {}", statistics_text(timing.candidate)));
  lines.add("", fmt::format("reference {}", statistics_text(timing.reference)));
  const std::string text = fmt::format("{} x, protocol {}, {}", speedup(timing), timing.protocol,
                                 timing.verified ? "every timed output verified" : "timed outputs not verified");
  lines.add("speedup", text);
  std::map<std::string, std::vector<std::string>> thresholds; // of each decision
  for (const auto& [threshold, decided] : timing.decision) {
    thresholds[decided].push_back(threshold);
  }
  std::vector<std::string> decisions;
  for (const auto& [decided, those] : thresholds) {
    decisions.push_back(fmt::format("{} at p = {}", decided, fmt::join(those, ", ")));
  }
  if (!decisions.empty()) {
    lines.add("decision", fmt::format("{}", fmt::join(decisions, "; ")));
  }
}

std::string stages_text(const Stages& stages) {
  return fmt::format(
      "queue {:.2f}, build {:.2f}, load {:.2f}, check {:.2f}, time {:.2f}; total {:.2f} s, device held {:.2f} s",
      stages.queue_s, stages.build_s, stages.load_s, stages.check_s, stages.time_s, stages.total_s, stages.gpu_s);
}

std::string place_text(const Provenance& provenance) {
  std::vector<std::string> parts = {provenance.device_name.empty()
                                        ? provenance.device
                                        : fmt::format("{} ({})", provenance.device, provenance.device_name)};
  const auto add = [&](const char* what, const std::string& value) {
    if (!value.empty()) {
      parts.push_back(fmt::format("{} {}", what, value));
    }
  };
  add("torch", provenance.torch);
  add("CUDA", provenance.cuda);
  add("sandbox", provenance.sandbox);
  return fmt::format("{}", fmt::join(parts, ", "));
}

} // namespace

std::string story(const Record& record, const std::string& candidate_source) {
  Lines lines;
  lines.add("task", task_text(record));
  lines.add("candidate", candidate_text(record, candidate_source));
  if (!record.candidate_sha256.empty()) {
    lines.add("build", build_text(record.build));
  }
  add_verdict(lines, record);
  if (record.check) {
    add_check(lines, *record.check);
  }
  if (record.timing) {
    add_timing(lines, *record.timing);
  }
  lines.add("stages", stages_text(record.stages));
  lines.add("on", place_text(record.provenance));
  if (!record.run.empty()) { // a single evaluation is kept nowhere
    lines.add("record", record.id);
  }
  return lines.take();
}

} // namespace kernelbench::report
