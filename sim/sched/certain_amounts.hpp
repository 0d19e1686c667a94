// sim/sched/certain_amounts.hpp — what every allocation of a request comes to, and which amounts
// the limits of an owner look at.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/cluster/account.hpp"

namespace rehearse {

/// A bit for each TRES; the last stands for all beyond it.
using TresMask = std::uint64_t;
inline constexpr std::size_t kMostCertainTres = 63;
[[nodiscard]] constexpr TresMask mask_of(std::size_t tres) {
  return TresMask{1} << (tres < kMostCertainTres ? tres : kMostCertainTres);
}

struct CertainAmounts {
  TresVector amounts;
  TresMask certain = 0;  ///< of these only; never the last bit
};

/// TRES that a limit after selection is set for (limits.md §6.4); also the nodes, where it is one
/// of each node.
[[nodiscard]] TresMask looked_at_after_selection(const Qos& qos);
[[nodiscard]] TresMask looked_at_after_selection(const Association& association);

}  // namespace rehearse
