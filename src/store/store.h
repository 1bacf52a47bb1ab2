#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "domain/generation.h"
#include "domain/record.h"

namespace SQLite {
class Database;
}

// Everything that outlives a process: one SQLite file (schema.sql). Several processes may use it at once.

namespace kernelbench::store {

// The store could not be read or written while it was in use: disk full, I/O error, damage, locked for too long (the
// only transient one). The message says what to do; what was being written is not there, in no part.
class StoreFault : public std::runtime_error {
public:
  explicit StoreFault(Fault fault) : std::runtime_error(fault.message), fault_(std::move(fault)) {}
  const Fault& fault() const { return fault_; }

private:
  Fault fault_;
};

struct RunRow {
  std::string name;
  std::string created;           // UTC, ISO 8601; create_run fills in now when it is empty
  std::string specification;     // TOML
  std::string plan;              // JSON text: the planned work, [{"task":"level1/1","sample":0},...]
  std::string state = "running"; // running | finished
};

// One connection. Movable; used by one thread at a time: a second thread opens its own.
//
// Every function that writes is one transaction: after it returns, a crash of the process or of the machine loses
// nothing of it; before, nothing of it is seen. Reads and writes throw StoreFault, and UserError for what the caller
// got wrong.
class Store {
public:
  // Opens the file, makes it and its directories when they are missing, migrates an older schema. Throws UserError for
  // a store of a newer kernelbench, a file that is no store or is damaged, a place that cannot be written.
  static Store open(const std::filesystem::path& path);

  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;
  ~Store();

  const std::filesystem::path& path() const { return path_; }

  // UserError when the name is taken or empty.
  void create_run(const RunRow& run);
  std::optional<RunRow> find_run(const std::string& name);
  // Oldest first.
  std::vector<RunRow> runs();
  // UserError when there is no such run.
  void finish_run(const std::string& name);

  // Replaces an earlier answer for the same task and sample. UserError when there is no such run.
  void put_generation(const std::string& run, const Generation& generation);
  // Sorted as records are.
  std::vector<Generation> generations(const std::string& run);

  // The record and its candidate, together; a record with the same id is replaced. `candidate_source` is not read when
  // the record has no candidate. UserError when the record's run is unknown, or its hash is not that of the source.
  void put_record(const Record& record, const std::string& candidate_source);
  // Sorted by task level, task number, sample. An empty `run` gives the records of single evaluations.
  std::vector<Record> records(const std::string& run);
  std::optional<Record> record(const std::string& id);
  bool has_record(const std::string& id);
  std::optional<std::string> candidate_source(const std::string& sha256);

private:
  Store(std::filesystem::path path, std::unique_ptr<SQLite::Database> database);

  std::filesystem::path path_;
  std::unique_ptr<SQLite::Database> database_;
};

} // namespace kernelbench::store
