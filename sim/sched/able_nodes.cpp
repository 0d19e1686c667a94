// sim/sched/able_nodes.cpp — what was found for the jobs of each node, as long as it looks the
// same, and the nodes that look otherwise since.
#include "sim/sched/able_nodes.hpp"

#include <utility>

namespace rehearse {
namespace {

/// Numbers that may be remembered: 28 bytes each.
constexpr std::size_t kMostNumbers = 3'000'000;
/// Changes of nodes that are remembered, beside one of each node.
constexpr std::size_t kMostChanges = 4096;

}  // namespace

/// How every node looks, which look otherwise than before, and the place of every job.
void AbleNodes::list_jobs() {
  if (std::exchange(is_listed_, true)) return;
  ++state_;
  const std::size_t nodes = cluster_.nodes.size();
  looks_.resize(nodes);
  if (changed_.size() > kMostChanges + nodes) {
    forgotten_ += changed_.size();
    changed_.clear();
  }
  for (std::size_t n = 0; n < nodes; ++n) {
    const auto node = id_at<NodeId>(n);
    const std::uint64_t look = cluster_.ledger.content(node).high + running_.look_of(node);
    if (std::exchange(looks_[n], look) != look) changed_.push_back(static_cast<std::uint32_t>(n));
  }
  places_.resize(running_.slot_count());
  std::uint32_t place = 0;
  for (const std::uint32_t slot : running_.slots()) places_[slot] = place++;
}

/// The jobs of a node in the order of their ends.
std::span<const LeavingJob> AbleNodes::leaving_from(NodeId node) {
  leaving_.clear();
  for (const RunningJobs::Resident& each : running_.on(node)) {
    leaving_.push_back({each.share, !each.job->suspension.lends_cores});
  }
  return leaving_;
}

AbleNodes::Known& AbleNodes::known_of(const Job& job, PartitionId partition) {
  const std::pair key{job.request, partition};
  const auto found = known_.find(key);
  if (found != known_.end()) return found->second;
  const std::size_t nodes = cluster_.nodes.size();
  if ((known_.size() + 1) * nodes > kMostNumbers) known_.clear();
  Known& known = known_[key];
  known.configured = select_.configured_nodes(job, cluster_.partitions[partition]);
  known.needed.clear(nodes);
  known.moved = known.configured;  // in no order yet
  known.looks.resize(nodes);
  for (std::size_t n = 0; n < nodes; ++n) known.looks[n] = ~looks_[n];
  known.own.assign(nodes, kNever);
  return known;
}

const EndsNeeded& AbleNodes::of(const Job& job, PartitionId partition) {
  Known& known = settled(job, partition);
  if (known.moved.any()) put_in_order(known);
  return known.needed;
}

AbleNodes::Known& AbleNodes::settled(const Job& job, PartitionId partition) {
  list_jobs();
  Known& known = known_of(job, partition);
  if (std::exchange(known.state, state_) == state_) return known;
  const Partition& where = cluster_.partitions[partition];
  if (!known.seen || *known.seen < forgotten_) {
    for_each_bit(known.configured, [&](std::size_t n) { look_at(job, where, n, known); });
  } else {
    for (std::size_t i = *known.seen - forgotten_; i < changed_.size(); ++i) {
      if (known.configured.test(changed_[i])) look_at(job, where, changed_[i], known);
    }
  }
  known.seen = forgotten_ + changed_.size();
  return known;
}

/// A node that has changed since: whom it waits for now.
void AbleNodes::look_at(const Job& job, const Partition& where, std::size_t node, Known& known) {
  if (std::exchange(known.looks[node], looks_[node]) == looks_[node]) return;
  const auto id = id_at<NodeId>(node);
  const auto found = select_.leaves_needed(job, where, cluster_.ledger, id, leaving_from(id));
  known.own[node] = !found ? kNever : *found == 0 ? kAtOnce : running_.on(id)[*found - 1].slot;
  known.needed.set_at_once(node, known.own[node] == kAtOnce);
  known.moved.set(node);
}

void AbleNodes::put_in_order(Known& known) {
  waits_.clear();
  for_each_bit(known.moved, [&](std::size_t n) {
    const std::uint32_t own = known.own[n];
    if (own == kAtOnce || own == kNever) return;
    waits_.push_back({running_.departures()[places_[own]].end, own, static_cast<std::uint32_t>(n)});
  });
  known.needed.update(known.moved, waits_, places_);
  known.moved.reset();
}

}  // namespace rehearse
