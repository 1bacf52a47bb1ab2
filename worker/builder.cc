#include <fcntl.h>
#include <pybind11/embed.h>
#include <pybind11/functional.h>
#include <pybind11/stl.h>
#include <unistd.h>

#include "base/clock.h"
#include "worker/failure.h"
#include "worker/module.h"
#include "worker/roles.h"

namespace py = pybind11;

namespace kernelbench::worker {

using namespace protocol;

namespace {

const Deadline never = Deadline::after(1e9);

void set_architectures(const std::vector<std::string>& architectures) {
  std::string list;
  for (const std::string& architecture : architectures) {
    list += (list.empty() ? "" : ";") + architecture;
  }
  if (!list.empty()) {
    py::module_::import("os").attr("environ")["TORCH_CUDA_ARCH_LIST"] = list;
  }
}

// Constructs ModelNew, for candidates that build their units there. What else it raises is the runner's to find out.
bool construct(const py::module_& candidate, const ImportCandidate& message, const std::string& scratch) {
  auto task = import_source(message.task_source, "task.py", scratch);
  if (!std::holds_alternative<py::module_>(task) || !py::hasattr(candidate, "ModelNew")) {
    return false;
  }
  try {
    candidate.attr("ModelNew")(*py::tuple(std::get<py::module_>(task).attr("get_init_inputs")()));
    return true;
  } catch (py::error_already_set& error) {
    if (error.matches(py::module_::import("kernelbench_glue").attr("ExtensionBuildError"))) {
      throw;
    }
    return false;
  }
}

} // namespace

void run_builder(Channel& channel, const std::string& scratch) {
  Frame frame;
  if (channel.receive_frame(frame, never) != Status::ok) {
    return;
  }
  const auto message = message_in<ImportCandidate>(frame);
  if (!message) {
    return;
  }
  set_architectures(message->architectures);
  bool any_unit = false;
  const auto need_unit = [&](const std::string& /*digest*/, const std::string& specification) -> py::object {
    any_unit = true;
    Frame reply;
    if (channel.send(NeedUnit{specification}, never) != Status::ok || channel.receive_frame(reply, never) != Status::ok) {
      ::_exit(1);
    }
    const auto built = message_in<UnitBuilt>(reply);
    if (!built) {
      ::_exit(1);
    }
    return py::make_tuple(built->unit.path, py::str(py::bytes(built->unit.log).attr("decode")("utf-8", "replace")));
  };
  bool importing = true;
  try {
    const py::module_ glue = py::module_::import("kernelbench_glue");
    glue.attr("intercept")(py::cpp_function(need_unit));
    if (!message->architectures.empty()) {
      glue.attr("answer_for_device")(message->architectures.front());
    }
    auto imported = import_source(message->source, message->file_name, scratch);
    if (const auto* failed = std::get_if<Failed>(&imported)) {
      (void)channel.send(*failed, never);
      return;
    }
    importing = false;
    Imported done;
    done.constructed = !any_unit && construct(std::get<py::module_>(imported), *message, scratch);
    (void)channel.send(done, never);
  } catch (py::error_already_set& error) {
    (void)channel.send(failure_of(error, importing), never);
  }
}

void run_compiler(Channel& channel, const std::string& scratch) {
  Frame frame;
  if (channel.receive_frame(frame, never) != Status::ok) {
    return;
  }
  const auto message = message_in<CompileUnit>(frame);
  if (!message) {
    return;
  }
  set_architectures(message->architectures);
  try {
    const py::object path = py::module_::import("kernelbench_glue").attr("compile_unit")(message->specification, scratch);
    const Fd library(::open(path.cast<std::string>().c_str(), O_RDONLY | O_CLOEXEC));
    UnitCompiled compiled;
    compiled.name = py::module_::import("os.path").attr("basename")(path).cast<std::string>();
    (void)channel.send(compiled, never, {library.get()});
  } catch (py::error_already_set& error) {
    (void)channel.send(failure_of(error, false), never);
  }
}

} // namespace kernelbench::worker
