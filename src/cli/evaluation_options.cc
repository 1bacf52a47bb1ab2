#include "cli/evaluation_options.h"

#include "cli/command.h"

namespace kernelbench::cli {

void EvaluationOptions::add_to(CLI::App& command) {
  command.add_option("--device", device, "cpu, cuda or cuda:N (default: cuda where there is a GPU, else cpu)");
  command.add_option("--preset", preset, "sizes of the task: paper, smoke, ... (default: paper on a GPU, smoke on a CPU)");
  command.add_option("--protocol", protocol, "how time is taken: paper (3 warm-ups, 100 trials) or none")
      ->check(CLI::IsMember({"paper", "none"}))
      ->capture_default_str();
  command.add_option("--tolerance", tolerance, "paper (1e-2) or upstream (1e-4 for fp32, 1e-2 for half types)")
      ->check(CLI::IsMember({"paper", "upstream"}))
      ->capture_default_str();
  command.add_option("--precision", precision, "of the reference and of inputs: fp32, tf32, bf16 or fp16")
      ->check(CLI::IsMember({"fp32", "tf32", "bf16", "fp16"}))
      ->capture_default_str();
  command.add_option("--trials", trials, "correctness trials, each with fresh inputs")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command.add_option("--limit-s", limit_s, "seconds that each stage may take (build, load, check, time)")
      ->check(CLI::PositiveNumber);
  command.add_option("--sandbox", sandbox, "namespaces, or off for candidates that you trust")
      ->check(CLI::IsMember({"namespaces", "off"}))
      ->capture_default_str();
}

run::SessionOptions EvaluationOptions::session_options(const Installation& installation) const {
  run::SessionOptions options;
  options.device = choose_device(device, installation);
  options.sandbox = sandbox::parse_profile(sandbox);
  options.request.protocol = protocol;
  options.request.tolerance = tolerance;
  options.request.precision = precision;
  options.request.trials = trials;
  if (limit_s) {
    Limits& limits = options.request.limits;
    limits.build_s = limits.load_s = limits.check_s = limits.time_s = *limit_s;
  }
  return options;
}

} // namespace kernelbench::cli
