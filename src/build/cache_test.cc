#include "build/cache.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <functional>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "base/fd.h"
#include "base/file.h"
#include "tests/temporary_folder.h"

namespace kernelbench::build {
namespace {

namespace fs = std::filesystem;

// Runs `work` in a process of its own. A child that throws ends with 99.
pid_t start_child(const std::function<int()>& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    try {
      ::_exit(work());
    } catch (const std::exception&) {
      ::_exit(99);
    }
  }
  return child;
}

int status_of(pid_t child) {
  int status = -1;
  ::waitpid(child, &status, 0);
  return status;
}

class CacheTest : public testing::Test {
protected:
  // A descriptor of a file with this content, as a compiler process hands it over.
  Fd library(const std::string& content) {
    const fs::path file = folder_.add("library.so", content);
    return Fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  }
  std::vector<std::string> names_in(const std::string& sub) const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(directory_ / sub)) {
      names.push_back(entry.path().filename().string());
    }
    return names;
  }

  TemporaryFolder folder_;
  fs::path directory_ = folder_.path() / "not" / "there" / "yet";
};

using Names = std::vector<std::string>;

TEST_F(CacheTest, IsMadeEmpty) {
  const Cache cache(directory_);
  EXPECT_EQ(cache.units_directory(), directory_ / "units");
  EXPECT_TRUE(fs::is_directory(cache.units_directory()));
  EXPECT_EQ(cache.find_unit("key"), std::nullopt);
  EXPECT_FALSE(cache.find_build("key"));
}

