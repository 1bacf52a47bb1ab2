#include "task/python_scan.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <optional>

namespace kernelbench::task {

namespace {

// Words that begin a compound statement: what follows on the same line belongs to its body.
constexpr std::array<std::string_view, 12> compound_words{"class", "def",   "async", "if",  "elif",   "else",
                                                          "for",   "while", "with",  "try", "except", "finally"};

bool is_newline(char c) {
  return c == '\n' || c == '\r';
}
bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\f';
}
bool is_word(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return std::isalnum(byte) || c == '_' || byte >= 0x80;
}

class Scanner {
public:
  explicit Scanner(std::string_view source) : source_(source) {
    constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
    if (source.substr(0, byte_order_mark.size()) == byte_order_mark) {
      at_ = byte_order_mark.size();
    }
  }

  std::vector<TopLevelStatement> statements() {
    while (!at_end()) {
      if (is_newline(here())) {
        ++at_;
      } else if (is_blank(here())) {
        skip_line(); // the body of a block, or a blank line
      } else {
        read_line();
      }
    }
    return std::move(found_);
  }

private:
  using Kind = TopLevelStatement::Kind;

  bool at_end() const { return at_ >= source_.size(); }
  char here() const { return source_[at_]; }
  char next(std::size_t n = 1) const { return at_ + n < source_.size() ? source_[at_ + n] : '\0'; }
  bool at_line_end() const { return at_end() || (depth_ == 0 && is_newline(here())); }
  bool at_statement_end() const { return at_line_end() || (depth_ == 0 && here() == ';'); }

  bool at_continuation() const { return here() == '\\' && is_newline(next()); }

  void skip_continuation() { at_ += next() == '\r' && next(2) == '\n' ? 3 : 2; }

  // A string ends at its closing quotes; one that is not triple-quoted also at the end of its line, as a syntax error
  // would.
  void skip_string() {
    const char quote = here();
    const bool triple = next() == quote && next(2) == quote;
    at_ += triple ? 3 : 1;
    while (!at_end()) {
      if (here() == '\\') {
        at_ += next() == '\r' && next(2) == '\n' ? 3 : 2;
      } else if (here() == quote && (!triple || (next() == quote && next(2) == quote))) {
        at_ += triple ? 3 : 1;
        return;
      } else if (!triple && is_newline(here())) {
        return;
      } else {
        ++at_;
      }
    }
    at_ = source_.size();
  }

  void skip_comment() {
    while (!at_end() && !is_newline(here())) {
      ++at_;
    }
  }

  // One element of the text; comments and continuations count as blanks.
  void skip_token() {
    const char c = here();
    if (c == '"' || c == '\'') {
      skip_string();
    } else if (c == '#') {
      skip_comment();
    } else if (at_continuation()) {
      skip_continuation();
    } else {
      depth_ += c == '(' || c == '[' || c == '{' ? 1 : 0;
      depth_ -= (c == ')' || c == ']' || c == '}') && depth_ > 0 ? 1 : 0;
      ++at_;
    }
  }

  void skip_blanks() {
    while (!at_end() && (is_blank(here()) || at_continuation())) {
      at_continuation() ? skip_continuation() : void(++at_);
    }
  }

  // A logical line: brackets, strings and continuations may make it span several.
  void skip_line() {
    while (!at_line_end()) {
      skip_token();
    }
    depth_ = 0;
  }

  std::string_view read_word() {
    const std::size_t begin = at_;
    while (!at_end() && is_word(here())) {
      ++at_;
    }
    return source_.substr(begin, at_ - begin);
  }

  void read_line() {
    while (!at_line_end()) {
      const std::string_view word = read_word();
      if (std::find(compound_words.begin(), compound_words.end(), word) != compound_words.end()) {
        skip_blanks();
        if (word == "class" || word == "def") {
          found_.push_back({word == "class" ? Kind::class_definition : Kind::function_definition, read_word(), {}});
        }
        skip_line();
        return;
      }
      if (!word.empty()) {
        read_assignment(word);
      }
      while (!at_statement_end()) {
        skip_token();
      }
      while (!at_end() && (here() == ';' || is_blank(here()))) {
        ++at_;
      }
    }
    depth_ = 0;
  }

  // Whether a single "=" stands here: no part of ==, <=, >=, != and no augmented assignment.
  bool at_assign() const { return here() == '=' && next() != '='; }

  void read_assignment(std::string_view name) {
    skip_blanks();
    if (!at_end() && here() == ':') {
      while (!at_statement_end() && !(depth_ == 0 && at_assign())) {
        skip_token();
      }
    }
    if (at_end() || depth_ != 0 || !at_assign()) {
      return;
    }
    ++at_;
    skip_blanks();
    const std::size_t begin = at_;
    std::size_t end = at_;
    Kind kind = Kind::assignment;
    while (!at_statement_end()) {
      const char c = here();
      if (is_blank(c) || is_newline(c) || c == '#' || at_continuation()) {
        skip_token();
        continue;
      }
      if (c == '=' || ((c == '!' || c == '<' || c == '>') && next() == '=')) {
        kind = depth_ == 0 && at_assign() ? Kind::chained_assignment : kind;
        at_ += next() == '=' ? 2 : 1;
      } else {
        skip_token();
      }
      end = at_;
    }
    if (end > begin) {
      found_.push_back({kind, name, source_.substr(begin, std::min(end, source_.size()) - begin)});
    }
  }

  std::string_view source_;
  std::size_t at_ = 0;
  int depth_ = 0; // of open brackets
  std::vector<TopLevelStatement> found_;
};

} // namespace

std::vector<TopLevelStatement> top_level_statements(std::string_view source) {
  return Scanner(source).statements();
}

} // namespace kernelbench::task
