#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace kernelbench {

// The whole file. Throws UserError when it is missing, not a regular file, unreadable or larger than max_bytes;
// `what` names it in the message ("candidate file").
std::string read_file(const std::filesystem::path& path, std::string_view what, std::size_t max_bytes = 64u << 20);

// Writes a new file beside `path` and renames it over `path`, so that a reader sees the old or the new content, whole.
// Throws std::system_error.
void write_file_atomically(const std::filesystem::path& path, std::string_view content);

// The first byte offset that is not valid UTF-8, or nothing.
std::optional<std::size_t> first_invalid_utf8(std::string_view text);

// `text` with every byte that is not valid UTF-8 replaced by U+FFFD (logs of compilers and candidates can hold anything).
std::string to_valid_utf8(std::string_view text);

// Keeps at most `limit` bytes: the head and the tail, with a line between them that says how much was left out. Cuts no
// character of UTF-8 in two.
std::string cut_middle(std::string_view text, std::size_t limit);

} // namespace kernelbench
