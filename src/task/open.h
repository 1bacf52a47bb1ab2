#pragma once

#include <string_view>

#include "domain/task.h"
#include "task/catalog.h"
#include "task/preset.h"

namespace kernelbench::task {

// The task that `spec` names, at the sizes of `preset`. `spec` is what Catalog::find takes, or the path of a task file:
// a file that exists, or a text with "/" that ends in .py. A task by path keeps its own values: its preset is always
// `paper`. A catalog task that the preset says nothing about keeps its own values too, but not under `smoke`, whose
// promise is that every task is small. Throws UserError for an unknown task or preset, and for a file that is no task
// file.
Task open_task(const Catalog& catalog, const Presets& presets, std::string_view spec, std::string_view preset);

} // namespace kernelbench::task
