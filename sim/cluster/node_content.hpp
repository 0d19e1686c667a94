// sim/cluster/node_content.hpp — a fingerprint of what jobs hold of one node, kept as they come and
// go.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "sim/core/mix.hpp"

namespace rehearse {

/// By which amounts count: odd, so that none is lost.
constexpr std::uint64_t content_factor(std::uint64_t n) {
  return mixed((n + 1) * 0x9e3779b97f4a7c15ULL) | 1U;
}
/// Factors of the most common slots.
inline constexpr auto kContentFactors = [] {
  std::array<std::uint64_t, 128> factors{};
  for (std::size_t i = 0; i < factors.size(); ++i) factors[i] = content_factor(i);
  return factors;
}();

/// A linear hash of amounts: equal holdings have equal fingerprints, in whatever order and by
/// whichever jobs they came about. That others have the same is less likely than a broken memory:
/// two lanes of 64 bits.
struct NodeContent {
  std::uint64_t high = 0, low = 0;

  /// `slot`: which amount; by `difference` more of it, or less: it wraps.
  constexpr void add(std::uint64_t slot, std::uint64_t difference) {
    high += difference * factor(slot * 2);
    low += difference * factor(slot * 2 + 1);
  }
  /// A set of 64 as bits, in the slots `slot` and `slot` + 1. By halves: of a whole word's highest
  /// bits a factor would leave nothing to tell one word from another.
  constexpr void add_bits(std::uint64_t slot, std::uint64_t bits, std::uint64_t before = 0) {
    constexpr std::uint64_t kHalf = UINT32_MAX;
    add(slot, (bits & kHalf) - (before & kHalf));
    add(slot + 1, (bits >> 32U) - (before >> 32U));
  }
  /// Takes away what is part of it.
  constexpr NodeContent& operator-=(const NodeContent& part) {
    high -= part.high;
    low -= part.low;
    return *this;
  }
  friend constexpr bool operator==(const NodeContent&, const NodeContent&) = default;

 private:
  static constexpr std::uint64_t factor(std::uint64_t n) {
    return n < kContentFactors.size() ? kContentFactors[n] : content_factor(n);
  }
};

}  // namespace rehearse
