#pragma once

#include <filesystem>

namespace SQLite {
class Database;
}

namespace kernelbench::store {

// The schema this program knows: PRAGMA user_version of its stores.
inline constexpr int schema_version = 1;

// Makes the schema in an empty database, or brings an older one up to date, in one transaction. Several processes may
// do it at once. Throws UserError for a newer schema and for a database of some other program; SQLite::Exception.
void bring_up_to_date(SQLite::Database& database, const std::filesystem::path& path);

} // namespace kernelbench::store
