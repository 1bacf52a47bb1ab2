#include "build/cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <system_error>

#include "base/fd.h"
#include "base/file.h"
#include "base/result.h"

namespace kernelbench::build {

namespace fs = std::filesystem;

Cache::Cache(fs::path directory) : directory_(std::move(directory)) {
  std::error_code error;
  fs::create_directories(directory_ / "units", error);
  if (!error) {
    fs::create_directories(directory_ / "builds", error);
  }
  if (error) {
    throw UserError(fmt::format("the build cache {} cannot be made ({}): set XDG_CACHE_HOME to a folder that can be written",
                                directory_.string(), error.message()));
  }
}

std::optional<fs::path> Cache::find_unit(const std::string& key) const {
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator(directory_ / "units" / key, missing)) {
    return entry.path();
  }
  return std::nullopt;
}

fs::path Cache::put_unit(const std::string& key, const std::string& file_name, int library_fd) {
  std::string folder = (directory_ / "units" / (key + ".XXXXXX")).string();
  const auto fail = [](const std::string& step) -> void {
    throw std::system_error(errno, std::generic_category(), "build cache: " + step);
  };
  if (::mkdtemp(folder.data()) == nullptr) {
    fail(folder);
  }
  const fs::path file = fs::path(folder) / fs::path(file_name).filename();
  try {
    const Fd out(::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
    struct stat status {};
    if (!out || ::fstat(library_fd, &status) != 0) {
      fail(file.string());
    }
    off_t done = 0;
    while (done < status.st_size) {
      if (::sendfile(out.get(), library_fd, &done, static_cast<std::size_t>(status.st_size - done)) <= 0) {
        fail("copy of " + file.string());
      }
    }
    if (::fsync(out.get()) != 0 || ::chmod(folder.c_str(), 0755) != 0) {
      fail(file.string());
    }
    const fs::path final = directory_ / "units" / key;
    if (::rename(folder.c_str(), final.c_str()) != 0) {
      if (errno != EEXIST && errno != ENOTEMPTY) {
        fail(final.string());
      }
      fs::remove_all(folder); // another process was first, with the same content
    }
    return final / file.filename();
  } catch (...) {
    std::error_code ignored;
    fs::remove_all(folder, ignored);
    throw;
  }
}

std::optional<std::vector<Cache::BuiltUnit>> Cache::find_build(const std::string& key) const {
  std::ifstream file(directory_ / "builds" / (key + ".json"));
  std::stringstream text;
  text << file.rdbuf();
  const auto json = nlohmann::json::parse(text.str(), nullptr, false);
  if (!json.is_array()) {
    return std::nullopt;
  }
  std::vector<BuiltUnit> units;
  for (const auto& unit : json) {
    const auto field = [&](const char* name) {
      return unit.is_object() && unit.contains(name) && unit[name].is_string() ? unit[name].get<std::string>() : "";
    };
    units.push_back({field("digest"), field("key")});
    if (units.back().key.empty() || !find_unit(units.back().key)) {
      return std::nullopt;
    }
  }
  return units;
}

void Cache::put_build(const std::string& key, const std::vector<BuiltUnit>& units) {
  nlohmann::json json = nlohmann::json::array();
  for (const BuiltUnit& unit : units) {
    json.push_back({{"digest", unit.digest}, {"key", unit.key}});
  }
  write_file_atomically(directory_ / "builds" / (key + ".json"), json.dump());
}

} // namespace kernelbench::build
