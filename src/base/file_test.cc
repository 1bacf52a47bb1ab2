#include "base/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <string>
#include <system_error>
#include <thread>

#include "base/result.h"
#include "tests/temporary_folder.h"

namespace kernelbench {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using ::testing::ThrowsMessage;
using namespace std::string_view_literals;

constexpr auto all_bytes = "line\n\0\xff\xfe no newline at the end"sv;

TEST(ReadFile, GivesEveryByte) {
  const TemporaryFolder folder;
  EXPECT_EQ(read_file(folder.add("bytes", all_bytes), "test file"), all_bytes);
  EXPECT_EQ(read_file(folder.add("empty"), "test file"), "");
}

TEST(ReadFile, TakesUpToTheLimitAndNoMore) {
  const TemporaryFolder folder;
  const fs::path file = folder.add("ten", "0123456789");
  EXPECT_EQ(read_file(file, "test file", 10), "0123456789");
  EXPECT_THAT([&] { read_file(file, "answers", 9); },
              ThrowsMessage<UserError>(AllOf(HasSubstr("answers " + file.string()), HasSubstr("10 bytes; at most 9"))));
}

TEST(ReadFile, SaysWhatIsWrong) {
  const TemporaryFolder folder;
  EXPECT_THAT([&] { read_file(folder.path() / "none", "candidate file"); },
              ThrowsMessage<UserError>(AllOf(StartsWith("candidate file "), EndsWith("No such file or directory"))));
  EXPECT_THAT([&] { read_file(folder.path(), "candidate file"); },
              ThrowsMessage<UserError>(EndsWith("not a regular file")));
  EXPECT_THAT([&] { read_file("/dev/null", "candidate file"); },
              ThrowsMessage<UserError>(EndsWith("not a regular file")));
}

// A pipe has no end: reading must not begin, and opening must not wait for a writer.
TEST(ReadFile, DoesNotWaitForAPipe) {
  const TemporaryFolder folder;
  const fs::path pipe = folder.path() / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THAT([&] { read_file(pipe, "candidate file"); }, ThrowsMessage<UserError>(EndsWith("not a regular file")));
}

TEST(WriteFileAtomically, WritesAndReplacesAndLeavesNothingElse) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "out";
  write_file_atomically(file, all_bytes);
  EXPECT_EQ(read_file(file, "out"), all_bytes);
  write_file_atomically(file, "shorter");
  EXPECT_EQ(read_file(file, "out"), "shorter");
  write_file_atomically(file, "");
  EXPECT_EQ(read_file(file, "out"), "");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 1);
  struct stat status {};
  ASSERT_EQ(::stat(file.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0644U);
}

TEST(WriteFileAtomically, ThrowsAndLeavesNothingBehind) {
  const TemporaryFolder folder;
  EXPECT_THROW(write_file_atomically(folder.path() / "none" / "out", "text"), std::system_error);
  fs::create_directory(folder.path() / "taken");
  folder.add("taken/file");
  EXPECT_THROW(write_file_atomically(folder.path() / "taken", "text"), std::system_error);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 1);
}

