#include "task/constant.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <limits>

#include "task/test_files.h"

namespace kernelbench::task {
namespace {

using testing::HasSubstr;

Constant integer(std::int64_t value) {
  return {value};
}
Constant array(std::vector<Constant> elements) {
  return {std::move(elements)};
}

std::string rewrite(std::string_view source, const Constants& constants) {
  return rewrite_constants(source, constants, "level1/1", "smoke");
}

TEST(RewriteConstants, ChangesValuesAndNothingElse) {
  const std::string source = "\"\"\"N = 0\"\"\"\n"
                             "N = 2048  # rows\n"
                             "M: int=N * 2\n"
                             "class Model:\n"
                             "    N = 7\n"
                             "def get_inputs():\n"
                             "    N = 8\n"
                             "    return f(N=N)\n";
  const std::string expected = "\"\"\"N = 0\"\"\"\n"
                               "N = 310  # rows\n"
                               "M: int=20\n"
                               "class Model:\n"
                               "    N = 7\n"
                               "def get_inputs():\n"
                               "    N = 8\n"
                               "    return f(N=N)\n";
  EXPECT_EQ(rewrite(source, {{"N", integer(310)}, {"M", integer(20)}}), expected);
  EXPECT_EQ(rewrite(source, {}), source);
}

TEST(RewriteConstants, ChangesEveryAssignmentOfAName) {
  EXPECT_EQ(rewrite("N = 1\nM = N\nN = N * 2\n", {{"N", integer(5)}}), "N = 5\nM = N\nN = 5\n");
}

TEST(RewriteConstants, ReplacesValuesThatSpanLines) {
  EXPECT_EQ(rewrite("shape = (\n  1,  # one\n  2,\n)  # all\nN = 1 + \\\n  2\n",
                    {{"shape", array({integer(3), integer(4)})}, {"N", integer(5)}}),
            "shape = (3, 4)  # all\nN = 5\n");
}

TEST(RewriteConstants, MakesTuplesOfTuplesAndListsOfTheRest) {
  const Constant two = array({integer(1), integer(2)});
  EXPECT_EQ(rewrite("a = (9, 9)\n", {{"a", two}}), "a = (1, 2)\n");
  EXPECT_EQ(rewrite("a = [9]\n", {{"a", two}}), "a = [1, 2]\n");
  EXPECT_EQ(rewrite("a = None\n", {{"a", two}}), "a = [1, 2]\n");
  EXPECT_EQ(rewrite("a = (9,)\n", {{"a", array({integer(1)})}}), "a = (1,)\n");
  EXPECT_EQ(rewrite("a = ()\n", {{"a", array({})}}), "a = ()\n");
  EXPECT_EQ(rewrite("a = [(9, 9)]\n", {{"a", array({two, two})}}), "a = [(1, 2), (1, 2)]\n");
  EXPECT_EQ(rewrite("a = ([9], [9])\n", {{"a", array({two})}}), "a = ([1, 2],)\n");
}

TEST(RewriteConstants, WritesEachTypeAsPythonDoes) {
  const auto value = [](Constant constant) { return rewrite("a = 0", {{"a", std::move(constant)}}).substr(4); };
  EXPECT_EQ(value({true}), "True");
  EXPECT_EQ(value({false}), "False");
  EXPECT_EQ(value({std::int64_t{-3}}), "-3");
  EXPECT_EQ(value({2.0}), "2.0");
  EXPECT_EQ(value({0.1}), "0.1");
  EXPECT_EQ(value({1e-5}), "1e-05");
  EXPECT_EQ(value({1e300}), "1e+300");
  EXPECT_EQ(value({-std::numeric_limits<double>::infinity()}), "float(\"-inf\")");
  EXPECT_EQ(value({std::string("a\"b\\c\nd\xc3\xa9")}), "\"a\\\"b\\\\c\\x0ad\xc3\xa9\"");
}

TEST(RewriteConstants, NamesAnUnknownConstant) {
  const auto error = [](std::string_view source) {
    return user_error_of([&] { (void)rewrite(source, {{"K", integer(1)}}); });
  };
  EXPECT_EQ(error("N = 1\nM = 2\nN = 3\ndef f():\n  K = 1\n"),
            "preset smoke gives task level1/1 a constant \"K\" that its file does not set; it has N, M");
  EXPECT_THAT(error("K = J = 1\n"), HasSubstr("it has none"));
}

// The old value does not matter, and the rest of the file stays.
RC_GTEST_PROP(RewriteConstants, IsIdempotent, (std::int64_t old_value, std::int64_t value, bool comment)) {
  const std::string tail = comment ? "  # why\n" : "\n";
  const std::string source = "A = 1\nN = " + std::to_string(old_value) + tail + "B = 2\n";
  const std::string once = rewrite(source, {{"N", integer(value)}});
  RC_ASSERT(once == "A = 1\nN = " + std::to_string(value) + tail + "B = 2\n");
  RC_ASSERT(rewrite(once, {{"N", integer(value)}}) == once);
}

} // namespace
} // namespace kernelbench::task
