// sim/sched/select/gres_nodes.hpp — which units of a GRES a node could give (gres.md §3.1).
#pragma once

#include <cstdint>

#include "sim/sched/select/offer.hpp"

namespace rehearse {

/// Units of one device that a request for the GRES may have: what is free, and nothing of a GPU
/// that is used the other way (gpu against mps and shard, gres.md §4.5: bit set iff units > 0).
[[nodiscard]] std::uint64_t free_units(const Scene& scene, const Node& node, std::size_t gres,
                                       std::size_t device);

/// What no job of that name holds of the device, whoever holds its GPU; with one_sharing only of
/// a device in use.
[[nodiscard]] std::uint64_t unused_units(const Scene& scene, const Node& node, std::size_t gres,
                                         std::size_t device);

/// Units of a count-only GRES of one type or any.
[[nodiscard]] std::uint64_t free_count(const Scene& scene, const Node& node, std::size_t gres,
                                       NameId type);

/// Adds a GresOffer for each GRES of the request; with enforce-binding it may withdraw cores.
/// False: the node has too few.
[[nodiscard]] bool count_gres(const Scene& scene, const Node& node, NodeOffer& offer,
                              Offers& offers);

/// Caps the counts by memory, CPUs and the request, once the cores are known; `near` is the GPU
/// locality of the node's weight, 0 to 255. False: below the minimum.
[[nodiscard]] bool cap_gres(const Scene& scene, const Node& node, const NodeOffer& offer,
                            Offers& offers, std::uint32_t& near);

/// The least the node must give of one GRES.
[[nodiscard]] std::uint64_t least_units(const Scene& scene, const EffectiveGres& gres);

/// True if the node has that of each GRES, whoever holds it.
[[nodiscard]] bool has_gres(const Scene& scene, const Node& node);

/// The same of what counts: of tasks that bring GPUs a node with memory for fewer than one's counts
/// for these (gres.md §3.3).
[[nodiscard]] std::uint64_t least_that_counts(const EffectiveGres& gres, const GresOffer& offer,
                                              std::uint64_t least);

}  // namespace rehearse
