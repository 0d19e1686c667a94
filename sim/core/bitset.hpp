// sim/core/bitset.hpp — sets of nodes: words of 64, up to 1,024 members in place.
//
// As Boost's dynamic_bitset, which allocates for every copy, and backfill copies one for each step
// of a search: this one allocates for larger clusters only, and copies the words that it uses.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

namespace rehearse {

class Bitset {
 public:
  static constexpr std::size_t npos = static_cast<std::size_t>(-1);

  Bitset() { std::fill_n(in_place_.begin(), kCopied, 0); }
  Bitset(const Bitset& other) : size_(other.size_), words_(other.words_) { take_words(other); }
  Bitset(Bitset&& other) noexcept : size_(other.size_), words_(std::move(other.words_)) {
    take_words(other);
  }
  Bitset& operator=(const Bitset& other) {
    size_ = other.size_;
    words_ = other.words_;
    take_words(other);
    return *this;
  }
  Bitset& operator=(Bitset&& other) noexcept {
    size_ = other.size_;
    words_ = std::move(other.words_);
    take_words(other);
    return *this;
  }
  ~Bitset() = default;
  /// `size` members that may be; `low` gives the first 64 of them.
  explicit Bitset(std::size_t size, std::uint64_t low = 0) : Bitset() {
    resize(size);
    if (size == 0) return;
    data()[0] = low;
    clear_tail();
  }

  void resize(std::size_t size);  ///< new members are not in the set
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }  ///< no member may be

  void set(std::size_t i) { data()[i / 64] |= bit(i); }
  void set(std::size_t i, bool value) { value ? set(i) : reset(i); }
  void set() {
    std::fill_n(data(), word_count(), ~std::uint64_t{0});
    clear_tail();
  }
  /// `count` members from `first` on.
  void set(std::size_t first, std::size_t count, bool value);
  void reset(std::size_t i) { data()[i / 64] &= ~bit(i); }
  void reset() { std::fill_n(data(), word_count(), 0); }
  [[nodiscard]] bool test(std::size_t i) const { return (data()[i / 64] & bit(i)) != 0; }

  [[nodiscard]] std::size_t count() const { return common_count(*this); }
  /// Of the members that both have.
  [[nodiscard]] std::size_t common_count(const Bitset& other) const {
    std::size_t n = 0;
    for (std::size_t w = 0; w < word_count(); ++w) {
      n += static_cast<std::size_t>(std::popcount(data()[w] & other.data()[w]));
    }
    return n;
  }
  [[nodiscard]] bool any() const {
    return has(*this, [](Few a, Few) { return a; });
  }
  [[nodiscard]] bool none() const { return !any(); }
  [[nodiscard]] bool intersects(const Bitset& other) const {
    return has(other, [](Few a, Few b) { return a & b; });
  }
  [[nodiscard]] bool is_subset_of(const Bitset& other) const {
    return !has(other, [](Few a, Few b) { return a & ~b; });
  }

  [[nodiscard]] std::size_t find_first() const { return find_from(0); }
  /// The first member above `i`, or npos.
  [[nodiscard]] std::size_t find_next(std::size_t i) const { return find_from(i + 1); }

  Bitset& operator&=(const Bitset& other) {
    return combine(*this, other, [](Few a, Few b) { return a & b; });
  }
  Bitset& operator|=(const Bitset& other) {
    return combine(*this, other, [](Few a, Few b) { return a | b; });
  }
  Bitset& operator-=(const Bitset& other) {
    return combine(*this, other, [](Few a, Few b) { return a & ~b; });
  }
  /// Becomes what both of `a` and `b` have; as large as `a`. May be one of them.
  void set_common(const Bitset& a, const Bitset& b) {
    if (size_ != a.size_) resize(a.size_);
    combine(a, b, [](Few x, Few y) { return x & y; });
  }
  // What an operator of assignment returns would be copied once more.
  [[nodiscard]] friend Bitset operator&(Bitset a, const Bitset& b) { return std::move(a &= b); }
  [[nodiscard]] friend Bitset operator|(Bitset a, const Bitset& b) { return std::move(a |= b); }
  [[nodiscard]] friend Bitset operator-(Bitset a, const Bitset& b) { return std::move(a -= b); }
  [[nodiscard]] friend bool operator==(const Bitset& a, const Bitset& b) {
    return a.size_ == b.size_ && !a.has(b, [](Few x, Few y) { return x ^ y; });
  }

