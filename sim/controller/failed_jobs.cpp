// sim/controller/failed_jobs.cpp — what becomes of the jobs of a node that went DOWN, or was booted
// (lifecycle.md §11).
#include <algorithm>
#include <span>

#include "sim/controller/controller.hpp"
#include "sim/controller/node_keeper.hpp"
#include "sim/sched/job_tests.hpp"

namespace rehearse {

bool NodeKeeper::fail_jobs(const Node& node) {
  const std::vector<Job*> running = c_.charged_;
  if (c_.history_ != nullptr) {  // runs end when the history says
    return node.state.completing_jobs > 0 ||
           std::any_of(running.begin(), running.end(), [&](const Job* job) {
             return job->allocated_nodes.test(index_of(node.id));
           });
  }
  bool some = false;
  for (Job* job : running) {
    if (!job->has_started() || !job->allocated_nodes.test(index_of(node.id))) continue;
    some = true;
    if (job->spec->no_kill && job->allocation.nodes.size() > 1) {
      c_.shrink(*job, std::span(&node.id, 1));
      continue;
    }
    const AfterEnd after = c_.may_requeue(*job) ? AfterEnd::Requeued : AfterEnd::Gone;
    c_.end_run(*job, JobState::NodeFail, Reason::NodeDown, after, true);
    fail_components(*job, after, node.id);
    drop_down_nodes(*job);
    if (!job->allocation.nodes.empty()) continue;
    job->ranks_by_last_run = after == AfterEnd::Requeued;  // priority.md §3.8
    c_.schedule(c_.now_, NodesCleaned{job->index, job->run_number});
  }
  return some;
}

/// The other components of a heterogeneous job whose nodes have not failed: those ahead of this one
/// go its way, those behind it fail for good where it is requeued (lifecycle.md §10.2).
void NodeKeeper::fail_components(Job& failed, AfterEnd after, NodeId node) {
  if (!het_leader(failed)) return;
  bool is_behind = false;
  for (Job* each : c_.components(failed)) {
    if (each == &failed) is_behind = true;
    if (!each->has_started() || each->allocated_nodes.test(index_of(node))) continue;
    if (is_behind && after == AfterEnd::Requeued) {
      c_.end_run(*each, JobState::Failed, Reason::JobLaunchFailure, AfterEnd::Gone, true);
    } else {
      c_.end_run(*each, JobState::NodeFail, Reason::NodeDown, after, true);
    }
  }
}

/// Nobody waits for the answer of a DOWN node (lifecycle.md §11).
void NodeKeeper::drop_down_nodes(Job& job) {
  std::erase_if(job.allocation.nodes, [this](const NodeShare& share) {
    Node& node = c_.cluster_.nodes[share.node];
    if (!node.state.down) return false;
    --node.state.completing_jobs;
    c_.settle_completing(share.node);
    return true;
  });
}

/// A registration tells what runs on the node. A batch script that should, and has had the time to
/// be launched, is missing: its job is requeued, or ends (lifecycle.md §11).
void NodeKeeper::requeue_missing(const Node& node) {
  if (c_.history_ != nullptr) return;  // runs end when the history says
  const std::vector<Job*> running = c_.charged_;
  const SlurmConf& conf = c_.cluster_.conf;
  const Seconds patience = conf.batch_start_timeout + std::min(Seconds{10}, conf.message_timeout);
  for (Job* job : running) {
    if (!is_lost(*job) || job->allocation.nodes.front().node != node.id) continue;
    if (*job->start + patience >= c_.now()) continue;
    c_.end_run(*job, JobState::NodeFail, Reason::NodeDown,
               c_.may_requeue(*job) ? AfterEnd::Requeued : AfterEnd::Gone, false);
  }
}

}  // namespace rehearse
