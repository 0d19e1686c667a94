// sim/sched/able_nodes.cpp — what was found for the jobs of each node, as long as it looks the
// same.
#include "sim/sched/able_nodes.hpp"

#include <utility>

namespace rehearse {
namespace {

/// Numbers that may be remembered: 16 bytes each.
constexpr std::size_t kMostNumbers = 4'000'000;

}  // namespace

/// How every node looks, and the place of every job.
void AbleNodes::list_jobs() {
  if (std::exchange(is_listed_, true)) return;
  ++state_;
  looks_.resize(cluster_.nodes.size());
  for (std::size_t n = 0; n < looks_.size(); ++n) {
    const auto node = id_at<NodeId>(n);
    looks_[n] = cluster_.ledger.content(node).high + running_.look_of(node);
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
  known.looks.resize(nodes);
  for (std::size_t n = 0; n < nodes; ++n) known.looks[n] = ~looks_[n];
  known.own.assign(nodes, kNever);
  return known;
}

const EndsNeeded& AbleNodes::of(const Job& job, PartitionId partition) {
  Known& known = settled(job, partition);
  if (!std::exchange(known.is_sorted, true)) known.needed.sort();
  return known.needed;
}

AbleNodes::Known& AbleNodes::settled(const Job& job, PartitionId partition) {
  list_jobs();
  Known& known = known_of(job, partition);
  if (std::exchange(known.state, state_) == state_) return known;
  known.is_sorted = false;
  const Partition& where = cluster_.partitions[partition];
  known.needed.clear(cluster_.nodes.size());
  for_each_bit(known.configured, [&](std::size_t n) {
    std::uint32_t& own = known.own[n];
    if (std::exchange(known.looks[n], looks_[n]) != looks_[n]) {
      const auto node = id_at<NodeId>(n);
      const auto found =
          select_.leaves_needed(job, where, cluster_.ledger, node, leaving_from(node));
      own = !found ? kNever : *found == 0 ? kAtOnce : running_.on(node)[*found - 1].slot;
    }
    if (own == kAtOnce) {
      known.needed.add_at_once(n);
    } else if (own != kNever) {
      known.needed.add(places_[own] + 1, n);
    }
  });
  return known;
}

}  // namespace rehearse
