#include "cli/cli.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <exception>
#include <iostream>
#include <system_error>

#include "base/log.h"
#include "base/version.h"
#include "cli/command.h"
#include "cli/exit_status.h"
#include "sandbox/python_environment.h"
#include "store/store.h"

namespace kernelbench::cli {

std::filesystem::path Global::store_path() const {
  return store.empty() ? data_directory() / "store.db" : std::filesystem::path(store);
}

device::Device choose_device(const std::string& text, const Installation& installation) {
  if (!text.empty()) {
    return device::parse_device(text);
  }
  if (device::gpus_present().empty()) {
    return {};
  }
  const auto python = sandbox::describe_python(installation.python());
  return python && !python->torch_cuda.empty() ? device::Device{true, 0} : device::Device{};
}

std::string choose_preset(const std::string& text, const device::Device& device) {
  return !text.empty() ? text : device.cuda ? "paper" : "smoke";
}

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  CLI::App app("kernelbench: how well do language models write fast, correct kernels?", "kernelbench");
  app.set_version_flag("--version", std::string("kernelbench ") + harness_version);
  app.require_subcommand(1);
  app.fallthrough();
  Global global;
  Action action;
  app.add_option("--store", global.store, "SQLite file of runs and records (default: $XDG_DATA_HOME/kernelbench/store.db)");
  app.add_flag("--quiet", global.quiet, "print results and errors only");
  app.add_flag("--verbose", global.verbose, "say what is being done");
  add_eval(app, global, action);
  add_run(app, global, action);
  add_report(app, global, action);
  add_tasks(app, global, action);
  add_doctor(app, global, action);
  try {
    app.parse(argc, argv);
  } catch (const CLI::RequiredError& error) {
    // CLI11 says no more than that a command is missing.
    const std::vector<std::string> rest = app.remaining();
    const auto given = std::find_if(rest.begin(), rest.end(), [](const std::string& word) { return !word.starts_with('-'); });
    if (app.get_subcommands().empty() && given != rest.end()) {
      std::cerr << fmt::format("kernelbench: there is no command '{}'; there are eval, run, report, tasks, doctor (--help)\n", *given);
      return exit_usage;
    }
    return app.exit(error) == 0 ? exit_done : exit_usage;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? exit_done : exit_usage;
  }
  log::set_level(global.quiet ? log::Level::quiet : global.verbose ? log::Level::verbose : log::Level::normal);
  try {
    return action();
  } catch (const UserError& error) {
    std::cerr << "kernelbench: " << error.what() << "\n";
    return exit_usage;
  } catch (const store::StoreFault& fault) {
    std::cerr << "kernelbench: " << fault.what() << "\n";
    return exit_fault;
  } catch (const std::exception& error) {
    std::cerr << "kernelbench: " << error.what() << "\n";
    return exit_fault;
  }
}

} // namespace kernelbench::cli
