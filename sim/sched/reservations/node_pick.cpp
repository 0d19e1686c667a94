// sim/sched/reservations/node_pick.cpp — nodes that are free when it begins, lower index before
// higher, or by switches.
//
// A count of cores takes cores that neither reservations nor jobs hold, node by node; with a count
// of nodes each gives its share of them.
#include "sim/sched/reservations/node_pick.hpp"

#include <algorithm>
#include <functional>
#include <vector>

#include "sim/cluster/features.hpp"
#include "sim/config/time_zone.hpp"
#include "sim/sched/reservations/recurrence.hpp"
#include "sim/sched/reservations/switch_pick.hpp"

namespace rehearse {
namespace {

constexpr int kOccurrences = 7;

bool intersects(const CoresByNode& a, const CoresByNode& b) {
  return std::any_of(a.begin(), a.end(), [&](const auto& entry) {
    const auto other = b.find(entry.first);
    return other != b.end() && entry.second.intersects(other->second);
  });
}

/// Do two reservations overlap in time, each with the week's occurrences?
bool meet_in_time(const Reservation& a, const Reservation& b, const TimeZone& zone) {
  ReservationSpan one{a.start, a.end};
  for (int i = 0; i < kOccurrences; ++i) {
    ReservationSpan other{b.start, b.end};
    for (int j = 0; j < kOccurrences; ++j) {
      if (one.start < other.end && other.start < one.end) return true;
      if (!b.flags.recurs()) break;
      other = next_occurrence(other, b.flags, zone);
    }
    if (!a.flags.recurs()) break;
    one = next_occurrence(one, a.flags, zone);
  }
  return false;
}

TimeZone zone_of(const Cluster& cluster) {
  return TimeZone::find(cluster.inputs.site.time_zone).value_or(TimeZone::utc());
}

bool may_overlap(const Reservation& reservation) {
  return reservation.has(ReservationFlag::Maint) || reservation.has(ReservationFlag::Overlap);
}

bool holds_beyond(const Job& job, SlurmTime start) {
  if (!job.is_running() && job.state != JobState::Suspended) return false;
  return !job.end || *job.end > start;
}

/// Nodes that jobs hold beyond the begin.
NodeSet held_beyond(const Cluster& cluster, SlurmTime start) {
  NodeSet held(cluster.nodes.size());
  for (const Job& job : cluster.jobs) {
    if (holds_beyond(job, start)) held |= job.allocated_nodes;
  }
  return held;
}

/// So many of them, the lowest.
CoreSet first_of(const CoreSet& cores, std::uint32_t count) {
  CoreSet some;
  cores.for_each([&](std::size_t core) {
    if (count > 0) some.set(core), --count;
  });
  return some;
}

class Picker {
 public:
  Picker(const Cluster& cluster, const NodePick& pick, SlurmTime now)
      : cluster_(cluster),
        pick_(pick),
        begins_now_(pick.reservation.start <= now),
        by_switches_(cluster.topology) {
    const Reservation& own = pick.reservation;
    const TimeZone zone = zone_of(cluster);
    usable_ = pick.among      ? *pick.among
              : own.partition ? cluster.partitions[*own.partition].nodes
                              : (cluster.default_partition
                                     ? cluster.partitions[*cluster.default_partition].nodes
                                     : NodeSet(cluster.nodes.size()));
    for (const Node& node : cluster.nodes) {
      const bool up = node.state.is_available() || own.has(ReservationFlag::Maint);
      if (!up) usable_.reset(index_of(node.id));
    }
    reserved_ = NodeSet(cluster.nodes.size());
    for (const ReservationId id : cluster.reservations.live()) {
      const Reservation& other = cluster.reservations[id];
      if (other.name == own.name || !meet_in_time(own, other, zone)) continue;
      if (other.full_nodes) reserved_ |= other.nodes;
      for (const auto& [node, cores] : other.cores) taken_[node] |= cores;
    }
    if (!may_overlap(own)) usable_ -= reserved_;
    if (!begins_now_ && !pick.core_counts.empty()) find_held_cores();
  }

  std::optional<PickedNodes> run() {
    if (pick_.core_counts.empty()) return whole_nodes();
    auto beside = some_cores(usable_ - reserved_);
    if (beside || !may_overlap(pick_.reservation)) return beside;
    taken_.clear();  // Slurm: once more, as if no other were there
    return some_cores(usable_);
  }

