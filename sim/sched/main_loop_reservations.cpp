// sim/sched/main_loop_reservations.cpp — reservations in a pass: who may go on to selection, and
// what a failure sets aside (scheduling.md §4.2 items 2 and 9, §4.3, §9).
#include <algorithm>

#include "sim/sched/job_tests.hpp"
#include "sim/sched/main_loop.hpp"

namespace rehearse {
namespace {

constexpr std::size_t kMostFailed = 10;  // further ones are forgotten (§4.2 item 9)

}  // namespace

/// §4.2 item 2. Only where a job may have other nodes, too, its count can be the larger; of one
/// that was never tested, it is not known.
bool MainLoop::has_room_in_reservation(const QueueRecord& record, const Job& job,
                                       SlurmTime now) const {
  if (!record.reservation) return true;
  const Reservation& own = cluster_.reservations[*record.reservation];
  if (own.gone) return false;
  if (own.nodes.none() && own.has(ReservationFlag::AnyNodes)) return true;  // of licences alone
  const std::size_t inside = (own.nodes & cluster_.partitions[record.partition].nodes).count();
  const bool opens = own.has(ReservationFlag::Flex) || own.has(ReservationFlag::AnyNodes);
  if (inside < cluster_.request_of(job).min_nodes) {
    const bool never_serves = own.start <= now && !opens && inside == 0;
    return !record.magnetic && !never_serves && !is_counted(record, job, now);
  }
  if (record.magnetic && !opens) {
    return job.is_uncounted || nodes_elsewhere(record, job, now) <= inside;
  }
  return !opens || choice_.nodes_if_idle(job, record.partition) <= inside;
}

/// Of a magnetic record: what its job needs goes by the record without a reservation.
std::size_t MainLoop::nodes_elsewhere(QueueRecord record, const Job& job, SlurmTime now) const {
  record.reservation.reset();
  const ReservedView view = reserved_view(cluster_, reserved_question(record, job, now));
  if (view.verdict != ReservedVerdict::Free) return 0;
  const NodeSet nodes = view.nodes & choice_.available_nodes();
  return choice_.nodes_if_idle(job, record.partition, &nodes);
}

/// A test found nodes that could serve it: in one of its reservations that has begun, or at its
/// submission, where one lets it have nodes before.
bool MainLoop::is_counted(const QueueRecord& record, const Job& job, SlurmTime now) const {
  if (job.total_cpus != 0) return true;
  const NodeSet& in_partition = cluster_.partitions[record.partition].nodes;
  return std::any_of(job.reservations.begin(), job.reservations.end(), [&](ReservationId id) {
    const Reservation& each = cluster_.reservations[id];
    if (each.has(ReservationFlag::Flex)) return true;
    return each.start <= now &&
           (each.nodes & in_partition).count() >= cluster_.request_of(job).min_nodes;
  });
}

ReservedQuestion MainLoop::reserved_question(const QueueRecord& record, const Job& job,
                                             SlurmTime now) const {
  return {.job = job,
          .partition = record.partition,
          .reservation = record.reservation,
          .now = now,
          .start = now,
          .limit = limit_from(now, job, cluster_.partitions[record.partition], cluster_)};
}

void MainLoop::note_stands_until(SlurmTime at) {
  if (!result_.stands_until || at < *result_.stands_until) result_.stands_until = at;
}

/// What the record is told may be other by time alone: of reservations, of switches, and each
/// minute of a limit that a deadline cuts.
void MainLoop::note_time(const ReservedQuestion& question) {
  const Job& job = question.job;
  const Request& request = cluster_.request_of(job);
  if (request.switches && !job.any_switches) {
    note_stands_until(job.switches_since.value_or(question.now) + switches_wait(job, cluster_));
  }
  if (cluster_.reservations.empty()) return;
  const Partition& partition = cluster_.partitions[question.partition];
  if (question.limit != effective_limit(job, partition, cluster_)) note_stands_until(question.now);
  if (const auto at = next_conflict(cluster_, question)) note_stands_until(*at);
}

/// False: the record is done with. Nodes that the job requires and others reserved: it looks at
/// none, and is found not available.
bool MainLoop::passes_reservations(const QueueRecord& record, Job& job, ReservedView& view) {
  switch (view.verdict) {
    case ReservedVerdict::Free:
      if (!view.is_bound || view.nodes.any()) return true;
      actions_.set_reason(job, Reason::ReqNodeNotAvail, kReservedForMaintenance);
      set_aside(*record.reservation);
      return false;
    case ReservedVerdict::NotStarted:
      actions_.set_reason(job, Reason::Reservation);
      set_aside(*record.reservation);
      return false;
    case ReservedVerdict::Invalid:
      if (!record.magnetic) actions_.set_reason(job, Reason::Reservation);
      // A magnetic record holds it as well, until the next of its records comes (§4.2 item 2).
      if (view.holds && record.magnetic) {
        held_by_magnets_.push_back(job.index);
      } else if (view.holds) {
        job.priority = 0;
      }
      return false;
    case ReservedVerdict::Maintenance:
      actions_.set_reason(job, Reason::ReqNodeNotAvail, kReservedForMaintenance);
      withhold_required(job);
      return false;
    case ReservedVerdict::LicensesTaken:  // only where the question may move
    case ReservedVerdict::NodesTaken:
      view.nodes.reset();
      return true;
  }
  return true;
}

/// The pass has ended before their next records: they are held, as an admin would.
void MainLoop::hold_what_was_not_taken_back() {
  for (const JobIndex index : held_by_magnets_) {
    Job& job = cluster_.jobs[index];
    if (!job.is_pending() || job.held) continue;
    actions_.set_reason(job,
                        job.partitions.size() == 1 ? Reason::BadConstraints : Reason::JobHeldAdmin);
    job.priority = 0;
    job.held = true;
    queue_.held(job);
  }
  held_by_magnets_.clear();
}

/// Its nodes are nobody's for the rest of the pass.
void MainLoop::set_aside(ReservationId reservation) {
  available_ -= cluster_.reservations[reservation].nodes;
}

void MainLoop::fail_reservation(ReservationId reservation) {
  if (failed_reservations_.size() < kMostFailed) failed_reservations_.insert(reservation);
}

}  // namespace rehearse
