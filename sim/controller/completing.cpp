// sim/controller/completing.cpp — from a job's end to its last clean node (lifecycle.md §5), and
// what waits for it: CompleteWait and reduce_completing_frag (scheduling.md §4.1).
#include <algorithm>
#include <chrono>

#include "models/runtime/recorded.hpp"
#include "sim/cluster/licenses.hpp"
#include "sim/controller/controller.hpp"

namespace rehearse {
namespace {

/// Nobody asks what a job held that is over, and a long trace has many of them.
void drop_holdings(Job& job) {
  job.allocated_nodes = {};
  job.planned_nodes = {};
}

}  // namespace

/// The nodes of jobs that are COMPLETING and ended no longer ago than CompleteWait; none: there is
/// no such job. While there is one backfill does not begin, nor does the main loop unless
/// reduce_completing_frag lets it look at partitions without these nodes.
std::optional<NodeSet> Controller::lately_completing() const {
  const Seconds patience = cluster_.conf.complete_wait;
  if (patience == Seconds{0}) return std::nullopt;
  std::optional<NodeSet> nodes;
  for (const JobIndex index : completing_) {
    const Job& job = cluster_.jobs[index];
    if (*job.end < now() - patience) continue;
    if (!nodes) nodes.emplace(cluster_.nodes.size());
    for (const NodeShare& share : job.allocation.nodes) nodes->set(index_of(share.node));
  }
  return nodes;
}

/// A recording knows when the nodes will be clean, or the daemons' latency tells.
void Controller::await_clean_up(const Job& job) {
  if (history_ != nullptr && job.requeues) return;  // the history says when
  NodesCleaned cleaned{job.index, job.run_number};
  const std::optional<KnownCleanUp> known = recorded_.clean_up_of(job);
  const SiteConf::Controller& daemons = cluster_.inputs.site.controller;
  // A run that has ended when the recorded one did has clean nodes when that had.
  constexpr Seconds kSameEnd{2};
  const bool same = known && std::chrono::abs(now_ - (known->at - known->took)) <= kSameEnd;
  const Duration took = known ? known->took : clean_up_time(job.killed, daemons);
  Time due = same ? std::max(known->at, now_) : now_ + took;
  if (!known && (job.killed || cluster_.conf.has_epilog)) due = before_direct_pass(due, took);
  schedule(due, cleaned);
  if (same) {
    for (const auto& [name, at] : known->before) {
      const auto known_name = cluster_.names.find(name);
      cleaned.only = known_name ? cluster_.find_node(*known_name) : std::nullopt;
      if (cleaned.only && at < due) schedule(std::max(at, now_), cleaned);
    }
    cleaned.only.reset();
  }
  // What is to be killed is on the first node, where the script runs: the others answer at once.
  if (!known && job.killed) {
    const Duration quick = clean_up_time(false, daemons);
    for (std::size_t i = 1; quick < took && i < job.allocation.nodes.size(); ++i) {
      cleaned.only = job.allocation.nodes[i].node;
      schedule(std::min(now_ + quick, due), cleaned);
    }
    cleaned.only.reset();
  }
  if (!known && background_->follows_passes()) clean_ups_.push_back({cleaned, now_, due});
}

/// A message that asks for a direct pass comes just before it: the first pass of a recording's log
/// that may be this one, and answers no other run's message, is it in 4 of 5 cases.
Time Controller::before_direct_pass(Time due, Duration took) const {
  constexpr Duration kJustBefore{1};
  const Time last = now_ + 3 * took;
  std::optional<Time> pass = background_->known_partial_pass(now_ + took / 4, last);
  if (!pass) return due;
  const auto is_taken = [&](Time at) {
    return std::any_of(clean_ups_.begin(), clean_ups_.end(),
                       [&](const AwaitedCleanUp& each) { return each.due == at - kJustBefore; });
  };
  for (auto at = pass; at; at = background_->known_partial_pass(*at + kJustBefore, last)) {
    if (!is_taken(*at)) return *at - kJustBefore;
  }
  return *pass - kJustBefore;
}

void Controller::on(const NodesCleaned& event) {
  Job& job = cluster_.jobs[event.job];
  if (!job.completing || job.run_number != event.run_number) return;
  if (event.only) {
    auto& held = job.allocation.nodes;
    if (held.size() < 2) return;
    const auto gone =
        std::erase_if(held, [&](const NodeShare& share) { return share.node == *event.only; });
    if (gone == 0) return;
    --cluster_.nodes[*event.only].state.completing_jobs;
    settle_completing(*event.only);
    return something_changed();
  }
  if (!keeper_.has_clean_nodes(job)) return;
  const bool unnoticed = keeper_.is_unnoticed(job);
  keeper_.job_cleaned(job);
  job.completing = false;
  observer_.job_cleaned(job, now());
  std::erase(completing_, job.index);
  std::erase_if(clean_ups_,
                [&](const AwaitedCleanUp& each) { return each.event.job == event.job; });
  for (const NodeShare& share : job.allocation.nodes) {
    --cluster_.nodes[share.node].state.completing_jobs;
    settle_completing(share.node);
  }
  power_.job_left(job);
  reboots_.look_soon();
  give_back_licenses(cluster_, job);  // licences return when the completion is final (§10)
  const bool direct = job.killed || cluster_.conf.has_epilog;
  obey(gang_.remove(job));
  const bool told = !job.allocation.nodes.empty() && !unnoticed;  // DOWN nodes tell nothing
  job.allocation.nodes.clear();
  job.allocation.nodes.shrink_to_fit();
  if (job.requeues && !unnoticed) submit_anew(job);
  if (job.requeues) {
    put_back(job);
  } else {
    drop_holdings(job);
  }
  something_changed();
  // A normal end without Epilog is "already complete": a queued request (lifecycle.md §5).
  if (!told) return;
  if (direct) {
    request_direct();
  } else {
    request_queued();
  }
}

}  // namespace rehearse
