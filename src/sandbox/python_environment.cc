#include "sandbox/python_environment.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/subprocess.h"

namespace kernelbench::sandbox {

namespace {

constexpr const char* question = R"(
import importlib.util, json, os, runpy, sys
spec = importlib.util.find_spec("torch")
if spec is None:
    sys.exit("it has no torch")
root = os.path.dirname(spec.origin)
version = runpy.run_path(os.path.join(root, "version.py"))
folders = {sys.prefix, sys.base_prefix, sys.exec_prefix, root, os.path.dirname(os.path.dirname(sys.executable))}
folders |= {p for p in sys.path if os.path.isdir(p)}
folders |= {os.path.realpath(f) for f in folders} | {os.path.dirname(os.path.realpath(sys.executable))}
print(json.dumps({"python": sys.version.split()[0], "torch": version["__version__"], "cuda": version.get("cuda") or "",
                  "folders": sorted(folders)}))
)";

} // namespace

Result<PythonEnvironment> describe_python(const std::filesystem::path& interpreter) {
  const Output output = run_program({interpreter.string(), "-I", "-c", question}, 30);
  if (output.exit_status != 0) {
    return Fault::permanent(fmt::format("the interpreter {} cannot be used: {}", interpreter.string(), output.text));
  }
  const auto json = nlohmann::json::parse(output.text, nullptr, false);
  if (json.is_discarded()) {
    return Fault::permanent(fmt::format("the interpreter {} answered: {}", interpreter.string(), output.text));
  }
  PythonEnvironment found;
  found.interpreter = interpreter;
  found.python = json.at("python");
  found.torch = json.at("torch");
  found.torch_cuda = json.at("cuda");
  for (const auto& folder : json.at("folders")) {
    found.folders.emplace_back(folder.get<std::string>());
  }
  return found;
}

} // namespace kernelbench::sandbox
