#include "worker/tensors.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/python_variable.h>

#include "worker/module.h"

namespace py = pybind11;

namespace kernelbench::worker {

using protocol::ElementType;
using protocol::Failed;
using protocol::Value;

namespace {

struct TypePair {
  ElementType ours;
  at::ScalarType torchs;
};
constexpr TypePair types[] = {
    {ElementType::f32, at::kFloat}, {ElementType::f64, at::kDouble}, {ElementType::f16, at::kHalf},
    {ElementType::bf16, at::kBFloat16}, {ElementType::i8, at::kChar}, {ElementType::i16, at::kShort},
    {ElementType::i32, at::kInt},   {ElementType::i64, at::kLong},   {ElementType::u8, at::kByte},
    {ElementType::boolean, at::kBool}};

ElementType element_type(at::ScalarType type) {
  for (const TypePair& pair : types) {
    if (pair.torchs == type) {
      return pair.ours;
    }
  }
  return ElementType::other;
}

at::ScalarType scalar_type(ElementType type) {
  for (const TypePair& pair : types) {
    if (pair.ours == type) {
      return pair.torchs;
    }
  }
  throw std::runtime_error("an element type that regions do not hold");
}

const at::Tensor& tensor_of(const py::handle& object) { return THPVariable_Unpack(object.ptr()); }

at::Tensor view_of_region(const Value& value, std::byte* base, Device device) {
  const auto options = at::TensorOptions().dtype(scalar_type(value.type)).device(device.cuda ? at::kCUDA : at::kCPU);
  return at::from_blob(base + value.offset, value.shape, value.strides, options);
}

std::string type_name(const py::handle& object) {
  return py::str(py::type::handle_of(object).attr("__qualname__")).cast<std::string>();
}

} // namespace

Value describe_value(const py::handle& object) {
  Value value;
  if (!THPVariable_Check(object.ptr())) {
    value.pickled = pickle(py::reinterpret_borrow<py::object>(object));
    return value;
  }
  const at::Tensor& tensor = tensor_of(object);
  value.is_tensor = true;
  value.type = element_type(tensor.scalar_type());
  value.shape = tensor.sizes().vec();
  // The layout is kept where the tensor fills its storage (a transposed matrix stays transposed); else it becomes contiguous.
  value.strides = tensor.is_non_overlapping_and_dense() ? tensor.strides().vec() : at::empty(tensor.sizes(), at::kMeta).strides().vec();
  value.bytes = tensor.numel() * static_cast<std::int64_t>(tensor.element_size());
  return value;
}

py::object value_in_region(const Value& value, std::byte* base, Device device) {
  if (!value.is_tensor) {
    return unpickle(value.pickled);
  }
  return py::reinterpret_steal<py::object>(THPVariable_Wrap(view_of_region(value, base, device)));
}

void copy_into_region(const py::handle& object, const Value& value, std::byte* base, Device device) {
  view_of_region(value, base, device).copy_(tensor_of(object).detach());
}

Outputs outputs_of(const py::object& result, Device device) {
  Outputs outputs;
  if (py::isinstance<py::tuple>(result) || py::isinstance<py::list>(result)) {
    outputs.tuple = true;
    for (const py::handle& item : result) {
      outputs.tensors.push_back(py::reinterpret_borrow<py::object>(item));
    }
  } else {
    outputs.tensors.push_back(result);
  }
  for (const py::object& item : outputs.tensors) {
    NotAnOutput reason;
    reason.failed.failure = Failed::Kind::not_a_tensor;
    // Exactly torch.Tensor: a subclass could compute when it is looked at.
    if (!THPVariable_CheckExact(item.ptr())) {
      reason.failed.message = "the output is of type " + type_name(item) + ", not torch.Tensor";
      throw reason;
    }
    const at::Tensor& tensor = tensor_of(item);
    if (tensor.device().type() != (device.cuda ? at::kCUDA : at::kCPU)) {
      reason.failed.failure = Failed::Kind::output_device;
      reason.failed.message = "the output is on " + tensor.device().str() + ", not on " + device.name();
      throw reason;
    }
    if (tensor.layout() != at::kStrided) {
      reason.failed.message = "the output is not a dense (strided) tensor";
      throw reason;
    }
  }
  return outputs;
}

} // namespace kernelbench::worker
