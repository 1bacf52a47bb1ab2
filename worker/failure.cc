#include "worker/failure.h"

#include <cerrno>
#include <string_view>

namespace py = pybind11;

namespace kernelbench::worker {

using protocol::Failed;

namespace {

// Failures that Python knows only by their words.
Failed::Kind kind_of_message(std::string_view message, Failed::Kind otherwise) {
  const auto says = [&](std::string_view words) { return message.find(words) != std::string_view::npos; };
  if (says("can't allocate memory") || says("std::bad_alloc") || says("Cannot allocate memory") ||
      says("not enough memory")) {
    return Failed::Kind::host_memory;
  }
  if (says("CUDA out of memory") || says("CUDA error: out of memory")) {
    return Failed::Kind::device_memory;
  }
  if (says("No space left on device") || says("File too large") || says("[Errno 27]")) {
    return Failed::Kind::disk;
  }
  if (says("can't start new thread") || says("Resource temporarily unavailable")) {
    return Failed::Kind::processes;
  }
  return otherwise;
}

} // namespace

Failed failure_of(py::error_already_set& error, bool importing) {
  Failed failed;
  failed.failure = importing ? Failed::Kind::import : Failed::Kind::exception;
  try {
    const py::module_ glue = py::module_::import("kernelbench_glue");
    if (error.trace()) {
      PyException_SetTraceback(error.value().ptr(), error.trace().ptr());
    }
    const py::tuple text = glue.attr("describe")(error.value());
    failed.type = py::str(text[0]);
    // A message may hold lone surrogates, which UTF-8 cannot say.
    failed.message = py::str(text[1].attr("encode")("utf-8", "replace").attr("decode")("utf-8", "replace"));
    failed.traceback = py::str(text[2].attr("encode")("utf-8", "replace").attr("decode")("utf-8", "replace"));

    const py::object build_error = glue.attr("ExtensionBuildError");
    if (error.matches(PyExc_SyntaxError) && importing) {
      // Only of the candidate's own file: a syntax error in something that it generates is an exception.
      const bool own = py::str(error.value().attr("filename")).cast<std::string>().find("candidate") != std::string::npos;
      failed.failure = own ? Failed::Kind::syntax : Failed::Kind::import;
    } else if (error.matches(build_error)) {
      failed.failure = Failed::Kind::build;
    } else if (error.matches(PyExc_SystemExit)) {
      failed.failure = Failed::Kind::exit;
    } else if (error.matches(PyExc_MemoryError)) {
      failed.failure = Failed::Kind::host_memory;
    } else if (error.matches(py::module_::import("torch").attr("OutOfMemoryError"))) {
      failed.failure = Failed::Kind::device_memory;
    } else {
      failed.failure = kind_of_message(failed.message, failed.failure);
    }
  } catch (const std::exception&) {
    // Candidates can define exceptions whose __str__ raises.
    PyErr_Clear();
    failed.type = failed.type.empty() ? "an exception that cannot be described" : failed.type;
  }
  return failed;
}

Failed failure_of(const std::exception& error) {
  Failed failed;
  failed.type = "C++ exception";
  failed.message = std::string(error.what()).substr(0, 16384);
  failed.failure = kind_of_message(failed.message, Failed::Kind::exception);
  return failed;
}

} // namespace kernelbench::worker
