// sim/sched/partition_access.cpp — RootOnly, DisableRootJobs, ReqResv, AllowGroups, Alternate.
#include "sim/sched/partition_access.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/cluster/refusals.hpp"
#include "sim/config/text.hpp"
#include "sim/config/text_scan.hpp"

namespace rehearse {
namespace {

constexpr std::string_view kNoSuchPartition = "Invalid partition name specified";
constexpr std::string_view kNoDefaultPartition =
    "No partition specified or system default partition";
constexpr std::string_view kNoMember = "User's group not permitted to use this partition";
constexpr std::string_view kRoot = "root";

bool is_open(PartitionState state) {
  return state != PartitionState::Drain && state != PartitionState::Inactive;
}

bool is_member(std::string_view members, std::string_view user) {
  const auto names = text::split_at(members, ',');
  return std::any_of(names.begin(), names.end(),
                     [&](const text::Piece& name) { return trimmed(name.text) == user; });
}

bool lets_in(const PartitionConf& conf, const SiteConf& site, std::string_view user) {
  return std::any_of(conf.allow_groups.begin(), conf.allow_groups.end(), [&](const auto& name) {
    const auto group = site.groups.find(name);
    return group == site.groups.end() || is_member(group->second, user);
  });
}

/// The partition that takes jobs in the place of `asked`: itself, or, where it is DRAIN or
/// INACTIVE, the first of its chain of Alternate= that takes some; itself again where none does.
PartitionId taking_jobs(const Cluster& cluster, PartitionId asked) {
  PartitionId at = asked;
  for (std::size_t steps = 0; steps < cluster.partitions.size(); ++steps) {
    const Partition& partition = cluster.partitions[at];
    if (is_open(partition.state)) return at;
    const auto name = cluster.names.find(partition.conf.alternate);
    const auto next = name ? cluster.find_partition(*name) : std::nullopt;
    if (!next) return asked;
    at = *next;
  }
  return asked;  // a circle of closed partitions
}

/// A list loses, for good, the partitions that take no jobs, unless all of them are such.
void leave_out_closed(const Cluster& cluster, std::vector<PartitionId>& asked) {
  const auto closed = [&](PartitionId id) { return !is_open(cluster.partitions[id].state); };
  if (!std::all_of(asked.begin(), asked.end(), closed)) std::erase_if(asked, closed);
}

/// The least MinNodes of its partitions, to which the submission raises the nodes of a job.
std::uint32_t least_min_nodes(const Cluster& cluster, const Job& job) {
  if (job.partitions.empty()) return 0;
  std::uint32_t least = UINT32_MAX;
  for (const PartitionId id : job.partitions) {
    least = std::min(least, cluster.partitions[id].conf.min_nodes);
  }
  return least;
}

}  // namespace

std::optional<std::string_view> choose_partitions(const Cluster& cluster, Job& job) {
  if (job.spec->partitions == kNoName) {
    if (!cluster.default_partition) return kNoDefaultPartition;
    job.partitions = {taking_jobs(cluster, *cluster.default_partition)};
  } else {
    std::string_view rest = cluster.names.text(job.spec->partitions);
    while (!rest.empty()) {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      const auto name = cluster.names.find(rest.substr(0, comma));
      auto partition = name ? cluster.find_partition(*name) : std::nullopt;
      if (!partition) return kNoSuchPartition;
      partition = taking_jobs(cluster, *partition);
      if (std::find(job.partitions.begin(), job.partitions.end(), *partition) ==
          job.partitions.end()) {
        job.partitions.push_back(*partition);
      }
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
    leave_out_closed(cluster, job.partitions);
  }
  // A missing limit is filled from the first partition in the order given.
  const auto& first = cluster.partitions[job.partitions.front()].conf;
  if (!job.time_limit && first.default_time) {
    job.time_limit = first.default_time;
    job.limit_filled = true;
  }
  // Stable with respect to the order given.
  const auto tier = [&](PartitionId id) { return cluster.partitions[id].conf.priority_tier; };
  std::stable_sort(job.partitions.begin(), job.partitions.end(),
                   [&](PartitionId a, PartitionId b) { return tier(a) > tier(b); });
  job.partition = job.partitions.front();
  job.least_nodes = least_min_nodes(cluster, job);
  return std::nullopt;
}

bool admits_group(const Cluster& cluster, const PartitionConf& conf, const Job& job) {
  if (conf.allow_groups.empty()) return true;
  const std::string& user = cluster.names.text(job.spec->user);
  return user == kRoot || lets_in(conf, cluster.inputs.site, user);
}

namespace {

std::optional<std::string_view> refusal_of_one(const Cluster& cluster, const Job& job,
                                               PartitionId partition) {
  const PartitionConf& conf = cluster.partitions[partition].conf;
  const std::string& user = cluster.names.text(job.spec->user);
  const bool is_root = user == kRoot;
  const bool names_one = job.spec->extras != nullptr && !job.spec->extras->reservation.empty();
  if (conf.req_resv && !names_one) return kDenied;
  if (conf.disable_root_jobs && is_root) return kDenied;
  if (!admits_group(cluster, conf, job)) return kNoMember;
  return std::nullopt;
}

/// True if the partition that the job names first, whatever its tier, has ReqResv.
bool first_needs_one(const Cluster& cluster, const Job& job) {
  const auto needs_one = [&](PartitionId id) { return cluster.partitions[id].conf.req_resv; };
  if (std::none_of(job.partitions.begin(), job.partitions.end(), needs_one)) return false;
  const std::string& list = cluster.names.text(job.spec->partitions);
  const auto name = cluster.names.find(std::string_view(list).substr(0, list.find(',')));
  const auto first = name ? cluster.find_partition(*name) : std::nullopt;
  return first && needs_one(taking_jobs(cluster, *first));
}

}  // namespace

std::optional<std::string_view> access_refusal(const Cluster& cluster, const Job& job) {
  std::optional<std::string_view> refusal;
  bool lets_in_one = false;
  for (const PartitionId partition : job.partitions) {
    const auto one = refusal_of_one(cluster, job, partition);
    if (!one) lets_in_one = true;
    if (one && !refusal) refusal = one;
  }
  const bool one_is_enough = cluster.conf.enforce_part_limits == EnforcePartLimits::No;
  return one_is_enough && lets_in_one ? std::nullopt : refusal;
}

std::optional<Reason> door_reason(const Cluster& cluster, const Job& job, PartitionId partition) {
  const PartitionConf& conf = cluster.partitions[partition].conf;
  if (conf.root_only && cluster.names.text(job.spec->user) != kRoot) {
    return Reason::PartitionConfig;
  }
  // Of one alone the submission has asked.
  if (job.partitions.size() > 1 && !admits_group(cluster, conf, job)) {
    return Reason::PartitionConfig;
  }
  if (job.spec->extras != nullptr && !job.spec->extras->reservation.empty()) return std::nullopt;
  if (conf.req_resv) return Reason::PartitionConfig;
  // Without -N, behind one that needs a reservation, it is tested in none.
  const bool tells_nodes = cluster.request_of(job).max_nodes.has_value();
  if (!tells_nodes && first_needs_one(cluster, job)) return Reason::PartitionNodeLimit;
  return std::nullopt;
}

void note_unknown_groups(const SiteInputs& inputs, Diagnostics& found) {
  for (const PartitionConf& partition : inputs.slurm_conf.partitions) {
    for (const std::string& group : partition.allow_groups) {
      if (inputs.site.groups.contains(group)) continue;
      const auto at = partition.list_at.find("AllowGroups");
      found.warning(
          at == partition.list_at.end() ? partition.where : at->second,
          fmt::format("partition {}: the members of group '{}' are not known, so that "
                      "AllowGroups keeps nobody out",
                      partition.name, shortened(group)),
          fmt::format("in site.yaml, from `getent group {}`: groups: {{{}: \"alice,bob\"}}", group,
                      group));
    }
  }
}

}  // namespace rehearse
