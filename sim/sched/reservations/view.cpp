// sim/sched/reservations/view.cpp — members see their reservation less others' nodes, all others
// what no reservation takes; backfill's question may move to the end of what is in the way.
#include "sim/sched/reservations/view.hpp"

#include <algorithm>

#include "sim/cluster/whole_nodes.hpp"
#include "sim/sched/reservations/access.hpp"

namespace rehearse {
namespace {

constexpr int kMostMoves = 10;  // scheduling.md §9
constexpr Seconds kEmptyDelay{600};
constexpr Minutes kYear{365 * 24 * 60};

Seconds duration_of(const Cluster& cluster, const ReservedQuestion& question) {
  const Minutes limit = question.limit == kUnlimited ? kYear : question.limit;
  // §9: gang scheduling multiplies the duration by the number of time slices.
  const PartitionConf& conf = cluster.partitions[question.partition].conf;
  const bool slices = cluster.conf.preempt_gang && limit != kYear;
  return limit * (slices ? std::max<std::int64_t>(conf.jobs_a_core(), 1) : 1);
}

bool takes_whole_nodes(const Cluster& cluster, const ReservedQuestion& question) {
  return asks_for_whole_nodes(cluster.request_of(question.job),
                              cluster.partitions[question.partition].conf);
}

NodeSet required_of(const Cluster& cluster, const Job& job) {
  NodeSet required(cluster.nodes.size());
  for (const NameId name : cluster.request_of(job).required_nodes) {
    if (const auto node = cluster.find_node(name)) required.set(index_of(*node));
  }
  return required;
}

/// True if the reservation keeps the job's whole partition from it.
bool closes(const Reservation& reservation, const Cluster& cluster, PartitionId partition) {
  if (reservation.has(ReservationFlag::AllNodes)) return true;
  if (reservation.has(ReservationFlag::PartNodes) && reservation.partition == partition) {
    return true;
  }
  return reservation.has(ReservationFlag::Maint) &&
         cluster.partitions[partition].nodes.is_subset_of(reservation.nodes);
}

void member_view(const Cluster& cluster, const ReservedQuestion& question, ReservedView& view) {
  const Reservation& own = cluster.reservations[*question.reservation];
  if (own.gone || !may_use(own, question.job, cluster)) {
    view.verdict = ReservedVerdict::Invalid;
    return;
  }
  const bool flex = own.has(ReservationFlag::Flex);
  if (!flex) {
    if (question.start < own.start) {
      view.verdict = ReservedVerdict::NotStarted;
      view.start = own.start;
      return;
    }
    if (own.nodes.none() && !own.has(ReservationFlag::AnyNodes)) {
      view.verdict = ReservedVerdict::NotStarted;
      view.start = question.now + kEmptyDelay;
      return;
    }
    if (question.start > own.end) {
      view.verdict = ReservedVerdict::Invalid;
      view.start = own.end;
      view.holds = question.now > own.end || (question.job.begin && *question.job.begin > own.end);
      return;
    }
  }
  if (!flex && !own.has(ReservationFlag::AnyNodes)) {
    if (!required_of(cluster, question.job).is_subset_of(own.nodes)) {
      view.verdict = ReservedVerdict::Invalid;
      return;
    }
    view.nodes = own.nodes;
    view.is_bound = true;
  }
  if (flex) view.preferred = own.nodes;
  const SlurmTime end = question.start + duration_of(cluster, question);
  for (const ReservationId id : cluster.reservations.live()) {
    const Reservation& other = cluster.reservations[id];
    if (id == own.id || !other.full_nodes) continue;
    const ReservationSpan span = span_of(other, question.now);
    if (span.start >= end || span.end <= question.start) continue;
    if (own.has(ReservationFlag::Maint)) continue;
    if (own.has(ReservationFlag::Overlap) && !other.has(ReservationFlag::Maint)) continue;
    if (!view.nodes.intersects(other.nodes)) continue;
    view.nodes -= other.nodes;
    view.overlaps = true;
  }
  if (own.full_nodes || flex) return;
  for (const auto& [node, cores] : own.cores) {
    CoreSet others = cluster.nodes[node].usable_cores();
    others -= cores;
    view.taken[node] |= others;
  }
}

/// The first end of a reservation that keeps any of the job's licences over the interval.
std::optional<SlurmTime> licenses_back(const Cluster& cluster, const ReservedQuestion& question) {
  const LicenseCounts asked = license_counts(cluster, licenses_of(cluster, question.job));
  const SlurmTime end = question.start + duration_of(cluster, question);
  std::optional<SlurmTime> first;
  for (const ReservationId id : cluster.reservations.live()) {
    const Reservation& other = cluster.reservations[id];
    const ReservationSpan span = span_of(other, question.now);
    if (span.start >= end || span.end <= question.start) continue;
    const LicenseCounts kept = license_counts(cluster, other.licenses);
    bool meets = false;
    for (std::size_t i = 0; i < kept.size(); ++i) meets = meets || (asked[i] > 0 && kept[i] > 0);
    if (meets && (!first || span.end < *first)) first = span.end;
  }
  return first;
}

/// One look at the interval of a job without reservation; false: it was moved, look again.
bool look(const Cluster& cluster, const ReservedQuestion& question, SlurmTime start,
          ReservedView& view) {
  const SlurmTime end = start + duration_of(cluster, question);
  const Request& request = cluster.request_of(question.job);
  const NodeSet& partition = cluster.partitions[question.partition].nodes;
  const bool whole = takes_whole_nodes(cluster, question);
  const auto signal = warned_before(question.job, 'R');
  const auto refuse = [&](ReservedVerdict verdict, SlurmTime until) {
    view.verdict = verdict;
    if (question.may_move) view.start = until;
    return !question.may_move;
  };
  for (const ReservationId id : cluster.reservations.live()) {
    const Reservation& other = cluster.reservations[id];
    const ReservationSpan span = span_of(other, question.now);
    if (span.start >= end || span.end <= start || other.nodes.none()) continue;
    if (closes(other, cluster, question.partition)) {
      return refuse(ReservedVerdict::Maintenance, span.end);
    }
    // Backfill looks past the end for jobs of whole nodes alone; for others the nodes are taken.
    const bool is_asked = whole || (other.full_nodes && !question.may_move);
    if (!request.required_nodes.empty() && is_asked &&
        required_of(cluster, question.job).intersects(other.nodes)) {
      return refuse(ReservedVerdict::NodesTaken, span.end);
    }
    if (other.max_start_delay && signal && *signal <= *other.max_start_delay) continue;
    // In the way of jobs whose partition has one of the nodes (scheduling.md §8.7 step 4).
    view.overlaps = view.overlaps || partition.intersects(other.nodes);
    if (other.full_nodes || whole) {
      view.nodes -= other.nodes;
    } else {
      for (const auto& [node, cores] : other.cores) view.taken[node] |= cores;
    }
  }
  if (!question.may_move) return true;
  // Backfill's question is about licences too, once there is a reservation (§10).
  ReservedQuestion moved = question;
  moved.start = start;
  if (licenses_free(cluster, moved)) return true;
  const auto back = licenses_back(cluster, moved);
  view.verdict = ReservedVerdict::LicensesTaken;
  if (back) view.start = *back;
  return !back.has_value();
}

}  // namespace

std::optional<Seconds> warned_before(const Job& job, char kind) {
  if (!job.spec->extras || job.spec->extras->signal.empty()) return std::nullopt;
  const std::string& text = job.spec->extras->signal;
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos || text.substr(0, colon).find(kind) == std::string::npos) {
    return std::nullopt;
  }
  const std::size_t at = text.find('@');
  if (at == std::string::npos) return Seconds{60};
  Seconds span{0};
  for (const char c : text.substr(at + 1)) {
    if (c < '0' || c > '9') break;
    span = span * 10 + Seconds{c - '0'};
  }
  return span;
}

