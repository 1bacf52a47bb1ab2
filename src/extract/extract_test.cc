#include "extract/extract.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <chrono>

#include "domain/outcome.h"

namespace kernelbench::extract {
namespace {

using testing::Contains;
using testing::HasSubstr;

const std::string code = "import torch\n\nclass ModelNew(torch.nn.Module):\n    pass\n";

std::string source_of(std::string_view answer) {
  const Extraction extraction = extract_candidate(answer);
  EXPECT_EQ(extraction.cause, "") << extraction.message;
  EXPECT_EQ(extraction.message, "");
  return extraction.source;
}

std::string failure_of(std::string_view answer) {
  const Extraction extraction = extract_candidate(answer);
  EXPECT_EQ(extraction.source, "");
  EXPECT_THAT(causes_of(Outcome::not_extracted), Contains(extraction.cause));
  return extraction.cause + ": " + extraction.message;
}

TEST(Extract, TakesABlockOfAnyFence) {
  EXPECT_EQ(source_of("Here:\n```python\n" + code + "```\nDone.\n"), code);
  EXPECT_EQ(source_of("```\n" + code + "```"), code);
  EXPECT_EQ(source_of("~~~ Python\n" + code + "~~~\n"), code);
  EXPECT_EQ(source_of("`````py title=\"a\"\n" + code + "`````  \n"), code);
  EXPECT_EQ(source_of("```{.python .numberLines}\n" + code + "```"), code);
}

TEST(Extract, KeepsShorterAndOtherFencesWithinABlock) {
  const std::string nested = "\"\"\"\n```\nx\n```\n~~~~\n\"\"\"\n" + code;
  EXPECT_EQ(source_of("````python\n" + nested + "````\n"), nested);
  const std::string docstring = code + "    \"\"\"\n    ```\n    x\n    ```\n    \"\"\"\n";
  EXPECT_EQ(source_of("```python\n" + docstring + "```\n"), docstring);
}

TEST(Extract, RunsToTheEndWithoutAClosingFence) {
  EXPECT_EQ(source_of("```python\n" + code), code);
  EXPECT_EQ(source_of("```python\n" + code + "x = 1"), code + "x = 1");
}

TEST(Extract, TakesTheIndentationOfAListOff) {
  EXPECT_EQ(source_of("1. First\n   ```python\n   class ModelNew:\n       pass\n\n   x = 1\n   ```\n"),
            "class ModelNew:\n    pass\n\nx = 1\n");
}

TEST(Extract, PrefersTheLastPythonBlockThatDefinesModelNew) {
  const std::string last = "class ModelNew:\n    x = 2\n";
  EXPECT_EQ(source_of("```python\n" + code + "```\n```python\n" + last + "```\n```python\nprint(1)\n```\n"), last);
  EXPECT_EQ(source_of("```python\n" + code + "```\n```cpp\n" + last + "```\n"), code);
  EXPECT_EQ(source_of("```cpp\n" + code + "```\n```text\n" + last + "```\n"), last);
  EXPECT_EQ(source_of("```python\n" + code + "```\n```\n" + last + "```\n"), last);
}

TEST(Extract, KnowsTheWaysToDefineModelNew) {
  for (const std::string line : {"class ModelNew:", "class  ModelNew(Model):", "class ModelNew", "ModelNew = Model",
                                 "ModelNew=torch.compile(Model)", "ModelNew: type = Model"}) {
    EXPECT_EQ(source_of("```\n" + line + "\n```"), line + "\n");
  }
  for (const std::string line :
       {"class ModelNewer:", " class ModelNew:", "classModelNew:", "ModelNew == Model", "ModelNewer = Model",
        "ModelNew()", "# class ModelNew:", "ModelNew: type", "ModelNew"}) {
    EXPECT_THAT(failure_of("```\n" + line + "\n```"), HasSubstr("no_model_new")) << line;
  }
}

TEST(Extract, LeavesReasoningOut) {
  const std::string draft = "```python\nclass ModelNew:\n    draft = 1\n```\n";
  EXPECT_EQ(source_of("<think>\n" + draft + "</think>\n```python\n" + code + "```\n"), code);
  EXPECT_EQ(source_of(draft + "</think>```python\n" + code + "```\n"), code);
  EXPECT_EQ(source_of("```python\n" + code + "```\n<think>\n" + draft + "</think>\nDone"), code);
  EXPECT_EQ(source_of("<think>```python\nunclosed\n</think>\n```\n" + code + "```\n"), code);
  EXPECT_EQ(source_of("<think>x</think>" + code), code);
  EXPECT_EQ(source_of("The tag <think> is fine.\n```python\n" + code + "```\n"), code);
  EXPECT_EQ(failure_of("<think>\n" + draft),
            "no_code_block: the answer ends within its reasoning and has no code block");
  EXPECT_EQ(failure_of("<think>\n" + draft + "</think>Sorry."),
            "no_code_block: the answer has no code block in its 6 bytes of text");
}

TEST(Extract, TakesATextThatIsPythonWhole) {
  EXPECT_EQ(source_of(code), code);
  EXPECT_EQ(source_of("\n# A comment\n\"\"\"Docs\"\"\"\n" + code), "\n# A comment\n\"\"\"Docs\"\"\"\n" + code);
  EXPECT_EQ(source_of("x = 1\r\n"
                      "class ModelNew: pass\r\n"),
            "x = 1\nclass ModelNew: pass\n");
  EXPECT_THAT(failure_of("Here is the code:\n" + code), HasSubstr("no_code_block"));
  EXPECT_THAT(failure_of("import torch\n"), HasSubstr("no_code_block"));
}

TEST(Extract, MakesCrlfLf) {
  EXPECT_EQ(source_of("```python\r\nclass ModelNew:\r\n    a = 'x\ry'\r\n```\r\n"),
            "class ModelNew:\n    a = 'x\ry'\n");
}

TEST(Extract, OpensTheBlocksOfAMarkdownBlock) {
  EXPECT_EQ(source_of("```markdown\n# Answer\n```python\n" + code + "```\nDone\n```\n"), code);
  EXPECT_EQ(source_of("```md\n# Answer\n```\ntext\n```python\n" + code + "```\n"), code);
}

TEST(Extract, SaysWhatItSaw) {
  EXPECT_EQ(failure_of(""), "no_code_block: the answer is empty");
  EXPECT_EQ(failure_of("```cpp\nint x;\n```\n"),
            "no_model_new: the answer has 1 code block (cpp), but none defines ModelNew");
  EXPECT_EQ(failure_of("```cpp\n```\n```\nx\n```\n```cpp\n```\n"),
            "no_model_new: the answer has 3 code blocks (cpp, no language), but none defines ModelNew");
  EXPECT_THAT(failure_of("``x``` and ```class ModelNew: pass```\n"), HasSubstr("no_code_block"));
}

TEST(Extract, TakesAnyBytes) {
  const std::string bytes = std::string("\0\xff\xfe`", 4);
  EXPECT_THAT(failure_of(bytes), HasSubstr("no_code_block"));
  EXPECT_THAT(failure_of("```\xff\n" + bytes), HasSubstr("no_model_new"));
  EXPECT_EQ(source_of("```\nclass ModelNew: pass\n" + bytes + "\n```"), "class ModelNew: pass\n" + bytes + "\n");
}

// Each would take hours if some step looked at the rest of the text for each of its parts.
TEST(Extract, TakesLinearTime) {
  const auto begin = std::chrono::steady_clock::now();
  const auto repeat = [](std::string_view part, std::size_t bytes) {
    std::string text;
    while (text.size() < bytes) {
      text += part;
    }
    return text;
  };
  constexpr std::size_t size = 20u << 20;
  for (const std::string_view part :
       {"```\n", "```a\n", "</think>", "<think>", "<think></think>", "<", " ", "`", "~~~\nclass ModelNew:\n~~~\n",
        "class ModelNew", "\r\n", "#\n", "```md\n```x\n"}) {
    (void)extract_candidate(repeat(part, size));
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::minutes(2));
}

bool is_fence(const std::string& line) {
  const std::size_t begin = line.find_first_not_of(" \t");
  return begin != std::string::npos && (line.compare(begin, 3, "```") == 0 || line.compare(begin, 3, "~~~") == 0);
}

RC_GTEST_PROP(Extract, GivesAnyCodeBackAsItWas, ()) {
  const auto character =
      rc::gen::oneOf(rc::gen::elementOf(std::string(" \t`~#'\"\\:=()<>/")),
                     rc::gen::suchThat(rc::gen::arbitrary<char>(), [](char c) { return c != '\n'; }));
  auto lines = *rc::gen::container<std::vector<std::string>>(rc::gen::container<std::string>(character));
  std::string source = "class ModelNew:\n";
  for (const std::string& line : lines) {
    const bool ends_in_cr = !line.empty() && line.back() == '\r';
    if (!is_fence(line) && !ends_in_cr && line.find("think>") == std::string::npos) {
      source += line + "\n";
    }
  }
  const auto fence = *rc::gen::element<std::string>("```", "~~~", "````");
  const auto language = *rc::gen::element<std::string>("", "python", " py");
  const auto before = *rc::gen::element<std::string>("", "Text.\n", "```cpp\nint x;\n```\n");
  const auto after = *rc::gen::element<std::string>("", "\nText.\n", "\n```bash\npip\n```\n");
  const Extraction extraction = extract_candidate(before + fence + language + "\n" + source + fence + after);
  RC_ASSERT(extraction.cause == "");
  RC_ASSERT(extraction.source == source);
}

RC_GTEST_PROP(Extract, TakesAnyText, ()) {
  const auto part = rc::gen::element<std::string>("```", "~~~", "\n", "<think>", "</think>", "class ModelNew", ":", " ",
                                                  "ModelNew =", "python", "\r", "\xff", "import x");
  const auto parts = *rc::gen::container<std::vector<std::string>>(part);
  std::string answer;
  for (const std::string& text : parts) {
    answer += text;
  }
  const Extraction extraction = extract_candidate(answer);
  RC_ASSERT(extraction.cause.empty() == !extraction.source.empty());
  RC_ASSERT(extraction.cause.empty() == extraction.message.empty());
}

} // namespace
} // namespace kernelbench::extract
