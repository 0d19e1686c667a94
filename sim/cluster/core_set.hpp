// sim/cluster/core_set.hpp — cores of one node as bits; no allocation, at most kMaxCores.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace rehearse {

/// The largest node the simulator knows [cores], and the most devices of one GRES on it; reading
/// more is an input error.
inline constexpr std::size_t kMaxCores = 512;

class CoreSet {
 public:
  constexpr void set(std::size_t core) { words_[core / 64] |= bit(core); }
  constexpr void reset(std::size_t core) { words_[core / 64] &= ~bit(core); }
  [[nodiscard]] constexpr bool test(std::size_t core) const {
    return (words_[core / 64] & bit(core)) != 0;
  }
  [[nodiscard]] constexpr std::size_t count() const {
    std::size_t n = 0;
    for (const std::uint64_t word : words_) n += static_cast<std::size_t>(std::popcount(word));
    return n;
  }
  /// Cores 0 … n − 1.
  [[nodiscard]] static constexpr CoreSet first(std::size_t n) {
    CoreSet cores;
    for (std::size_t w = 0; w * 64 < n; ++w) {
      cores.words_[w] = n - w * 64 < 64 ? bit(n % 64) - 1 : ~std::uint64_t{0};
    }
    return cores;
  }
  /// Members in [begin, end).
  [[nodiscard]] constexpr std::size_t count_between(std::size_t begin, std::size_t end) const {
    std::size_t n = 0;
    for (std::size_t w = begin / 64; w * 64 < end; ++w) {
      std::uint64_t word = words_[w];
      if (w * 64 < begin) word &= ~std::uint64_t{0} << (begin % 64);
      if (end - w * 64 < 64) word &= ~(~std::uint64_t{0} << (end % 64));
      n += static_cast<std::size_t>(std::popcount(word));
    }
    return n;
  }
  constexpr void reset_between(std::size_t begin, std::size_t end) {
    for (std::size_t core = begin; core < end; ++core) reset(core);
  }
  [[nodiscard]] constexpr bool none() const {
    for (const std::uint64_t word : words_) {
      if (word != 0) return false;
    }
    return true;
  }
  constexpr CoreSet& operator|=(const CoreSet& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
    return *this;
  }
  constexpr CoreSet& operator&=(const CoreSet& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= other.words_[i];
    return *this;
  }
  /// Removes the members of `other`.
  constexpr CoreSet& operator-=(const CoreSet& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= ~other.words_[i];
    return *this;
  }
  [[nodiscard]] constexpr bool intersects(const CoreSet& other) const {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      if ((words_[i] & other.words_[i]) != 0) return true;
    }
    return false;
  }
  friend constexpr bool operator==(const CoreSet&, const CoreSet&) = default;

  /// Calls `use(core)` in ascending order.
  template <typename Use>
  constexpr void for_each(Use&& use) const {
    for (std::size_t w = 0; w < words_.size(); ++w) {
      for (std::uint64_t word = words_[w]; word != 0; word &= word - 1) {
        use(w * 64 + static_cast<std::size_t>(std::countr_zero(word)));
      }
    }
  }

  static constexpr std::size_t kWords = kMaxCores / 64;
  /// Cores 64 w … 64 w + 63, the first in the lowest bit.
  [[nodiscard]] constexpr std::uint64_t word(std::size_t w) const { return words_[w]; }

 private:
  static constexpr std::uint64_t bit(std::size_t core) { return std::uint64_t{1} << (core % 64); }
  std::array<std::uint64_t, kWords> words_{};
};

using SocketSet = CoreSet;  ///< sockets of a node: no more than its cores
using DeviceSet = CoreSet;  ///< devices of one GRES of a node

}  // namespace rehearse
