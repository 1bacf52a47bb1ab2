#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

// Bytes to structs and back. A message is a struct with a static `visit(self, f)` that calls f with its members in order;
// that one function is both its encoder and its decoder. The decoder is handed hostile bytes: it never reads past their
// end, never allocates more than they could fill, and says `false` instead of throwing.
//
// integers, enums, bool: 8 bytes, little endian; double: its 8 bytes; string and vector: a count and the items;
// optional: a bool and the item; a struct: its members.

namespace kernelbench::protocol {

static_assert(std::endian::native == std::endian::little);

class Encoder {
public:
  template <class... T>
  void operator()(const T&... values) {
    (put(values), ...);
  }
  std::string take() { return std::move(bytes_); }

private:
  template <class T>
    requires std::integral<T> || std::is_enum_v<T>
  void put(const T& value) {
    const auto wide = static_cast<std::uint64_t>(value);
    bytes_.append(reinterpret_cast<const char*>(&wide), sizeof wide);
  }
  void put(const double& value) { bytes_.append(reinterpret_cast<const char*>(&value), sizeof value); }
  void put(const std::string& text) {
    put(text.size());
    bytes_ += text;
  }
  template <class T>
  void put(const std::vector<T>& items) {
    put(items.size());
    for (const auto& item : items) {
      put(item);
    }
  }
  template <class T>
  void put(const std::optional<T>& item) {
    put(item.has_value());
    if (item) {
      put(*item);
    }
  }
  template <class T>
    requires requires { T::visit; } || std::is_class_v<T>
  void put(const T& message) {
    T::visit(message, *this);
  }

  std::string bytes_;
};

class Decoder {
public:
  explicit Decoder(std::string_view bytes) : rest_(bytes) {}

  template <class... T>
  void operator()(T&... values) {
    (get(values), ...);
  }
  // Everything was read, nothing is left, and no value was out of range.
  bool complete() const { return ok_ && rest_.empty(); }

private:
  bool raw(void* to, std::size_t size) {
    if (!ok_ || rest_.size() < size) {
      ok_ = false;
      return false;
    }
    std::memcpy(to, rest_.data(), size);
    rest_.remove_prefix(size);
    return true;
  }
  template <class T>
    requires std::integral<T> || std::is_enum_v<T>
  void get(T& value) {
    std::uint64_t wide = 0;
    if (!raw(&wide, sizeof wide)) {
      return;
    }
    value = static_cast<T>(wide);
    ok_ = static_cast<std::uint64_t>(value) == wide;
  }
  void get(double& value) { raw(&value, sizeof value); }
  void get(std::string& text) {
    if (const std::size_t size = count(1)) {
      text.assign(rest_.substr(0, size));
      rest_.remove_prefix(size);
    } else {
      text.clear();
    }
  }
  template <class T>
  void get(std::vector<T>& items) {
    // One by one: a count that lies ends with the bytes, and so does the memory it takes.
    const std::size_t size = count(1);
    items.clear();
    while (ok_ && items.size() < size) {
      get(items.emplace_back());
    }
  }
  template <class T>
  void get(std::optional<T>& item) {
    bool present = false;
    get(present);
    if (present && ok_) {
      get(item.emplace());
    } else {
      item.reset();
    }
  }
  template <class T>
    requires requires { T::visit; } || std::is_class_v<T>
  void get(T& message) {
    T::visit(message, *this);
  }
  std::size_t count(std::size_t item_size) {
    std::uint64_t n = 0;
    if (!raw(&n, sizeof n)) {
      return 0;
    }
    if (n > rest_.size() / item_size) {
      ok_ = false;
      return 0;
    }
    return static_cast<std::size_t>(n);
  }

  std::string_view rest_;
  bool ok_ = true;
};

template <class Message>
std::string encode(const Message& message) {
  Encoder encoder;
  Message::visit(message, encoder);
  return encoder.take();
}

// Nothing when the bytes are not exactly one message.
template <class Message>
std::optional<Message> decode(std::string_view bytes) {
  Message message;
  Decoder decoder(bytes);
  Message::visit(message, decoder);
  if (!decoder.complete()) {
    return std::nullopt;
  }
  return message;
}

} // namespace kernelbench::protocol
