#include "extract/code_blocks.h"

#include <algorithm>
#include <cctype>

namespace kernelbench::extract {

namespace {

constexpr std::string_view blanks = " \t";

// The line at `at` without its end, and where the next one begins.
struct Line {
  std::string_view text;
  std::size_t next;
};

Line line_at(std::string_view text, std::size_t at) {
  const std::size_t end = text.find('\n', at);
  if (end == std::string_view::npos) {
    return {text.substr(at), text.size()};
  }
  const bool crlf = end > at && text[end - 1] == '\r';
  return {text.substr(at, end - at - (crlf ? 1 : 0)), end + 1};
}

struct Fence {
  char mark;
  std::size_t length;
  std::size_t indentation;
  std::string_view info; // what stands behind the marks, without blanks around it
};

std::optional<Fence> parse_fence(std::string_view line) {
  const std::size_t indentation = std::min(line.find_first_not_of(blanks), line.size());
  line.remove_prefix(indentation);
  if (line.empty() || (line[0] != '`' && line[0] != '~')) {
    return std::nullopt;
  }
  const char mark = line[0];
  const std::size_t length = std::min(line.find_first_not_of(mark), line.size());
  std::string_view info = line.substr(length);
  info.remove_prefix(std::min(info.find_first_not_of(blanks), info.size()));
  info = info.substr(0, info.find_last_not_of(" \t\r") + 1);
  // A backtick behind the fence makes it code within a line: ```x```.
  if (length < 3 || (mark == '`' && info.find('`') != std::string_view::npos)) {
    return std::nullopt;
  }
  return Fence{mark, length, indentation, info};
}

// "python" for "python", "Python title=x", "{.python}" and "python:model.py".
std::string_view language_of(std::string_view info) {
  info.remove_prefix(std::min(info.find_first_not_of("{. "), info.size()));
  const auto end = std::find_if(info.begin(), info.end(), [](char c) {
    return !std::isalnum(static_cast<unsigned char>(c)) && c != '+' && c != '#' && c != '-' && c != '_';
  });
  return info.substr(0, static_cast<std::size_t>(end - info.begin()));
}

// A fence that is far to the right of the opening one stands in the code, such as in a docstring.
bool closes(const Fence& fence, const Fence& open) {
  return fence.mark == open.mark && fence.length >= open.length && fence.info.empty() &&
         fence.indentation <= open.indentation + 3;
}

std::string_view without_indentation(std::string_view line, std::size_t indentation) {
  const std::size_t blank = std::min(line.find_first_not_of(blanks), line.size());
  return line.substr(std::min(blank, indentation));
}

bool defines_model_new(std::string_view line) {
  constexpr std::string_view name = "ModelNew";
  constexpr std::string_view keyword = "class";
  const bool is_class = line.substr(0, keyword.size()) == keyword;
  if (is_class) {
    line.remove_prefix(keyword.size());
    const std::size_t gap = std::min(line.find_first_not_of(blanks), line.size());
    if (gap == 0) {
      return false;
    }
    line.remove_prefix(gap);
  }
  if (line.substr(0, name.size()) != name) {
    return false;
  }
  line.remove_prefix(name.size());
  if (is_class) {
    const auto c = line.empty() ? '\0' : line[0];
    return !std::isalnum(static_cast<unsigned char>(c)) && c != '_';
  }
  line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
  const bool annotated = !line.empty() && line[0] == ':';
  const std::size_t equals = annotated ? line.find('=') : 0;
  return equals < line.size() && line[equals] == '=' && line.substr(equals, 2) != "==";
}

} // namespace

std::optional<CodeBlock> CodeBlockReader::next() {
  std::optional<Fence> open;
  while (at_ < text_.size() && !open) {
    const Line line = line_at(text_, at_);
    open = parse_fence(line.text);
    at_ = line.next;
  }
  if (!open) {
    return std::nullopt;
  }
  CodeBlock block{language_of(open->info), {}, open->indentation};
  const bool markdown = block.language == "markdown" || block.language == "md";
  const std::size_t begin = at_;
  while (at_ < text_.size()) {
    const Line line = line_at(text_, at_);
    const std::optional<Fence> fence = parse_fence(line.text);
    if (fence && markdown && !fence->info.empty()) {
      block.content = text_.substr(begin, at_ - begin);
      return block; // the fence opens the next block
    }
    if (fence && closes(*fence, *open)) {
      block.content = text_.substr(begin, at_ - begin);
      at_ = line.next;
      return block;
    }
    at_ = line.next;
  }
  block.content = text_.substr(begin);
  return block;
}

std::string source_of(const CodeBlock& block) {
  std::string source;
  source.reserve(block.content.size());
  for (std::size_t at = 0; at < block.content.size();) {
    const Line line = line_at(block.content, at);
    source += without_indentation(line.text, block.indentation);
    if (block.content[line.next - 1] == '\n') {
      source += '\n';
    }
    at = line.next;
  }
  return source;
}

bool defines_model_new(const CodeBlock& block) {
  for (std::size_t at = 0; at < block.content.size();) {
    const Line line = line_at(block.content, at);
    if (defines_model_new(without_indentation(line.text, block.indentation))) {
      return true;
    }
    at = line.next;
  }
  return false;
}

} // namespace kernelbench::extract
