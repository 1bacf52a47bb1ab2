#include "worker/module.h"

#include "worker/failure.h"

namespace py = pybind11;

namespace kernelbench::worker {

using protocol::Failed;

std::variant<py::module_, Failed> import_source(const std::string& source, const std::string& file_name,
                                                const std::string& directory) {
  try {
    return py::module_(py::module_::import("kernelbench_glue").attr("load_module")(source, file_name, directory));
  } catch (py::error_already_set& error) {
    return failure_of(error, true);
  }
}

std::variant<py::object, Failed> class_in(const py::module_& module, const std::string& name) {
  if (!py::hasattr(module, name.c_str())) {
    Failed failed;
    failed.failure = Failed::Kind::no_class;
    failed.message = "the file defines no " + name;
    return failed;
  }
  return py::object(module.attr(name.c_str()));
}

std::string pickle(const py::object& object) { return py::bytes(py::module_::import("pickle").attr("dumps")(object)); }

py::object unpickle(const std::string& bytes) { return py::module_::import("pickle").attr("loads")(py::bytes(bytes)); }

} // namespace kernelbench::worker
