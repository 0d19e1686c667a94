// sim/cluster/node_content.hpp — a fingerprint of what jobs hold of one node, kept as they come and
// go.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "sim/core/mix.hpp"

namespace rehearse {

/// A linear hash of amounts: equal holdings have equal fingerprints, in whatever order and by
/// whichever jobs they came about. That others have the same is less likely than a broken memory:
/// two lanes of 64 bits.
struct NodeContent {
  std::uint64_t high = 0, low = 0;

  /// `slot`: which amount; by `difference` more of it, or less: it wraps.
  constexpr void add(std::uint64_t slot, std::uint64_t difference) {
    high += difference * multiplier(slot * 2);
    low += difference * multiplier(slot * 2 + 1);
  }
  friend constexpr bool operator==(const NodeContent&, const NodeContent&) = default;

 private:
  /// Odd, so that no amount is lost.
  static constexpr std::uint64_t made(std::uint64_t n) {
    return mixed((n + 1) * 0x9e3779b97f4a7c15ULL) | 1U;
  }
  static constexpr std::size_t kTabled = 128;  ///< the most common ones
  static constexpr std::uint64_t multiplier(std::uint64_t n) {
    constexpr auto kTable = [] {
      std::array<std::uint64_t, kTabled> table{};
      for (std::size_t i = 0; i < kTabled; ++i) table[i] = made(i);
      return table;
    }();
    return n < kTabled ? kTable[n] : made(n);
  }
};

}  // namespace rehearse