TEST(WriteFileAtomically, AReaderSeesTheOldOrTheNewContent) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "out";
  const std::string a(300'000, 'a');
  const std::string b(200'000, 'b');
  write_file_atomically(file, a);
  std::atomic<bool> stop = false;
  std::atomic<int> written = 0;
  std::thread writer([&] {
    for (; !stop; ++written) {
      write_file_atomically(file, written % 2 == 0 ? b : a);
    }
  });
  int torn = 0;
  for (int i = 0; i < 300 || written < 20; ++i) {
    const std::string seen = read_file(file, "out");
    torn += seen == a || seen == b ? 0 : 1;
  }
  stop = true;
  writer.join();
  EXPECT_EQ(torn, 0);
}

struct Utf8Case {
  const char* what;
  std::string_view text;
  std::optional<std::size_t> invalid_at;
  std::string_view mended;
};

TEST(Utf8, KnowsEveryEdge) {
  const Utf8Case cases[] = {
      {"empty", "", {}, ""},
      {"ASCII with a zero byte", "a\0b\x7f"sv, {}, "a\0b\x7f"sv},
      {"first and last of two bytes", "\xc2\x80\xdf\xbf", {}, "\xc2\x80\xdf\xbf"},
      {"first and last of three bytes", "\xe0\xa0\x80\xef\xbf\xbf", {}, "\xe0\xa0\x80\xef\xbf\xbf"},
      {"around the surrogates", "\xed\x9f\xbf\xee\x80\x80", {}, "\xed\x9f\xbf\xee\x80\x80"},
      {"first and last of four bytes", "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf", {}, "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf"},
      {"a lone continuation", "a\x80z", 1, "a\ufffdz"},
      {"overlong slash", "\xc0\xaf", 0, "\ufffd\ufffd"},
      {"overlong in three", "ab\xe0\x9f\xbf", 2, "ab\ufffd\ufffd\ufffd"},
      {"overlong in four", "\xf0\x8f\xbf\xbf", 0, "\ufffd\ufffd\ufffd\ufffd"},
      {"a surrogate", "\xed\xa0\x80", 0, "\ufffd\ufffd\ufffd"},
      {"beyond U+10FFFF", "\xf4\x90\x80\x80", 0, "\ufffd\ufffd\ufffd\ufffd"},
      {"bytes that never occur", "\xf5\xfe\xff", 0, "\ufffd\ufffd\ufffd"},
      {"cut at the end", "ok\xe2\x82", 2, "ok\ufffd\ufffd"},
      {"cut by ASCII", "\xe2\x82z", 0, "\ufffd\ufffdz"},
      {"cut by another sequence", "\xe2\xc3\xa9", 0, "\ufffd\u00e9"},
      {"Latin-1", "caf\xe9", 3, "caf\ufffd"},
  };
  for (const Utf8Case& one : cases) {
    EXPECT_EQ(first_invalid_utf8(one.text), one.invalid_at) << one.what;
    EXPECT_EQ(to_valid_utf8(one.text), one.mended) << one.what;
  }
}

TEST(Utf8, MendedTextIsValidAndValidTextStays) {
  EXPECT_TRUE(rc::check([](const std::string& bytes) {
    const std::string mended = to_valid_utf8(bytes);
    RC_ASSERT(!first_invalid_utf8(mended));
    RC_ASSERT(to_valid_utf8(mended) == mended);
    RC_ASSERT(first_invalid_utf8(bytes).has_value() == (mended != bytes));
  }));
}

TEST(CutMiddle, LeavesShortTextAlone) {
  EXPECT_EQ(cut_middle("", 0), "");
  EXPECT_EQ(cut_middle("0123456789", 10), "0123456789");
  EXPECT_EQ(cut_middle("0123456789", 100), "0123456789");
}

TEST(CutMiddle, KeepsHeadAndTailAndSaysHowMuchIsMissing) {
  EXPECT_EQ(cut_middle("0123456789", 4), "01\n[... 6 bytes left out ...]\n89");
  EXPECT_EQ(cut_middle("0123456789", 5), "01\n[... 6 bytes left out ...]\n89");
  EXPECT_EQ(cut_middle("0123456789", 1), "\n[... 10 bytes left out ...]\n");
  EXPECT_EQ(cut_middle("0123456789", 0), "\n[... 10 bytes left out ...]\n");
}

// A log that was made valid before must still be valid: it goes into JSON.
TEST(CutMiddle, CutsNoCharacterInTwo) {
  EXPECT_EQ(cut_middle("\u20ac\u20ac\u20ac\u20ac", 8), "\u20ac\n[... 6 bytes left out ...]\n\u20ac");
  EXPECT_EQ(cut_middle("\U0001f600\U0001f600", 6), "\n[... 8 bytes left out ...]\n");
  EXPECT_TRUE(rc::check([](const std::string& bytes) {
    const std::string text = to_valid_utf8(bytes);
    const auto limit = *rc::gen::inRange<std::size_t>(0, text.size() + 2);
    RC_ASSERT(!first_invalid_utf8(cut_middle(text, limit)));
  }));
}

TEST(CutMiddle, KeepsNoMoreThanTheLimit) {
  EXPECT_TRUE(rc::check([](const std::string& text) {
    const auto limit = *rc::gen::inRange<std::size_t>(0, text.size() + 2);
    const std::string cut = cut_middle(text, limit);
    if (text.size() <= limit) {
      RC_ASSERT(cut == text);
      return;
    }
    // Whatever was kept, the marker between gives the number of bytes that are missing.
    bool found = false;
    for (std::size_t kept = 0; kept <= limit && !found; ++kept) {
      const std::string marker = fmt::format("\n[... {} bytes left out ...]\n", text.size() - kept);
      found = cut.size() == kept + marker.size() && cut.find(marker) != std::string::npos;
      if (found) {
        const std::size_t head = cut.find(marker);
        RC_ASSERT(text.starts_with(cut.substr(0, head)));
        RC_ASSERT(text.ends_with(cut.substr(head + marker.size())));
      }
    }
    RC_ASSERT(found);
  }));
}

} // namespace
} // namespace kernelbench
