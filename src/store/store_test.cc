#include "store/store.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <functional>
#include <random>
#include <thread>

#include "base/hash.h"

namespace kernelbench::store {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;
namespace fs = std::filesystem;

Record record_of(const std::string& id, const std::string& task, int level, int sample, const std::string& source) {
  Record record;
  record.id = id;
  record.run = "r";
  record.task_id = task;
  record.task_level = level;
  record.sample = sample;
  record.candidate_sha256 = source.empty() ? "" : sha256_hex(source);
  record.outcome = Outcome::correct;
  record.provenance.created = "2025-01-02T03:04:05Z";
  return record;
}

// Runs `work` in a child process; its exit status. A child that throws gives 99.
pid_t start_child(const std::function<int()>& work) {
  const pid_t child = fork();
  if (child == 0) {
    try {
      _exit(work());
    } catch (const std::exception& error) {
      fmt::print(stderr, "child: {}\n", error.what());
    }
    _exit(99);
  }
  return child;
}

int status_of(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

class StoreTest : public ::testing::Test {
protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "kernelbench-store-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    directory_ = name;
    file_ = directory_ / "store.db";
  }
  void TearDown() override {
    fs::permissions(directory_, fs::perms::owner_all);
    fs::remove_all(directory_);
  }

  Store store_with_run() {
    Store store = Store::open(file_);
    store.create_run({.name = "r"});
    return store;
  }
  void write(const std::string& text) { std::ofstream(file_, std::ios::binary) << text; }

  fs::path directory_;
  fs::path file_;
};

TEST_F(StoreTest, KeepsRuns) {
  file_ = directory_ / "a" / "b" / "store.db"; // directories that do not exist yet
  {
    Store store = Store::open(file_);
    store.create_run({.name = "later", .created = "2025-02-01T00:00:00Z", .specification = "[run]\n", .plan = "[]"});
    store.create_run({.name = "earlier", .created = "2025-01-01T00:00:00Z"});
    store.finish_run("earlier");
  }
  Store store = Store::open(file_);
  const auto runs = store.runs();
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0].name, "earlier");
  EXPECT_EQ(runs[0].state, "finished");
  EXPECT_EQ(runs[1].state, "running");
  const auto later = store.find_run("later");
  ASSERT_TRUE(later);
  EXPECT_EQ(later->specification, "[run]\n");
  EXPECT_EQ(later->plan, "[]");
  EXPECT_FALSE(store.find_run("never"));
}

TEST_F(StoreTest, FillsInTheTimeOfARun) {
  EXPECT_THAT(store_with_run().find_run("r")->created, ::testing::MatchesRegex("20..-..-..T..:..:..Z"));
}

TEST_F(StoreTest, RefusesWrongUseOfRuns) {
  Store store = store_with_run();
  EXPECT_THAT([&] { store.create_run({.name = "r"}); }, ThrowsMessage<UserError>(HasSubstr("--resume r")));
  EXPECT_THROW(store.create_run({.name = ""}), UserError);
  EXPECT_THAT([&] { store.finish_run("other"); }, ThrowsMessage<UserError>(HasSubstr("no run named other")));
  EXPECT_THAT([&] { store.put_generation("other", {}); }, ThrowsMessage<UserError>(HasSubstr("no run named other")));
  Record record = record_of("1", "level1/1", 1, 0, "");
  record.run = "other";
  EXPECT_THAT([&] { store.put_record(record, ""); }, ThrowsMessage<UserError>(HasSubstr("the run other")));
}

TEST_F(StoreTest, KeepsGenerationsInOrder) {
  Store store = store_with_run();
  const Generation last{"level1/19", 1, "m", "answer", 1'000'000'000'000, 2, 0.5};
  store.put_generation("r", last);
  store.put_generation("r", {"level1/19", 0, "m", "old", 0, 0, 0});
  store.put_generation("r", {"level1/19", 0, "m", std::string("new\0\xff", 5), 0, 0, 0}); // replaces the old one
  store.put_generation("r", {"level1/2", 0, "m", "", 0, 0, 0});
  const auto generations = store.generations("r");
  ASSERT_EQ(generations.size(), 3u);
  EXPECT_EQ(generations[0].task_id, "level1/2");
  EXPECT_EQ(generations[1].answer, std::string("new\0\xff", 5));
  EXPECT_EQ(generations[2], last);
  EXPECT_TRUE(store.generations("other").empty());
}

