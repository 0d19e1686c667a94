// sim/core/id.hpp — an id is a name, not a number: it has no arithmetic, only an index.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace rehearse {

template <typename Id>
concept IdType = std::is_enum_v<Id> && sizeof(Id) <= sizeof(std::uint32_t);

template <IdType Id>
[[nodiscard]] constexpr std::size_t index_of(Id id) {
  return static_cast<std::size_t>(id);
}
template <IdType Id>
[[nodiscard]] constexpr Id id_at(std::size_t index) {
  return static_cast<Id>(index);
}

/// A vector that only its own kind of id can index.
template <IdType Id, typename Value>
class IdVector {
 public:
  IdVector() = default;
  explicit IdVector(std::size_t size, const Value& value = Value()) : items_(size, value) {}

  Id push_back(Value value) {
    items_.push_back(std::move(value));
    return id_at<Id>(items_.size() - 1);
  }
  [[nodiscard]] decltype(auto) operator[](Id id) { return items_[index_of(id)]; }
  [[nodiscard]] decltype(auto) operator[](Id id) const { return items_[index_of(id)]; }
  [[nodiscard]] std::size_t size() const { return items_.size(); }
  [[nodiscard]] bool empty() const { return items_.empty(); }
  void resize(std::size_t size) { items_.resize(size); }
  void reserve(std::size_t size) { items_.reserve(size); }
  [[nodiscard]] auto begin() { return items_.begin(); }
  [[nodiscard]] auto end() { return items_.end(); }
  [[nodiscard]] auto begin() const { return items_.begin(); }
  [[nodiscard]] auto end() const { return items_.end(); }

 private:
  std::vector<Value> items_;
};

}  // namespace rehearse
