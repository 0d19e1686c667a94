// sim/controller/priority_tick.cpp — a tick of the priority plugin (priority.md §4).
#include "sim/controller/controller.hpp"
#include "sim/sched/builtin_estimates.hpp"

namespace rehearse {

void Controller::on(const PriorityTicked&) {
  if (tick_waits_for_ends()) {
    schedule(end_of(now()), PriorityTicked{});
    return;
  }
  ++counts_.priority_ticks;
  event_order_.add(static_cast<std::uint64_t>(now_.time_since_epoch().count()));
  priority_->tick(now(), charged_, queue_.pending());
  if (last_tick_) limits_.tick(now(), *last_tick_, charged_);
  last_tick_ = now();
  if (cluster_.conf.scheduler_type == SchedulerType::Builtin) {
    estimate_as_builtin(cluster_, queue_, choice_, estimator_, now());
  }
  // priority.md §4: every pending job that is not held, in job-list order.
  for (const JobIndex index : queue_.pending()) {
    Job& job = cluster_.jobs[index];
    if (job.is_pending() && job.priority != 0) priority_->recompute(job, now());
  }
  if (cluster_.conf.priority.calculate_running) {
    for (Job* job : charged_) priority_->recompute(*job, now());
  }
  if (queue_.pending_count() > 0) {
    queue_.all_reprioritized();
    main_dirty_ = true;
    ++changes_;
  }
  observer_.priorities_recomputed(cluster_, now());
  if (observer_.asks_for_shares(now())) {
    observer_.shares_told(cluster_, priority_->shown_shares(cluster_.accounts), now());
  }
  next_tick_ += *priority_->tick_period();
  schedule(next_tick_, PriorityTicked{});
}

}  // namespace rehearse
