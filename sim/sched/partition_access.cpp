// sim/sched/partition_access.cpp — RootOnly, DisableRootJobs, ReqResv, AllowGroups, Alternate.
#include "sim/sched/partition_access.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/config/text.hpp"
#include "sim/config/text_scan.hpp"

namespace rehearse {
namespace {

constexpr std::string_view kDenied = "Access/permission denied";
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
  return conf.allow_groups.empty() ||
         std::any_of(conf.allow_groups.begin(), conf.allow_groups.end(), [&](const auto& name) {
           const auto group = site.groups.find(name);
           return group == site.groups.end() || is_member(group->second, user);
         });
}

}  // namespace

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

std::optional<std::string_view> access_refusal(const Cluster& cluster, const Job& job,
                                               PartitionId partition) {
  const PartitionConf& conf = cluster.partitions[partition].conf;
  const std::string& user = cluster.names.text(job.spec->user);
  const bool is_root = user == kRoot;
  const bool names_one = job.spec->extras != nullptr && !job.spec->extras->reservation.empty();
  if (conf.req_resv && !names_one) return kDenied;
  if (conf.disable_root_jobs && is_root) return kDenied;
  if (conf.root_only && !is_root) return kDenied;
  if (!is_root && !lets_in(conf, cluster.inputs.site, user)) return kNoMember;
  return std::nullopt;
}

void note_unknown_groups(const SiteInputs& inputs, Diagnostics& found) {
  for (const PartitionConf& partition : inputs.slurm_conf.partitions) {
    for (const std::string& group : partition.allow_groups) {
      if (inputs.site.groups.contains(group)) continue;
      found.warning(
          partition.where,
          fmt::format("partition {}: the members of group '{}' are not known, so that "
                      "AllowGroups keeps nobody out",
                      partition.name, shortened(group)),
          fmt::format("in site.yaml, from `getent group {}`: groups: {{{}: \"alice,bob\"}}", group,
                      group));
    }
  }
}

}  // namespace rehearse
