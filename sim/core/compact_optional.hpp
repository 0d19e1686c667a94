// sim/core/compact_optional.hpp — an optional without a flag beside it: one value that nothing has
// stands for none. For records of which there are millions.
#pragma once

#include <chrono>
#include <compare>
#include <concepts>
#include <limits>
#include <optional>

namespace rehearse {

/// The value that stands for none: a time before all others, or a count above all others.
template <typename T>
constexpr T none_value() {
  if constexpr (std::unsigned_integral<T>) {
    return std::numeric_limits<T>::max();
  } else {
    return T::min();  // of std::chrono
  }
}

/// Behaves as std::optional does and turns into it by itself; none comes before all else. Given the
/// value that stands for none it is none.
template <typename T>
class CompactOptional {
 public:
  constexpr CompactOptional() = default;
  constexpr CompactOptional(std::nullopt_t) {}             // NOLINT(google-explicit-constructor)
  constexpr CompactOptional(T value) : value_(value) {}    // NOLINT(google-explicit-constructor)
  constexpr CompactOptional(const std::optional<T>& from)  // NOLINT(google-explicit-constructor)
      : value_(from.value_or(kNone)) {}

  [[nodiscard]] constexpr bool has_value() const { return value_ != kNone; }
  [[nodiscard]] constexpr explicit operator bool() const { return has_value(); }
  /// Of one that has a value.
  [[nodiscard]] constexpr const T& operator*() const { return value_; }
  [[nodiscard]] constexpr T& operator*() { return value_; }
  [[nodiscard]] constexpr const T* operator->() const { return &value_; }
  [[nodiscard]] constexpr T value_or(T other) const { return has_value() ? value_ : other; }
  constexpr void reset() { value_ = kNone; }
  constexpr operator std::optional<T>() const {  // NOLINT(google-explicit-constructor)
    return has_value() ? std::optional<T>(value_) : std::nullopt;
  }

  [[nodiscard]] friend constexpr bool operator==(CompactOptional a, CompactOptional b) = default;
  [[nodiscard]] friend constexpr bool operator==(CompactOptional a, T b) {
    return a == CompactOptional(b);
  }
  [[nodiscard]] friend constexpr bool operator==(CompactOptional a, std::nullopt_t) {
    return !a.has_value();
  }
  /// Not a template as the library's is, which would say that none is not none.
  [[nodiscard]] friend constexpr bool operator==(CompactOptional a, const std::optional<T>& b) {
    return a == CompactOptional(b);
  }
  [[nodiscard]] friend constexpr auto operator<=>(CompactOptional a, CompactOptional b) {
    return std::optional<T>(a) <=> std::optional<T>(b);
  }
  friend constexpr auto operator<=>(CompactOptional a, const std::optional<T>& b) = delete;

 private:
  static constexpr T kNone = none_value<T>();

  T value_ = kNone;
};

}  // namespace rehearse
