// sim/sched/backfill_het.cpp — the end of a cycle: heterogeneous jobs whose components could all
// start now do so together, or none of them does (scheduling.md §11).
#include <utility>

#include "sim/sched/allocated_nodes.hpp"
#include "sim/sched/backfill.hpp"
#include "sim/sched/job_tests.hpp"

namespace rehearse {
namespace {

/// Counts components as if they ran, so that the limits see them together; takes it back.
class Together {
 public:
  Together(Cluster& cluster, Limits& limits) : cluster_(cluster), limits_(limits) {}
  Together(const Together&) = delete;
  Together& operator=(const Together&) = delete;
  ~Together() {
    for (auto at = counted_.rbegin(); at != counted_.rend(); ++at) {
      Job& job = *at->job;
      limits_.job_stopped(job, true);
      give_back_licenses(cluster_, job);
      job.partition = at->partition;
      job.alloc_tres = std::move(at->alloc_tres);
      job.allocated_nodes = std::move(at->allocated_nodes);
      job.accrue = at->accrue;
      job.time_limit = at->time_limit;
    }
  }
  void count(Job& job, const HetComponent& component, const Allocation& allocation) {
    counted_.push_back(
        {&job, job.partition, job.alloc_tres, job.allocated_nodes, job.accrue, job.time_limit});
    const Partition& partition = cluster_.partitions[component.partition];
    job.partition = component.partition;
    job.alloc_tres = limits_.count_component(job, partition, allocation);
    job.allocated_nodes = NodeSet(cluster_.nodes.size());
    job.accrue.reset();
    job.time_limit = component.limit;
    take_licenses(cluster_, job);
    limits_.job_started(job);
  }

 private:
  struct Counted {
    Job* job;
    PartitionId partition;
    TresVector alloc_tres;
    NodeSet allocated_nodes;
    std::optional<SlurmTime> accrue;
    std::optional<Minutes> time_limit;
  };
  Cluster& cluster_;
  Limits& limits_;
  std::vector<Counted> counted_;
};

/// What a component without nodes counts for: the CPUs of its last test that found some.
Allocation as_tested(const Job& job, const Cluster& cluster) {
  Allocation tested;
  tested.cpus = job.total_cpus > 0 ? job.total_cpus : cluster.request_of(job).min_cpus;
  return tested;
}

}  // namespace

/// A component behind another of its job that this cycle cannot start is not tried (§11). One that
/// a cycle comes to waits for Resources, unless a limit is found to hold it.
bool Backfill::gives_up(Job& job) {
  const auto leader = het_leader(job);
  if (!leader) return false;
  const Seconds window = cluster_.conf.scheduler_parameters.bf_window;
  const bool gives_up = het_.gives_up(*leader, job.index, now_ + window);
  if (gives_up || !is_policy_blocked(job.reason, cluster_.inputs.site.slurm_version)) {
    actions_.set_reason(job, Reason::Resources);
  }
  if (gives_up) return true;
  het_.try_component(*leader, job.index);
  return false;
}

void Backfill::note_component(const Try& attempt, SlurmTime start) {
  if (const auto leader = het_leader(attempt.job)) {
    het_.note(*leader, {attempt.job.index, attempt.partition, attempt.reservation, attempt.limit,
                        std::max(start, now_)});
  }
}

void Backfill::start_het_jobs() {
  const std::uint32_t most = cluster_.conf.scheduler_parameters.bf_max_job_start;
  for (const HetGroup& group : het_.groups()) {
    if (most > 0 && result_.started >= most) return;  // components count, too
    if (group.latest() > now_) continue;
    const std::vector<Job*> all = actions_.components(cluster_.jobs[group.components.front().job]);
    if (all.size() != group.components.size()) continue;
    std::vector<Allocation> allocations;
    if (!select_together(group, allocations)) continue;
    forget_answers();
    start_in_turn(group, allocations);
  }
}

/// Those that started go back where another then has no nodes, or is over a limit of them.
void Backfill::start_in_turn(const HetGroup& group, std::vector<Allocation>& allocations) {
  std::vector<Job*> started;
  for (std::size_t i = 0; i < group.components.size(); ++i) {
    const HetComponent& component = group.components[i];
    Job& job = cluster_.jobs[component.job];
    const bool fails = i >= allocations.size();
    std::optional<Reason> limit;
    if (!fails && i > 0) {
      limit = limits_.after_selection(job, component.partition, allocations[i],
                                      nodes_of(allocations[i], cluster_.nodes.size()));
    }
    if (limit) actions_.set_reason(job, *limit);
    if (fails || limit) {
      for (Job* each : started) actions_.take_back(*each);
      result_.started -= static_cast<std::uint32_t>(started.size());
      return;
    }
    job.reservation = component.reservation;
    // As any that backfill starts; but the end of its own test gives a component its limit back.
    if (het_.in_test() != job.index && planned_time_min(job) == component.limit &&
        !emulates(Change::TimeMinRaisedAgain)) {
      job.time_limit = component.limit;
    }
    (void)actions_.start(job, component.partition, std::move(allocations[i]), StartedBy::Backfill);
    started.push_back(&job);
    ++result_.started;
  }
}

/// Each component on nodes of its own; from the second on those that find none are left out. False:
/// nobody is to start, as where a limit stops any, and until all limits have been asked no victim
/// dies. Licences are asked no more: their tests had them.
bool Backfill::select_together(const HetGroup& group, std::vector<Allocation>& allocations) {
  NodeSet free = available_;
  Together together(cluster_, limits_);
  Job* unplaced = nullptr;  // the first that has no nodes now
  std::vector<Job*> victims;
  for (const HetComponent& component : group.components) {
    Job& job = cluster_.jobs[component.job];
    if (!job.is_pending() || job.completing || job.held) return false;
    if (limits_.invalid(job) || limits_.before_selection(job, component.partition)) return false;
    if (unplaced != nullptr) {
      const Allocation tested = as_tested(job, cluster_);
      if (const auto limit = limits_.after_selection(job, component.partition, tested,
                                                     NodeSet(cluster_.nodes.size()))) {
        actions_.set_reason(job, *limit);
        return false;
      }
      together.count(job, component, tested);
      continue;
    }
    const ReservedQuestion question{.job = job,
                                    .partition = component.partition,
                                    .reservation = component.reservation,
                                    .now = now_,
                                    .start = now_,
                                    .limit = component.limit};
    const ReservedView reserved = reserved_view(cluster_, question);
    if (reserved.verdict != ReservedVerdict::Free) return false;
    Selection selection =
        choice_.select_now(job, component.partition, free & reserved.nodes, reserved, now_);
    if (selection.attempt == Attempt::Policy) {
      actions_.set_reason(job, selection.reason);
      return false;
    }
    if (selection.attempt != Attempt::Success) {
      unplaced = &job;
      victims = std::move(selection.victims);
      together.count(job, component, as_tested(job, cluster_));
      continue;
    }
    free -= nodes_of(selection.allocation, cluster_.nodes.size());
    together.count(job, component, selection.allocation);
    allocations.push_back(std::move(selection.allocation));
  }
  if (!victims.empty()) actions_.preempt(*unplaced, victims);
  return unplaced == nullptr || !allocations.empty();
}

}  // namespace rehearse
