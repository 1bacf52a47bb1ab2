#include "base/text_table.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace kernelbench {
namespace {

using enum TextTable::Align;

TextTable sample() {
  TextTable table({left, right});
  table.add_row({"task", "speedup"});
  table.add_row({"level1/1", "1.25"});
  table.add_row({"x", "10"});
  return table;
}

TEST(TextTable, PlainPadsColumnsAndRulesTheHeading) {
  EXPECT_EQ(sample().plain(), "task      speedup\n"
                              "--------  -------\n"
                              "level1/1     1.25\n"
                              "x              10\n");
}

TEST(TextTable, PlainEndsNoLineWithBlanks) {
  TextTable table({left, left});
  table.add_row({"a", "long heading"});
  table.add_row({"b", ""});
  table.add_row({"", ""});
  EXPECT_EQ(table.plain(), "a  long heading\n"
                           "-  ------------\n"
                           "b\n"
                           "\n");
}

TEST(TextTable, CountsCodePointsNotBytes) {
  TextTable table({left, right});
  table.add_row({"\u00e9\u00e9", "ab"});
  table.add_row({"abc", "\u00b5"});
  EXPECT_EQ(table.plain(), "\u00e9\u00e9   ab\n"
                           "---  --\n"
                           "abc   \u00b5\n");
}

TEST(TextTable, MarkdownMarksAlignmentAndEscapesBars) {
  TextTable table({left, right});
  table.add_row({"name", "n"});
  table.add_row({"a|b", "1"});
  EXPECT_EQ(table.markdown(), "| name | n |\n"
                              "| ---- | --: |\n"
                              "| a\\|b | 1 |\n");
}

TEST(TextTable, CsvQuotesOnlyWhatNeedsIt) {
  TextTable table({left, left, left});
  table.add_row({"plain", "with space", "semi;colon"});
  table.add_row({"a,b", "say \"hi\"", "two\nlines"});
  table.add_row({"cr\r", "", "\""});
  EXPECT_EQ(table.csv(), "plain,with space,semi;colon\r\n"
                         "\"a,b\",\"say \"\"hi\"\"\",\"two\nlines\"\r\n"
                         "\"cr\r\",,\"\"\"\"\r\n");
}

TEST(TextTable, EmptyIsEmpty) {
  const TextTable table({left});
  EXPECT_EQ(table.plain(), "");
  EXPECT_EQ(table.markdown(), "");
  EXPECT_EQ(table.csv(), "");
}

TEST(TextTable, RefusesARowThatIsTooShort) {
  TextTable table({left, left});
  table.add_row({"only one"});
  EXPECT_THROW(table.plain(), std::out_of_range);
}

} // namespace
} // namespace kernelbench
