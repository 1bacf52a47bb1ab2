"""What the worker cannot express through the C API: importing a file as a module, and building extension units.

Runs in the worker's embedded interpreter as `kernelbench_glue`. In a builder or a runner, candidates share the interpreter
with it: nothing here is trusted by the judge.
"""
import hashlib
import importlib.util
import inspect
import json
import os
import sys
import traceback
import types

import torch
import torch.utils.cpp_extension as extension

MAX_TRACEBACK = 16384
# Arguments that say where and how loudly to build, not what.
NOT_PART_OF_A_UNIT = ("build_directory", "verbose", "keep_intermediates")
HEADERS = (".h", ".hh", ".hpp", ".cuh", ".inl", ".inc")


class ExtensionBuildError(RuntimeError):
    """An extension unit does not build; the text is the compiler's."""


def load_module(source, file_name, directory):
    """Writes the source to a file of its own (inspect, Triton and tracebacks read it there) and imports it."""
    path = os.path.join(directory, file_name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(source)
    name = os.path.splitext(file_name)[0]
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def describe(error):
    """Type, message and traceback of an exception, each of bounded length."""
    report = traceback.TracebackException.from_exception(error, limit=-20)
    parts = [report]
    while parts:
        part = parts.pop()
        # The candidate's own frames: neither ours nor those of the import machinery.
        part.stack = traceback.StackSummary.from_list(
            [frame for frame in part.stack if not frame.filename.startswith(("<kernelbench>", "<frozen importlib"))])
        parts += [p for p in (part.__cause__, part.__context__) if p is not None]
    text = "".join(report.format())
    if len(text) > MAX_TRACEBACK:
        text = text[: MAX_TRACEBACK // 2] + "\n[...]\n" + text[-MAX_TRACEBACK // 2 :]
    message = str(error)
    if len(message) > 2 * MAX_TRACEBACK:
        message = message[:MAX_TRACEBACK] + "\n[...]\n" + message[-MAX_TRACEBACK:]
    kind = type(error)
    name = kind.__name__ if kind.__module__ in ("builtins", "kernelbench_glue") else f"{kind.__module__}.{kind.__name__}"
    return name, message, text


def specification_of(function, args, kwargs):
    """Everything a unit is made of, as canonical JSON; None for a call that JSON cannot say (it is then built as it is)."""
    try:
        bound = inspect.signature(GENUINE[function]).bind(*args, **kwargs)
        bound.apply_defaults()
        arguments = {k: v for k, v in bound.arguments.items() if k not in NOT_PART_OF_A_UNIT}
        files = {}
        if function == "load":
            paths = arguments["sources"]
            paths = [paths] if isinstance(paths, str) else list(paths)
            for path in paths:
                files[os.path.basename(path)] = read_text(path)
                folder = os.path.dirname(os.path.abspath(path))
                for entry in sorted(os.listdir(folder)):
                    if entry.endswith(HEADERS):
                        files[entry] = read_text(os.path.join(folder, entry))
            arguments["sources"] = [os.path.basename(path) for path in paths]
        return json.dumps({"function": function, "arguments": arguments, "files": files}, sort_keys=True)
    except (TypeError, ValueError, OSError):
        return None


def read_text(path):
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        return file.read()


def use_library(specification, path):
    """What load and load_inline return for a library that is already built."""
    arguments = json.loads(specification)["arguments"]
    if arguments.get("is_standalone"):
        return path
    if not arguments.get("is_python_module", True):
        torch.ops.load_library(path)
        return path
    # As load_inline does it: the library's own name is its module's name, and it is not put into sys.modules.
    spec = importlib.util.spec_from_file_location(os.path.splitext(os.path.basename(path))[0], path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def intercept(need_unit):
    """Replaces load and load_inline. need_unit(digest, specification) returns (library path, error log), or None: build here."""

    def replacement(function):
        def build(*args, **kwargs):
            specification = specification_of(function, args, kwargs)
            unit = None
            if specification is not None:
                digest = hashlib.sha256(specification.encode("utf-8", "surrogateescape")).hexdigest()
                unit = need_unit(digest, specification)
            if unit is None:
                return GENUINE[function](*args, **kwargs)
            path, log = unit
            if not path:
                raise ExtensionBuildError(log)
            return use_library(specification, path)

        return build

    extension.load_inline = replacement("load_inline")
    extension.load = replacement("load")


def answer_for_device(architecture):
    """In a builder there is no GPU, but candidates ask about the one that they are built for before they name their flags."""
    major, minor = (int(part) for part in architecture.split("."))
    properties = types.SimpleNamespace(major=major, minor=minor, name="NVIDIA GPU")
    torch.cuda.is_available = lambda: True
    torch.cuda.device_count = lambda: 1
    torch.cuda.current_device = lambda: 0
    torch.cuda.get_device_name = lambda device=None: properties.name
    torch.cuda.get_device_capability = lambda device=None: (major, minor)
    torch.cuda.get_device_properties = lambda device=None: properties


def units_known_before(units):
    """need_unit for a runner: units is {digest: (path, log)}."""
    return lambda digest, specification: units.get(digest)


def compile_unit(specification, directory):
    """Builds one unit with torch's own load or load_inline, untouched, but does not load it. Returns the library's path."""
    unit = json.loads(specification)
    arguments = dict(unit["arguments"])
    build_directory = os.path.join(directory, "build")
    os.mkdir(build_directory)
    for name, text in unit["files"].items():
        with open(os.path.join(directory, name), "w", encoding="utf-8", errors="surrogateescape") as file:
            file.write(text)
    if unit["function"] == "load":
        arguments["sources"] = [os.path.join(directory, name) for name in arguments["sources"]]
    extension._import_module_from_library = lambda *args, **kwargs: None
    try:
        call(GENUINE[unit["function"]], arguments, build_directory)
    except (RuntimeError, OSError, ValueError, TypeError) as error:
        raise ExtensionBuildError(str(error)) from error
    names = [n for n in os.listdir(build_directory) if n.endswith(".so") or n == arguments["name"]]
    if not names:
        raise ExtensionBuildError("the build left no library")
    return os.path.join(build_directory, names[0])


def call(function, arguments, build_directory):
    arguments = dict(arguments)
    extra = arguments.pop("kwargs", {})
    return function(**arguments, **extra, build_directory=build_directory, verbose=False)


GENUINE = {"load": extension.load, "load_inline": extension.load_inline}
