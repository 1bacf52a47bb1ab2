#include <ATen/core/grad_mode.h>
#include <pybind11/pybind11.h>
#include <sys/mman.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <system_error>

#include "base/clock.h"
#include "worker/cuda.h"
#include "worker/failure.h"
#include "worker/module.h"
#include "worker/roles.h"
#include "worker/tensors.h"

namespace py = pybind11;

namespace kernelbench::worker {

using namespace protocol;

namespace {

const Deadline never = Deadline::after(1e9);

// One model, and the judge's memory that it reads inputs from and leaves outputs in. Reference and candidate run this same
// code; only the messages they are sent differ.
class Runner {
public:
  Runner(Channel& channel, const std::string& scratch) : channel_(channel), scratch_(scratch) {}

  void serve() {
    c10::GradMode::set_enabled(false);
    Frame frame;
    while (receive(frame)) {
      if (const auto load = message_in<Load>(frame)) {
        answer([&] { return this->load(*load); });
      } else if (const auto draw = message_in<Draw>(frame)) {
        answer([&] { return this->draw(*draw); });
      } else if (const auto map = message_in<Map>(frame)) {
        answer([&] { return this->map(*map, frame.fds); });
      } else if (const auto store = message_in<Store>(frame)) {
        answer([&] { return this->store(*store); });
      } else if (const auto call = message_in<Call>(frame)) {
        answer([&] { return this->call(*call); });
      } else {
        return;
      }
    }
  }

private:
  bool receive(Frame& frame) {
    py::gil_scoped_release release; // threads of the model's own may run while we wait
    return channel_.receive_frame(frame, never) == Status::ok;
  }

  template <class Work>
  void answer(Work work) {
    Failed failed;
    try {
      (void)channel_.send(work(), never);
      return;
    } catch (py::error_already_set& error) {
      failed = failure_of(error, false);
    } catch (const NotAnOutput& reason) {
      failed = reason.failed;
    } catch (const Failed& reason) {
      failed = reason;
    } catch (const std::exception& error) {
      failed = failure_of(error);
    }
    (void)channel_.send(failed, never);
  }

  // Models are made and inputs are drawn on the device itself; both sides alike.
  template <class Work>
  auto on_device(Work work) {
    const py::object context = py::module_::import("torch").attr("device")(device_.name());
    context.attr("__enter__")();
    try {
      auto result = work();
      context.attr("__exit__")(py::none(), py::none(), py::none());
      return result;
    } catch (...) {
      py::error_scope keep;
      context.attr("__exit__")(py::none(), py::none(), py::none());
      throw;
    }
  }

  Loaded load(const Load& message) {
    device_.cuda = message.device == "cuda";
    const py::module_ torch = py::module_::import("torch");
    if (message.precision == "tf32") {
      torch.attr("backends").attr("cuda").attr("matmul").attr("allow_tf32") = true;
      torch.attr("backends").attr("cudnn").attr("allow_tf32") = true;
    } else if (message.precision == "bf16" || message.precision == "fp16") {
      cast_to_ = torch.attr(message.precision == "bf16" ? "bfloat16" : "float16");
    }
    intercept_units(message);
    auto imported = import_source(message.source, message.file_name, scratch_);
    if (auto* failed = std::get_if<Failed>(&imported)) {
      throw *failed;
    }
    module_ = std::get<py::module_>(imported);
    auto found = class_in(module_, message.class_name);
    if (auto* failed = std::get_if<Failed>(&found)) {
      throw *failed;
    }
    Loaded loaded;
    py::object init_inputs;
    if (message.init_inputs.empty()) {
      init_inputs = module_.attr("get_init_inputs")();
      loaded.init_inputs = pickle(init_inputs);
    } else {
      init_inputs = unpickle(message.init_inputs);
    }
    seed(message.weight_seed);
    model_ = on_device([&] { return std::get<py::object>(found)(*py::tuple(init_inputs)); });
    if (py::hasattr(model_, "to")) {
      model_ = model_.attr("to")(device_.name());
      if (cast_to_) {
        model_ = model_.attr("to")(cast_to_);
      }
    }
    if (device_.cuda) {
      timer_.emplace();
      cuda::synchronize();
    }
    return loaded;
  }

  static void intercept_units(const Load& message) {
    py::dict units;
    for (const Unit& unit : message.units) {
      units[py::str(unit.digest)] = py::make_tuple(unit.path, py::str(py::bytes(unit.log).attr("decode")("utf-8", "replace")));
    }
    const py::module_ glue = py::module_::import("kernelbench_glue");
    glue.attr("intercept")(glue.attr("units_known_before")(units));
  }

