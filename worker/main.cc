// kernelbench-worker: started once per set of roles as a zygote (ARCHITECTURE.md). It imports torch, then forks one
// single-use child for each request on its control socket.

#include <cstdlib>
#include <cstring>
#include <iostream>
#include <string>

#include "worker/zygote.h"

int main(int argc, char** argv) {
  kernelbench::worker::ZygoteOptions options;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string flag = argv[i];
    if (flag == "--control-fd") {
      options.control_fd = std::atoi(argv[i + 1]);
    } else if (flag == "--python") {
      options.python = argv[i + 1];
    } else if (flag == "--namespaces") {
      options.namespaces = std::strcmp(argv[i + 1], "yes") == 0;
    } else if (flag == "--keep") {
      options.keep.push_back(argv[i + 1]);
    }
  }
  if (options.control_fd < 0 || options.python.empty()) {
    std::cerr << "kernelbench-worker is started by kernelbench, not by hand: see 'kernelbench --help'\n";
    return 2;
  }
  return kernelbench::worker::run_zygote(options);
}
