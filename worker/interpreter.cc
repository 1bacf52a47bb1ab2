#include "worker/interpreter.h"

#include <pybind11/embed.h>

#include <stdexcept>

namespace py = pybind11;

namespace kernelbench::embedded {
extern const char glue_source[];
}

namespace kernelbench::worker {

void start_interpreter(const std::string& python) {
  PyConfig config;
  PyConfig_InitPythonConfig(&config);
  config.parse_argv = 0;
  config.install_signal_handlers = 0;
  config.user_site_directory = 0;
  config.write_bytecode = 0;
  config.buffered_stdio = 1;
  PyStatus status = PyConfig_SetBytesString(&config, &config.executable, python.c_str());
  if (PyStatus_Exception(status) == 0) {
    status = Py_InitializeFromConfig(&config);
  }
  PyConfig_Clear(&config);
  if (PyStatus_Exception(status) != 0) {
    throw std::runtime_error(std::string("Python does not start: ") + (status.err_msg != nullptr ? status.err_msg : ""));
  }
}

protocol::ZygoteReady import_torch() {
  try {
    const py::module_ torch = py::module_::import("torch");
    // cpp_extension asks at its import whether there is a GPU, and the answer costs a thread of the driver.
    const py::object cuda = torch.attr("cuda");
    const py::object is_available = cuda.attr("is_available");
    cuda.attr("is_available") = py::cpp_function([] { return true; });
    py::module_::import("torch.utils.cpp_extension");
    cuda.attr("is_available") = is_available;
    for (const char* name : {"inspect", "pickle", "traceback", "linecache"}) {
      py::module_::import(name);
    }
    // MKL picks its vector-math code at the first call; when several threads make that call at once, one of them computes
    // with 3e-4 relative error (seen with torch 2.13 on a CPU). One call here, on one thread, settles it for every child.
    torch.attr("sqrt")(torch.attr("rand")(8));

    // The glue is a module like any other, so that tracebacks through it can be read.
    py::module_ glue = py::reinterpret_steal<py::module_>(PyModule_New("kernelbench_glue"));
    glue.attr("__dict__")["__builtins__"] = py::module_::import("builtins");
    const py::module_ builtins = py::module_::import("builtins");
    builtins.attr("exec")(builtins.attr("compile")(py::str(static_cast<const char*>(embedded::glue_source)), "<kernelbench>", "exec"), glue.attr("__dict__"));
    py::module_::import("sys").attr("modules")["kernelbench_glue"] = glue;

    const py::object gc = py::module_::import("gc");
    gc.attr("collect")();
    gc.attr("freeze")(); // the children's collectors must not touch, and so copy, every page of ours

    protocol::ZygoteReady ready;
    ready.torch = py::str(torch.attr("__version__"));
    const py::object cuda_version = torch.attr("version").attr("cuda");
    ready.cuda = cuda_version.is_none() ? "" : std::string(py::str(cuda_version));
    ready.python = Py_GetVersion();
    ready.python = ready.python.substr(0, ready.python.find(' '));
    return ready;
  } catch (const py::error_already_set& error) {
    throw std::runtime_error(std::string("torch cannot be imported: ") + error.what());
  }
}

} // namespace kernelbench::worker
