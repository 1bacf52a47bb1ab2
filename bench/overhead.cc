// The harness's own time per CPU evaluation, as a run or the service spends it: everything from the candidate's text to the
// record (fork, import, five checks, 206 calls' worth of messages, copies and comparisons), less the model's own calls.
// Beside it, in the same minutes: starting an interpreter that imports torch, which is what evaluating each candidate in a
// fresh Python process costs before it has done anything.
//
// usage: overhead_bench [evaluations of each candidate, default 15 [folder of flows, default: this source tree's]]

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "base/clock.h"
#include "base/text_table.h"
#include "extract/candidate_file.h"
#include "run/session.h"
#include "task/open.h"

namespace {

using namespace kernelbench;
namespace fs = std::filesystem;

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

double sum(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

struct Case {
  std::string name;
  std::string task;
  fs::path candidate;
};

int run_bench(int repetitions, const fs::path& flows) {
  const Installation installation = Installation::find();
  const auto session = run::Session::open(installation, {});
  session->warm_up(true);
  const auto catalog = task::Catalog::load(installation.data / "tasks");
  const auto presets = task::Presets::load(installation.data / "presets");
  const std::vector<Case> cases = {{"plain PyTorch", "level1/19", flows / "plain_pytorch" / "candidate.py"},
                                   {"load_inline, cached", "level1/19", flows / "cpp_at_import" / "candidate.py"}};
  using enum TextTable::Align;
  TextTable table({left, right, right, right, right, right});
  table.add_row({"candidate", "evaluation s", "model's calls s", "harness's own s", "import torch s", "import / own"});
  for (const Case& item : cases) {
    const Task task = task::open_task(catalog, presets, item.task, "smoke");
    const Candidate candidate = extract::read_candidate_file(item.candidate);
    (void)session->build(task, candidate); // so that the cache has it
    std::vector<double> total;
    std::vector<double> calls;
    std::vector<double> own;
    std::vector<double> import;
    for (int i = 0; i < repetitions; ++i) {
      double start = monotonic_seconds();
      const auto record = session->evaluate({}, task, candidate, session->build(task, candidate)).record;
      total.push_back(monotonic_seconds() - start);
      if (!record.timing) {
        fmt::print(stderr, "overhead_bench: {} was not correct: {}\n", item.name, record.message);
        return 1;
      }
      calls.push_back((sum(record.timing->candidate_samples_ms) + sum(record.timing->reference_samples_ms)) / 1e3);
      own.push_back(total.back() - calls.back());
      start = monotonic_seconds();
      const Output output = run_program({installation.python().string(), "-c", "import torch"}, 120);
      import.push_back(monotonic_seconds() - start);
      if (output.exit_status != 0) {
        fmt::print(stderr, "overhead_bench: import torch failed: {}\n", output.text);
        return 1;
      }
    }
    table.add_row({item.name, fmt::format("{:.3f}", median(total)), fmt::format("{:.3f}", median(calls)),
                   fmt::format("{:.3f}", median(own)), fmt::format("{:.3f}", median(import)),
                   fmt::format("{:.1f}", median(import) / median(own))});
  }
  fmt::print("{}medians of {} evaluations each, protocol paper, preset smoke\n", table.plain(), repetitions);
  return 0;
}

} // namespace

int main(int argc, char** argv) {
  return run_bench(argc > 1 ? std::max(1, std::atoi(argv[1])) : 15,
                   argc > 2 ? argv[2] : KERNELBENCH_SOURCE_DIR "/tests/flows");
}
