// sim/sched/crowd.hpp — how many of some jobs are on a set of nodes, told from the words of the
// set.
//
// Each job counts at the first of its nodes. A node's count stands in bits, one plane of them for
// the ones, one for the twos and so on: a set is asked a plane at a time, 64 nodes at once.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/sched/departures.hpp"

namespace rehearse {

class Crowd {
 public:
  Crowd() = default;
  /// The jobs from `begin` up to `end`.
  Crowd(const Departure* begin, const Departure* end);

  /// True only if more than `most` of the jobs are on nodes of the set. `nodes`: its words.
  [[nodiscard]] bool surely_exceeds(std::size_t most, const std::uint64_t* nodes) const;

 private:
  static constexpr std::size_t kPlanes = 4;  // of nodes with more jobs some are not counted

  std::size_t words_ = 0;
  std::array<std::vector<std::uint64_t>, kPlanes> planes_;
};

}  // namespace rehearse
