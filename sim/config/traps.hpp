// sim/config/traps.hpp — settings that are accepted and yet rarely do what their author meant
// (formats.md §9).
#pragma once

#include "sim/config/gres_conf.hpp"
#include "sim/config/slurm_conf.hpp"
#include "sim/core/error.hpp"

namespace rehearse {

/// Adds a warning with a hint for each trap that slurm.conf and gres.conf alone can tell.
void find_traps(const SlurmConf& conf, const GresConf& gres, Diagnostics& found);

}  // namespace rehearse
