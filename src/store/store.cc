#include "store/store.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <thread>
#include <tuple>
#include <utility>

#include "base/clock.h"
#include "base/hash.h"
#include "store/schema.h"

namespace kernelbench::store {

namespace {

using Path = std::filesystem::path;

// How long a process waits while others write. Transactions last milliseconds.
constexpr int busy_timeout_ms = 20'000;

int primary_code(const SQLite::Exception& error) {
  return error.getErrorCode() & 0xff;
}

StoreFault fault_of(const SQLite::Exception& error, const Path& path) {
  const auto permanent = [&](std::string_view what, std::string_view advice) {
    return StoreFault(
        Fault::permanent(fmt::format("the store {}: {} ({}): {}", path.string(), what, error.what(), advice)));
  };
  switch (primary_code(error)) {
  case SQLITE_FULL:
    return permanent("the disk is full", "free some space and try again; what was stored before is intact");
  case SQLITE_IOERR:
    return permanent("reading or writing failed",
                     "look at the disk's state and free space, then try again; what was stored before is intact");
  case SQLITE_BUSY:
  case SQLITE_LOCKED:
    return StoreFault(
        Fault::transient(fmt::format("the store {} was locked by another process for {} s ({}): try again",
                                     path.string(), busy_timeout_ms / 1000, error.what())));
  case SQLITE_CORRUPT:
  case SQLITE_NOTADB:
    return permanent("the file is damaged", "move it away; `sqlite3 FILE .recover` prints what can be saved");
  case SQLITE_READONLY:
  case SQLITE_CANTOPEN:
  case SQLITE_PERM: return permanent("it can no longer be written", "give write access to the file and its directory");
  default: return permanent("an operation failed", "this is likely a defect of kernelbench; please report it");
  }
}

// Runs `work`; what SQLite throws becomes a StoreFault.
template <class Work>
auto guarded(const Path& path, Work work) {
  try {
    return work();
  } catch (const SQLite::Exception& error) {
    throw fault_of(error, path);
  }
}

// Opening fails for reasons that the user can change: mostly UserError.
[[noreturn]] void throw_open_error(const SQLite::Exception& error, const Path& path) {
  switch (primary_code(error)) {
  case SQLITE_NOTADB:
    throw UserError(
        fmt::format("{} is not a store of kernelbench (not an SQLite file): move it away, or name another file "
                    "with --store",
                    path.string()));
  case SQLITE_CORRUPT:
    throw UserError(
        fmt::format("the store {} is damaged ({}): move it away (`sqlite3 FILE .recover` prints what can be "
                    "saved), or name another file with --store",
                    path.string(), error.what()));
  case SQLITE_READONLY:
  case SQLITE_CANTOPEN:
  case SQLITE_PERM:
  case SQLITE_AUTH:
    throw UserError(
        fmt::format("cannot write the store {} ({}): give write access to the file and its directory, or name "
                    "another file with --store",
                    path.string(), error.what()));
  default: throw fault_of(error, path);
  }
}

void make_directory_of(const Path& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    throw UserError(fmt::format("the store {} is a directory: name a file with --store", path.string()));
  }
  std::filesystem::create_directories(path.parent_path(), error);
  if (error) {
    throw UserError(fmt::format("cannot make the directory {} for the store ({}): name another file with --store",
                                path.parent_path().string(), error.message()));
  }
}

// Where the file system cannot do it (some network file systems), SQLite stays with a rollback journal: slower, as
// safe. SQLite does not wait for others here, as it does elsewhere.
void use_write_ahead_log(SQLite::Database& database) {
  const Deadline deadline = Deadline::after(busy_timeout_ms / 1e3);
  while (true) {
    try {
      database.exec("PRAGMA journal_mode = WAL");
      return;
    } catch (const SQLite::Exception& error) {
      if (primary_code(error) != SQLITE_BUSY || deadline.passed()) {
        throw;
      }
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

void bind_text(SQLite::Statement& statement, int index, const std::optional<std::string>& text) {
  if (text) {
    statement.bind(index, *text);
  } else {
    statement.bind(index);
  }
}

std::optional<std::string> unless_empty(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

std::string text_of(SQLite::Statement& statement, int column) {
  return statement.getColumn(column).getString();
}

RunRow run_row(SQLite::Statement& row) {
  return {text_of(row, 0), text_of(row, 1), text_of(row, 2), text_of(row, 3), text_of(row, 4)};
}

constexpr const char* select_run = "SELECT name, created, specification, plan, state FROM runs";

// The number of "level1/19" and of "my/tasks/19_ReLU.py"; 0 without one.
long task_number(const std::string& task_id) {
  return std::strtol(task_id.c_str() + (task_id.rfind('/') + 1), nullptr, 10);
}

Record parse_record(const std::string& id, const std::string& json, const Path& path) {
  try {
    return record_from_json(nlohmann::ordered_json::parse(json));
  } catch (const std::exception& error) {
    throw StoreFault(Fault::permanent(
        fmt::format("the store {}: the record {} cannot be read: {}", path.string(), id, error.what())));
  }
}

} // namespace

Store::Store(Path path, std::unique_ptr<SQLite::Database> database)
    : path_(std::move(path)), database_(std::move(database)) {}
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;
Store::~Store() = default;

Store Store::open(const Path& given) {
  if (given.empty()) {
    throw UserError("the path of the store is empty: name a file with --store");
  }
  // Absolute, so that no name has a meaning of its own for SQLite (":memory:", "file:...").
  const Path path = std::filesystem::absolute(given);
  make_directory_of(path);
  try {
    auto database = std::make_unique<SQLite::Database>(path.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE,
                                                       busy_timeout_ms);
    database->exec("PRAGMA foreign_keys = ON");
    bring_up_to_date(*database, path);
    if (sqlite3_db_readonly(database->getHandle(), "main") != 0) {
      throw SQLite::Exception("the file is read-only", SQLITE_READONLY);
    }
    use_write_ahead_log(*database);
    database->exec("PRAGMA synchronous = FULL");
    return Store(path, std::move(database));
  } catch (const SQLite::Exception& error) {
    throw_open_error(error, path);
  }
}

void Store::create_run(const RunRow& run) {
  if (run.name.empty()) {
    throw UserError("a run needs a name");
  }
  guarded(path_, [&] {
    SQLite::Statement insert(*database_, "INSERT INTO runs (name, created, specification, plan, state) VALUES (?, "
                                         "coalesce(?, strftime('%Y-%m-%dT%H:%M:%SZ', 'now')), ?, ?, ?) "
                                         "ON CONFLICT (name) DO NOTHING");
    insert.bind(1, run.name);
    bind_text(insert, 2, unless_empty(run.created));
    insert.bind(3, run.specification);
    insert.bind(4, run.plan);
    insert.bind(5, run.state);
    if (insert.exec() == 0) {
      throw UserError(fmt::format("a run named {0} is in the store already: choose another name, or continue it with "
                                  "`kernelbench run --resume {0}`",
                                  run.name));
    }
  });
}

std::optional<RunRow> Store::find_run(const std::string& name) {
  return guarded(path_, [&]() -> std::optional<RunRow> {
    SQLite::Statement query(*database_, std::string(select_run) + " WHERE name = ?");
    query.bind(1, name);
    return query.executeStep() ? std::optional(run_row(query)) : std::nullopt;
  });
}

std::vector<RunRow> Store::runs() {
  return guarded(path_, [&] {
    SQLite::Statement query(*database_, std::string(select_run) + " ORDER BY created, name");
    std::vector<RunRow> runs;
    while (query.executeStep()) {
      runs.push_back(run_row(query));
    }
    return runs;
  });
}

void Store::finish_run(const std::string& name) {
  guarded(path_, [&] {
    SQLite::Statement update(*database_, "UPDATE runs SET state = 'finished' WHERE name = ?");
    update.bind(1, name);
    if (update.exec() == 0) {
      throw UserError(fmt::format("no run named {} is in the store {}", name, path_.string()));
    }
  });
}

void Store::put_generation(const std::string& run, const Generation& generation) {
  if (!find_run(run)) {
    throw UserError(fmt::format("no run named {} is in the store {}", run, path_.string()));
  }
  guarded(path_, [&] {
    SQLite::Statement insert(*database_,
                             "INSERT OR REPLACE INTO generations (run, task_id, sample, model, answer, prompt_tokens, "
                             "completion_tokens, latency_s) VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
    insert.bind(1, run);
    insert.bind(2, generation.task_id);
    insert.bind(3, generation.sample);
    insert.bind(4, generation.model);
    insert.bind(5, generation.answer);
    insert.bind(6, generation.prompt_tokens);
    insert.bind(7, generation.completion_tokens);
    insert.bind(8, generation.latency_s);
    insert.exec();
  });
}

std::vector<Generation> Store::generations(const std::string& run) {
  auto generations = guarded(path_, [&] {
    SQLite::Statement query(*database_,
                            "SELECT task_id, sample, model, answer, prompt_tokens, completion_tokens, latency_s "
                            "FROM generations WHERE run = ?");
    query.bind(1, run);
    std::vector<Generation> found;
    while (query.executeStep()) {
      found.push_back({text_of(query, 0), query.getColumn(1).getInt(), text_of(query, 2), text_of(query, 3),
                       query.getColumn(4).getInt64(), query.getColumn(5).getInt64(), query.getColumn(6).getDouble()});
    }
    return found;
  });
  const auto place = [](const Generation& generation) {
    const std::string directory = generation.task_id.substr(0, generation.task_id.rfind('/') + 1);
    return std::tuple(directory, task_number(generation.task_id), generation.task_id, generation.sample);
  };
  std::ranges::sort(generations, {}, place);
  return generations;
}

void Store::put_record(const Record& record, const std::string& candidate_source) {
  const bool has_candidate = !record.candidate_sha256.empty();
  if (has_candidate && sha256_hex(candidate_source) != record.candidate_sha256) {
    throw UserError(fmt::format("the record {} names the candidate {}, but its source has another hash", record.id,
                                record.candidate_sha256));
  }
  if (record.outcome.has_value() == (record.fault && !record.fault->empty())) {
    throw UserError(fmt::format("the record {} must have either an outcome or a fault", record.id));
  }
  if (!record.run.empty() && !find_run(record.run)) {
    throw UserError(fmt::format("the record {} belongs to the run {}, which is not in the store {}", record.id,
                                record.run, path_.string()));
  }
  const std::string json = to_json(record).dump();
  guarded(path_, [&] {
    SQLite::Transaction transaction(*database_, SQLite::TransactionBehavior::IMMEDIATE);
    if (has_candidate) {
      SQLite::Statement insert(*database_,
                               "INSERT INTO candidates (sha256, source) VALUES (?, ?) ON CONFLICT DO NOTHING");
      insert.bind(1, record.candidate_sha256);
      insert.bindNoCopy(2, candidate_source);
      insert.exec();
    }
    SQLite::Statement insert(*database_, "INSERT OR REPLACE INTO records (id, run, task_id, task_level, sample, "
                                         "candidate_sha256, outcome, fault, speedup, created, json) "
                                         "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    insert.bind(1, record.id);
    bind_text(insert, 2, unless_empty(record.run));
    insert.bind(3, record.task_id);
    insert.bind(4, record.task_level);
    if (record.sample) {
      insert.bind(5, *record.sample);
    }
    bind_text(insert, 6, unless_empty(record.candidate_sha256));
    bind_text(insert, 7, record.outcome ? std::optional(std::string(name_of(*record.outcome))) : std::nullopt);
    bind_text(insert, 8, record.fault);
    if (record.timing) {
      insert.bind(9, record.timing->speedup);
    }
    insert.bind(10, record.provenance.created);
    insert.bindNoCopy(11, json);
    insert.exec();
    transaction.commit();
  });
}

std::vector<Record> Store::records(const std::string& run) {
  auto records = guarded(path_, [&] {
    SQLite::Statement query(*database_, "SELECT id, json FROM records WHERE run IS ?");
    bind_text(query, 1, unless_empty(run));
    std::vector<Record> found;
    while (query.executeStep()) {
      found.push_back(parse_record(text_of(query, 0), text_of(query, 1), path_));
    }
    return found;
  });
  std::ranges::sort(records, {}, [](const Record& record) {
    return std::tuple(record.task_level, task_number(record.task_id), record.task_id, record.sample.value_or(0),
                      record.id);
  });
  return records;
}

std::optional<Record> Store::record(const std::string& id) {
  return guarded(path_, [&]() -> std::optional<Record> {
    SQLite::Statement query(*database_, "SELECT json FROM records WHERE id = ?");
    query.bind(1, id);
    return query.executeStep() ? std::optional(parse_record(id, text_of(query, 0), path_)) : std::nullopt;
  });
}

bool Store::has_record(const std::string& id) {
  return guarded(path_, [&] {
    SQLite::Statement query(*database_, "SELECT 1 FROM records WHERE id = ?");
    query.bind(1, id);
    return query.executeStep();
  });
}

std::optional<std::string> Store::candidate_source(const std::string& sha256) {
  return guarded(path_, [&]() -> std::optional<std::string> {
    SQLite::Statement query(*database_, "SELECT source FROM candidates WHERE sha256 = ?");
    query.bind(1, sha256);
    return query.executeStep() ? std::optional(text_of(query, 0)) : std::nullopt;
  });
}

} // namespace kernelbench::store
