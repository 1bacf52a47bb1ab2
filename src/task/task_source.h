#pragma once

#include <string_view>

namespace kernelbench::task {

// Throws UserError when `source` cannot be a task file: not UTF-8 text, or one of Model, get_inputs and get_init_inputs
// is not defined at the top level. `label` names the file in the message. Whether it is valid Python is for Python to
// say.
void check_task_source(std::string_view source, std::string_view label);

} // namespace kernelbench::task