  Drawn draw(const Draw& message) {
    seed(message.seed);
    const py::object inputs = on_device([&] { return module_.attr("get_inputs")(); });
    Drawn drawn;
    drawn_.clear();
    const py::object tensor_class = py::module_::import("torch").attr("Tensor");
    for (py::handle item : inputs) {
      py::object value = py::reinterpret_borrow<py::object>(item);
      if (py::isinstance(value, tensor_class)) {
        value = value.attr("detach")().attr("to")(device_.name());
        if (cast_to_ && value.attr("is_floating_point")().cast<bool>()) {
          value = value.attr("to")(cast_to_);
        }
      }
      drawn.values.push_back(describe_value(value));
      drawn_.push_back(std::move(value));
    }
    return drawn;
  }

  Mapped map(const Map& message, const std::vector<Fd>& fds) {
    std::byte*& base = regions_[static_cast<std::size_t>(message.region)];
    if (device_.cuda) {
      base = static_cast<std::byte*>(cuda::open_shared_memory(message.handle));
      return {true};
    }
    if (fds.size() != 1) {
      throw std::runtime_error("no memory came with Map");
    }
    void* memory = ::mmap(nullptr, static_cast<std::size_t>(message.bytes), PROT_READ | PROT_WRITE, MAP_SHARED, fds[0].get(), 0);
    if (memory == MAP_FAILED) {
      throw std::system_error(errno, std::generic_category(), "mapping the judge's memory");
    }
    base = static_cast<std::byte*>(memory);
    return {true};
  }

  Stored store(const Store& message) {
    for (std::size_t i = 0; i < drawn_.size() && i < message.values.size(); ++i) {
      if (message.values[i].is_tensor) {
        copy_into_region(drawn_[i], message.values[i], region(Region::inputs), device_);
      }
    }
    drawn_.clear();
    finish();
    return {true};
  }

  Called call(const Call& message) {
    py::tuple arguments(message.inputs.size());
    for (std::size_t i = 0; i < message.inputs.size(); ++i) {
      arguments[i] = value_in_region(message.inputs[i], region(Region::inputs), device_);
    }
    seed(message.seed);
    finish();
    Called called;
    py::object result;
    if (device_.cuda) {
      timer_->start();
      result = py::reinterpret_steal<py::object>(PyObject_CallObject(model_.ptr(), arguments.ptr()));
      timer_->stop();
      if (!result) {
        throw py::error_already_set();
      }
      cuda::synchronize();
      called.seconds = timer_->seconds();
    } else {
      const double start = monotonic_seconds();
      result = py::reinterpret_steal<py::object>(PyObject_CallObject(model_.ptr(), arguments.ptr()));
      called.seconds = monotonic_seconds() - start;
      if (!result) {
        throw py::error_already_set();
      }
    }
    const Outputs outputs = outputs_of(result, device_);
    called.tuple = outputs.tuple;
    for (const py::object& output : outputs.tensors) {
      called.outputs.push_back(describe_value(output));
    }
    called.stored = fits(called.outputs, message.outputs);
    if (called.stored) {
      for (std::size_t i = 0; i < outputs.tensors.size(); ++i) {
        copy_into_region(outputs.tensors[i], message.outputs[i], region(Region::outputs), device_);
      }
      finish();
    }
    return called;
  }

  // The places given are for values of exactly these types and shapes.
  static bool fits(const std::vector<Value>& outputs, const std::vector<Value>& places) {
    if (outputs.size() != places.size()) {
      return false;
    }
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (outputs[i].type != places[i].type || outputs[i].shape != places[i].shape) {
        return false;
      }
    }
    return true;
  }

  static void seed(std::uint64_t value) { py::module_::import("torch").attr("manual_seed")(value); }

  void finish() const {
    if (device_.cuda) {
      cuda::synchronize();
    }
  }

  std::byte* region(Region which) const {
    std::byte* base = regions_[static_cast<std::size_t>(which)];
    if (base == nullptr) {
      throw std::runtime_error("the judge's memory is not mapped yet");
    }
    return base;
  }

  Channel& channel_;
  std::string scratch_;
  Device device_;
  py::module_ module_;
  py::object model_;
  py::object cast_to_;
  std::vector<py::object> drawn_;
  std::array<std::byte*, 2> regions_{};
  std::optional<cuda::EventTimer> timer_;
};

} // namespace

void run_runner(Channel& channel, const std::string& scratch) { Runner(channel, scratch).serve(); }

} // namespace kernelbench::worker
