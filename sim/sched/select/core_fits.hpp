// sim/sched/select/core_fits.hpp — what the cores beside a node's devices came to, kept with what
// the node offers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "sim/cluster/core_set.hpp"
#include "sim/core/short_list.hpp"

namespace rehearse {

/// What the cores beside a node's devices come to.
enum class CoreFit : std::uint8_t {
  Enough,
  ForFewerTasks,  ///< than the node is to have: it gives nothing now, but stays among its
                  ///< neighbours
  TooFew,
};

/// What Progress found for one offer in one kind of attempt.
struct FittedCores {
  std::optional<std::uint32_t> of_cpus;  ///< that the node had; none: nothing was found yet
  CoreFit fit = CoreFit::TooFew;
  CoreSet cores;                      ///< that are left
  ShortList<std::uint64_t, 2> units;  ///< of each GRES of the request, that the node can give
  std::uint32_t cpus = 0;             ///< that it counts for beside its GRES
};

/// The last answers for one offer: what was found once holds in later choices too, as it depends on
/// the request, the offer and the CPUs alone.
struct CoreFits {
  std::uint64_t offer = 0;                ///< the number of the offer that they are for
  std::array<FittedCores, 2> of_attempt;  ///< later attempts, the first one

  [[nodiscard]] FittedCores& in(bool first_attempt) { return of_attempt[first_attempt ? 1 : 0]; }
};

}  // namespace rehearse
