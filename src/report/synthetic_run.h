#pragma once

#include "report/report.h"

// For the tests of this room: small made-up runs that show every kind of row.

namespace kernelbench::report {

// The source of the candidates of synthetic runs.
inline constexpr const char* synthetic_source = "import torch\n\n\nclass ModelNew(torch.nn.Module):\n    pass\n";

// Six planned samples of four tasks: two correct, one wrong, one that did not build, one fault, one missing; and a
// record outside the plan.
RunReport synthetic_run();
// The same tasks on another device, all but one correct.
RunReport other_synthetic_run();

// Compares with src/report/golden/<name>. With the environment variable UPDATE_GOLDEN set, writes that file instead;
// read the difference before committing it.
void expect_golden(const std::string& name, const std::string& text);

} // namespace kernelbench::report
