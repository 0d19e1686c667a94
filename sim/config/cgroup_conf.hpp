// sim/config/cgroup_conf.hpp — cgroup.conf: how far a job's memory is held to what it asked for.
#pragma once

#include <filesystem>

#include "sim/core/error.hpp"

namespace rehearse {

/// Defaults are those of Slurm 22.05. The file counts only where TaskPlugin has task/cgroup.
struct CgroupConf {
  bool constrain_ram_space = false;
  double allowed_ram_percent = 100;  ///< of the allocated memory
  bool constrain_swap_space = false;
  double allowed_swap_percent = 0;  ///< of the allocated memory, beyond it
};

/// A file that does not exist gives the defaults. Keys that end no job are passed over.
[[nodiscard]] CgroupConf read_cgroup_conf(const std::filesystem::path& path, Diagnostics& found);

}  // namespace rehearse
