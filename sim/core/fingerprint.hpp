// sim/core/fingerprint.hpp — 64 bits that change when anything before them does.
#pragma once

#include <cstdint>
#include <string_view>

#include "sim/core/mix.hpp"

namespace rehearse {

/// An order-sensitive hash of a sequence of numbers and texts; the same on every machine.
class Fingerprint {
 public:
  constexpr void add(std::uint64_t word) {
    state_ ^= word + 0x9e3779b97f4a7c15ULL;
    state_ *= 0xbf58476d1ce4e5b9ULL;
    state_ ^= state_ >> 29U;
  }
  constexpr void add(std::string_view text) {
    add(text.size());
    for (const char c : text) add(static_cast<std::uint64_t>(static_cast<unsigned char>(c)));
  }
  [[nodiscard]] constexpr std::uint64_t value() const { return mixed(state_); }

 private:
  std::uint64_t state_ = 0x243f6a8885a308d3ULL;
};

}  // namespace rehearse
