#pragma once

#include "base/fd.h"
#include "protocol/messages.h"
#include "worker/zygote.h"

namespace kernelbench::worker {

// Forks a guard, and the guard forks the child that plays `request.role` on `channel`. With namespaces the guard is the
// first process of a pid namespace of its own: no process inside can signal it, and with it everything inside ends.
// It holds the limits that the kernel does not (processes, memory of all processes together), keeps the head and tail of
// what the child prints, kills everything when `owner` closes, and reports ChildExit there.
void start_guarded_child(const protocol::Spawn& request, const ZygoteOptions& options, Fd channel, Fd owner);

} // namespace kernelbench::worker
