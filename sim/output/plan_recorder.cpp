// sim/output/plan_recorder.cpp — compares each cycle's plans with those before it.
#include "sim/output/plan_recorder.hpp"

#include <utility>

#include "sim/config/hostlist.hpp"

namespace rehearse {

void PlanRecorder::plans_made(const Cluster& cluster, std::span<const JobIndex> planned,
                              SlurmTime now) {
  cluster_ = &cluster;
  ++cycle_;
  for (const JobIndex index : planned) {
    const Job& job = cluster.jobs[index];
    if (!job.is_pending() || !job.planned_start) continue;
    Plan plan{static_cast<std::uint32_t>(job.id), epoch_seconds(now),
              epoch_seconds(*job.planned_start), job.planned_nodes, cycle_};
    const auto known = open_.find(index);
    if (known == open_.end()) {
      open_.emplace(index, std::move(plan));
    } else if (known->second.start == plan.start && known->second.nodes == plan.nodes) {
      known->second.cycle = cycle_;
    } else {
      add_row(known->second, now);
      known->second = std::move(plan);
    }
  }
  for (auto plan = open_.begin(); plan != open_.end();) {
    if (plan->second.cycle == cycle_) {
      ++plan;
      continue;
    }
    add_row(plan->second, now);  // the cycle did not come to it, or found nothing
    plan = open_.erase(plan);
  }
}

void PlanRecorder::close(JobIndex job, SlurmTime now) {
  const auto known = open_.find(job);
  if (known == open_.end()) return;
  add_row(known->second, now);
  open_.erase(known);
}

void PlanRecorder::add_row(const Plan& plan, SlurmTime until) {
  if (plan.since >= epoch_seconds(until)) return;
  rows_.job_id.push_back(plan.job_id);
  rows_.begin.push_back(plan.since);
  rows_.end.push_back(epoch_seconds(until));
  rows_.start.push_back(plan.start);
  std::vector<std::string> hosts;
  for (const NodeId node : plan.nodes) {
    hosts.push_back(cluster_->names.text(cluster_->nodes[node].name));
  }
  node_lists_.push_back(hosts.empty() ? "" : compress_hostlist(hosts));
}

void PlanRecorder::run_ended(const Cluster& /*cluster*/, SlurmTime now,
                             const LoopCounts& /*counts*/) {
  // What stands at the end stands there too: its last second is the end's own.
  for (const auto& [job, plan] : std::exchange(open_, {})) add_row(plan, now + Seconds{1});
}

void PlanRecorder::give_to(Result& result) {
  for (const std::string& nodes : node_lists_) {
    rows_.node_list.push_back(static_cast<std::uint32_t>(result.names.node_list.intern(nodes)));
  }
  result.plans = std::exchange(rows_, {});
  result.plans.kept = true;
}

}  // namespace rehearse
