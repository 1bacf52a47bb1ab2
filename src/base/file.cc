#include "base/file.h"

#include "base/result.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

#include "base/fd.h"

namespace kernelbench {

std::string read_file(const std::filesystem::path& path, std::string_view what, std::size_t max_bytes) {
  Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)); // a pipe would wait for a writer
  if (!fd) {
    throw UserError(fmt::format("{} {}: {}", what, path.string(), std::strerror(errno)));
  }
  struct stat status {};
  if (::fstat(fd.get(), &status) != 0 || !S_ISREG(status.st_mode)) {
    throw UserError(fmt::format("{} {}: not a regular file", what, path.string()));
  }
  if (static_cast<std::size_t>(status.st_size) > max_bytes) {
    throw UserError(fmt::format("{} {}: {} bytes; at most {} are read", what, path.string(), status.st_size, max_bytes));
  }
  std::string content(static_cast<std::size_t>(status.st_size), '\0');
  std::size_t filled = 0;
  while (filled < content.size()) {
    const ssize_t n = ::read(fd.get(), content.data() + filled, content.size() - filled);
    if (n < 0 && errno == EINTR) {
      continue;
    }
    if (n < 0) {
      throw UserError(fmt::format("{} {}: {}", what, path.string(), std::strerror(errno)));
    }
    if (n == 0) {
      break;
    }
    filled += static_cast<std::size_t>(n);
  }
  content.resize(filled);
  return content;
}

void write_file_atomically(const std::filesystem::path& path, std::string_view content) {
  std::string temporary = path.string() + ".XXXXXX";
  Fd fd(::mkostemp(temporary.data(), O_CLOEXEC));
  const auto fail = [&](const char* step) {
    const int error = errno;
    if (fd) {
      ::unlink(temporary.c_str());
    }
    throw std::system_error(error, std::generic_category(), fmt::format("{} {}", step, path.string()));
  };
  if (!fd) {
    fail("create");
  }
  for (std::size_t done = 0; done < content.size();) {
    const ssize_t n = ::write(fd.get(), content.data() + done, content.size() - done);
    if (n < 0 && errno != EINTR) {
      fail("write");
    }
    done += n > 0 ? static_cast<std::size_t>(n) : 0;
  }
  if (::fchmod(fd.get(), 0644) != 0 || ::fsync(fd.get()) != 0 || ::rename(temporary.c_str(), path.c_str()) != 0) {
    fail("finish");
  }
}

namespace {

// Length of the valid UTF-8 sequence at `text`, or 0 (RFC 3629: no overlong forms, no surrogates, at most U+10FFFF).
std::size_t utf8_sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) {
    return 1;
  }
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < length) {
    return 0;
  }
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) {
      return 0;
    }
  }
  const unsigned char second = byte(1);
  const bool overlong = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
  const bool outside = (first == 0xed && second > 0x9f) || (first == 0xf4 && second > 0x8f);
  return overlong || outside ? 0 : length;
}

} // namespace

std::optional<std::size_t> first_invalid_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = utf8_sequence_length(text.substr(i));
    if (length == 0) {
      return i;
    }
    i += length;
  }
  return std::nullopt;
}

std::string to_valid_utf8(std::string_view text) {
  std::string valid;
  valid.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = utf8_sequence_length(text.substr(i));
    if (length == 0) {
      valid += "\xef\xbf\xbd";
      ++i;
    } else {
      valid += text.substr(i, length);
      i += length;
    }
  }
  return valid;
}

std::string cut_middle(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) {
    return std::string(text);
  }
  const auto within_character = [&](std::size_t at) {
    return at > 0 && at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80;
  };
  std::size_t head = limit / 2;
  std::size_t tail = text.size() - limit / 2;
  for (int i = 0; i < 3 && within_character(head); ++i) {
    --head;
  }
  for (int i = 0; i < 3 && within_character(tail); ++i) {
    ++tail;
  }
  return fmt::format("{}\n[... {} bytes left out ...]\n{}", text.substr(0, head), tail - head, text.substr(tail));
}

} // namespace kernelbench