 private:
  /// What it wants nodes of: `able` for all of them, or so many of each of two counted features or
  /// more. A count that stands alone or outside of brackets makes Slurm go by no feature at all.
  struct Wanted {
    NodeSet able;
    std::vector<FeatureExpression::Counted> counted;
  };
  [[nodiscard]] Wanted wanted() const {
    NodeSet all(cluster_.nodes.size());
    all.set();
    if (pick_.reservation.features == kNoName) return {all, {}};
    const std::string& text = cluster_.names.text(pick_.reservation.features);
    const auto parsed = FeatureExpression::parse(text);
    if (!parsed || !parsed->has_counts()) return {nodes_with(cluster_, text), {}};
    auto counted = parsed->counts_in_brackets([this](std::string_view feature) {
      return nodes_with_feature(cluster_.nodes, cluster_.names, feature);
    });
    if (counted.size() < 2) counted.clear();
    return {std::move(all), std::move(counted)};
  }

  /// Cores that jobs hold when it begins: who has to end before that does not count.
  void find_held_cores() {
    for (const Job& job : cluster_.jobs) {
      if (!job.is_running() && job.state != JobState::Suspended) continue;
      if (job.suspension.lends_cores || (job.end && *job.end <= pick_.reservation.start)) continue;
      for (const NodeShare& share : job.allocation.nodes) held_[share.node] |= share.cores;
    }
  }

  /// So many more. Idle or not is all the same, and so are cores that others have; whole nodes of
  /// others that it may overlap come last.
  [[nodiscard]] bool take(const NodeSet& free, std::size_t count, NodeSet& nodes) const {
    const NodeSet able = free - nodes;
    const NodeSet first = able - reserved_;
    const std::size_t of_first = std::min(count, first.count());
    const auto some = by_switches_.pick(first, of_first);
    const auto more = by_switches_.pick(able & reserved_, count - of_first);
    if (!some || !more) return false;
    nodes |= *some | *more;
    return true;
  }

  /// Under switches each count of `NodeCnt=1,2` is looked for by itself, the largest first.
  [[nodiscard]] bool take_counts(const NodeSet& free, std::size_t wanted, NodeSet& nodes) const {
    std::vector<std::size_t> counts(pick_.node_counts.begin(), pick_.node_counts.end());
    if (!by_switches_.goes_by_switches() || counts.size() < 2) counts = {wanted};
    std::sort(counts.begin(), counts.end(), std::greater{});
    return std::all_of(counts.begin(), counts.end(), [&](std::size_t count) {
      const std::size_t some = std::min(count, wanted);  // each is cut to what is left
      wanted -= some;
      return take(free, some, nodes);
    });
  }

  /// From nodes without jobs. Slurm: with IGNORE_JOBS, while they do not serve, from those of each
  /// job too, one after the other from the head of the job list (lifecycle.md §13).
  bool take_beside_jobs(const std::function<bool(const NodeSet& free)>& take_from) const {
    const Reservation& own = pick_.reservation;
    NodeSet free = usable_ - held_beyond(cluster_, own.start);
    if (take_from(free)) return true;
    if (!own.has(ReservationFlag::IgnoreJobs)) return false;
    for (const Job& job : cluster_.jobs) {
      if (!holds_beyond(job, own.start)) continue;
      const NodeSet more = (job.allocated_nodes & usable_) - free;
      if (more.none()) continue;
      free |= more;
      if (take_from(free)) return true;
    }
    return false;
  }

  /// Slurm: more than there are beside those of others are these (lifecycle.md §13). Of features
  /// and of an update it is not asked.
  [[nodiscard]] bool asks_for_too_many(std::size_t count) const {
    return !pick_.among && pick_.reservation.features == kNoName && count > usable_.count() &&
           !usable_.none();
  }

  std::optional<PickedNodes> whole_nodes() const {
    PickedNodes picked{NodeSet(usable_.size()), {}};
    const auto [able, counted] = wanted();
    // Slurm: of two counted features or more the counts decide, and NodeCnt= does not.
    std::size_t count = 0;
    for (const std::uint32_t each : pick_.node_counts) count += counted.empty() ? each : 0;
    for (const auto& each : counted) count += each.count;
    for (const auto& each : counted) {
      if (!take_beside_jobs([&](const NodeSet& free) {
            return take(free & each.nodes, each.count, picked.nodes);
          })) {
        return std::nullopt;
      }
    }
    if (!counted.empty()) return picked;
    if (pick_.node_counts.empty() || asks_for_too_many(count)) count = usable_.count();
    const bool is_served = take_beside_jobs([&, able = able](const NodeSet& free) {
      picked.nodes.reset();
      return take_counts(free & able, count, picked.nodes);
    });
    if (!is_served) return std::nullopt;
    return picked;
  }

