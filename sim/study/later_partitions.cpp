// sim/study/later_partitions.cpp — they are there from the start, and nothing goes by them.
#include "sim/study/later_partitions.hpp"

#include <set>
#include <string_view>

#include "sim/controller/later_files.hpp"

namespace rehearse {
namespace {

/// Nothing of it counts yet: neither its factor, over which others are weighed, nor its tier.
PartitionConf before_its_time(const PartitionConf& partition) {
  PartitionConf waiting = partition;
  waiting.state = PartitionState::Inactive;
  waiting.is_default = false;
  waiting.priority_tier = PartitionConf{}.priority_tier;
  waiting.priority_job_factor = PartitionConf{}.priority_job_factor;
  return waiting;
}

}  // namespace

void add_later_partitions(const SiteFolder& folder, SiteInputs& inputs) {
  Diagnostics told;  // by load_site() and understand_commands()
  std::set<std::string> known;
  for (const PartitionConf& each : inputs.slurm_conf.partitions) known.insert(each.name);
  for (const std::filesystem::path& path : later_files(folder)) {
    std::error_code failed;
    if (!std::filesystem::is_regular_file(path, failed)) continue;
    const SlurmConf later =
        read_slurm_conf(path, inputs.slurm_conf.changes, told, inputs.site.slurm_version);
    for (const PartitionConf& partition : later.partitions) {
      if (!known.insert(partition.name).second) continue;
      inputs.slurm_conf.partitions.push_back(before_its_time(partition));
    }
  }
}

}  // namespace rehearse
