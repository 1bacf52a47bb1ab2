#pragma once

#include <string_view>
#include <vector>

namespace kernelbench::task {

// A definition or an assignment at the top level of a Python source: outside every class, function, other block,
// string and comment. The views point into the source.
struct TopLevelStatement {
  enum class Kind {
    class_definition,
    function_definition,
    assignment,         // NAME = value, also with an annotation
    chained_assignment, // NAME = other = value, where the value is not only NAME's
  };
  Kind kind;
  std::string_view name;
  std::string_view value; // right-hand side of an assignment, without blanks around it or a comment behind it
};

// Knows strings, comments, brackets and line continuations; takes linear time. Other statements, and assignments to
// anything but a name, are left out. A source that is no valid Python gives something, never an error: Python will
// refuse it.
std::vector<TopLevelStatement> top_level_statements(std::string_view source);

} // namespace kernelbench::task