  [[nodiscard]] CoreSet free_cores(NodeId id) const {
    const Node& node = cluster_.nodes[id];
    CoreSet cores = node.usable_cores();
    if (const auto taken = taken_.find(id); taken != taken_.end()) cores -= taken->second;
    if (pick_.reservation.has(ReservationFlag::IgnoreJobs)) return cores;
    if (begins_now_) {
      cores -= cluster_.ledger.use(id).cores;
    } else if (const auto held = held_.find(id); held != held_.end()) {
      cores -= held->second;
    }
    return cores;
  }

  /// Idle or not; what jobs hold of a node is left out of it. With a count of nodes those that have
  /// their share of the cores, rounded down, are candidates, taken as whole nodes would be.
  std::optional<PickedNodes> some_cores(NodeSet order) const {
    PickedNodes picked{NodeSet(usable_.size()), {}};
    std::uint32_t nodes = 0, cores = 0;
    for (const std::uint32_t count : pick_.node_counts) nodes += count;
    for (const std::uint32_t count : pick_.core_counts) cores += count;
    const bool each = pick_.core_counts.size() > 1;  // one count for each node
    if (pick_.reservation.features != kNoName) {
      order &= nodes_with(cluster_, cluster_.names.text(pick_.reservation.features));
    }
    if (nodes > 0 && !each) {
      const std::uint32_t least = std::max(cores / nodes, 1U);
      for_each_bit(NodeSet(order), [&](std::size_t i) {
        if (free_cores(id_at<NodeId>(i)).count() < least) order.reset(i);
      });
      const auto some = by_switches_.pick(order, nodes);
      if (!some) return std::nullopt;
      order = *some;
    }
    std::size_t position = 0;
    for_each_bit(order, [&](std::size_t i) {
      if (cores == 0) return;
      const CoreSet free = free_cores(id_at<NodeId>(i));
      std::uint32_t share = cores;
      if (each) {
        share = position < pick_.core_counts.size() ? pick_.core_counts[position] : 0;
      } else if (nodes > 0) {
        share = (cores + nodes - 1) / nodes;
      }
      const auto most = static_cast<std::uint32_t>(free.count());
      if (share == 0 || most == 0 || (each && most < share)) return;
      share = std::min(share, most);
      picked.cores[id_at<NodeId>(i)] = first_of(free, share);
      picked.nodes.set(i);
      cores -= share;
      if (nodes > 0) --nodes;
      ++position;
    });
    for (auto& [node, some] : picked.cores) {  // what a node with fewer free cores could not give
      CoreSet left = free_cores(node);
      left -= some;
      const CoreSet more = first_of(left, each ? 0 : cores);
      cores -= static_cast<std::uint32_t>(more.count());
      some |= more;
    }
    if (cores > 0 || nodes > 0) return std::nullopt;
    return picked;
  }

  const Cluster& cluster_;
  const NodePick& pick_;
  NodeSet usable_, reserved_;  // reserved_: in whole by others meanwhile
  CoresByNode taken_;          ///< by other reservations
  bool begins_now_;
  CoresByNode held_;  ///< of one that begins later: by jobs that may run then
  SwitchPick by_switches_;
};

}  // namespace

NodeSet nodes_with(const Cluster& cluster, std::string_view expression) {
  NodeSet all(cluster.nodes.size());
  const auto parsed = FeatureExpression::parse(expression);
  if (!parsed) {
    if (expression.empty()) all.set();
    return all;
  }
  return parsed->any([&](std::string_view feature) {
    return nodes_with_feature(cluster.nodes, cluster.names, feature);
  });
}

bool meets_another(const Cluster& cluster, const Reservation& reservation, const NodeSet& nodes,
                   const CoresByNode& cores) {
  if (may_overlap(reservation)) return false;
  const TimeZone zone = zone_of(cluster);
  for (const ReservationId id : cluster.reservations.live()) {
    const Reservation& other = cluster.reservations[id];
    if (other.name == reservation.name || may_overlap(other)) continue;
    if (!nodes.intersects(other.nodes) || !meet_in_time(reservation, other, zone)) continue;
    const bool parts = !other.full_nodes && !cores.empty();
    if (!parts || intersects(cores, other.cores)) return true;
  }
  return false;
}

bool meets_jobs(const Cluster& cluster, const Reservation& reservation, const NodeSet& nodes) {
  for (const Job& job : cluster.jobs) {
    if (!job.is_running() && job.state != JobState::Suspended) continue;
    if (job.end && *job.end <= reservation.start) continue;
    if (job.reservation && cluster.reservations[*job.reservation].name == reservation.name) {
      continue;
    }
    if (job.allocated_nodes.intersects(nodes)) return true;
  }
  return false;
}

std::optional<PickedNodes> pick_nodes(const Cluster& cluster, const NodePick& pick, SlurmTime now) {
  return Picker(cluster, pick, now).run();
}

}  // namespace rehearse
