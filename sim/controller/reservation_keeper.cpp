// sim/controller/reservation_keeper.cpp — commands, checks and scans of reservations.
#include "sim/controller/reservation_keeper.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sim/controller/controller.hpp"
#include "sim/sched/job_tests.hpp"
#include "sim/sched/reservations/access.hpp"
#include "sim/sched/reservations/creation.hpp"
#include "sim/sched/reservations/recurrence.hpp"
#include "sim/sched/reservations/update.hpp"

namespace rehearse {
namespace {

constexpr std::string_view kInvalid = "Requested reservation is invalid";
constexpr std::string_view kNoAccess = "Access denied to requested reservation";
constexpr std::string_view kInUse = "Requested reservation is in use";
constexpr std::uint64_t kExchangeAlone = 0;  // no scan: nodes that went down are exchanged
constexpr Duration kNextTurn{1'000'000};     // of the background loop, at the latest

TimeZone zone_of(const Cluster& cluster) {
  return TimeZone::find(cluster.inputs.site.time_zone).value_or(TimeZone::utc());
}

bool asks_for(const Job& job, ReservationId id) {
  return std::find(job.reservations.begin(), job.reservations.end(), id) != job.reservations.end();
}

/// To the next occurrence, once the last one's jobs are gone [V: HOURLY, its member is ended by the
/// scan after the end].
bool advance(Reservation& reservation, Cluster& cluster, SlurmTime now, bool is_used) {
  if (is_used && !reservation.has(ReservationFlag::Flex)) return false;
  bool moved = false;
  while (reservation.flags.recurs() && reservation.end <= now) {
    const ReservationSpan next =
        next_occurrence({reservation.start, reservation.end}, reservation.flags, zone_of(cluster));
    reservation.start = next.start;
    reservation.end = next.end;
    reservation.number = cluster.reservations.new_number();
    moved = true;
  }
  return moved;
}

}  // namespace

void ReservationKeeper::carry_out(const ReservationCommand& command, std::string_view text) {
  std::optional<std::string> refusal;
  std::string_view what = "deleted";
  const NameId name = c_.cluster_.names.intern(command.words.name);
  if (command.verb == ReservationVerb::Delete) {
    refusal = remove(name);
  } else if (command.verb == ReservationVerb::Update) {
    Reservation* record = c_.cluster_.reservations.find(name);
    what = "updated";
    refusal = record == nullptr ? std::optional(std::string(kInvalid))
                                : update_reservation(command.words, *record, c_.cluster_,
                                                     zone_of(c_.cluster_), c_.now());
    if (!refusal) c_.observer_.reservation_changed(*record, what, c_.now());
  } else {
    auto made = create_reservation(command.words, c_.cluster_, c_.now());
    if (auto* why = std::get_if<std::string>(&made)) {
      refusal = std::move(*why);
    } else {
      const Reservation& added =
          c_.cluster_.reservations.add(std::get<Reservation>(std::move(made)));
      c_.observer_.reservation_changed(added, "created", c_.now());
    }
  }
  if (refusal) {
    c_.observer_.command_refused(text, *refusal, c_.now());
    return;
  }
  changed();
}

std::optional<std::string> ReservationKeeper::remove(NameId name) {
  Reservation* found = c_.cluster_.reservations.find(name);
  if (found == nullptr) return std::string(kInvalid);
  // Any job that runs in it or asks for it (lifecycle.md §13).
  if (is_used(*found)) return std::string(kInUse);
  drop(*found);
  return std::nullopt;
}

/// After a command: nodes are marked at once, the queue is another, and the clocks are set.
void ReservationKeeper::changed() {
  if (c_.cluster_.reservations.empty()) return;
  c_.queue_.all_changed();
  c_.main_dirty_ = true;
  ++c_.changes_;
  edge_.reset();
  schedule_check();
  schedule_scan();
}

bool ReservationKeeper::is_used(const Reservation& reservation) const {
  const auto runs_in_it = [&](const Job* job) { return job->reservation == reservation.id; };
  return std::ranges::any_of(c_.charged_, runs_in_it) || is_asked_for(reservation);
}

/// Who named several reservations and runs keeps none of them from going (lifecycle.md §13).
bool ReservationKeeper::is_kept(const Reservation& reservation) const {
  return std::ranges::any_of(c_.charged_, [&](const Job* job) {
    return job->reservation == reservation.id && job->reservations.size() <= 1;
  });
}

bool ReservationKeeper::is_asked_for(const Reservation& reservation) const {
  for (const JobIndex index : c_.queue_.pending()) {
    const Job& job = c_.cluster_.jobs[index];
    if (job.is_pending() && asks_for(job, reservation.id)) return true;
  }
  return false;
}

/// The names of `--reservation=`: all of them must exist and admit the job.
std::optional<std::string> ReservationKeeper::join(Job& job) const {
  if (job.spec->extras == nullptr || job.spec->extras->reservation.empty()) return std::nullopt;
  std::string_view rest = job.spec->extras->reservation;
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const auto name = c_.cluster_.names.find(rest.substr(0, comma));
    rest.remove_prefix(std::min(comma + 1, rest.size()));
    if (!name || !c_.cluster_.reservations.is_known(*name)) continue;  // told by load_site
    const Reservation* found = c_.cluster_.reservations.find(*name);
    if (found == nullptr) return std::string(kInvalid);
    if (!may_use(*found, job, c_.cluster_)) return std::string(kNoAccess);
    job.reservations.push_back(found->id);
  }
  return std::nullopt;
}

