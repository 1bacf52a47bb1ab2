#pragma once

#include <string>

#include "protocol/messages.h"

namespace kernelbench::worker {

// Starts the embedded interpreter as `python` would start: same prefix, same site-packages. Throws std::runtime_error.
void start_interpreter(const std::string& python);

// Imports torch and what candidates import most, without a device and without starting a thread.
protocol::ZygoteReady import_torch();

} // namespace kernelbench::worker
