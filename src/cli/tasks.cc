#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/text_table.h"
#include "cli/command.h"
#include "cli/exit_status.h"
#include "task/open.h"

namespace kernelbench::cli {

namespace {

struct TasksOptions {
  std::string directory;
  std::vector<std::string> patterns = {"*"};
  std::string spec;
  std::string preset = "paper";
  bool json = false;

  task::Catalog catalog(const Installation& installation) const {
    return task::Catalog::load(directory.empty() ? installation.data / "tasks" : std::filesystem::path(directory));
  }
};

int list(const TasksOptions& options) {
  const Installation installation = Installation::find();
  const task::Catalog catalog = options.catalog(installation);
  const auto entries = catalog.select(options.patterns);
  if (options.json) {
    auto json = nlohmann::ordered_json::array();
    for (const task::Entry& entry : entries) {
      json.push_back({{"id", entry.id}, {"name", entry.name}, {"level", entry.level}, {"number", entry.number}});
    }
    std::cout << json.dump(2) << std::endl;
    return exit_done;
  }
  using enum TextTable::Align;
  TextTable table({left, left});
  table.add_row({"id", "name"});
  for (const task::Entry& entry : entries) {
    table.add_row({entry.id, entry.name});
  }
  std::cout << table.plain() << std::flush;
  return exit_done;
}

int show(const TasksOptions& options) {
  const Installation installation = Installation::find();
  const auto presets = task::Presets::load(installation.data / "presets");
  const Task task = task::open_task(options.catalog(installation), presets, options.spec, options.preset);
  if (options.json) {
    const nlohmann::ordered_json json = {{"id", task.id},         {"name", task.name},     {"level", task.level},
                                         {"preset", task.preset}, {"sha256", task.sha256}, {"source", task.source}};
    std::cout << json.dump(2) << std::endl;
    return exit_done;
  }
  std::cout << fmt::format("# {} {}, preset {}, sha256 {}\n", task.id, task.name, task.preset, task.sha256) << task.source
            << std::flush;
  return exit_done;
}

} // namespace

void add_tasks(CLI::App& app, const Global& /*global*/, Action& action) {
  CLI::App* command = app.add_subcommand("tasks", "list tasks, or show one");
  command->require_subcommand(1);
  command->footer("Example:\n  kernelbench tasks list 'level1/*'");
  const auto options = std::make_shared<TasksOptions>();
  const auto add_common = [&](CLI::App* sub) {
    sub->add_option("--tasks", options->directory, "folder of task files, instead of the suite's own");
    sub->add_flag("--json", options->json, "print JSON");
  };
  CLI::App* list_command = command->add_subcommand("list", "ids and names");
  list_command->add_option("PATTERN", options->patterns, "ids or patterns like level1/*");
  add_common(list_command);
  list_command->footer("Example:\n  kernelbench tasks list 'level1/*'");
  list_command->callback([options, &action] { action = [options] { return list(*options); }; });
  CLI::App* show_command = command->add_subcommand("show", "the text that is evaluated and that an LM sees");
  show_command->add_option("TASK", options->spec, "id, name, or path of a task file")->required();
  show_command->add_option("--preset", options->preset, "sizes: paper, smoke, ...")->capture_default_str();
  add_common(show_command);
  show_command->footer("Example:\n  kernelbench tasks show level1/19 --preset smoke");
  show_command->callback([options, &action] { action = [options] { return show(*options); }; });
}

} // namespace kernelbench::cli
