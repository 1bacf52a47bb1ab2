#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kernelbench {

// A double as JSON: a number, or "nan", "inf", "-inf", which JSON's numbers cannot say.
nlohmann::ordered_json json_number(double value);
// A text as JSON. Bytes that are not UTF-8 are replaced, since JSON cannot hold them.
nlohmann::ordered_json json_text(std::string_view text);
// As json_text, but null for an empty text, where empty means that there is none.
nlohmann::ordered_json json_text_or_null(std::string_view text);

// Reads the fields of a JSON object. A field that is missing or of another type is a UserError that names it by its
// path: `record: field "timing.candidate.n" is missing`. Does not copy the JSON: it must outlive the reader.
class JsonObject {
public:
  // `what` names the whole in messages ("record").
  JsonObject(const nlohmann::ordered_json& json, std::string what) : JsonObject(json, std::move(what), {}) {}

  // Whether the field is there and not null.
  bool has(const char* key) const;

  std::string text(const char* key) const;
  std::string text_or_null(const char* key) const; // empty for null
  double number(const char* key) const;            // also "nan", "inf", "-inf"
  bool boolean(const char* key) const;
  int integer(const char* key) const;
  std::optional<int> integer_or_null(const char* key) const;
  std::int64_t integer64(const char* key) const;
  std::vector<double> numbers(const char* key) const;
  JsonObject object(const char* key) const;
  std::optional<JsonObject> object_or_null(const char* key) const;

  // The fields in their order, for objects whose keys are data.
  std::vector<std::string> keys() const;

  // Throws UserError: `field "<path>" must be <expected>, not <what it is>`.
  [[noreturn]] void fail(const char* key, std::string_view expected) const;

private:
  JsonObject(const nlohmann::ordered_json& json, std::string what, std::string path);

  std::string path_of(const char* key) const;
  const nlohmann::ordered_json& at(const char* key) const;
  double to_number(const char* key, const nlohmann::ordered_json& value) const;

  const nlohmann::ordered_json& json_;
  std::string what_;
  std::string path_; // of this object within the whole; empty for the whole
};

} // namespace kernelbench
