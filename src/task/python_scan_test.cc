#include "task/python_scan.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <string>

namespace kernelbench::task {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// "class A", "def f", "n = <value>", "chain n = <value>"
std::vector<std::string> scan(std::string_view source) {
  std::vector<std::string> found;
  for (const TopLevelStatement& statement : top_level_statements(source)) {
    switch (statement.kind) {
    case TopLevelStatement::Kind::class_definition: found.push_back(fmt::format("class {}", statement.name)); break;
    case TopLevelStatement::Kind::function_definition: found.push_back(fmt::format("def {}", statement.name)); break;
    case TopLevelStatement::Kind::assignment:
      found.push_back(fmt::format("{} = {}", statement.name, statement.value));
      break;
    case TopLevelStatement::Kind::chained_assignment:
      found.push_back(fmt::format("chain {} = {}", statement.name, statement.value));
      break;
    }
  }
  return found;
}

TEST(PythonScan, FindsDefinitionsAndAssignments) {
  EXPECT_THAT(scan("import torch\n"
                   "N = 3  # rows\n"
                   "M: int = N * 2\n"
                   "\n"
                   "@decorated(x=1)\n"
                   "class Model(nn.Module):\n"
                   "    K = 4\n"
                   "    def forward(self, x=2):\n"
                   "        y = x\n"
                   "def get_inputs():\n"
                   "    return [N]\n"),
              ElementsAre("N = 3", "M = N * 2", "class Model", "def get_inputs"));
}

TEST(PythonScan, IgnoresStringsAndComments) {
  EXPECT_THAT(scan("\"\"\"Docs\nN = 1\nclass A:\n\"\"\"\n"
                   "# N = 2\n"
                   "'''\nN = 3 \\''' \nN = 4\n'''\n"
                   "s = r'a\\'b # no comment'  # comment\n"
                   "t = \"\"\nu = ''  \n"),
              ElementsAre("s = r'a\\'b # no comment'", "t = \"\"", "u = ''"));
}

TEST(PythonScan, FollowsBracketsAndContinuations) {
  EXPECT_THAT(scan("shape = (\n"
                   "1,  # one )\n"
                   "2,\n"
                   ")  # end\n"
                   "f(\nN = 1,\n)\n"
                   "a = 1 + \\\n"
                   "  2\n"
                   "b = {'k': [\n1]}\n"),
              ElementsAre("shape = (\n1,  # one )\n2,\n)", "a = 1 + \\\n  2", "b = {'k': [\n1]}"));
}

TEST(PythonScan, TellsAssignmentsFromTheirLikes) {
  EXPECT_THAT(scan("a == 1\n"
                   "b += 1\n"
                   "c, d = 1, 2\n"
                   "e.f = 3\n"
                   "g[0] = 4\n"
                   "h: int\n"
                   "i = j == k\n"
                   "l = m != n <= o\n"
                   "p = q = 5\n"
                   "r: dict[str, int] = {}\n"
                   "v = f(x=1)\n"
                   "w =\n"),
              ElementsAre("i = j == k", "l = m != n <= o", "chain p = q = 5", "r = {}", "v = f(x=1)"));
}

TEST(PythonScan, SplitsAtSemicolonsButNotInBodies) {
  EXPECT_THAT(scan("a = 1; b = 2 ;c = ';'\n"
                   "class A: d = 4; e = 5\n"
                   "if x: f = 6; g = 7\n"
                   "else: h = 8\n"
                   "i = 9\n"),
              ElementsAre("a = 1", "b = 2", "c = ';'", "class A", "i = 9"));
}

TEST(PythonScan, KnowsCrlfAndTheByteOrderMark) {
  EXPECT_THAT(scan("\xef\xbb\xbfN = 1\r\nM = (2,\r\n3)\r\nK = \\\r\n4\r\n"),
              ElementsAre("N = 1", "M = (2,\r\n3)", "K = 4"));
}

TEST(PythonScan, EndsWhereTheSourceEnds) {
  EXPECT_THAT(scan(""), IsEmpty());
  EXPECT_THAT(scan("N"), IsEmpty());
  EXPECT_THAT(scan("class"), ElementsAre("class "));
  EXPECT_THAT(scan("N = 1"), ElementsAre("N = 1"));
  EXPECT_THAT(scan("N = (1\n\n"), ElementsAre("N = (1"));
  EXPECT_THAT(scan("N = 'open\nM = 2"), ElementsAre("N = 'open", "M = 2"));
  EXPECT_THAT(scan("N = 'x\\"), ElementsAre("N = 'x\\"));
}

RC_GTEST_PROP(PythonScan, TakesAnyText, ()) {
  const auto text = *rc::gen::container<std::string>(
      rc::gen::elementOf(std::string("aN=:;#'\"\\\n\r\t ()[]{}!<@\x80") + std::string(1, '\0')));
  for (const TopLevelStatement& statement : top_level_statements(text)) {
    RC_ASSERT(statement.name.data() >= text.data());
    RC_ASSERT(statement.value.empty() || statement.value.data() + statement.value.size() <= text.data() + text.size());
  }
}

} // namespace
} // namespace kernelbench::task
