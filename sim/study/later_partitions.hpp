// sim/study/later_partitions.hpp — partitions that only a later slurm.conf has.
#pragma once

#include "sim/cluster/cluster.hpp"
#include "sim/config/site_conf.hpp"

namespace rehearse {

/// Partitions of the files that rows of events.csv put in the place of slurm.conf (`slurm.conf
/// FILE`), behind those of the first: INACTIVE, so that no job is taken, until the file is read.
/// What is wrong with a file or a row is told by those who read them.
void add_later_partitions(const SiteFolder& folder, SiteInputs& inputs);

}  // namespace rehearse
