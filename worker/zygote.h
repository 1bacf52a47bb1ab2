#pragma once

#include <string>
#include <vector>

namespace kernelbench::worker {

struct ZygoteOptions {
  int control_fd = -1;
  std::string python;     // the interpreter whose torch is embedded
  bool namespaces = true; // children get private pid, mount and ipc namespaces; needs CAP_SYS_ADMIN in our user namespace
  std::vector<std::string> keep; // folders under /tmp that the children's private /tmp must still show
};

// Imports torch, says ZygoteReady and forks a child for every Spawn until the control socket closes.
// Returns the program's exit status.
int run_zygote(const ZygoteOptions& options);

} // namespace kernelbench::worker
