#include "cli/evaluation_options.h"

#include "cli/command.h"

namespace kernelbench::cli {

void EvaluationOptions::add_to(CLI::App& command) {
  command.add_option("--device", device, "cpu, cuda or cuda:N (default: cuda where there is a GPU, else cpu)");
  command.add_option("--preset", preset, "sizes of the task: paper, smoke, ... (default: paper on a GPU, smoke on a CPU)");
  command.add_option("--protocol", protocol, "how time is taken: paper (3 warm-ups, 100 trials; the default) or none")
      ->check(CLI::IsMember({"paper", "none"}));
  command.add_option("--tolerance", tolerance, "paper (1e-2; the default) or upstream (1e-4 for fp32, 1e-2 for half types)")
      ->check(CLI::IsMember({"paper", "upstream"}));
  command.add_option("--precision", precision, "of the reference and of inputs: fp32 (the default), tf32, bf16 or fp16")
      ->check(CLI::IsMember({"fp32", "tf32", "bf16", "fp16"}));
  command.add_option("--trials", trials, "correctness trials, each with fresh inputs (default 5)")
      ->check(CLI::Range(1, 1000));
  command.add_option("--limit-s", limit_s, "seconds that each stage may take (build, load, check, time)")
      ->check(CLI::PositiveNumber);
  command.add_option("--sandbox", sandbox, "namespaces, or off for candidates that you trust")
      ->check(CLI::IsMember({"namespaces", "off"}))
      ->capture_default_str();
}

void EvaluationOptions::apply_to(run::SessionOptions& options, const Installation& installation) const {
  options.device = choose_device(device, installation);
  options.sandbox = sandbox::parse_profile(sandbox);
  evaluate::Request& request = options.request;
  request.protocol = protocol.value_or(request.protocol);
  request.tolerance = tolerance.value_or(request.tolerance);
  request.precision = precision.value_or(request.precision);
  request.trials = trials.value_or(request.trials);
  if (limit_s) {
    Limits& limits = request.limits;
    limits.build_s = limits.load_s = limits.check_s = limits.time_s = *limit_s;
  }
}

} // namespace kernelbench::cli
