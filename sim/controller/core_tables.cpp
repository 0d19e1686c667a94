// sim/controller/core_tables.cpp — what is given back, and taken again one job after the other.
#include "sim/controller/core_tables.hpp"

#include <algorithm>

namespace rehearse {

bool may_ask_to_share(const RequestTable& requests, const std::vector<AdminCommandAt>& commands) {
  for (std::size_t i = 0; i < requests.size(); ++i) {
    if (requests[id_at<RequestId>(i)].oversubscribe) return true;
  }
  return std::any_of(commands.begin(), commands.end(), [](const AdminCommandAt& command) {
    const auto* act = std::get_if<ActOnJobs>(&command.action);
    if (act != nullptr) return act->action == JobAction::Resume;
    const auto* update = std::get_if<UpdateJobs>(&command.action);
    const bool asks = update != nullptr && update->request && update->request->oversubscribe;
    return asks && *update->request->oversubscribe;
  });
}

bool lays_force_over(const SlurmConf& conf, const std::vector<AdminCommandAt>& commands) {
  std::vector<PartitionConf> partitions = conf.partitions;
  return std::any_of(commands.begin(), commands.end(), [&](const AdminCommandAt& command) {
    const auto changed = partitions_changed_by(command.action);
    for (const UpdatePartition& update : changed) {
      partitions[index_of(update.partition)] = update.record;
    }
    return !changed.empty() && forces_twice(partitions);
  });
}

bool cores_are_taken(const Allocation& allocation, const Ledger& ledger) {
  return !ledger.shares_cores() &&
         std::any_of(allocation.nodes.begin(), allocation.nodes.end(), [&](const NodeShare& share) {
           return share.cores.intersects(ledger.use(share.node).cores);
         });
}

void enter_cores_anew(Cluster& cluster) {
  const auto runs_beside_others = [](const Job& job) {
    return job.is_running() && job.suspension.lends_cores;
  };
  // Where everybody is entered, they are so again.
  if (std::none_of(cluster.jobs.begin(), cluster.jobs.end(), runs_beside_others)) return;
  for (const Job& job : cluster.jobs) {
    if (!job.has_started() || job.suspension.lends_cores) continue;
    cluster.ledger.give_back_cores(job.allocation, job.partition);
  }
  for (Job& job : cluster.jobs) {
    if (!job.has_started()) continue;
    job.suspension.lends_cores =
        job.suspension.by_admin || cores_are_taken(job.allocation, cluster.ledger);
    if (!job.suspension.lends_cores) cluster.ledger.take_cores(job.allocation, job.partition);
  }
}

void mark_devices_anew(Cluster& cluster) {
  const auto holds_shared = [&](const NodeShare& share) {
    const Node& node = cluster.nodes[share.node];
    return std::any_of(share.devices.begin(), share.devices.end(), [&](const DeviceShare& device) {
      return node.gres[device.gres].shares.has_value();
    });
  };
  for (const Job& job : cluster.jobs) {
    if (!job.has_started()) continue;
    const auto& shares = job.allocation.nodes;
    if (!std::all_of(shares.begin(), shares.end(), holds_shared)) continue;
    cluster.ledger.give_back_rest(job.allocation);
    cluster.ledger.take_rest(job.allocation);
  }
}

}  // namespace rehearse
