#include "domain/json_object.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "base/file.h"
#include "base/result.h"

namespace kernelbench {

using Json = nlohmann::ordered_json;

Json json_number(double value) {
  if (std::isfinite(value)) {
    return value;
  }
  return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

Json json_text(std::string_view text) {
  return to_valid_utf8(text);
}

Json json_text_or_null(std::string_view text) {
  return text.empty() ? Json(nullptr) : json_text(text);
}

JsonObject::JsonObject(const Json& json, std::string what, std::string path)
    : json_(json), what_(std::move(what)), path_(std::move(path)) {
  if (!json.is_object()) {
    const std::string name = path_.empty() ? what_ : fmt::format("{}: field \"{}\"", what_, path_);
    throw UserError(fmt::format("{} must be a JSON object, not {}", name, json.type_name()));
  }
}

std::string JsonObject::path_of(const char* key) const {
  return path_.empty() ? key : fmt::format("{}.{}", path_, key);
}

const Json& JsonObject::at(const char* key) const {
  const auto found = json_.find(key);
  if (found == json_.end()) {
    throw UserError(fmt::format("{}: field \"{}\" is missing", what_, path_of(key)));
  }
  return *found;
}

bool JsonObject::has(const char* key) const {
  const auto found = json_.find(key);
  return found != json_.end() && !found->is_null();
}

void JsonObject::fail(const char* key, std::string_view expected) const {
  const Json& value = at(key);
  const std::string is =
      value.is_structured() ? value.type_name() : value.dump(-1, ' ', false, Json::error_handler_t::replace);
  throw UserError(
      fmt::format("{}: field \"{}\" must be {}, not {}", what_, path_of(key), expected, cut_middle(is, 200)));
}

std::string JsonObject::text(const char* key) const {
  const Json& value = at(key);
  return value.is_string() ? value.get<std::string>() : (fail(key, "a text"), "");
}

std::string JsonObject::text_or_null(const char* key) const {
  const Json& value = at(key);
  if (value.is_null()) {
    return {};
  }
  return value.is_string() ? value.get<std::string>() : (fail(key, "a text or null"), "");
}

double JsonObject::to_number(const char* key, const Json& value) const {
  if (value.is_number()) {
    return value.get<double>();
  }
  if (value == "nan") {
    return std::numeric_limits<double>::quiet_NaN();
  }
  if (value == "inf" || value == "-inf") {
    return value == "inf" ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity();
  }
  fail(key, at(key).is_array() ? "an array of numbers" : "a number");
}

double JsonObject::number(const char* key) const {
  return to_number(key, at(key));
}

std::vector<double> JsonObject::numbers(const char* key) const {
  const Json& array = at(key);
  if (!array.is_array()) {
    fail(key, "an array of numbers");
  }
  std::vector<double> values;
  values.reserve(array.size());
  for (const Json& value : array) {
    values.push_back(to_number(key, value));
  }
  return values;
}

bool JsonObject::boolean(const char* key) const {
  const Json& value = at(key);
  return value.is_boolean() ? value.get<bool>() : (fail(key, "true or false"), false);
}

std::int64_t JsonObject::integer64(const char* key) const {
  const Json& value = at(key);
  const bool too_big = value.is_number_unsigned() && value.get<std::uint64_t>() > INT64_MAX;
  if (!value.is_number_integer() || too_big) {
    fail(key, "an integer");
  }
  return value.get<std::int64_t>();
}

int JsonObject::integer(const char* key) const {
  const std::int64_t value = integer64(key);
  if (value < std::numeric_limits<int>::min() || value > std::numeric_limits<int>::max()) {
    fail(key, "an integer of 32 bits");
  }
  return static_cast<int>(value);
}

std::optional<int> JsonObject::integer_or_null(const char* key) const {
  return at(key).is_null() ? std::nullopt : std::optional(integer(key));
}

JsonObject JsonObject::object(const char* key) const {
  return JsonObject(at(key), what_, path_of(key));
}

std::optional<JsonObject> JsonObject::object_or_null(const char* key) const {
  return at(key).is_null() ? std::nullopt : std::optional(object(key));
}

std::vector<std::string> JsonObject::keys() const {
  std::vector<std::string> keys;
  for (const auto& [key, value] : json_.items()) {
    keys.push_back(key);
  }
  return keys;
}

} // namespace kernelbench
