// sim/core/rng.hpp — chance: one stream for each purpose and entity, derived from (seed, name,
// index).
//
// A stream never depends on the order in which streams are made, so a new model does not shift
// another's draws. The generator is xoshiro256** (Blackman and Vigna, 2018), seeded by splitmix64.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace rehearse {

class Rng {
 public:
  Rng(std::uint64_t seed, std::string_view purpose, std::uint64_t index = 0);

  /// A uniform 64-bit word.
  [[nodiscard]] std::uint64_t next();
  /// A uniform integer in [low, high]; both ends included, low <= high.
  [[nodiscard]] std::int64_t between(std::int64_t low, std::int64_t high);
  /// A uniform double in [0, 1), of 53 bits.
  [[nodiscard]] double uniform();

 private:
  std::array<std::uint64_t, 4> state_{};
};

}  // namespace rehearse