TEST_F(StoreTest, KeepsRecordsInOrderWithTheirCandidates) {
  Store store = store_with_run();
  store.put_record(record_of("d", "level2/1", 2, 0, "x"), "x");
  store.put_record(record_of("c", "level1/19", 1, 1, "x"), "x");
  store.put_record(record_of("b", "level1/19", 1, 0, ""), "not stored");
  store.put_record(record_of("a", "level1/2", 1, 0, "y\n"), "y\n");
  std::vector<std::string> ids;
  for (const Record& record : store.records("r")) {
    ids.push_back(record.id);
  }
  EXPECT_THAT(ids, ElementsAre("a", "b", "c", "d"));
  EXPECT_TRUE(store.has_record("a"));
  EXPECT_FALSE(store.has_record("e"));
  EXPECT_EQ(store.record("c")->sample, 1);
  EXPECT_FALSE(store.record("e"));
  EXPECT_EQ(store.candidate_source(sha256_hex("y\n")), "y\n");
  EXPECT_FALSE(store.candidate_source(sha256_hex("not stored")));
  EXPECT_TRUE(store.records("other").empty());
}

TEST_F(StoreTest, ReplacesARecordWithTheSameId) {
  Store store = store_with_run();
  Record record = record_of("1", "level1/1", 1, 0, "x");
  record.outcome.reset();
  record.fault = "the judge was killed";
  store.put_record(record, "x");
  record.fault.reset();
  record.outcome = Outcome::wrong_output;
  record.cause = "value";
  store.put_record(record, "x");
  store.put_record(record, "x");
  ASSERT_EQ(store.records("r").size(), 1u);
  EXPECT_EQ(store.record("1")->outcome, Outcome::wrong_output);
  EXPECT_FALSE(store.record("1")->fault);
}

TEST_F(StoreTest, KeepsRecordsOfNoRun) {
  Store store = Store::open(file_);
  Record record = record_of("1", "level1/1", 1, 0, "x");
  record.run.clear();
  record.sample.reset();
  store.put_record(record, "x");
  ASSERT_EQ(store.records("").size(), 1u);
  EXPECT_FALSE(store.records("")[0].sample);
}

TEST_F(StoreTest, RefusesARecordThatContradictsItself) {
  Store store = store_with_run();
  EXPECT_THAT([&] { store.put_record(record_of("1", "level1/1", 1, 0, "x"), "y"); },
              ThrowsMessage<UserError>(HasSubstr("another hash")));
  Record both = record_of("1", "level1/1", 1, 0, "x");
  both.fault = "fault";
  EXPECT_THROW(store.put_record(both, "x"), UserError);
  Record neither = record_of("1", "level1/1", 1, 0, "x");
  neither.outcome.reset();
  neither.fault = "";
  EXPECT_THROW(store.put_record(neither, "x"), UserError);
  EXPECT_FALSE(store.has_record("1"));
}

TEST_F(StoreTest, IsOneFileWithTheStatedSettings) {
  Store store = store_with_run();
  SQLite::Database raw(file_.string(), SQLite::OPEN_READWRITE);
  EXPECT_EQ(raw.execAndGet("PRAGMA journal_mode").getString(), "wal");
  EXPECT_EQ(raw.execAndGet("PRAGMA user_version").getInt(), 1);
  EXPECT_EQ(raw.execAndGet("SELECT count(*) FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND "
                           "name NOT LIKE 'sqlite_%' AND strict = 0")
                .getInt(),
            0);
}

TEST_F(StoreTest, RefusesANewerStore) {
  {
    Store store = Store::open(file_);
    SQLite::Database(file_.string(), SQLite::OPEN_READWRITE).exec("PRAGMA user_version = 7");
  }
  EXPECT_THAT([&] { Store::open(file_); },
              ThrowsMessage<UserError>(HasSubstr("was written by a newer kernelbench (schema 7, this one knows 1)")));
}

TEST_F(StoreTest, RefusesWhatIsNoStore) {
  write("# just some text, long enough to be mistaken for a header of something that it is not\n");
  EXPECT_THAT([&] { Store::open(file_); },
              ThrowsMessage<UserError>(AllOf(HasSubstr("not a store"), HasSubstr("--store"))));
  fs::remove(file_);
  SQLite::Database(file_.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE).exec("CREATE TABLE t (x)");
  EXPECT_THAT([&] { Store::open(file_); }, ThrowsMessage<UserError>(HasSubstr("not a store of kernelbench")));
  EXPECT_THAT([&] { Store::open(directory_); }, ThrowsMessage<UserError>(HasSubstr("is a directory")));
  EXPECT_THROW(Store::open(""), UserError);
}

