// sim/sched/reservations/update.cpp — an update is made on a copy, which is tested as a creation
// is.
#include "sim/sched/reservations/update.hpp"

#include <algorithm>

#include "sim/cluster/refusals.hpp"
#include "sim/sched/reservations/access.hpp"
#include "sim/sched/reservations/creation.hpp"
#include "sim/sched/reservations/node_pick.hpp"
#include "sim/sched/reservations/recurrence.hpp"

namespace rehearse {
namespace {

constexpr std::string_view kStarted = "Reservation already started";
constexpr std::string_view kNotSkipable = "Reservation given is not skipable, try deleting instead";

/// Start, end and duration; the refusal.
std::optional<std::string> change_span(const ReservationWords& words, Reservation& changed,
                                       SlurmTime now) {
  if (words.start) {
    if (changed.start <= now) return std::string(kStarted);
    if (*words.start < now - Seconds{60}) return std::string(kInvalidTime);
    const Seconds length = changed.end - changed.start;
    changed.start = *words.start;
    changed.end = changed.start + length;
  }
  if (words.end) changed.end = *words.end;
  if (words.duration) {
    changed.end =
        changed.start + (*words.duration == kUnlimited ? Minutes{365 * 24 * 60} : *words.duration);
  }
  if (words.duration_change) changed.end += *words.duration_change;
  if ((words.duration || words.duration_change) && changed.start <= now) {
    changed.end = std::max(changed.end, now);  // Slurm: shorter than it has lasted ends it now
  }
  if (changed.end <= changed.start || changed.end < now - Seconds{60}) {
    return std::string(kInvalidTime);
  }
  changed.float_start = std::max(Seconds{0}, changed.start - now);
  changed.length = changed.end - changed.start;
  return std::nullopt;
}

void change_named(const ReservationWords& words, const Cluster& cluster, Reservation& changed) {
  const NodeSet named = named_nodes(words, cluster);
  switch (words.nodes->how) {
    case NameListChange::How::Set:
      changed.nodes = named;
      break;
    case NameListChange::How::Add:
      changed.nodes |= named;
      break;
    case NameListChange::How::Remove:
      changed.nodes -= named;
      break;
  }
  changed.flags.set(ReservationFlag::SpecNodes);
  changed.nodes_wanted = 0;
}

bool is_usable(const Node& node) {
  return node.state.is_available();
}

/// More nodes are picked beside those it has; fewer: the first ones stay.
bool change_count(std::uint32_t wanted, const Cluster& cluster, SlurmTime now,
                  Reservation& changed) {
  changed.nodes_wanted = wanted;
  const auto have = static_cast<std::uint32_t>(changed.nodes.count());
  if (wanted <= have) {
    NodeSet kept(changed.nodes.size());
    for_each_bit(changed.nodes, [&](std::size_t i) {
      if (kept.count() < wanted) kept.set(i);
    });
    changed.nodes = kept;
    return true;
  }
  NodeSet others = changed.partition ? cluster.partitions[*changed.partition].nodes
                   : cluster.default_partition
                       ? cluster.partitions[*cluster.default_partition].nodes
                       : NodeSet(changed.nodes.size());
  others -= changed.nodes;
  const auto more = pick_nodes(cluster, {changed, {wanted - have}, {}, others}, now);
  if (!more) return false;
  changed.nodes |= more->nodes;
  return true;
}

}  // namespace

std::optional<std::string> update_reservation(const ReservationWords& words,
                                              Reservation& reservation, Cluster& cluster,
                                              const TimeZone& zone, SlurmTime now) {
  Reservation changed = reservation;
  if (words.skip) {
    if (!changed.flags.recurs()) return std::string(kNotSkipable);
    const ReservationSpan next = next_occurrence({changed.start, changed.end}, changed.flags, zone);
    changed.start = next.start;
    changed.end = next.end;
    changed.number = cluster.reservations.new_number();
  }
  // `Flags=` adds as `Flags+=` does (scontrol.1): a flag goes by `-=` only.
  changed.flags.add(words.set);
  changed.flags.remove(words.removed);
  if (words.max_start_delay) changed.max_start_delay = words.max_start_delay;
  if (words.partition && !words.partition->empty()) {
    if (const auto name = cluster.names.find(*words.partition)) {
      changed.partition = cluster.find_partition(*name);
    }
  }
  if (words.features && !words.features->empty()) return std::string(kNotSupported);
  if (words.features) changed.features = kNoName;
  if (words.licenses) {
    changed.licenses.clear();
    for (const ReservationLicense& each : *words.licenses) {
      changed.licenses.push_back({cluster.names.intern(each.name), each.count});
    }
  }
  if (words.users || words.accounts) {
    Diagnostics refused;
    resolve_access(words, cluster, cluster.names, changed.access, refused);
    if (refused.has_errors()) return refused.all().front().what;
  }
  if (auto refusal = change_span(words, changed, now)) return refusal;
  if (words.nodes && words.nodes->allowed.empty() && !words.all_nodes) {
    changed.flags.clear(ReservationFlag::SpecNodes);
  } else if (words.nodes) {
    change_named(words, cluster, changed);
  }
  std::uint32_t wanted = 0;
  for (const std::uint32_t count : words.node_counts) wanted += count;
  if (wanted > 0 && !change_count(wanted, cluster, now, changed)) return std::string(kNodesBusy);
  const bool moved = changed.start != reservation.start || changed.end != reservation.end ||
                     changed.nodes != reservation.nodes;
  if (moved && meets_another(cluster, changed, changed.nodes, changed.cores)) {
    return std::string(kOverlap);
  }
  const NodeSet added = changed.nodes - reservation.nodes;
  if (!changed.has(ReservationFlag::IgnoreJobs) && meets_jobs(cluster, changed, added)) {
    return std::string(kNodesBusy);
  }
  reservation = std::move(changed);
  return std::nullopt;
}

bool may_be_exchanged(const Reservation& reservation) {
  const bool is_fixed = reservation.has(ReservationFlag::StaticAlloc) ||
                        reservation.has(ReservationFlag::SpecNodes) ||
                        reservation.has(ReservationFlag::AllNodes) ||
                        reservation.has(ReservationFlag::PartNodes);
  if (is_fixed) return false;
  return reservation.full_nodes ? reservation.nodes_wanted > 0
                                : reservation.cores_wanted > 0 && reservation.nodes.count() == 1;
}

bool exchange_nodes(Reservation& reservation, const Cluster& cluster, SlurmTime now) {
  if (!may_be_exchanged(reservation)) return false;
  const std::size_t wanted = reservation.full_nodes ? reservation.nodes_wanted : 1;
  NodeSet kept = reservation.nodes;
  for_each_bit(reservation.nodes, [&](std::size_t i) {
    const Node& node = cluster.nodes[id_at<NodeId>(i)];
    const bool busy = reservation.has(ReservationFlag::Replace) && !cluster.ledger.idle().test(i);
    if (!is_usable(node) || busy) kept.reset(i);
  });
  const auto missing = static_cast<std::uint32_t>(wanted - kept.count());
  if (missing == 0) return false;
  NodeSet others = reservation.partition ? cluster.partitions[*reservation.partition].nodes
                   : cluster.default_partition
                       ? cluster.partitions[*cluster.default_partition].nodes
                       : NodeSet(kept.size());
  others -= reservation.nodes;
  std::vector<std::uint32_t> cores;
  if (!reservation.full_nodes) cores.push_back(reservation.cores_wanted);
  // One after the other: those that cannot be replaced stay.
  NodeSet added(kept.size());
  for (std::uint32_t count = missing; count > 0; --count) {
    const auto more = pick_nodes(cluster, {reservation, {count}, cores, others}, now);
    if (!more) continue;
    added = more->nodes;
    break;
  }
  if (added.none()) return false;
  NodeSet result = kept | added;
  for_each_bit(reservation.nodes, [&](std::size_t i) {
    if (result.count() < wanted) result.set(i);
  });
  reservation.nodes = std::move(result);
  if (!reservation.full_nodes) reservation.nodes_wanted = 1;
  reservation.full_nodes = true;
  reservation.cores = {};
  return true;
}

}  // namespace rehearse
