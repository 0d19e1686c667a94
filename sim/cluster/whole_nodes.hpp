// sim/cluster/whole_nodes.hpp — which jobs have their nodes whole (scheduling.md §5.2, §6.3).
#pragma once

#include <cstdint>

#include "sim/cluster/cluster.hpp"

namespace rehearse {

/// What slurmctld makes of a request at its submission, and at each update: with --core-spec, where
/// the site allows it, it is one of --exclusive whatever else it says of sharing, and with --reboot
/// too.
void settle_whole_nodes(Request& request, const SlurmConf& conf);

/// The same of one that is kept in the table.
[[nodiscard]] RequestId settled_request(Cluster& cluster, RequestId asked);

/// By its own words, settled, or the partition's (OverSubscribe=EXCLUSIVE); select/linear aside.
[[nodiscard]] bool asks_for_whole_nodes(const Request& request, const PartitionConf& partition);

/// What jobs may have of these nodes, specialised cores aside.
[[nodiscard]] std::uint32_t cpus_of(const Cluster& cluster, const NodeSet& nodes);

}  // namespace rehearse
