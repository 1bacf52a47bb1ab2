#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace kernelbench::extract {

// A fenced code block of a Markdown text; the views point into the text.
struct CodeBlock {
  std::string_view language;   // first word behind the fence, as written; empty without one
  std::string_view content;    // the lines between the fences, line ends included
  std::size_t indentation = 0; // blanks before the fence; as many come off each line of the content
};

// Reads one block after the other, so that a text with millions of them needs no memory. Follows CommonMark where LMs
// do: a block ends at a fence of the same kind, at least as long as its own, with nothing behind it. Unlike there, a
// fence may be indented by any number of blanks, and a fence with a language ends a block of language `markdown`, in
// which some LMs wrap their whole answer.
class CodeBlockReader {
public:
  explicit CodeBlockReader(std::string_view text) : text_(text) {}

  std::optional<CodeBlock> next();

private:
  std::string_view text_;
  std::size_t at_ = 0; // begin of a line
};

// The block's source: indentation taken off, CRLF made LF.
std::string source_of(const CodeBlock& block);

// Whether a line of the block defines ModelNew: `class ModelNew`, `ModelNew =` or `ModelNew: ... =`.
bool defines_model_new(const CodeBlock& block);

} // namespace kernelbench::extract
