// sim/study/later_partitions.cpp — they are there from the start, and nothing goes by them.
#include "sim/study/later_partitions.hpp"

#include <filesystem>
#include <set>

#include "sim/config/reconfiguration.hpp"
#include "sim/config/text.hpp"

namespace rehearse {
namespace {

/// FILE of `slurm.conf FILE`; empty: another command.
std::string_view file_of(std::string_view command) {
  constexpr std::string_view kHead = "slurm.conf ";
  command = trimmed(command);
  if (!command.starts_with(kHead)) return {};
  command = trimmed(command.substr(kHead.size()));
  const bool is_file = command.find_first_of("= \t") == std::string_view::npos;
  return is_file ? command : std::string_view{};
}

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
  if (!folder.events) return;
  Diagnostics told;  // by load_site() and understand_commands()
  std::set<std::string> seen;
  for (const AdminCommand& line : read_admin_events(*folder.events, told)) {
    const std::string name{file_of(line.command)};
    const std::filesystem::path path = folder.slurm_conf.parent_path() / name;
    std::error_code failed;
    if (name.empty() || !seen.insert(name).second) continue;
    if (!std::filesystem::is_regular_file(path, failed)) continue;
    const SlurmConf later =
        read_slurm_conf(path, inputs.slurm_conf.changes, told, inputs.site.slurm_version);
    for (const PartitionConf& partition : later.partitions) {
      if (find_partition(inputs.slurm_conf, partition.name) == nullptr) {
        inputs.slurm_conf.partitions.push_back(before_its_time(partition));
      }
    }
  }
}

}  // namespace rehearse
