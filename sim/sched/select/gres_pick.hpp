// sim/sched/select/gres_pick.hpp — which devices a job gets on its nodes (gres.md §4).
#pragma once

#include <vector>

#include "sim/cluster/allocation.hpp"
#include "sim/sched/select/distribution.hpp"
#include "sim/sched/select/offer.hpp"

namespace rehearse {

/// Adds devices to `shares`, which stand beside `layouts`. False: the devices left beside the cores
/// do not cover the request.
[[nodiscard]] bool pick_gres(const Scene& scene, const Offers& offers,
                             const std::vector<NodeLayout>& layouts,
                             std::vector<NodeShare>& shares);

/// True if pick_gres() finds enough on these nodes, on whatever cores the layout has of them. False
/// tells nothing.
[[nodiscard]] bool surely_picks_gres(const Scene& scene, const Offers& offers,
                                     const std::vector<TakenNode>& taken);

}  // namespace rehearse