  [[nodiscard]] std::size_t word_count() const { return (size_ + 63) / 64; }
  [[nodiscard]] std::uint64_t word(std::size_t w) const { return data()[w]; }
  [[nodiscard]] const std::uint64_t* words() const { return data(); }

 private:
  static constexpr std::size_t kInPlace = 1024;
  static constexpr std::size_t kCopied = 4;  ///< words, at every copy
  /// Words that are taken at once: stored are as many as fill these, the rest of them zero.
  static constexpr std::size_t kFew = 2;
  using Few [[gnu::vector_size(kFew * sizeof(std::uint64_t))]] = std::uint64_t;

  [[nodiscard]] std::size_t stored() const { return (size_ + kFew * 64 - 1) / (kFew * 64) * kFew; }
  [[nodiscard]] std::uint64_t* data() {
    return size_ <= kInPlace ? in_place_.data() : words_.data();
  }
  [[nodiscard]] const std::uint64_t* data() const {
    return size_ <= kInPlace ? in_place_.data() : words_.data();
  }
  static constexpr std::uint64_t bit(std::size_t i) { return std::uint64_t{1} << (i % 64); }

  void take_words(const Bitset& other) {
    // Of small clusters without a count, so that it is two instructions.
    std::copy_n(other.in_place_.begin(), kCopied, in_place_.begin());
    if (size_ > kInPlace) return;
    for (std::size_t w = kCopied; w < stored(); ++w) in_place_[w] = other.in_place_[w];
  }

  void clear_tail() {
    std::fill(data() + word_count(), data() + stored(), 0);
    if (size_ % 64 != 0) data()[size_ / 64] &= bit(size_) - 1;
  }

  static Few load(const std::uint64_t* words) {
    Few few;
    std::memcpy(&few, words, sizeof few);
    return few;
  }
  /// Pointers are taken once: what is written could be the size, as far as the compiler knows.
  template <typename Operation>
  Bitset& combine(const Bitset& a, const Bitset& b, Operation operation) {
    std::uint64_t* to = data();
    const std::uint64_t* left = a.data();
    const std::uint64_t* right = b.data();
    for (const std::uint64_t* end = to + stored(); to != end; to += kFew) {
      const Few combined = operation(load(left), load(right));
      std::memcpy(to, &combined, sizeof combined);
      left += kFew;
      right += kFew;
    }
    return *this;
  }
  /// Is any bit of what `operation` makes of both set?
  template <typename Operation>
  [[nodiscard]] bool has(const Bitset& other, Operation operation) const {
    const std::uint64_t* mine = data();
    const std::uint64_t* theirs = other.data();
    for (const std::uint64_t* end = mine + stored(); mine != end; mine += kFew, theirs += kFew) {
      const Few found = operation(load(mine), load(theirs));
      if ((found[0] | found[1]) != 0) return true;
    }
    return false;
  }

  [[nodiscard]] std::size_t find_from(std::size_t i) const {
    if (i >= size_) return npos;
    std::size_t w = i / 64;
    std::uint64_t word = data()[w] & (~std::uint64_t{0} << (i % 64));
    while (word == 0) {
      if (++w == word_count()) return npos;
      word = data()[w];
    }
    return w * 64 + static_cast<std::size_t>(std::countr_zero(word));
  }

  std::size_t size_ = 0;
  std::array<std::uint64_t, kInPlace / 64> in_place_;  // as many as there are members for
  std::vector<std::uint64_t> words_;                   // of larger sets
};

/// Calls `use(index)` for each member, in ascending order. `use` may take that one out of the set.
template <typename Use>
void for_each_bit(const Bitset& set, Use&& use) {
  const std::uint64_t* words = set.words();
  for (std::size_t w = 0, count = set.word_count(); w < count; ++w) {
    for (std::uint64_t word = words[w]; word != 0; word &= word - 1) {
      use(w * 64 + static_cast<std::size_t>(std::countr_zero(word)));
    }
  }
}

}  // namespace rehearse
