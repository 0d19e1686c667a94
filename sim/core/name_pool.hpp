// sim/core/name_pool.hpp — each distinct name once; everywhere else a 32-bit id stands for it.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "sim/core/id.hpp"

namespace rehearse {

/// A user's, account's, partition's or job's name. Id 0 is the empty name.
enum class NameId : std::uint32_t {};
inline constexpr NameId kNoName{0};

/// Names in the order of their first use: the same input gives the same ids.
class NamePool {
 public:
  NamePool() { intern({}); }
  NamePool(const NamePool&) = delete;
  NamePool& operator=(const NamePool&) = delete;
  NamePool(NamePool&&) = default;
  NamePool& operator=(NamePool&&) = default;
  ~NamePool() = default;

  NameId intern(std::string_view name);
  [[nodiscard]] std::optional<NameId> find(std::string_view name) const;
  [[nodiscard]] const std::string& text(NameId id) const { return names_[index_of(id)]; }
  [[nodiscard]] std::size_t size() const { return names_.size(); }

 private:
  std::deque<std::string> names_;  // stable: the views below point into it
  std::map<std::string_view, NameId, std::less<>> ids_;
};

}  // namespace rehearse
