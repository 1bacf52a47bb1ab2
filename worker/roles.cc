#include "worker/roles.h"

#include <pybind11/embed.h>
#include <unistd.h>

#include <cstdio>

namespace py = pybind11;

namespace kernelbench::worker {

using protocol::Channel;
using protocol::Role;
using protocol::Spawn;

void play_role(const Spawn& request, Channel channel, const std::string& scratch) {
  PyOS_AfterFork_Child();
  int status = 0;
  try {
    const py::object environment = py::module_::import("os").attr("environ");
    for (const char* name : {"HOME", "TMPDIR", "XDG_CACHE_HOME", "TRITON_CACHE_DIR", "TORCHINDUCTOR_CACHE_DIR",
                             "TORCH_EXTENSIONS_DIR", "NUMBA_CACHE_DIR", "CUDA_CACHE_PATH"}) {
      environment[py::str(name)] = scratch;
    }
    const std::string threads = std::to_string(request.threads);
    for (const char* name : {"OMP_NUM_THREADS", "MKL_NUM_THREADS"}) {
      environment[py::str(name)] = threads; // for runtimes that a candidate brings along; torch's own is told below
    }
    py::module_::import("torch").attr("set_num_threads")(request.threads);
    py::module_::import("tempfile").attr("tempdir") = scratch;
    (void)channel.send(protocol::ChildReady{true}, Deadline::after(60));
    switch (request.role) {
    case Role::runner: run_runner(channel, scratch); break;
    case Role::builder: run_builder(channel, scratch); break;
    case Role::compiler: run_compiler(channel, scratch); break;
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "kernelbench-worker: %s\n", error.what());
    status = 126;
  }
  // Not exit(): destructors of torch and of the candidate's libraries have no business here.
  std::fflush(nullptr);
  ::_exit(status);
}

} // namespace kernelbench::worker
