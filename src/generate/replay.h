#pragma once

#include <filesystem>
#include <vector>

#include "domain/generation.h"

namespace kernelbench::generate {

// Reads recorded answers: one generation per line (domain/generation.h), blank lines apart, in the file's order. Throws
// UserError that names file and line.
std::vector<Generation> read_generations(const std::filesystem::path& jsonl);

} // namespace kernelbench::generate
