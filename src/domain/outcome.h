#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace kernelbench {

// What became of a candidate. The list is closed; `cause` refines it. Depends on the standard library only, since the
// judge uses it too.
enum class Outcome : std::uint8_t {
  not_extracted, // the LM's answer held no candidate
  rejected,      // the static policy refused it
  build_failed,
  crashed,
  timed_out,
  out_of_memory,
  wrong_output,
  cheated, // a defence of the harness fired
  correct,
};

// The classes of the paper's Figure 2 (§4.2).
enum class OutcomeClass : std::uint8_t { execution_failure, correctness_error, correct };

std::string_view name_of(Outcome outcome);
std::optional<Outcome> parse_outcome(std::string_view name);
OutcomeClass class_of(Outcome outcome);
std::string_view name_of(OutcomeClass outcome_class);

// The causes that refine an outcome. Empty for `correct` (it has none), and for `rejected` and `cheated`, whose cause is
// the name of the rule or of the defence that fired.
std::span<const std::string_view> causes_of(Outcome outcome);
// Every outcome, in the order of the enum.
std::span<const Outcome> all_outcomes();

} // namespace kernelbench
