// sim/sched/partition_access.hpp — who may submit to a partition, and where a closed one sends its
// jobs (limits.md §1.3).
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "sim/cluster/cluster.hpp"

namespace rehearse {

/// The partition that takes jobs in the place of `asked`: itself, or, where it is DRAIN or
/// INACTIVE, the first of its chain of Alternate= that takes some; itself again where none does.
[[nodiscard]] PartitionId taking_jobs(const Cluster& cluster, PartitionId asked);

/// A list loses, for good, the partitions that take no jobs, unless all of them are such.
void leave_out_closed(const Cluster& cluster, std::vector<PartitionId>& asked);

/// Why slurmctld refuses the job in the partitions it asks for, in sbatch's words; none: it may
/// submit. Of a list one that lets it in is enough, unless EnforcePartLimits is on: then all must.
/// A group whose members site.yaml does not tell lets everybody in.
[[nodiscard]] std::optional<std::string_view> access_refusal(const Cluster& cluster,
                                                             const Job& job);

/// True if AllowGroups lets the job's user in.
[[nodiscard]] bool admits_group(const Cluster& cluster, const PartitionConf& conf, const Job& job);

/// Why a job of several partitions is not for one of them whoever may submit there: RootOnly, its
/// group, ReqResv without a reservation; where that stands first, none of the others is.
[[nodiscard]] std::optional<Reason> door_reason(const Cluster& cluster, const Job& job,
                                                PartitionId partition);

/// The least MinNodes of its partitions, to which the submission raises the nodes of a job.
[[nodiscard]] std::uint32_t least_min_nodes(const Cluster& cluster, const Job& job);

/// Warns of each group of AllowGroups that site.yaml does not tell.
void note_unknown_groups(const SiteInputs& inputs, Diagnostics& found);

}  // namespace rehearse
