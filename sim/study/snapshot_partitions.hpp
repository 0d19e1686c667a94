// sim/study/snapshot_partitions.hpp — snapshot/partitions.txt beside slurm.conf: what scontrol had
// changed.
#pragma once

#include "sim/core/error.hpp"
#include "sim/study/load_site.hpp"

namespace rehearse {

/// A warning for each partition whose record (`scontrol -o show partition`) says otherwise than
/// slurm.conf without --set: it was changed by scontrol, or slurm.conf has been edited since. Which
/// of them is not to be told, so a run goes by slurm.conf. Keys whose values scontrol prints as
/// slurm.conf takes them; QOS, PreemptMode, OverSubscribe and weights are not compared.
void tell_changed_partitions(const LoadedSite& site, Diagnostics& found);

}  // namespace rehearse
