#include "report/report.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/result.h"
#include "base/text_table.h"
#include "metric/metric.h"
#include "report/document.h"
#include "report/sections.h"

namespace kernelbench::report {

namespace {

using Json = nlohmann::ordered_json;

Json to_json(const metric::Metric& metric) {
  Json params = Json::object();
  for (const auto& [name, value] : metric.params) {
    params[name] = value;
  }
  Json scope = Json::object();
  for (const auto& [name, value] : metric.scope) {
    scope[name] = value;
  }
  return {
      {"name", metric.name},
      {"params", params},
      {"scope", scope},
      {"value", std::isnan(metric.value) ? Json(nullptr) : Json(metric.value)},
      {"interval", metric.interval ? Json::array({metric.interval->first, metric.interval->second}) : Json(nullptr)},
      {"count", metric.count},
      {"of", metric.of}};
}

std::string as_json(const std::vector<RunReport>& runs, const std::vector<double>& thresholds) {
  Json list = Json::array();
  for (const RunReport& run : runs) {
    const metric::Slots slots = metric::fill(run.plan, run.records);
    Json metrics = Json::array();
    for (const metric::Metric& metric : metric::all_metrics(slots, thresholds)) {
      metrics.push_back(to_json(metric));
    }
    list.push_back(
        {{"run", run.run}, {"tasks", count_tasks(slots)}, {"records", run.records.size()}, {"metrics", metrics}});
  }
  return Json{{"runs", list}}.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string as_csv(const std::vector<RunReport>& runs, const std::vector<double>& thresholds) {
  TextTable table(std::vector(9, TextTable::Align::left));
  table.add_row({"run", "metric", "p", "level", "value", "interval_low", "interval_high", "count", "of"});
  for (const RunReport& run : runs) {
    for (const metric::Metric& metric : metric::all_metrics(metric::fill(run.plan, run.records), thresholds)) {
      const auto p = metric.params.find("p");
      const auto level = metric.scope.find("level");
      table.add_row({run.run, metric.name, p == metric.params.end() ? "" : fmt::format("{}", p->second),
                     level == metric.scope.end() ? "" : fmt::format("{}", level->second),
                     std::isnan(metric.value) ? "" : fmt::format("{}", metric.value),
                     metric.interval ? fmt::format("{}", metric.interval->first) : "",
                     metric.interval ? fmt::format("{}", metric.interval->second) : "", fmt::format("{}", metric.count),
                     fmt::format("{}", metric.of)});
    }
  }
  return table.csv();
}

Document document_of(const std::vector<RunReport>& runs, const std::vector<double>& thresholds) {
  Document document;
  if (runs.size() > 1) {
    add_comparison(document, runs, thresholds);
  }
  for (const RunReport& run : runs) {
    add_run(document, run, thresholds);
  }
  return document;
}

} // namespace

Format parse_format(std::string_view name) {
  if (name == "text") {
    return Format::text;
  }
  if (name == "markdown") {
    return Format::markdown;
  }
  if (name == "json") {
    return Format::json;
  }
  if (name == "csv") {
    return Format::csv;
  }
  throw UserError(fmt::format("there is no report format {}: choose text, markdown, json or csv", name));
}

std::string render(const std::vector<RunReport>& runs, const std::vector<double>& thresholds, Format format) {
  switch (format) {
  case Format::text: return as_text(document_of(runs, thresholds));
  case Format::markdown: return as_markdown(document_of(runs, thresholds));
  case Format::json: return as_json(runs, thresholds);
  case Format::csv: return as_csv(runs, thresholds);
  }
  return {};
}

} // namespace kernelbench::report
