// models/power/boot.hpp — how long a node needs from ResumeProgram to its registration.
#pragma once

#include "sim/config/site_conf.hpp"
#include "sim/config/slurm_conf.hpp"
#include "sim/core/time.hpp"

namespace rehearse {

/// power.boot_time of site.yaml; where it is not given, half of ResumeTimeout: an assumption, which
/// `rehearse check` tells.
[[nodiscard]] Duration boot_time(const SlurmConf& conf, const SiteConf::Power& power);

/// True if slurmctld has a power saving thread: both programs, and a SuspendTime of the cluster or
/// of a partition.
[[nodiscard]] bool saves_power(const SlurmConf& conf);

}  // namespace rehearse