/// A member's hardware is its reservation's nodes, with all of their cores; one that has not begun,
/// or whose nodes others have all, is not looked at (§13).
bool ReservationKeeper::may_ever_run(Job& job, PartitionId partition) {
  if (job.reservations.empty()) return c_.choice_.could_ever_run(job, partition);
  return std::any_of(job.reservations.begin(), job.reservations.end(), [&](ReservationId id) {
    const ReservedView view = reserved_view(
        c_.cluster_, {job, partition, id, c_.now(), c_.now(),
                      effective_limit(job, c_.cluster_.partitions[partition], c_.cluster_)});
    if (view.verdict != ReservedVerdict::Free) return view.verdict == ReservedVerdict::NotStarted;
    const bool names_none = c_.cluster_.request_of(job).required_nodes.empty();
    if (view.overlaps && view.nodes.none() && names_none) return true;
    return c_.choice_.could_ever_run(job, partition, view.nodes,
                                     view.preferred.empty() ? nullptr : &view.preferred);
  });
}

bool ReservationKeeper::admits_now(const Job& job) const {
  return std::any_of(job.reservations.begin(), job.reservations.end(), [&](ReservationId id) {
    const Reservation& each = c_.cluster_.reservations[id];
    return usable_now(each, c_.now()) && may_use(each, job, c_.cluster_);
  });
}

/// Who is held as it cannot run there is let go by an admin alone (lifecycle.md §13).
void ReservationKeeper::keep_held(const Reservation& ended) {
  for (const JobIndex index : c_.queue_.pending()) {
    Job& job = c_.cluster_.jobs[index];
    if (!job.held || job.reason != Reason::BadConstraints || !asks_for(job, ended.id)) continue;
    c_.set_reason(job, Reason::JobHeldAdmin);
  }
}

/// Pending jobs that asked for it are held, unless NO_HOLD_JOBS_AFTER says otherwise.
/// One that goes takes back what jobs show for it, and for any other one (lifecycle.md §13).
void ReservationKeeper::end_maintenance() {
  for (const JobIndex index : c_.queue_.pending()) {
    Job& job = c_.cluster_.jobs[index];
    if (job.is_pending() && job.reason_text == kReservedForMaintenance) {
      c_.set_reason(job, Reason::None);
    }
  }
}

void ReservationKeeper::drop(Reservation& reservation) {
  reservation.marks_nodes = false;
  c_.cluster_.reservations.remove(reservation);
  mark_nodes(reservation);
  for (Job* job : c_.charged_) {
    if (job->reservation == reservation.id) job->reservation.reset();
  }
  if (reservation.has(ReservationFlag::Maint)) end_maintenance();
  const std::vector<JobIndex> pending = c_.queue_.pending();
  for (const JobIndex index : pending) {
    Job& job = c_.cluster_.jobs[index];
    if (!job.is_pending() || !asks_for(job, reservation.id)) continue;
    std::erase(job.reservations, reservation.id);
    if (!job.reservations.empty()) continue;
    const bool is_kept = job.held && job.reason == Reason::JobHeldAdmin;
    if (!is_kept && !reservation.has(ReservationFlag::NoHoldJobsAfter)) {
      job.held = true;
      job.reservation_was_deleted = true;
      job.priority = 0;
      c_.limits_.clear_accrual(job);
      c_.set_reason(
          job, Reason::ReservationDeleted,
          fmt::format("Reservation {} was deleted", c_.cluster_.names.text(reservation.name)));
    } else if (job.reason == Reason::Reservation) {
      c_.set_reason(job, Reason::None);
    }
    c_.queue_.changed(job);
  }
  c_.observer_.reservation_changed(reservation, "deleted", c_.now());
  c_.queue_.all_changed();
  c_.something_changed();
}

