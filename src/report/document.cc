#include "report/document.h"

#include <fmt/format.h>

#include <string_view>

namespace kernelbench::report {

namespace {

struct PlainWriter {
  // Upper case would change names, so the rule alone sets a heading apart.
  std::string operator()(const Heading& heading) const {
    return heading.level == 1 ? fmt::format("== {} ==\n", heading.text) : fmt::format("{}:\n", heading.text);
  }
  std::string operator()(const Paragraph& paragraph) const { return paragraph.text + "\n"; }
  std::string operator()(const TextTable& table) const { return table.plain(); }
};

// Names and messages must not become HTML.
std::string without_html(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    escaped += c == '<' ? "&lt;" : std::string(1, c);
  }
  return escaped;
}

struct MarkdownWriter {
  std::string operator()(const Heading& heading) const {
    return fmt::format("{} {}\n", std::string(static_cast<std::size_t>(heading.level), '#'),
                       without_html(heading.text));
  }
  std::string operator()(const Paragraph& paragraph) const { return without_html(paragraph.text) + "\n"; }
  std::string operator()(const TextTable& table) const { return without_html(table.markdown()); }
};

template <class Writer>
std::string written(const Document& document, Writer writer) {
  std::string text;
  for (const Block& block : document) {
    text += (text.empty() ? "" : "\n") + std::visit(writer, block);
  }
  return text;
}

} // namespace

std::string as_text(const Document& document) {
  return written(document, PlainWriter{});
}
std::string as_markdown(const Document& document) {
  return written(document, MarkdownWriter{});
}

} // namespace kernelbench::report
