// sim/sched/partition_access.hpp — who may submit to a partition, and where a closed one sends its
// jobs (limits.md §1.3).
#pragma once

#include <optional>
#include <string_view>

#include "sim/cluster/cluster.hpp"

namespace rehearse {

/// Writes into the job the partitions that it asks for, those that take jobs in the place of closed
/// ones, in descending tier, and the DefaultTime of the first where it has no limit (priority.md
/// §5). What sbatch prints where one is not there.
[[nodiscard]] std::optional<std::string_view> choose_partitions(const Cluster& cluster, Job& job);

/// Why slurmctld refuses the job in the partitions it asks for, in sbatch's words; none: it may
/// submit. Of a list one that lets it in is enough, unless EnforcePartLimits is on: then all must.
/// A group whose members site.yaml does not tell lets everybody in.
[[nodiscard]] std::optional<std::string_view> access_refusal(const Cluster& cluster,
                                                             const Job& job);

/// True if AllowGroups lets the job's user in.
[[nodiscard]] bool admits_group(const Cluster& cluster, const PartitionConf& conf, const Job& job);

/// Why a job of several partitions is not for one of them whoever may submit there: RootOnly, its
/// group, ReqResv without a reservation; where that is named first, none of the others is for one
/// without `-N`.
[[nodiscard]] std::optional<Reason> door_reason(const Cluster& cluster, const Job& job,
                                                PartitionId partition);

/// Warns of each group of AllowGroups that site.yaml does not tell.
void note_unknown_groups(const SiteInputs& inputs, Diagnostics& found);

}  // namespace rehearse
