// sim/controller/controller.cpp — the event loop: what happens, and when the loops run.
#include "sim/controller/controller.hpp"

#include <algorithm>
#include <utility>

#include "sim/controller/audit.hpp"
#include "sim/controller/core_tables.hpp"
#include "sim/core/check.hpp"

namespace rehearse {
namespace {

/// The controller is up for this long before the first job arrives.
constexpr Seconds kLead{60};
/// A direct pass follows its message at once. In a recording, within this of when its clean-up is
/// expected: how long that took no log tells.
constexpr Seconds kDirectAnswer{4};
/// With nothing running and nothing started for so long, what still pends will pend for ever.
constexpr Seconds kPatience{24 * 3600};

SlurmTime hour_after(SlurmTime now) {
  constexpr std::int64_t kHour = 3600;
  return from_epoch_seconds((epoch_seconds(now) / kHour + 1) * kHour);
}

}  // namespace

ControllerState::ControllerState(Cluster& cluster, JobSource& jobs,
                                 std::vector<AdminCommandAt> commands, Observer& observer,
                                 const std::atomic<bool>* interrupted, SchedulerActions& actions)
    : cluster_(cluster),
      source_(jobs),
      commands_(std::move(commands)),
      observer_(observer),
      interrupted_(interrupted),
      next_job_id_(cluster.conf.first_job_id),
      limits_(cluster),
      priority_(make_priority_plugin(cluster)),
      select_(make_select_plugin(cluster)),
      preemption_(cluster, *select_, running_),
      weights_(cluster.nodes, cluster.requests),
      owners_(cluster, running_),
      choice_(cluster, limits_, *select_, &preemption_, &weights_, &owners_),
      queue_(cluster, limits_, actions, &preemption_),
      estimator_(cluster, *select_, running_, &preemption_,
                 has(cluster.inputs.site.slurm_version, Change::EstimateWeighsAfresh) ? nullptr
                                                                                      : &weights_),
      main_loop_(cluster, limits_, choice_, queue_, actions),
      backfill_(cluster, limits_, choice_, queue_, estimator_, actions),
      purges_(cluster.conf.min_job_age),
      dependencies_(cluster, purges_),
      gang_(cluster, &preemption_),
      costs_(cluster.inputs.site.controller, cluster.conf.scheduler_parameters) {}

Controller::Controller(Cluster& cluster, JobSource& jobs, std::vector<AdminCommandAt> commands,
                       Observer& observer, const std::atomic<bool>* interrupted)
    : ControllerState(cluster, jobs, std::move(commands), observer, interrupted, *this) {}

void Controller::begin() {
  next_spec_ = source_.next();
  const bool any = next_spec_ != nullptr;
  Time first = any ? next_spec_->submit : Time{};
  if (!commands_.empty())
    first = any ? std::min(first, commands_.front().at) : commands_.front().at;
  const SiteConf::Controller& daemon = cluster_.inputs.site.controller;
  const SlurmTime latest = whole_second(first) - Seconds{1};
  const SlurmTime own =
      daemon.started_at ? std::min(*daemon.started_at, latest) : whole_second(first) - kLead;
  const SlurmTime began = takeover_.at().value_or(own);
  now_ = started_at_ = last_activity_ = Time{began} + daemon.phase;
  background_.emplace(cluster_.conf.scheduler_parameters, started_at_, daemon.background_turn);
  background_->follow_scans(std::move(recorded_.limit_scans));
  background_->follow_passes(std::move(recorded_.main_passes));
  background_->follow_turns(std::move(recorded_.long_turns));
  known_cycles_.follow(std::move(recorded_.cycles));
  backfill_clock_.emplace(cluster_.conf.scheduler_type == SchedulerType::Backfill
                              ? cluster_.conf.scheduler_parameters.bf_interval
                              : std::nullopt,
                          started_at_);
  backfill_clock_->follow(std::move(recorded_.backfill));
  keeper_.begin();
  power_.begin();
  speeds_.begin();
  mig_.begin();
  if (lays_force_over(cluster_.conf, commands_)) cluster_.expect_forced_sharing();
  if (cluster_.recalls && !may_ask_to_share(cluster_.requests, commands_)) {
    cluster_.expect_no_sharing();
  }
  observer_.run_started(cluster_, now());
  backfill_.keep_plans(observer_.asks_for_plans());
  takeover_.carry_out();
  schedule_arrival();
  if (history_ != nullptr) begin_history();
  const auto next = static_cast<std::uint32_t>(counts_.commands_done);
  if (next < commands_.size()) schedule(commands_[next].at, CommandIssued{next});
  for (const AdminCommandAt& command : commands_) {
    const auto* change = std::get_if<ReservationCommand>(&command.action);
    if (change != nullptr) cluster_.reservations.expect(cluster_.names.intern(change->words.name));
  }
  reservations_.changed();
  const Time threads_began = recorded_.first_tick.value_or(now_);
  purges_.begin(whole_second(threads_began));
  if (priority_->tick_period()) {
    next_tick_ = std::max(now_, threads_began);
    schedule(next_tick_, PriorityTicked{});
  }
  for (const Time at : recorded_.share_questions) schedule(at, SharesAsked{});
  reschedule_background();
  reschedule_backfill();
}

RunStatus Controller::run() {
  begin();
  RunStatus status = RunStatus::Complete;
  std::optional<Audit> audit;
  if (!cluster_.recalls) audit.emplace(*this);
  while (!events_.empty() && !is_over()) {
    if (interrupted_ != nullptr && interrupted_->load(std::memory_order_relaxed)) {
      status = RunStatus::Interrupted;
      break;
    }
    auto [key, event] = events_.pop();
    REHEARSE_CHECK(key.time >= now_, "time runs backwards");
    now_ = key.time;
    if (now() >= next_hour_) {  // the counts are those of the hours before
      if (counts_.events > 0) observer_.hour_passed(counts_, next_hour_);
      next_hour_ = hour_after(now());
    }
    ++counts_.events;
    dispatch(event);
    if (audit) audit->after_event();
    if (source_.is_outdated()) schedule_arrival();
    if ((counts_.events & 0x3FFU) == 0) {
      observer_.progressed(now(), queue_.pending_count(), running_.size());
    }
  }
  counts_.event_fingerprint = event_order_.value();
  counts_.schedule_fingerprint = schedule_.value();
  observer_.run_ended(cluster_, now(), counts_);
  return status;
}

bool Controller::is_over() const {
  const bool commanded = counts_.commands_done >= commands_.size();
  if (commanded && outage_.is_on() && cluster_.conf.controllers < 2) return true;  // for ever
  // What an admin suspended and never resumes waits for ever, as what pends.
  const bool any_runs = running_.size() > suspended_by_admin_;
  if (next_spec_ != nullptr || retries_due_ > 0 || any_runs || !completing_.empty() ||
      forced_left_ > 0)
    return false;
  if (!commanded) return false;
  if (queue_.pending_count() == 0) return true;
  if (keeper_.expects_repair()) return false;
  if (mig_.expects_change(now_ - last_activity_)) return false;
  const bool any_pending =
      std::any_of(queue_.pending().begin(), queue_.pending().end(),
                  [&](JobIndex job) { return cluster_.jobs[job].is_pending(); });
  if (!any_pending) return true;
  return now_ - last_activity_ > kPatience && !reservations_.awaits_edge();
}

void Controller::dispatch(const Event& event) {
  if (outage_.keeps(event)) return;
  std::visit([this](const auto& fact) { on(fact); }, event);
}

void Controller::on(const JobArrived&) {
  if (arrival_due_ && *arrival_due_ <= now_) arrival_due_.reset();
  while (next_spec_ != nullptr && next_spec_->submit <= now_) {
    const JobSpec* spec = next_spec_;
    if (spec->submit < outage_.ended()) {
      specs_.push_back(*spec);
      specs_.back().submit = outage_.ended();
      spec = &specs_.back();
    }
    next_spec_ = source_.next();
    submit(*spec);
  }
  schedule_arrival();
}

void Controller::schedule_arrival() {
  if (source_.is_outdated()) {
    source_.take_back();
    next_spec_ = source_.next();
  }
  if (next_spec_ == nullptr) return;
  const Time submit = next_spec_->submit;
  const Time at = history_ == nullptr ? submit : end_of(whole_second(submit));
  if (arrival_due_ && *arrival_due_ <= at) return;
  arrival_due_ = at;
  schedule(at, JobArrived{});
}

void Controller::on(const CommandIssued& event) {
  if (!outage_.keeps(commands_[event.command])) carry_out(commands_[event.command]);
  ++counts_.commands_done;
  if (event.command + 1 < commands_.size()) {
    schedule(commands_[event.command + 1].at, CommandIssued{event.command + 1});
  }
}

/// Limits that end running jobs move at ticks and ends; the scan that follows finds them
/// (limits.md §7.1).
void Controller::schedule_limit_scan() {
  const EnforceConf& enforce = cluster_.conf.enforce;
  if (!enforce.limits || enforce.safe || limit_scan_due_) return;
  limit_scan_due_ = true;
  schedule(background_->scan_at(now_ + Duration{1}), LimitsScanned{});
}

void Controller::on(const LimitsScanned&) {
  if (history_ != nullptr) return;  // runs end when the history says
  limit_scan_due_ = false;
  const std::vector<Job*> running = charged_;
  bool watched = false;
  for (Job* job : running) {
    if (!limits_.may_be_killed(*job)) continue;
    if (job->is_suspended()) {  // left alone until it goes on
      watched = true;
      continue;
    }
    if (const auto reason = limits_.run_time_limit(*job, now())) {
      end_run(*job, JobState::Timeout, *reason, AfterEnd::Gone, true);
    } else {
      watched = true;
    }
  }
  if (watched) schedule_limit_scan();
}

void Controller::on(const BackgroundTurned& event) {
  if (event.generation != background_generation_) return;
  background_due_.reset();
  if (background_->knows_partial_pass_at(now_) && !background_->is_requested()) answer_clean_up();
  switch (background_->at_turn(now_)) {
    case BackgroundClock::Due::Full:
      run_main(PassDepth::Full);
      break;
    case BackgroundClock::Due::Partial:
      run_main(PassDepth::Partial);
      break;
    case BackgroundClock::Due::Nothing:
      break;
  }
  reschedule_background();
}

/// A recorded pass that nothing has asked for is the answer to a clean-up that was quicker than
/// they are on average: that of the job which is due next and has had half its time.
void Controller::answer_clean_up() {
  const AwaitedCleanUp* first = nullptr;
  for (const AwaitedCleanUp& each : clean_ups_) {
    if (now_ - each.ended < (each.due - each.ended) / 2) continue;
    if (first == nullptr || each.due < first->due) first = &each;
  }
  if (first == nullptr) return;
  const NodesCleaned event = first->event;
  on(event);
}

void Controller::on(const SchedulerWoken&) {
  wake_pending_ = false;
  run_main(std::exchange(waiting_depth_, PassDepth::Partial));
}

/// The agent that runs the passes waits for the end of the last one and sched_min_interval; what
/// is asked of it meanwhile becomes one pass (scheduling.md §2.1).
void Controller::run_main(PassDepth depth) {
  if (now_ < main_ready_at_) {
    waiting_depth_ = std::max(waiting_depth_, depth);
    wake_main();
    return;
  }
  main_ready_at_ = now_ + costs_.main_pass(0) + costs_.sched_min_interval();
  if (reservations_.edge_has_passed()) main_dirty_ = true;
  if (pass_stands_until_ && now() >= *pass_stands_until_) main_dirty_ = true;
  // A pass over an unchanged state takes the decisions of the last full one again, and leaves the
  // same weights behind.
  const bool is_repeated = !main_dirty_ && estimator_.left_behind() == left_by_pass_ &&
                           choice_.requests_changed() == requests_changed_;
  const std::uint32_t most = cluster_.conf.scheduler_parameters.default_queue_depth;
  const bool ends_early = depth == PassDepth::Partial && last_look_.tested > most;
  const bool looks_anew =
      last_look_.some_have_several && (ends_early != last_look_.ended_early || yield_ ||
                                       counts_.backfill_cycles != last_look_.cycles);
  if (queue_.pending_count() == 0 || (is_repeated && cluster_.recalls && !looks_anew)) return;
  const std::optional<NodeSet> completing = lately_completing();
  if (completing && !cluster_.conf.scheduler_parameters.reduce_completing_frag) return;
  follow_ages(true);
  split_waiting_arrays();
  if (history_ != nullptr) hold_nodes(true);
  const std::uint64_t changes = changes_;
  requests_changed_ = choice_.requests_changed();
  const PassResult result =
      main_loop_.run(now(), depth, costs_.most_main_records(), completing ? &*completing : nullptr);
  if (history_ != nullptr) hold_nodes(false);
  left_by_pass_ = estimator_.left_behind();
  last_look_.cycles = counts_.backfill_cycles;
  last_look_.ended_early = is_repeated && ends_early;
  if (is_repeated) {
    REHEARSE_CHECK(result.started == 0, "a pass over an unchanged state starts {} jobs",
                   result.started);
    main_dirty_ = changes_ != changes;
    return;
  }
  last_look_.some_have_several = result.some_have_several;
  last_look_.tested = result.tested;
  pass_stands_until_ = result.stands_until;
  if (const auto at = queue_.turns_by_time(now())) {
    pass_stands_until_ = std::min(pass_stands_until_.value_or(*at), *at);
  }
  main_ready_at_ += costs_.main_pass(result.tested) - costs_.main_pass(0);
  ++counts_.main_passes;
  counts_.main_records += result.tested;
  counts_.main_starts += result.started;
  // Exempt times and the timers of preemptors run out without an event.
  if (depth == PassDepth::Full && result.started == 0 && !completing) {
    main_dirty_ = result.some_are_young || result.some_may_preempt || changes_ != changes;
  }
  ++changes_;
  mig_.pass_ended();
}

void Controller::reschedule_background() {
  const auto due = background_->next_due(now_ + Duration{1});
  if (!due || (background_due_ && *background_due_ <= *due)) return;
  background_due_ = due;
  schedule(*due, BackgroundTurned{++background_generation_});
}

void Controller::reschedule_backfill() {
  if (yield_) return;  // the thread sleeps in the middle of a cycle
  const auto due = backfill_clock_->next_due();
  if (!due || (backfill_due_ && *backfill_due_ <= *due)) return;
  backfill_due_ = std::max(*due, now_);
  schedule(*due, BackfillWoken{++backfill_generation_});
}

void Controller::request_queued() {
  background_->request();
  reschedule_background();
}

void Controller::request_direct() {
  if (cluster_.conf.scheduler_parameters.defer) {
    request_queued();
    return;
  }
  if (!cluster_.conf.scheduler_parameters.sched_interval) return;
  // A recording's own direct pass is the one that answers this request.
  if (background_->knows_pass_within(now_ - Duration{1}, kDirectAnswer)) return;
  wake_main();
}

void Controller::wake_main() {
  if (wake_pending_) return;
  wake_pending_ = true;
  schedule(std::max(now_, main_ready_at_), SchedulerWoken{});
}

void Controller::something_changed() {
  main_dirty_ = true;
  ++changes_;
  if (yield_) yield_->changed = true;
  backfill_clock_->changed(now_);
  reschedule_backfill();
}

}  // namespace rehearse
