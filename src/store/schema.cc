#include "store/schema.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include <array>
#include <string>
#include <string_view>

#include "base/result.h"

namespace kernelbench::embedded {
extern const char store_schema[]; // schema.sql
}

namespace kernelbench::store {

namespace {

// "kbch": tells a store from the SQLite files of other programs.
constexpr int application_id = 0x6b626368;

// migrations[i] turns schema i + 1 into schema i + 2. A number that was released never changes.
constexpr std::array<std::string_view, schema_version - 1> migrations{};

int pragma(SQLite::Database& database, const char* name) {
  return database.execAndGet(fmt::format("PRAGMA {}", name)).getInt();
}

// The version on disk, 0 for an empty database.
int checked_version(SQLite::Database& database, const std::filesystem::path& path) {
  const int version = pragma(database, "user_version");
  const bool empty = database.execAndGet("SELECT count(*) FROM sqlite_schema").getInt() == 0;
  if (pragma(database, "application_id") != application_id && !(empty && version == 0)) {
    throw UserError(fmt::format(
        "{} is an SQLite database, but not a store of kernelbench: name another file with --store", path.string()));
  }
  if (version > schema_version) {
    throw UserError(
        fmt::format("the store {} was written by a newer kernelbench (schema {}, this one knows {}): update "
                    "this program, or name another file with --store",
                    path.string(), version, schema_version));
  }
  return version;
}

} // namespace

void bring_up_to_date(SQLite::Database& database, const std::filesystem::path& path) {
  if (checked_version(database, path) == schema_version) {
    return;
  }
  SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
  // Again, now that nobody else can write: another process may have been faster.
  const int version = checked_version(database, path);
  if (version == 0) {
    database.exec(embedded::store_schema);
    database.exec(fmt::format("PRAGMA application_id = {}", application_id));
  } else {
    for (int from = version; from < schema_version; ++from) {
      database.exec(std::string(migrations.at(static_cast<std::size_t>(from - 1))));
    }
  }
  database.exec(fmt::format("PRAGMA user_version = {}", schema_version));
  transaction.commit();
}

} // namespace kernelbench::store