TEST_F(CacheTest, KeepsAUnit) {
  Cache cache(directory_);
  const std::string content = std::string("ELF\0\xff", 5) + std::string(100'000, 'x');
  const fs::path put = cache.put_unit("key", "fused.so", library(content).get());
  EXPECT_EQ(put, directory_ / "units" / "key" / "fused.so");
  EXPECT_EQ(read_file(put, "unit"), content);
  EXPECT_EQ(Cache(directory_).find_unit("key"), put) << "another cache on the same folder finds it";
  EXPECT_EQ(cache.find_unit("ke"), std::nullopt);
  EXPECT_EQ(names_in("units"), Names{"key"});
  // Runners read it under another user's name.
  struct stat status {};
  ASSERT_EQ(::stat(put.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0444U, 0444U);
  ASSERT_EQ(::stat(put.parent_path().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0755U);
}

TEST_F(CacheTest, CopiesTheWholeFileWhereverTheDescriptorStands) {
  Cache cache(directory_);
  const Fd fd = library("0123456789");
  ASSERT_EQ(::lseek(fd.get(), 7, SEEK_SET), 7);
  EXPECT_EQ(read_file(cache.put_unit("key", "a.so", fd.get()), "unit"), "0123456789");
}

// The name comes from a process that a candidate may have taken over.
TEST_F(CacheTest, WritesNothingOutsideItsFolder) {
  Cache cache(directory_);
  const fs::path put = cache.put_unit("key", "../../../outside.so", library("text").get());
  EXPECT_EQ(put, directory_ / "units" / "key" / "outside.so");
  EXPECT_THROW(cache.put_unit("other", "..", library("text").get()), std::system_error);
  EXPECT_THROW(cache.put_unit("other", "", library("text").get()), std::system_error);
  EXPECT_EQ(names_in("units"), Names{"key"});
}

TEST_F(CacheTest, NeverChangesAUnit) {
  Cache cache(directory_);
  const fs::path first = cache.put_unit("key", "a.so", library("first").get());
  EXPECT_EQ(cache.put_unit("key", "a.so", library("second").get()), first);
  EXPECT_EQ(read_file(first, "unit"), "first");
  EXPECT_EQ(names_in("units"), Names{"key"});
}

TEST_F(CacheTest, LeavesNothingOfAUnitThatCannotBeCopied) {
  Cache cache(directory_);
  EXPECT_THROW(cache.put_unit("key", "a.so", -1), std::system_error);
  EXPECT_THROW(cache.put_unit("no/such/folder", "a.so", library("text").get()), std::system_error);
  EXPECT_TRUE(names_in("units").empty());
}

TEST_F(CacheTest, KeepsABuildAsLongAsItsUnits) {
  Cache cache(directory_);
  cache.put_build("empty", {});
  EXPECT_TRUE(cache.find_build("empty")->empty());

  cache.put_unit("key1", "a.so", library("a").get());
  cache.put_unit("key2", "b.so", library("b").get());
  cache.put_build("build", {{"digest1", "key1"}, {"digest2", "key2"}});
  const auto units = cache.find_build("build");
  ASSERT_TRUE(units);
  ASSERT_EQ(units->size(), 2U);
  EXPECT_EQ((*units)[0].digest, "digest1");
  EXPECT_EQ((*units)[0].key, "key1");
  EXPECT_EQ((*units)[1].digest, "digest2");
  EXPECT_EQ((*units)[1].key, "key2");

  fs::remove_all(directory_ / "units" / "key2"); // somebody made room
  EXPECT_FALSE(cache.find_build("build"));
}

TEST_F(CacheTest, TakesADamagedBuildForNone) {
  Cache cache(directory_);
  cache.put_unit("key", "a.so", library("a").get());
  for (const char* text : {"", "[", "{}", "null", "[1]", "[[]]", "[{}]", R"([{"digest":"d"}])",
                           R"([{"digest":"d","key":7}])", R"([{"digest":"d","key":""}])"}) {
    std::ofstream(directory_ / "builds" / "build.json") << text;
    EXPECT_FALSE(cache.find_build("build")) << text;
  }
}

TEST_F(CacheTest, ManyProcessesMayPutTheSameUnit) {
  constexpr int rounds = 20;
  const std::string content(300'000, 'x');
  const fs::path source = folder_.add("library.so", content);
  std::vector<pid_t> children;
  for (int child = 0; child < 4; ++child) {
    children.push_back(start_child([&] {
      Cache cache(directory_);
      for (int round = 0; round < rounds; ++round) {
        const std::string key = "key" + std::to_string(round);
        const Fd fd(::open(source.c_str(), O_RDONLY | O_CLOEXEC));
        if (const auto found = cache.find_unit(key); found && read_file(*found, "unit") != content) {
          return 1; // seen before it was whole
        }
        const fs::path put = cache.put_unit(key, "a.so", fd.get());
        if (read_file(put, "unit") != content || cache.find_unit(key) != put) {
          return 2;
        }
        cache.put_build("build", {{"digest", key}});
        if (!cache.find_build("build")) {
          return 3;
        }
      }
      return 0;
    }));
  }
  for (const pid_t child : children) {
    const int status = status_of(child);
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 0);
  }
  EXPECT_EQ(names_in("units").size(), static_cast<std::size_t>(rounds)) << "and no temporary folder";
  EXPECT_EQ(names_in("builds"), Names{"build.json"});
}

// The kernel ends the writer in the middle of the copy.
TEST_F(CacheTest, AWriterThatDiesHalfwayLeavesNoUnit) {
  const std::string content(1'000'000, 'x');
  const fs::path source = folder_.add("library.so", content);
  const Fd fd(::open(source.c_str(), O_RDONLY | O_CLOEXEC));
  Cache cache(directory_);
  const int status = status_of(start_child([&] {
    const rlimit no_core{0, 0};
    const rlimit half{500'000, 500'000};
    ::setrlimit(RLIMIT_CORE, &no_core);
    ::setrlimit(RLIMIT_FSIZE, &half);
    std::signal(SIGXFSZ, SIG_DFL);
    cache.put_unit("key", "a.so", fd.get());
    return 0;
  }));
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGXFSZ);
  EXPECT_EQ(cache.find_unit("key"), std::nullopt);
  EXPECT_EQ(read_file(cache.put_unit("key", "a.so", fd.get()), "unit"), content);
}

TEST_F(CacheTest, KillingAWriterAtAnyMomentLeavesAWholeUnitOrNone) {
  const std::string content(4'000'000, 'x');
  const fs::path source = folder_.add("library.so", content);
  Cache cache(directory_);
  for (int round = 0; round < 30; ++round) {
    const std::string key = "key" + std::to_string(round);
    const pid_t child = start_child([&] {
      const Fd fd(::open(source.c_str(), O_RDONLY | O_CLOEXEC));
      cache.put_unit(key, "a.so", fd.get());
      cache.put_build(key, {{"digest", key}});
      return 0;
    });
    std::this_thread::sleep_for(std::chrono::microseconds(200 * round));
    ::kill(child, SIGKILL);
    status_of(child);
    if (const auto found = cache.find_unit(key)) {
      EXPECT_EQ(fs::file_size(*found), content.size()) << key;
    }
    if (const auto build = cache.find_build(key)) {
      EXPECT_EQ(build->size(), 1U) << key;
      EXPECT_TRUE(cache.find_unit(key)) << key;
    }
    const Fd fd(::open(source.c_str(), O_RDONLY | O_CLOEXEC));
    EXPECT_EQ(fs::file_size(cache.put_unit(key, "a.so", fd.get())), content.size()) << key;
  }
}

} // namespace
} // namespace kernelbench::build
