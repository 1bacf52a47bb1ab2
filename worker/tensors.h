#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>
#include <string>
#include <vector>

#include "protocol/messages.h"

namespace kernelbench::worker {

// The device that models and inputs live on.
struct Device {
  bool cuda = false;
  const char* name() const { return cuda ? "cuda" : "cpu"; }
};

// A Python object that is not what an output may be.
class NotAnOutput {
public:
  protocol::Failed failed;
};

// What the judge needs to know of a value to give it memory. For anything but a tensor: the pickled object.
protocol::Value describe_value(const pybind11::handle& object);

// A forward argument made of the value's bytes in a region (mapped at `base`), or of its pickled object.
pybind11::object value_in_region(const protocol::Value& value, std::byte* base, Device device);

// Copies a tensor into a region. `object` must be a tensor of the value's shape and type.
void copy_into_region(const pybind11::handle& object, const protocol::Value& value, std::byte* base, Device device);

// The parts of a forward result: a tensor, or a tuple or list of tensors. Throws NotAnOutput for anything else.
struct Outputs {
  std::vector<pybind11::object> tensors;
  bool tuple = false;
};
Outputs outputs_of(const pybind11::object& result, Device device);

} // namespace kernelbench::worker
