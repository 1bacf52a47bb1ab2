#include "sandbox/sandbox.h"

#include <fmt/format.h>
#include <fcntl.h>
#include <glob.h>
#include <sys/socket.h>

#define TOML_EXCEPTIONS 1
#include <toml++/toml.h>

#include <algorithm>
#include <cstdlib>
#include <set>

namespace kernelbench::sandbox {

namespace fs = std::filesystem;

namespace {

toml::table parse_policy(const fs::path& file) {
  try {
    return toml::parse_file(file.string());
  } catch (const toml::parse_error& error) {
    throw UserError(fmt::format("{}:{}:{}: {}", file.string(), error.source().begin.line, error.source().begin.column,
                                error.description()));
  }
}

std::vector<std::string> strings_of(const toml::table& table, std::string_view key) {
  std::vector<std::string> strings;
  if (const toml::array* array = table[key].as_array()) {
    for (const toml::node& item : *array) {
      strings.push_back(item.value_or(std::string()));
    }
  }
  return strings;
}

std::map<std::string, std::string> environment_for(const Installation& installation, const PythonEnvironment& python,
                                                   const ZygoteOptions& options) {
  const toml::table policy = parse_policy(installation.data / "sandbox" / "environment.toml");
  std::map<std::string, std::string> environment;
  for (const std::string& name : strings_of(policy, "pass")) {
    if (const char* value = std::getenv(name.c_str())) {
      environment[name] = value;
    }
  }
  if (const toml::table* set = policy["set"].as_table()) {
    for (const auto& [name, value] : *set) {
      environment[std::string(name.str())] = value.value_or(std::string());
    }
  }
  // ninja may lie beside the interpreter.
  environment["PATH"] = python.interpreter.parent_path().string() + ":" + environment["PATH"];
  environment["CUDA_VISIBLE_DEVICES"] = options.gpu ? options.visible_gpu : "";
  return environment;
}

std::vector<std::string> expand(const std::string& pattern) {
  std::vector<std::string> files;
  glob_t found{};
  if (::glob(pattern.c_str(), 0, nullptr, &found) == 0) {
    files.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  }
  ::globfree(&found);
  return files;
}

const std::vector<std::string> namespace_flags = {
    "--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try",
    // In its own user namespace only: its children need them to make namespaces of their own, and then drop them all.
    "--cap-add", "ALL", "--die-with-parent"};

// Where our programs, the interpreter and what the caller names lie.
std::set<fs::path> folders_needed(const Installation& installation, const PythonEnvironment& python,
                                  const ZygoteOptions& options) {
  std::set<fs::path> folders(python.folders.begin(), python.folders.end());
  folders.insert(options.read_only.begin(), options.read_only.end());
  folders.insert(installation.programs);
  return folders;
}

std::vector<std::string> bubblewrap(const Installation& installation, const PythonEnvironment& python,
                                    const ZygoteOptions& options) {
  const toml::table policy = parse_policy(installation.data / "sandbox" / "namespaces.toml");
  std::vector<std::string> argv{find_program("bwrap").value_or("bwrap")};
  argv.insert(argv.end(), namespace_flags.begin(), namespace_flags.end());
  const auto add = [&](std::initializer_list<std::string> words) { argv.insert(argv.end(), words); };

  add({"--tmpfs", "/tmp"}); // first: what lies under it is bound over it
  std::set<fs::path> folders = folders_needed(installation, python, options); // sorted: a parent before what lies in it
  for (const std::string& path : strings_of(policy, "read_only")) {
    folders.insert(path);
  }
  for (const fs::path& path : folders) {
    std::error_code ignored;
    if (fs::is_symlink(path, ignored)) {
      add({"--symlink", fs::read_symlink(path).string(), path.string()});
    } else if (fs::exists(path, ignored)) {
      add({"--ro-bind", path.string(), path.string()});
    }
  }
  add({"--proc", "/proc", "--dev", "/dev", "--chdir", "/"});
  if (options.gpu) {
    for (const std::string& pattern : strings_of(policy, "gpu_devices")) {
      for (const std::string& node : expand(pattern)) {
        add({"--dev-bind", node, node});
      }
    }
  }
  // What one child wrote there, the next would read.
  add({"--remount-ro", "/dev", "--remount-ro", "/"});
  return argv;
}

} // namespace

std::string_view name_of(Profile profile) { return profile == Profile::namespaces ? "namespaces" : "off"; }

Profile parse_profile(std::string_view name) {
  if (name == "namespaces") {
    return Profile::namespaces;
  }
  if (name == "off") {
    return Profile::off;
  }
  throw UserError(fmt::format("unknown sandbox '{}': 'namespaces' and 'off' exist", name));
}

std::optional<std::string> why_no_namespaces() {
  if (!find_program("bwrap")) {
    return "bubblewrap is not installed: apt-get install bubblewrap";
  }
  std::vector<std::string> argv{"bwrap"};
  argv.insert(argv.end(), namespace_flags.begin(), namespace_flags.end());
  // The inner mount is what each child does; containers with a masked /proc refuse it.
  argv.insert(argv.end(), {"--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "unshare",
                           "--mount", "--pid", "--fork", "--mount-proc", "true"});
  const Output output = run_program(argv, 10);
  if (output.exit_status == 0) {
    return std::nullopt;
  }
  std::string why = output.text.substr(0, output.text.find('\n'));
  return fmt::format("user namespaces are not allowed here ({}): on Ubuntu 24.04 set "
                     "kernel.apparmor_restrict_unprivileged_userns=0, in Docker run with --security-opt seccomp=unconfined "
                     "--security-opt systempaths=unconfined",
                     why.empty() ? "bwrap failed" : why);
}

Result<ZygoteProcess> start_zygote(const Installation& installation, const PythonEnvironment& python,
                                   const ZygoteOptions& options) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    return Fault::transient("socketpair failed");
  }
  Fd ours(ends[0]);
  Fd theirs(ends[1]);
  Subprocess::Options start;
  const bool namespaces = options.profile == Profile::namespaces;
  if (namespaces) {
    start.argv = bubblewrap(installation, python, options);
    // Killed before it has set its own child going, bubblewrap leaves that waiting for ever. It sees to its end itself
    // (--die-with-parent), and the worker leaves when nobody holds its control socket.
    start.killed_when_we_die = false;
  }
  for (const std::string& word : {installation.worker().string(), std::string("--control-fd"), std::to_string(theirs.get()),
                                  std::string("--python"), python.interpreter.string(), std::string("--namespaces"),
                                  std::string(namespaces ? "yes" : "no")}) {
    start.argv.push_back(word);
  }
  if (namespaces) {
    for (const fs::path& folder : folders_needed(installation, python, options)) {
      if (folder.string().starts_with("/tmp/")) {
        start.argv.insert(start.argv.end(), {"--keep", folder.string()});
      }
    }
  }
  start.keep_fds = {theirs.get()};
  start.environment = environment_for(installation, python, options);
  auto process = Subprocess::start(start);
  if (!process) {
    return process.fault();
  }
  return ZygoteProcess{std::move(*process), std::move(ours)};
}

} // namespace kernelbench::sandbox
