// sim/core/bit_runs.hpp — the members of a set by runs of neighbours.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "sim/core/bitset.hpp"

namespace rehearse {

/// Calls `use(first, count)` for each run of neighbours, in ascending order; one that goes on
/// beyond a multiple of 64 comes in parts.
template <typename Use>
void for_each_run(const Bitset& set, Use&& use) {
  const std::uint64_t* words = set.words();
  for (std::size_t w = 0, count = set.word_count(); w < count; ++w) {
    std::uint64_t word = words[w];
    while (word != 0) {
      const auto first = static_cast<std::size_t>(std::countr_zero(word));
      const auto ones = static_cast<std::size_t>(std::countr_one(word >> first));
      use(w * 64 + first, ones);
      if (first + ones == 64) break;
      word = word >> (first + ones) << (first + ones);
    }
  }
}

}  // namespace rehearse
