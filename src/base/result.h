#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

// Three kinds of failure, never mixed (ARCHITECTURE.md, "Errors"):
//   a candidate failed       -> data: domain/outcome.h
//   the harness failed       -> Fault, carried by Result<T>
//   the user asked the wrong -> UserError, thrown; the command line prints it and exits with 2

namespace kernelbench {

// The harness itself failed. A transient fault may go away when the work is repeated; a permanent one will not.
struct Fault {
  enum class Kind { transient, permanent };
  Kind kind = Kind::permanent;
  std::string message;

  static Fault transient(std::string message) { return {Kind::transient, std::move(message)}; }
  static Fault permanent(std::string message) { return {Kind::permanent, std::move(message)}; }
};

// Wrong configuration or wrong use. The message is one line (or a few) and says what to do.
class UserError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

// A value, or the Fault that kept us from having it.
template <class T>
class [[nodiscard]] Result {
public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Fault fault) : state_(std::in_place_index<1>, std::move(fault)) {}

  explicit operator bool() const { return state_.index() == 0; }
  T& operator*() { return std::get<0>(state_); }
  const T& operator*() const { return std::get<0>(state_); }
  T* operator->() { return &std::get<0>(state_); }
  const T* operator->() const { return &std::get<0>(state_); }
  const Fault& fault() const { return std::get<1>(state_); }

private:
  std::variant<T, Fault> state_;
};

} // namespace kernelbench
