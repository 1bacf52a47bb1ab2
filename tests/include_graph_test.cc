// Reads every source file and checks what it includes: dependencies go one way (ARCHITECTURE.md), and each library is
// seen by the room that wraps it and by no other.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "base/file.h"

namespace kernelbench {
namespace {

namespace fs = std::filesystem;

const fs::path root = KERNELBENCH_SOURCE_DIR;

using Names = std::set<std::string>;

// What each room may include, beside itself. A room is a folder of src/, or one of protocol/, judge/, worker/; a name
// with a slash is one header. Stages (the rooms that `run` puts together) never know each other; build and evaluate use
// the sandbox, evaluate the device, and both speak the protocol.
const std::map<std::string, Names>& allowed_rooms() {
  static const Names domain_and_below = {"base", "domain"};
  static const Names stages = {"task",     "prompt", "extract", "generate", "build",
                               "evaluate", "store",  "metric",  "sandbox",  "device"};
  static const auto with = [](Names names, const Names& more) {
    names.insert(more.begin(), more.end());
    return names;
  };
  static const Names program_edge = {"base/fd.h", "base/clock.h"};
  static const Names all_of_src = with(with(domain_and_below, stages), {"report", "refine", "run"});
  static const std::map<std::string, Names> rooms = {
      {"base", {}},
      {"domain", {"base"}},
      {"task", domain_and_below},
      {"prompt", domain_and_below},
      {"extract", domain_and_below},
      {"generate", domain_and_below},
      {"store", domain_and_below},
      {"metric", domain_and_below},
      {"sandbox", domain_and_below},
      {"device", domain_and_below},
      {"build", with(domain_and_below, {"sandbox", "protocol"})},
      {"evaluate", with(domain_and_below, {"sandbox", "device", "protocol"})},
      {"refine", domain_and_below},
      {"report", with(domain_and_below, {"metric"})},
      {"run", with(with(domain_and_below, stages), {"refine"})},
      {"serve", all_of_src},
      {"cli", with(all_of_src, {"serve"})},
      {"main.cc", {"cli"}},
      {"protocol", with(program_edge, {"domain/outcome.h", "domain/limits.h"})},
      {"judge", with(program_edge, {"protocol", "domain/outcome.h"})},
      {"worker", with(program_edge, {"protocol"})},
  };
  return rooms;
}

const Names every_room_but_the_trusted = [] {
  Names names;
  for (const auto& [room, allowed] : allowed_rooms()) {
    if (room != "protocol" && room != "judge" && room != "worker") {
      names.insert(room);
    }
  }
  return names;
}();

// Headers of libraries, by how they begin, and the rooms that may include them.
const std::vector<std::pair<std::string, Names>> libraries = {
    {"sqlite3", {"store"}},
    {"SQLiteCpp/", {"store"}},
    {"CLI/", {"cli"}},
    {"curl/", {"generate"}},
    {"httplib.h", {"serve"}},
    {"openssl/", {"base"}},
    {"spdlog/", {"base"}},
    {"toml++/", {"task", "sandbox", "run"}},
    {"fmt/", every_room_but_the_trusted},
    {"nlohmann/", every_room_but_the_trusted},
    {"torch/", {"worker"}},
    {"ATen/", {"worker"}},
    {"c10/", {"worker"}},
    {"pybind11/", {"worker"}},
    {"Python.h", {"worker"}},
    {"seccomp.h", {"worker"}},
    {"cuda", {"judge", "worker"}},
};

// Only tests, and what only tests include.
const std::vector<std::string> test_libraries = {"gtest/", "gmock/", "rapidcheck"};

// Of the system, next to the C++ standard library.
const std::vector<std::string> system_headers = {"sys/",      "linux/",  "dirent.h", "fcntl.h",   "glob.h",   "poll.h",
                                                 "pthread.h", "sched.h", "unistd.h", "termios.h", "netinet/", "arpa/"};

struct Include {
  std::string name;
  bool quoted = false;
  int line = 0;
};

struct Source {
  fs::path path;    // from the repository's root
  std::string room; // "task", "judge", "main.cc"
  std::vector<Include> includes;
};

bool begins_with_any(const std::string& text, const std::vector<std::string>& beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(),
                     [&](const std::string& beginning) { return text.starts_with(beginning); });
}

std::string room_of(const fs::path& path) {
  auto part = path.begin();
  return *part == "src" ? (++part)->string() : part->string();
}

bool is_test(const fs::path& path) {
  const std::string name = path.filename().string();
  return name.ends_with("_test.cc") || name.starts_with("test_");
}

std::vector<Include> includes_of(const std::string& text) {
  static const std::regex directive(R"(^\s*#\s*include\s*(["<])([^">]+)[">])");
  std::vector<Include> found;
  std::istringstream stream(text);
  int number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    std::smatch match;
    if (std::regex_search(line, match, directive)) {
      found.push_back({match[2], match[1] == "\"", number});
    }
  }
  return found;
}

