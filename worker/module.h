#pragma once

#include <pybind11/pybind11.h>

#include <optional>
#include <string>
#include <variant>

#include "protocol/messages.h"

namespace kernelbench::worker {

// Imports the source as a module of its own from a file in `directory`, or says why that failed.
std::variant<pybind11::module_, protocol::Failed> import_source(const std::string& source, const std::string& file_name,
                                                                const std::string& directory);

// The class of that name, or Failed{no_class}.
std::variant<pybind11::object, protocol::Failed> class_in(const pybind11::module_& module, const std::string& name);

// Pickled bytes of a Python object, and back.
std::string pickle(const pybind11::object& object);
pybind11::object unpickle(const std::string& bytes);

} // namespace kernelbench::worker
