#pragma once

#include "protocol/messages.h"

namespace kernelbench::worker {

// Takes from this process, for good, what a candidate must not have: capabilities, new privileges, dangerous system calls,
// and memory, processes and file sizes beyond the limits. Exits the process when that fails: nothing runs unconfined.
void confine(const protocol::Spawn& request, bool namespaces);

} // namespace kernelbench::worker