const std::vector<Source>& sources() {
  static const std::vector<Source> all = [] {
    std::vector<Source> found;
    for (const char* folder : {"src", "protocol", "judge", "worker"}) {
      for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
        const std::string extension = entry.path().extension().string();
        if (extension == ".h" || extension == ".cc" || extension == ".cu") {
          const fs::path path = fs::relative(entry.path(), root);
          found.push_back({path, room_of(path), includes_of(read_file(entry.path(), "source"))});
        }
      }
    }
    std::sort(found.begin(), found.end(), [](const Source& a, const Source& b) { return a.path < b.path; });
    return found;
  }();
  return all;
}

std::string place(const Source& source, const Include& include) {
  return fmt::format("{}:{} includes {}", source.path.string(), include.line, include.name);
}

// Our own header that a quoted include means, or an empty path.
fs::path own_header(const std::string& name) {
  for (const fs::path& path : {fs::path("src") / name, fs::path(name)}) {
    if (fs::is_regular_file(root / path) || fs::is_regular_file(root / (path.string() + ".in"))) {
      return path;
    }
  }
  return {};
}

TEST(IncludeGraph, IsRead) {
  EXPECT_GT(sources().size(), 100U);
  const auto includes = includes_of("#include \"a/b.h\"\n  # include <c>\n// #include <d>\n\"#include <e>\"\n");
  ASSERT_EQ(includes.size(), 2U);
  EXPECT_EQ(includes[0].name, "a/b.h");
  EXPECT_TRUE(includes[0].quoted);
  EXPECT_EQ(includes[1].name, "c");
  EXPECT_FALSE(includes[1].quoted);
  EXPECT_EQ(includes[1].line, 2);
}

TEST(IncludeGraph, EveryRoomHasARule) {
  for (const Source& source : sources()) {
    EXPECT_EQ(allowed_rooms().count(source.room), 1U)
        << source.path << ": " << source.room
        << " is no room of DESIGN section 4; if it is to be one, write down what it may include";
  }
}

TEST(IncludeGraph, RoomsIncludeOnlyWhatTheyMayKnow) {
  for (const Source& source : sources()) {
    const auto rule = allowed_rooms().find(source.room);
    for (const Include& include : source.includes) {
      if (!include.quoted || rule == allowed_rooms().end()) {
        continue;
      }
      const fs::path header = own_header(include.name);
      if (header.empty()) {
        ADD_FAILURE() << place(source, include)
                      << ": there is no such file (name it from the root of src/ or of the repository)";
        continue;
      }
      const std::string room = room_of(header);
      const bool for_tests = room == "tests" && is_test(source.path);
      if (room != source.room && !for_tests && rule->second.count(room) == 0 && rule->second.count(include.name) == 0) {
        ADD_FAILURE() << place(source, include) << ": " << source.room << " may include "
                      << (rule->second.empty() ? "no other room" : fmt::format("{}", fmt::join(rule->second, ", ")));
      }
    }
  }
}

// No product code depends on what stands beside it for tests.
TEST(IncludeGraph, OnlyTestsIncludeTests) {
  for (const Source& source : sources()) {
    for (const Include& include : source.includes) {
      if (!is_test(source.path)) {
        EXPECT_FALSE(include.quoted ? is_test(include.name) || include.name.starts_with("tests/")
                                    : begins_with_any(include.name, test_libraries))
            << place(source, include);
      }
    }
  }
}