TEST_F(StoreTest, AnEmptyFileBecomesAStore) {
  write("");
  EXPECT_TRUE(Store::open(file_).runs().empty());
}

TEST_F(StoreTest, RefusesADamagedFile) {
  {
    Store store = store_with_run();
    for (int i = 0; i < 50; ++i) {
      store.put_record(record_of(std::to_string(i), "level1/1", 1, i, ""), "");
    }
  }
  // The page of the schema, after the file's header.
  std::fstream file(file_, std::ios::binary | std::ios::in | std::ios::out);
  file.seekp(100);
  file << std::string(3000, '\x5a');
  file.close();
  EXPECT_THAT([&] { Store::open(file_); }, ThrowsMessage<UserError>(HasSubstr("is damaged")));
}

TEST_F(StoreTest, DamageFoundLaterIsAFault) {
  {
    Store store = store_with_run();
    for (int i = 0; i < 50; ++i) {
      store.put_record(record_of(std::to_string(i), "level1/1", 1, i, ""), "");
    }
  }
  const auto size = static_cast<std::streamoff>(fs::file_size(file_));
  std::fstream file(file_, std::ios::binary | std::ios::in | std::ios::out);
  file.seekp(size / 2);
  file << std::string(static_cast<std::size_t>(size - size / 2), '\x5a');
  file.close();
  Store store = Store::open(file_);
  EXPECT_THAT([&] { store.records("r"); }, ThrowsMessage<StoreFault>(HasSubstr("is damaged")));
}

TEST_F(StoreTest, ARecordThatCannotBeReadIsAFault) {
  Store store = store_with_run();
  store.put_record(record_of("1", "level1/1", 1, 0, ""), "");
  SQLite::Database(file_.string(), SQLite::OPEN_READWRITE).exec("UPDATE records SET json = '{\"schema\":1}'");
  EXPECT_THAT([&] { store.records("r"); }, ThrowsMessage<StoreFault>(HasSubstr("record 1 cannot be read")));
}

TEST_F(StoreTest, RefusesAPlaceThatCannotBeWritten) {
  write("");
  EXPECT_THAT([&] { Store::open(file_ / "below" / "store.db"); }, ThrowsMessage<UserError>(HasSubstr("--store")));
}

// Permission bits do not bind root, so a root becomes nobody.
TEST_F(StoreTest, RefusesReadOnlyFilesAndDirectories) {
  { Store store = store_with_run(); }
  const auto open_as_ordinary_user = [](const fs::path& path) {
    return status_of(start_child([&] {
      if (geteuid() == 0 && setuid(65534) != 0) {
        return 77;
      }
      try {
        Store::open(path);
      } catch (const UserError& error) {
        return std::string(error.what()).find("write access") != std::string::npos ||
                       std::string(error.what()).find("cannot make the directory") != std::string::npos
                   ? 0
                   : 1;
      }
      return 2;
    }));
  };
  const auto others_may_read = fs::perms::owner_all | fs::perms::others_read | fs::perms::others_exec;
  fs::permissions(file_, fs::perms::all);
  fs::permissions(directory_, others_may_read & ~fs::perms::owner_write);
  EXPECT_EQ(open_as_ordinary_user(file_), 0); // nowhere to put the log
  EXPECT_EQ(open_as_ordinary_user(directory_ / "new.db"), 0);
  EXPECT_EQ(open_as_ordinary_user(directory_ / "new" / "new.db"), 0);
  fs::permissions(directory_, others_may_read);
  fs::permissions(file_, fs::perms::owner_read | fs::perms::others_read);
  EXPECT_EQ(open_as_ordinary_user(file_), 0);
}

