// sim/core/mix.hpp — the finalizer of splitmix64: every bit of a word reaches every bit of the
// answer.
#pragma once

#include <cstdint>

namespace rehearse {

/// One to one, the same on every machine. Steele, Lea, Flood: Fast Splittable Pseudorandom Number
/// Generators (2014), with Stafford's thirteenth constants.
constexpr std::uint64_t mixed(std::uint64_t z) {
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31U);
}

}  // namespace rehearse