bool usable_now(const Reservation& reservation, SlurmTime now) {
  if (reservation.gone) return false;
  if (reservation.has(ReservationFlag::Flex)) return true;
  if (now < reservation.start || now > reservation.end) return false;
  return reservation.nodes.any() || reservation.has(ReservationFlag::AnyNodes);
}

ReservedView reserved_view(const Cluster& cluster, const ReservedQuestion& question) {
  ReservedView view;
  view.start = question.start;
  if (cluster.conf.preempt_parameters.reclaim_licenses ||
      cluster.request_of(question.job).any_license) {
    view.licenses = reserved_licenses(cluster, question);
  }
  const auto every = [&] {
    view.nodes = NodeSet(cluster.nodes.size());
    view.nodes.set();
  };
  every();
  if (question.reservation) {
    member_view(cluster, question, view);
    return view;
  }
  if (cluster.reservations.empty()) return view;
  for (int move = 0; move <= kMostMoves; ++move) {
    every();
    view.taken.clear();
    view.verdict = ReservedVerdict::Free;
    if (look(cluster, question, view.start, view)) break;
  }
  return view;
}

/// One that floats keeps its distance.
std::optional<SlurmTime> next_conflict(const Cluster& cluster, const ReservedQuestion& question) {
  const SlurmTime end = question.start + duration_of(cluster, question);
  std::optional<SlurmTime> first;
  for (const ReservationId id : cluster.reservations.live()) {
    const Reservation& other = cluster.reservations[id];
    if (other.has(ReservationFlag::TimeFloat) || other.start < end) continue;
    const SlurmTime at = question.start + (other.start - end) + Seconds{1};
    if (!first || at < *first) first = at;
  }
  return first;
}

std::optional<SlurmTime> next_reservation_end(const Cluster& cluster, SlurmTime start,
                                              Seconds resolution) {
  std::optional<SlurmTime> first;
  for (const ReservationId id : cluster.reservations.live()) {
    const Reservation& other = cluster.reservations[id];
    if (other.has(ReservationFlag::TimeFloat)) continue;
    if (other.end >= start && (!first || other.end < *first)) first = other.end;
  }
  if (!first) return std::nullopt;
  const std::int64_t step = resolution.count();
  const std::int64_t raised = (epoch_seconds(*first) + step - 1) / step * step;
  return from_epoch_seconds(raised + 1);
}

LicenseCounts reserved_licenses(const Cluster& cluster, const ReservedQuestion& question) {
  LicenseCounts counts(cluster.conf.licenses.size(), 0);
  const SlurmTime end = question.start + duration_of(cluster, question);
  for (const ReservationId id : cluster.reservations.live()) {
    if (question.reservation == id) continue;
    const Reservation& other = cluster.reservations[id];
    const ReservationSpan span = span_of(other, question.now);
    if (span.start >= end || span.end <= question.start) continue;
    const LicenseCounts kept = license_counts(cluster, other.licenses);
    for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += kept[i];
  }
  return counts;
}

bool licenses_free(const Cluster& cluster, const ReservedQuestion& question) {
  if (cluster.request_of(question.job).licenses.empty()) return true;
  return licenses_free(cluster, question.job, reserved_licenses(cluster, question));
}

}  // namespace rehearse