TEST_F(StoreTest, AFullDiskIsAFaultAndLeavesNothingHalfWritten) {
  { Store store = store_with_run(); }
  const auto source_of = [](int i) { return fmt::format("# {}\n{}", i, std::string(5000, 'x')); };
  const int written = status_of(start_child([&] {
    Store store = Store::open(file_);
    std::signal(SIGXFSZ, SIG_IGN); // the write fails instead
    const rlimit limit{300'000, 300'000};
    setrlimit(RLIMIT_FSIZE, &limit);
    for (int i = 0; i < 90; ++i) {
      try {
        store.put_record(record_of(std::to_string(i), "level1/1", 1, i, source_of(i)), source_of(i));
      } catch (const StoreFault& fault) {
        EXPECT_EQ(fault.fault().kind, Fault::Kind::permanent);
        EXPECT_THAT(fault.what(), HasSubstr("what was stored before is intact"));
        return ::testing::Test::HasFailure() ? 98 : i;
      }
    }
    return 97;
  }));
  ASSERT_GT(written, 0);
  ASSERT_LT(written, 90);
  Store store = Store::open(file_);
  EXPECT_EQ(store.records("r").size(), static_cast<std::size_t>(written));
  EXPECT_FALSE(store.candidate_source(sha256_hex(source_of(written))));
  store.put_record(record_of("more", "level1/1", 1, 0, "x"), "x"); // there is space again
}

TEST_F(StoreTest, WaitsForAnotherWriter) {
  Store store = store_with_run();
  SQLite::Database other(file_.string(), SQLite::OPEN_READWRITE);
  other.exec("BEGIN IMMEDIATE");
  std::thread release([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    other.exec("COMMIT");
  });
  store.put_record(record_of("1", "level1/1", 1, 0, "x"), "x"); // waits for its turn
  release.join();
  EXPECT_TRUE(store.has_record("1"));
}

TEST_F(StoreTest, SeveralProcessesMakeAndFillOneStore) {
  std::vector<pid_t> children;
  for (int c = 0; c < 6; ++c) {
    children.push_back(start_child([&, c] {
      Store store = Store::open(file_);
      for (int i = 0; i < 10; ++i) {
        Record record = record_of(fmt::format("{}-{}", c, i), "level1/1", 1, i, "x");
        record.run.clear();
        store.put_record(record, "x");
      }
      return 0;
    }));
  }
  for (const pid_t child : children) {
    EXPECT_EQ(status_of(child), 0);
  }
  EXPECT_EQ(Store::open(file_).records("").size(), 60u);
}

// A writer is killed at a random moment, again and again. Every record whose write returned is there, whole, with its
// candidate; at most one more is.
TEST_F(StoreTest, SurvivesKillsOfTheWriter) {
  { Store store = store_with_run(); }
  std::mt19937 random(1);
  int next = 0;
  for (int round = 0; round < 15; ++round) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const pid_t child = start_child([&] {
      Store store = Store::open(file_);
      for (int i = next;; ++i) {
        const std::string source = fmt::format("# {}\n{}", i, std::string(20'000, 'x'));
        store.put_record(record_of(std::to_string(i), "level1/1", 1, i, source), source);
        if (::write(ends[1], &i, sizeof i) != sizeof i) {
          return 1;
        }
      }
    });
    close(ends[1]);
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 60'000));
    kill(child, SIGKILL);
    EXPECT_EQ(status_of(child), 128 + SIGKILL);
    for (int i = 0; read(ends[0], &i, sizeof i) == sizeof i;) {
      next = i + 1;
    }
    close(ends[0]);

    Store store = Store::open(file_);
    const auto records = store.records("r");
    ASSERT_GE(static_cast<int>(records.size()), next);
    ASSERT_LE(static_cast<int>(records.size()), next + 1);
    for (const Record& record : records) {
      ASSERT_TRUE(store.candidate_source(record.candidate_sha256));
    }
    next = static_cast<int>(records.size());
    SQLite::Database raw(file_.string(), SQLite::OPEN_READWRITE);
    ASSERT_EQ(raw.execAndGet("PRAGMA integrity_check").getString(), "ok");
    ASSERT_EQ(raw.execAndGet("SELECT count(*) FROM candidates").getInt(), next);
  }
  EXPECT_GT(next, 0);
}

TEST_F(StoreTest, SurvivesKillsWhileItIsMade) {
  std::mt19937 random(2);
  for (int round = 0; round < 30; ++round) {
    const fs::path path = directory_ / std::to_string(round);
    const pid_t child = start_child([&] {
      Store store = Store::open(path);
      pause();
      return 0;
    });
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 6'000));
    kill(child, SIGKILL);
    EXPECT_EQ(status_of(child), 128 + SIGKILL);
    EXPECT_TRUE(Store::open(path).runs().empty());
  }
}

} // namespace
} // namespace kernelbench::store
