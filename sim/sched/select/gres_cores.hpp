// sim/sched/select/gres_cores.hpp — the cores of a chosen node that go with its devices (gres.md
// §3.3).
#pragma once

#include <cstdint>
#include <vector>

#include "sim/sched/select/core_fits.hpp"
#include "sim/sched/select/node_tasks.hpp"
#include "sim/sched/select/offer.hpp"

namespace rehearse {

/// GPUs that bring CPUs, where CPUs and not cores are counted: each socket serves its own, and away
/// from them cores go as others do (gres.md §3.3).
[[nodiscard]] bool counts_cpus_of_gpus(const Scene& scene, const EffectiveGres& gres);

/// Withdraws from `cores` what the devices' sockets do not need. `strict`: devices only together
/// with cores of their socket (attempt (a), or enforce-binding is set). `units` gets, for each GRES
/// of the request, what the node can then give.
[[nodiscard]] CoreFit fit_cores_to_gres(const Scene& scene, const OfferedNode& offered,
                                        const Offers& offers, bool first_attempt, CoreSet& cores,
                                        std::vector<std::uint64_t>& units);

}  // namespace rehearse
