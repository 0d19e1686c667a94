// sim/core/short_list.hpp — a vector whose first few members stand in place: a copy of a short one
// allocates nothing.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <type_traits>
#include <utility>
#include <vector>

namespace rehearse {

/// As std::vector, as far as it goes. More than `InPlace` members stand on the heap, all of them.
template <typename T, std::size_t InPlace>
class ShortList {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  ShortList() = default;
  ~ShortList() = default;
  ShortList(const ShortList&) = default;
  ShortList& operator=(const ShortList&) = default;
  ShortList(ShortList&& other) noexcept
      : size_(std::exchange(other.size_, 0)), here_(other.here_), heap_(std::move(other.heap_)) {}
  ShortList& operator=(ShortList&& other) noexcept {
    size_ = std::exchange(other.size_, 0);
    here_ = other.here_;
    heap_ = std::move(other.heap_);
    return *this;
  }
  ShortList(std::initializer_list<T> all) {
    for (const T& each : all) push_back(each);
  }
  template <typename Iterator>
  ShortList(Iterator first, Iterator last) {
    for (; first != last; ++first) push_back(*first);
  }

  void push_back(const T& value) {
    if (size_ < InPlace) {
      here_[size_] = value;
    } else {
      if (size_ == InPlace) heap_.assign(here_.begin(), here_.end());
      heap_.push_back(value);
    }
    ++size_;
  }
  void reserve(std::size_t size) {
    if (size > InPlace) heap_.reserve(size);
  }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] T* begin() { return size_ > InPlace ? heap_.data() : here_.data(); }
  [[nodiscard]] T* end() { return begin() + size_; }
  [[nodiscard]] const T* begin() const { return size_ > InPlace ? heap_.data() : here_.data(); }
  [[nodiscard]] const T* end() const { return begin() + size_; }
  [[nodiscard]] T& operator[](std::size_t i) { return begin()[i]; }
  [[nodiscard]] const T& operator[](std::size_t i) const { return begin()[i]; }

  template <typename Predicate>
  friend void erase_if(ShortList& list, Predicate predicate) {
    ShortList left;
    for (const T& each : list) {
      if (!predicate(each)) left.push_back(each);
    }
    list = std::move(left);
  }
  friend bool operator==(const ShortList& a, const ShortList& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  std::size_t size_ = 0;
  std::array<T, InPlace> here_{};
  std::vector<T> heap_;
};

}  // namespace rehearse