/// MAINT of the reservation's nodes: as long as one that is active says so.
void ReservationKeeper::mark_nodes(const Reservation& reservation) {
  if (!reservation.has(ReservationFlag::Maint)) return;
  for_each_bit(reservation.nodes, [&](std::size_t i) {
    Node& node = c_.cluster_.nodes[id_at<NodeId>(i)];
    bool maint = false;
    for (const ReservationId id : c_.cluster_.reservations.live()) {
      const Reservation& each = c_.cluster_.reservations[id];
      maint = maint || (each.marks_nodes && each.has(ReservationFlag::Maint) && each.nodes.test(i));
    }
    if (node.state.maint == maint) return;
    node.state.maint = maint;
    c_.observer_.node_changed(node, c_.now());
  });
}

void ReservationKeeper::schedule_check() {
  std::optional<SlurmTime> first;
  for (const ReservationId id : c_.cluster_.reservations.live()) {
    const Reservation& each = c_.cluster_.reservations[id];
    if (each.has(ReservationFlag::TimeFloat)) continue;
    const bool ended = each.end <= c_.now() && !each.marks_nodes;
    if (ended && !each.flags.recurs()) continue;
    const SlurmTime at = each.marks_nodes ? each.end : each.start;
    if (!first || at < *first) first = at;
  }
  if (!first) return;
  const Time at =
      c_.background_->reservation_check_at(std::max(Time{*first}, c_.now_ + Duration{1}));
  c_.schedule(at, ReservationsChecked{++check_});
}

void ReservationKeeper::on(const ReservationsChecked& event) {
  if (event.generation != check_) return;
  bool any = false, begun = false;
  const std::vector<ReservationId> live = c_.cluster_.reservations.live();
  for (const ReservationId id : live) {
    Reservation& each = c_.cluster_.reservations[id];
    const bool active = !each.has(ReservationFlag::TimeFloat) && each.is_active(c_.now());
    if (active != each.marks_nodes) {
      each.marks_nodes = active;
      mark_nodes(each);
      c_.observer_.reservation_changed(each, active ? "started" : "ended", c_.now());
      if (!active) keep_held(each);
      any = true;
      begun = begun || active;
    }
    any = advance(each, c_.cluster_, c_.now(), is_kept(each)) || any;
  }
  if (any) {
    c_.queue_.all_changed();
    edge_.reset();
    c_.something_changed();
    // An end wakes nobody (lifecycle.md §13).
    if (begun) c_.request_queued();
  }
  schedule_check();
  schedule_scan();
}

/// Of use where a member may be overdue, a reservation is over, or nodes may be exchanged.
void ReservationKeeper::schedule_scan() {
  std::optional<Time> first;
  for (const ReservationId id : c_.cluster_.reservations.live()) {
    const Reservation& each = c_.cluster_.reservations[id];
    const bool loses =
        may_be_exchanged(each) && !each.nodes.is_subset_of(c_.choice_.available_nodes());
    if (loses) c_.schedule(c_.now_ + kNextTurn, ReservationsScanned{kExchangeAlone});
    const bool often =
        loses || each.has(ReservationFlag::Replace) || each.has(ReservationFlag::PurgeComp);
    const Time at = often ? c_.now_ : Time{each.end + Seconds{1}};
    if (!first || at < *first) first = at;
  }
  if (!first) return;
  const Time at = c_.background_->scan_at(std::max(*first, c_.now_ + Duration{1}));
  if (scan_due_ && *scan_due_ <= at) return;
  scan_due_ = at;
  c_.schedule(at, ReservationsScanned{++scan_});
}

