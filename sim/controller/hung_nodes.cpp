// sim/controller/hung_nodes.cpp — slurmd waits KillWait, then UnkillableStepTimeout; then its node
// is drained, and the job is over all the same (lifecycle.md §5).
#include "sim/controller/hung_nodes.hpp"

#include <algorithm>
#include <chrono>

#include "sim/controller/controller.hpp"

namespace rehearse {
namespace {

constexpr std::string_view kKillTaskFailed = "Kill task failed";
constexpr Seconds kLeastKillWait{5};

}  // namespace

void HungNodes::recover(NodeId node) {
  if (nodes_.erase(node) == 0) return;
  for (const auto& [run, at] : given_up_at_) {
    c_.schedule(c_.now_, NodesCleaned{run.first, run.second});  // those on other nodes wait on
  }
}

bool HungNodes::lets_go(Job& job) {
  const Run run{job.index, job.run_number};
  const auto& held = job.allocation.nodes;
  const bool lives =
      job.killed && std::any_of(held.begin(), held.end(),
                                [this](const NodeShare& each) { return is_hung(each); });
  if (!lives) {
    given_up_at_.erase(run);
    return true;
  }
  const SlurmConf& conf = c_.cluster_.conf;
  const Time patience =
      c_.now_ + std::max(conf.kill_wait, kLeastKillWait) + conf.unkillable_step_timeout;
  const auto [known, first] = given_up_at_.try_emplace(run, patience);
  if (c_.now_ >= known->second) {
    give_up(job);
    given_up_at_.erase(known);
    return true;
  }
  if (first) c_.schedule(known->second, NodesCleaned{job.index, job.run_number});
  std::erase_if(job.allocation.nodes, [this](const NodeShare& share) {
    if (is_hung(share)) return false;
    --c_.cluster_.nodes[share.node].state.completing_jobs;
    c_.settle_completing(share.node);
    return true;
  });
  return false;
}

void HungNodes::give_up(const Job& job) {
  for (const NodeShare& share : job.allocation.nodes) {
    Node& node = c_.cluster_.nodes[share.node];
    if (!is_hung(share) || node.state.down) continue;
    node.state.drain = true;
    node.state.reason = kKillTaskFailed;
    c_.observer_.node_changed(node, c_.now());
  }
}

}  // namespace rehearse
