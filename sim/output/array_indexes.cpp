// sim/output/array_indexes.cpp — one step for all of them, else ranges.
#include "sim/output/array_indexes.hpp"

#include <fmt/format.h>

#include <iterator>

#include "sim/output/device_indexes.hpp"

namespace rehearse {

std::string array_indexes_text(const std::set<std::uint32_t>& tasks) {
  constexpr std::size_t kFew = 5;
  constexpr std::uint32_t kNear = 10;
  if (tasks.size() <= kFew || *tasks.rbegin() - *tasks.begin() <= kNear) return index_ranges(tasks);
  const std::uint32_t step = *std::next(tasks.begin()) - *tasks.begin();
  if (step == 1) return index_ranges(tasks);
  for (auto at = tasks.begin(), next = std::next(at); next != tasks.end(); ++at, ++next) {
    if (*next - *at != step) return index_ranges(tasks);
  }
  return fmt::format("{}-{}:{}", *tasks.begin(), *tasks.rbegin(), step);
}

}  // namespace rehearse
