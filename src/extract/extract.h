#pragma once

#include <string>
#include <string_view>

namespace kernelbench::extract {

// What an LM's answer held. Either `source` is the candidate's source and `cause` is empty, or `cause` is one of
// outcome not_extracted (no_code_block, no_model_new) and `message` says in one sentence what was seen.
struct Extraction {
  std::string source;
  std::string cause;
  std::string message;
};

// Finds the candidate in an answer: text of any size and any bytes, in linear time.
//   - Reasoning is left out first: <think>...</think>; everything before a </think> that nothing opened; and everything
//     behind a <think> that begins a line and is never closed, for then the answer was cut off while it reasoned.
//   - Code blocks are fenced as in Markdown: by three or more of ` or ~, with or without a language, at any indentation
//     (which is taken off the block's lines); the last one may lack its end.
//   - Of the blocks that define ModelNew, the last one in Python, or in no language, is taken; else the last one.
//   - Without any block, a text that is Python itself and has `class ModelNew` is taken whole.
// Nothing within a block changes, but CRLF becomes LF. Whether the source is valid Python is not looked at.
Extraction extract_candidate(std::string_view answer);

} // namespace kernelbench::extract
