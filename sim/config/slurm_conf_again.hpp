// sim/config/slurm_conf_again.hpp — the text that was read, under other changes.
#pragma once

#include <string>
#include <vector>

#include "sim/config/slurm_conf.hpp"

namespace rehearse {

/// slurm.conf as `conf` has its text, with these changes (as --set) in place of those it has.
/// Errors of the file and of the changes go to `found`.
[[nodiscard]] SlurmConf read_again(const SlurmConf& conf, const std::vector<std::string>& changes,
                                   SlurmVersion version, Diagnostics& found);

}  // namespace rehearse
