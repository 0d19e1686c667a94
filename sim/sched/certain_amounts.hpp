// sim/sched/certain_amounts.hpp — what every allocation of a request comes to, as far as it is
// known beforehand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "sim/cluster/account.hpp"
#include "sim/cluster/reason.hpp"

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

/// A test of limits after selection: the one that is over, if any.
struct AfterSelection {
  std::optional<Reason> over{};
};

}  // namespace rehearse
