#pragma once

#include <pybind11/pybind11.h>

#include "protocol/messages.h"

namespace kernelbench::worker {

// The Python exception as the judge is told of it. `importing`: it was raised while a candidate's module was imported.
protocol::Failed failure_of(pybind11::error_already_set& error, bool importing);
protocol::Failed failure_of(const std::exception& error);

} // namespace kernelbench::worker
