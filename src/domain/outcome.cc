#include "domain/outcome.h"

#include <array>
#include <vector>

namespace kernelbench {

namespace {

struct Entry {
  Outcome outcome;
  std::string_view name;
  OutcomeClass outcome_class;
  std::vector<std::string_view> causes;
};

const std::array<Entry, 9>& entries() {
  using enum Outcome;
  static const std::array<Entry, 9> table{{
      {not_extracted, "not_extracted", OutcomeClass::execution_failure, {"no_code_block", "no_model_new", "syntax_error"}},
      {rejected, "rejected", OutcomeClass::execution_failure, {}},
      {build_failed, "build_failed", OutcomeClass::execution_failure, {"compiler", "linker", "import", "missing_tool"}},
      {crashed, "crashed", OutcomeClass::execution_failure,
       {"exception", "signal", "illegal_memory_access", "launch_failure", "exited_early"}},
      {timed_out, "timed_out", OutcomeClass::execution_failure, {"build", "load", "check", "time"}},
      {out_of_memory, "out_of_memory", OutcomeClass::execution_failure, {"host", "device", "disk", "processes"}},
      {wrong_output, "wrong_output", OutcomeClass::correctness_error,
       {"type", "count", "shape", "dtype", "device", "value", "nan", "nondeterministic", "input_mutated"}},
      {cheated, "cheated", OutcomeClass::correctness_error, {}},
      {Outcome::correct, "correct", OutcomeClass::correct, {}},
  }};
  return table;
}

const Entry& entry_of(Outcome outcome) { return entries()[static_cast<std::size_t>(outcome)]; }

} // namespace

std::string_view name_of(Outcome outcome) { return entry_of(outcome).name; }

std::optional<Outcome> parse_outcome(std::string_view name) {
  for (const Entry& entry : entries()) {
    if (entry.name == name) {
      return entry.outcome;
    }
  }
  return std::nullopt;
}

OutcomeClass class_of(Outcome outcome) { return entry_of(outcome).outcome_class; }

std::string_view name_of(OutcomeClass outcome_class) {
  switch (outcome_class) {
  case OutcomeClass::execution_failure: return "execution failure";
  case OutcomeClass::correctness_error: return "correctness error";
  case OutcomeClass::correct: return "correct";
  }
  return "";
}

std::span<const std::string_view> causes_of(Outcome outcome) { return entry_of(outcome).causes; }

std::span<const Outcome> all_outcomes() {
  static const auto outcomes = [] {
    std::array<Outcome, 9> all{};
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i] = entries()[i].outcome;
    }
    return all;
  }();
  return outcomes;
}

} // namespace kernelbench
