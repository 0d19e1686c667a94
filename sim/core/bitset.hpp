// sim/core/bitset.hpp — sets of nodes: words of 64, up to 1,024 members in place.
//
// Boost's dynamic_bitset allocates for every copy, and backfill copies a set for each step of each
// search; this one allocates for larger clusters only, and copies the words that it uses. Same
// names, same meaning.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
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
    if (size > 0) {
      data()[0] = low;
      clear_tail();
    }
  }

  void resize(std::size_t size) {
    const std::size_t before = word_count();
    const bool was_in_place = size_ <= kInPlace;
    size_ = size;
    if (size > kInPlace) {
      words_.resize(word_count(), 0);
      if (was_in_place) std::copy_n(in_place_.begin(), before, words_.begin());
    } else if (was_in_place) {
      for (std::size_t w = before; w < word_count(); ++w) in_place_[w] = 0;
    } else {
      std::copy_n(words_.begin(), word_count(), in_place_.begin());
      words_.clear();
    }
    clear_tail();
  }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }  ///< no member may be

  void set(std::size_t i) { data()[i / 64] |= bit(i); }
  void set(std::size_t i, bool value) { value ? set(i) : reset(i); }
  void set() {
    for (std::size_t w = 0; w < word_count(); ++w) data()[w] = ~std::uint64_t{0};
    clear_tail();
  }
  /// `count` members from `first` on.
  void set(std::size_t first, std::size_t count, bool value) {
    while (count > 0) {
      const std::size_t here = std::min(count, 64 - first % 64);
      const std::uint64_t all = here == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << here) - 1;
      std::uint64_t& word = data()[first / 64];
      word = value ? word | all << first % 64 : word & ~(all << first % 64);
      first += here;
      count -= here;
    }
  }
  void reset(std::size_t i) { data()[i / 64] &= ~bit(i); }
  void reset() {
    for (std::size_t w = 0; w < word_count(); ++w) data()[w] = 0;
  }
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
    for (std::size_t w = 0; w < word_count(); ++w) {
      if (data()[w] != 0) return true;
    }
    return false;
  }
  [[nodiscard]] bool none() const { return !any(); }
  [[nodiscard]] bool intersects(const Bitset& other) const {
    for (std::size_t w = 0; w < word_count(); ++w) {
      if ((data()[w] & other.data()[w]) != 0) return true;
    }
    return false;
  }
  [[nodiscard]] bool is_subset_of(const Bitset& other) const {
    for (std::size_t w = 0; w < word_count(); ++w) {
      if ((data()[w] & ~other.data()[w]) != 0) return false;
    }
    return true;
  }

  [[nodiscard]] std::size_t find_first() const { return find_from(0); }
  /// The first member above `i`, or npos.
  [[nodiscard]] std::size_t find_next(std::size_t i) const { return find_from(i + 1); }

  Bitset& operator&=(const Bitset& other) {
    for (std::size_t w = 0; w < word_count(); ++w) data()[w] &= other.data()[w];
    return *this;
  }
  Bitset& operator|=(const Bitset& other) {
    for (std::size_t w = 0; w < word_count(); ++w) data()[w] |= other.data()[w];
    return *this;
  }
  Bitset& operator-=(const Bitset& other) {
    for (std::size_t w = 0; w < word_count(); ++w) data()[w] &= ~other.data()[w];
    return *this;
  }
  [[nodiscard]] friend Bitset operator&(Bitset a, const Bitset& b) { return a &= b; }
  [[nodiscard]] friend Bitset operator|(Bitset a, const Bitset& b) { return a |= b; }
  [[nodiscard]] friend Bitset operator-(Bitset a, const Bitset& b) { return a -= b; }
  [[nodiscard]] friend bool operator==(const Bitset& a, const Bitset& b) {
    if (a.size_ != b.size_) return false;
    for (std::size_t w = 0; w < a.word_count(); ++w) {
      if (a.data()[w] != b.data()[w]) return false;
    }
    return true;
  }

  [[nodiscard]] std::size_t word_count() const { return (size_ + 63) / 64; }
  [[nodiscard]] std::uint64_t word(std::size_t w) const { return data()[w]; }

 private:
  static constexpr std::size_t kInPlace = 1024;
  static constexpr std::size_t kCopied = 4;  ///< words, at every copy

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
    for (std::size_t w = kCopied; w < word_count(); ++w) in_place_[w] = other.in_place_[w];
  }

  void clear_tail() {
    if (size_ % 64 != 0) data()[size_ / 64] &= bit(size_) - 1;
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
  for (std::size_t w = 0; w < set.word_count(); ++w) {
    for (std::uint64_t word = set.word(w); word != 0; word &= word - 1) {
      use(w * 64 + static_cast<std::size_t>(std::countr_zero(word)));
    }
  }
}

}  // namespace rehearse
