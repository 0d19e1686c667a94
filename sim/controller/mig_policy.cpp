// sim/controller/mig_policy.cpp — what a policy of re-partitioning is asked, and its answer
// ordered.
#include <algorithm>
#include <tuple>

#include "sim/controller/controller.hpp"

namespace rehearse {
namespace {

std::uint64_t upward(std::uint64_t whole, std::uint64_t parts) {
  return parts == 0 ? whole : (whole + parts - 1) / parts;
}

/// It waits for nothing but nodes: the loops have looked at it.
bool waits_for_nodes(const Job& job) {
  return job.is_pending() && !job.held && job.priority > 0 &&
         (job.reason == Reason::Resources || job.reason == Reason::Priority ||
          job.reason == Reason::ReqNodeNotAvail);
}

/// On each of its nodes so many devices of the Type.
std::uint64_t each_node(const GresRequest& gres, const Request& request, std::uint64_t nodes) {
  if (gres.per_node > 0) return gres.per_node;
  if (gres.per_job > 0) return upward(gres.per_job, nodes);
  if (gres.per_task > 0) return gres.per_task * upward(request.num_tasks.value_or(1), nodes);
  return gres.per_socket * std::max<std::uint64_t>(request.sockets_per_node, 1);
}

}  // namespace

bool MigKeeper::takes_jobs(NodeId node) const {
  const NodeState& state = c_.cluster_.nodes[node].state;
  if (!nodes_[index_of(node)].drained_here) return state.is_available();
  NodeState undrained = state;
  undrained.drain = false;
  return undrained.is_available();
}

std::vector<GpuNow> MigKeeper::gpus_now() const {
  std::vector<GpuNow> all;
  for (std::size_t i = 0; i < gpus_.size(); ++i) {
    const ChangingGpu& plan = plan_->gpus()[i];
    const Gpu& gpu = gpus_[i];
    GpuNow& now = all.emplace_back();
    now.gpu = &plan;
    now.in_service = takes_jobs(plan.node);
    now.cut = gpu.after ? *gpu.after : gpu.target ? *gpu.target : gpu.cut;
    now.held.assign(now.cut.whole ? 1 : now.cut.layout.size(), false);
    const std::vector<std::uint32_t>& neighbours = nodes_[index_of(plan.node)].gpus;
    const bool node_changes =
        std::any_of(neighbours.begin(), neighbours.end(),
                    [this](std::uint32_t other) { return gpus_[other].target.has_value(); });
    if (gpu.target) continue;  // all of it is to come
    for (std::size_t k = 0; k < gpu.devices.size(); ++k) {
      now.held[k] = is_held(plan.node, gpu.devices[k]);
    }
    now.may_change = plan.by_policy && c_.cluster_.nodes[plan.node].state.is_available();
    if (conf().drain == MigDrain::Node) {
      now.may_change = now.may_change && !node_changes && !any_held(plan.node, all_here(plan.node));
    }
  }
  return all;
}

OtherDevices MigKeeper::other_devices() const {
  OtherDevices others;
  for (const rehearse::Node& node : c_.cluster_.nodes) {
    const Node& mine = nodes_[index_of(node.id)];
    if (!takes_jobs(node.id)) continue;
    for (const std::uint32_t device : mine.unchanging) {
      if (!is_held(node.id, device)) {
        ++others[{node.id, node.gres[mine.gres].devices[device].type}];
      }
    }
  }
  return others;
}

/// The head of the queue: by tier, priority, submission and id.
std::vector<DeviceWish> MigKeeper::wishes() const {
  const Cluster& cluster = c_.cluster_;
  using Rank = std::tuple<std::uint32_t, std::uint32_t, std::int64_t, std::int64_t>;
  std::vector<std::pair<Rank, const Job*>> waiting;
  for (const JobIndex index : c_.queue_.pending()) {
    const Job& job = cluster.jobs[index];
    if (!waits_for_nodes(job) || job.partitions.empty()) continue;
    const std::uint32_t tier = cluster.partitions[job.partitions.front()].conf.priority_tier;
    waiting.emplace_back(Rank{tier, job.priority, -job.submit.time_since_epoch().count(),
                              -static_cast<std::int64_t>(job.id)},
                         &job);
  }
  const std::size_t depth = std::min<std::size_t>(waiting.size(), conf().depth);
  std::partial_sort(waiting.begin(), waiting.begin() + static_cast<std::ptrdiff_t>(depth),
                    waiting.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<DeviceWish> wishes;
  for (std::size_t i = 0; i < depth; ++i) {
    const Job& job = *waiting[i].second;
    const Request& request = cluster.request_of(job);
    DeviceWish wish;
    wish.where = NodeSet(cluster.nodes.size());
    for (const PartitionId partition : job.partitions) {
      wish.where |= cluster.partitions[partition].nodes;
    }
    wish.nodes = std::max<std::uint64_t>(request.min_nodes, 1);
    const std::size_t tasks =
        std::clamp<std::size_t>(job.pending_tasks.size(), 1, depth);  // of an array
    for (const GresRequest& gres : request.gres) {
      if (cluster.names.text(gres.name) != "gpu" || gres.type == kNoName) continue;
      wish.type = gres.type;
      wish.each = each_node(gres, request, wish.nodes);
      wishes.insert(wishes.end(), tasks, wish);
    }
  }
  return wishes;
}

void MigKeeper::pass_ended() {
  if (!on_ || policy_ == nullptr || c_.queue_.pending_count() == 0) return;
  const std::vector<DeviceWish> asked = wishes();
  if (asked.empty()) return;
  const std::vector<GpuNow> now = gpus_now();
  for (const auto& [gpu, cut] : recut(*policy_, now, other_devices(), asked)) {
    order(gpu, cut, Needs::WhatChanges);
  }
}

}  // namespace rehearse
