#include "domain/generation.h"

#include <fmt/format.h>

#include "base/result.h"
#include "domain/json_object.h"

namespace kernelbench {

using Json = nlohmann::ordered_json;

std::string to_json_line(const Generation& generation) {
  const Json json = {
      {"task", json_text(generation.task_id)},
      {"sample", generation.sample},
      {"model", json_text(generation.model)},
      {"answer", json_text(generation.answer)},
      {"usage", {{"prompt_tokens", generation.prompt_tokens}, {"completion_tokens", generation.completion_tokens}}},
      {"latency_s", json_number(generation.latency_s)}};
  return json.dump();
}

Generation generation_from_json_line(std::string_view line) {
  Json json;
  try {
    json = Json::parse(line);
  } catch (const Json::parse_error& error) {
    throw UserError(fmt::format("generation: not valid JSON at byte {} of the line", error.byte));
  }
  const JsonObject whole(json, "generation");
  Generation generation;
  generation.task_id = whole.text("task");
  generation.sample = whole.integer("sample");
  generation.answer = whole.text("answer");
  if (whole.has("model")) {
    generation.model = whole.text("model");
  }
  if (whole.has("usage")) {
    const JsonObject usage = whole.object("usage");
    generation.prompt_tokens = usage.integer64("prompt_tokens");
    generation.completion_tokens = usage.integer64("completion_tokens");
  }
  if (whole.has("latency_s")) {
    generation.latency_s = whole.number("latency_s");
  }
  return generation;
}

} // namespace kernelbench