void ReservationKeeper::on(const ReservationsScanned& event) {
  const bool alone = event.generation == kExchangeAlone;
  if (!alone && event.generation != scan_) return;
  if (!alone) scan_due_.reset();
  if (!alone && c_.history_ == nullptr) end_overdue_members();
  const std::vector<ReservationId> live = c_.cluster_.reservations.live();
  for (const ReservationId id : live) {
    Reservation& each = c_.cluster_.reservations[id];
    if (!alone || !each.has(ReservationFlag::Replace)) exchange_nodes_of(each);
  }
  if (alone) return;
  purge();
  schedule_scan();
}

/// lifecycle.md §6: a job of a reservation that is not FLEX ends with it. One of several leaves
/// those that are over, and goes on without any where the last of them are over together.
void ReservationKeeper::end_overdue_members() {
  const std::uint32_t over = c_.cluster_.conf.resv_over_run_min;
  if (over == UINT32_MAX) return;
  const auto is_over = [&](ReservationId id) {
    const Reservation& own = c_.cluster_.reservations[id];
    return !own.has(ReservationFlag::Flex) && own.end + Minutes{over} < c_.now();
  };
  const std::vector<Job*> running = c_.charged_;
  for (Job* job : running) {
    if (!job->reservation) continue;
    std::vector<ReservationId>& named = job->reservations;
    if (named.size() > 1) {
      std::erase_if(named, is_over);
      if (named.empty()) {
        job->reservation.reset();
      } else if (is_over(*job->reservation)) {
        job->reservation = named.front();
      }
    } else if (is_over(*job->reservation)) {
      c_.end_run(*job, JobState::Timeout, Reason::TimeLimit, AfterEnd::Gone, true);
    }
  }
}

void ReservationKeeper::exchange_nodes_of(Reservation& reservation) {
  if (!exchange_nodes(reservation, c_.cluster_, c_.now())) return;
  mark_nodes(reservation);
  c_.observer_.reservation_changed(reservation, "updated", c_.now());
  c_.queue_.all_changed();
  c_.something_changed();
}

void ReservationKeeper::member_started(const Job& job) {
  if (!job.reservation) return;
  Reservation& own = c_.cluster_.reservations[*job.reservation];
  if (own.has(ReservationFlag::Replace)) exchange_nodes_of(own);
  schedule_scan();
}

/// Those that are over and unused go; PURGE_COMP lets them go when they have been idle.
void ReservationKeeper::purge() {
  const std::vector<ReservationId> live = c_.cluster_.reservations.live();
  for (const ReservationId id : live) {
    Reservation& each = c_.cluster_.reservations[id];
    if (each.has(ReservationFlag::PurgeComp) && each.start <= c_.now()) {
      if (is_kept(each) || is_asked_for(each)) {
        each.idle_since.reset();
      } else if (!each.idle_since) {
        each.idle_since = c_.now();
      } else if (c_.now() - *each.idle_since >= each.purge_after) {
        drop(each);
        continue;
      }
    }
    if (advance(each, c_.cluster_, c_.now(), is_kept(each))) {
      c_.queue_.all_changed();
      schedule_check();
    }
    const bool over = each.end < c_.now() && !each.marks_nodes && !each.flags.recurs() &&
                      !each.has(ReservationFlag::TimeFloat);
    if (over && (each.has(ReservationFlag::Flex) || !is_kept(each))) drop(each);
  }
}

bool ReservationKeeper::edge_has_passed() {
  if (c_.cluster_.reservations.empty()) return false;
  if (edge_ && *edge_ > c_.now()) return false;
  const bool passed = edge_.has_value();
  edge_.reset();
  for (const ReservationId id : c_.cluster_.reservations.live()) {
    const Reservation& each = c_.cluster_.reservations[id];
    for (const SlurmTime at : {each.start, each.end, each.end + Seconds{1}}) {
      if (at > c_.now() && (!edge_ || at < *edge_)) edge_ = at;
    }
  }
  return passed;
}

/// One that lasts for ever, or comes for ever, is not waited for.
bool ReservationKeeper::awaits_edge() const {
  constexpr Seconds kLong{31 * 24 * 3600}, kOverAWeek{8 * 24 * 3600};
  for (const ReservationId id : c_.cluster_.reservations.live()) {
    const Reservation& each = c_.cluster_.reservations[id];
    if (each.end - each.start > kLong) continue;
    if (each.flags.recurs() && Time{each.start} - c_.last_activity_ > kOverAWeek) continue;
    if (each.end > c_.now()) return true;
  }
  return false;
}

}  // namespace rehearse
