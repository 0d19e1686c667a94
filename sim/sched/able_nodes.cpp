// sim/sched/able_nodes.cpp — the jobs of each node in the order of their ends, and what was found
// for them.
#include "sim/sched/able_nodes.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace rehearse {
namespace {

/// Numbers that may be remembered: 16 bytes each.
constexpr std::size_t kMostNumbers = 4'000'000;

std::uint64_t looks_with(std::uint64_t look, std::uint64_t word) {
  return (std::rotl(look, 27) ^ (word * 0x9e3779b97f4a7c15ULL)) * 0xbf58476d1ce4e5b9ULL;
}

}  // namespace

/// The jobs of every node by their ends: counted, then filled in.
void AbleNodes::list_jobs() {
  if (std::exchange(is_listed_, true)) return;
  ++state_;
  const std::size_t nodes = cluster_.nodes.size();
  begin_.assign(nodes + 1, 0);
  held_.clear();
  std::uint32_t place = 0;
  for (const Job* job : running_.by_end()) {
    const std::uint64_t word =
        std::uint64_t{index_of(job->index)} << 1U | (job->suspension.lends_cores ? 0U : 1U);
    for (const NodeShare& share : job->allocation.nodes) {
      const auto node = static_cast<std::uint32_t>(index_of(share.node));
      ++begin_[node + 1];
      held_.push_back({&share, word, place, node});
    }
    ++place;
  }
  for (std::size_t n = 0; n < nodes; ++n) begin_[n + 1] += begin_[n];
  jobs_.resize(begin_.back());
  places_.resize(begin_.back());
  looks_.resize(nodes);
  for (std::size_t n = 0; n < nodes; ++n) {
    const NodeContent& content = cluster_.ledger.content(id_at<NodeId>(n));
    looks_[n] = looks_with(content.high, content.low);
  }
  for (const Held& held : held_) {
    const std::uint32_t at = begin_[held.node]++;
    jobs_[at] = {held.share, (held.word & 1U) != 0};
    places_[at] = held.place;
    looks_[held.node] = looks_with(looks_[held.node], held.word);
  }
  // Each beginning has moved to the next one's.
  for (std::size_t n = nodes; n > 0; --n) begin_[n] = begin_[n - 1];
  begin_[0] = 0;
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
  list_jobs();
  Known& known = known_of(job, partition);
  if (std::exchange(known.state, state_) == state_) return known.needed;
  const Partition& where = cluster_.partitions[partition];
  known.needed.clear(cluster_.nodes.size());
  for_each_bit(known.configured, [&](std::size_t n) {
    std::uint32_t& own = known.own[n];
    if (std::exchange(known.looks[n], looks_[n]) != looks_[n]) {
      const auto found =
          select_.leaves_needed(job, where, cluster_.ledger, id_at<NodeId>(n),
                                {jobs_.data() + begin_[n], begin_[n + 1] - begin_[n]});
      own = found ? static_cast<std::uint32_t>(*found) : kNever;
    }
    if (own == 0) {
      known.needed.add_at_once(n);
    } else if (own != kNever) {
      known.needed.add(places_[begin_[n] + own - 1] + 1, n);
    }
  });
  known.needed.sort();
  return known.needed;
}

void EndsNeeded::clear(std::size_t nodes) {
  at_once_ = NodeSet(nodes);
  later_.clear();
}

/// Nodes were added in their order: a stable sort by ends, a digit of 8 bits at a time, is all.
void EndsNeeded::sort() {
  std::uint64_t most = 0;
  for (const std::uint64_t each : later_) most = std::max(most, each >> 32U);
  sorted_.resize(later_.size());
  for (unsigned digit = 32; digit < 64 && most >> (digit - 32U) != 0; digit += 8) {
    std::array<std::uint32_t, 257> begin{};
    for (const std::uint64_t each : later_) ++begin[(each >> digit & 0xffU) + 1];
    for (std::size_t d = 1; d < begin.size(); ++d) begin[d] += begin[d - 1];
    for (const std::uint64_t each : later_) sorted_[begin[each >> digit & 0xffU]++] = each;
    later_.swap(sorted_);
  }
}

NodeSet EndsNeeded::able_after(std::size_t gone, const NodeSet& candidates) const {
  NodeSet able = candidates & at_once_;
  for (std::size_t i = 0; i < later_.size() && later_ends(i) <= gone; ++i) {
    if (candidates.test(later_node(i))) able.set(later_node(i));
  }
  return able;
}

std::optional<std::size_t> EndsNeeded::until(std::size_t least, const NodeSet& candidates) const {
  std::size_t able = (candidates & at_once_).count();
  if (able >= least) return 0;
  for (std::size_t i = 0; i < later_.size(); ++i) {
    if (candidates.test(later_node(i)) && ++able == least) return later_ends(i);
  }
  return std::nullopt;
}

}  // namespace rehearse