TEST(IncludeGraph, LibrariesStayInTheirRooms) {
  for (const Source& source : sources()) {
    for (const Include& include : source.includes) {
      const bool standard = include.name.find_first_of("./") == std::string::npos;
      if (include.quoted || standard || begins_with_any(include.name, system_headers) ||
          begins_with_any(include.name, test_libraries)) {
        continue;
      }
      const auto library = std::find_if(libraries.begin(), libraries.end(),
                                        [&](const auto& entry) { return include.name.starts_with(entry.first); });
      if (library == libraries.end()) {
        ADD_FAILURE() << place(source, include) << ": an unknown library; write down which rooms may see it";
      } else {
        EXPECT_EQ(library->second.count(source.room), 1U)
            << place(source, include) << ": only " << fmt::format("{}", fmt::join(library->second, ", ")) << " may";
      }
    }
  }
}

// The programs that decide and that are audited: whatever they include, directly or not, comes from the list of their
// room.
TEST(IncludeGraph, ProtocolJudgeAndWorkerReachNothingElse) {
  std::map<std::string, const Source*> by_path;
  for (const Source& source : sources()) {
    by_path[source.path.string()] = &source;
  }
  std::set<std::string> reached;
  std::vector<std::string> open;
  for (const Source& source : sources()) {
    if ((source.room == "protocol" || source.room == "judge" || source.room == "worker") && !is_test(source.path)) {
      open.push_back(source.path.string());
    }
  }
  open.push_back("src/domain/outcome.cc"); // is compiled into protocol
  while (!open.empty()) {
    const std::string path = open.back();
    open.pop_back();
    if (!reached.insert(path).second) {
      continue;
    }
    ASSERT_EQ(by_path.count(path), 1U) << path;
    for (const Include& include : by_path[path]->includes) {
      if (include.quoted) {
        open.push_back(own_header(include.name).string());
      }
    }
  }
  Names from_src;
  for (const std::string& path : reached) {
    if (path.starts_with("src/")) {
      from_src.insert(path);
    }
  }
  const Names expected = {"src/base/clock.h", "src/base/fd.h", "src/domain/limits.h", "src/domain/outcome.cc",
                          "src/domain/outcome.h"};
  EXPECT_EQ(from_src, expected);
  for (const std::string& path : from_src) {
    for (const Include& include : by_path[path]->includes) {
      EXPECT_TRUE(include.quoted || include.name == "unistd.h" || include.name.find('.') == std::string::npos)
          << place(*by_path[path], include) << ": the judge knows the C++ standard library and the system only";
    }
  }
}

TEST(Files, HaveTellingNames) {
  static const std::regex vague("(^|_)(util|utils|utility|utilities|helper|helpers|manager|managers|common|misc)(_|$)");
  for (const Source& source : sources()) {
    for (const fs::path& part : source.path) {
      EXPECT_FALSE(std::regex_search(part.stem().string(), vague)) << source.path << ": name it after what it does";
    }
  }
}

TEST(Files, HeadersAreIncludedOnce) {
  for (const Source& source : sources()) {
    if (source.path.extension() != ".h") {
      continue;
    }
    std::istringstream text(read_file(root / source.path, "header"));
    std::string line;
    bool once = false;
    while (std::getline(text, line) && (line.empty() || line.starts_with("//") || line.starts_with("#pragma once"))) {
      once = once || line == "#pragma once";
    }
    EXPECT_TRUE(once) << source.path << ": #pragma once comes before everything else";
  }
}

// A source file's own header comes first: so it compiles without what another include happens to bring.
TEST(Files, IncludeTheirOwnHeaderFirst) {
  for (const Source& source : sources()) {
    const fs::path header = fs::path(source.path).replace_extension(".h");
    if (source.path == header || !fs::exists(root / header)) {
      continue;
    }
    ASSERT_FALSE(source.includes.empty()) << source.path;
    EXPECT_EQ(own_header(source.includes.front().name), header) << source.path << ": its own header comes first";
  }
}

} // namespace
} // namespace kernelbench
