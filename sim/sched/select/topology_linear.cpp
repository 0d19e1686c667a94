// sim/sched/select/topology_linear.cpp — select/linear under topology/tree: one switch that has
// enough, then its leaves, that with the fewest CPUs left first (scheduling.md §6.6).
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/sched/select/choose.hpp"

namespace rehearse {
namespace {

class LinearTree {
 public:
  LinearTree(Progress& progress, const Alive& alive)
      : p_(progress), tree_(*progress.wish.topology), usable_(progress.scene.nodes.size()) {
    offer_of_.resize(usable_.size());
    for (std::uint32_t i = 0; i < p_.offers.nodes.size(); ++i) {
      if (alive[i] == 0) continue;
      usable_.set(index_of(p_.offers.nodes[i].node));
      offer_of_[index_of(p_.offers.nodes[i].node)] = i;
      weights_.push_back(p_.offers.nodes[i].weight);
    }
    std::sort(weights_.begin(), weights_.end());
    weights_.erase(std::unique(weights_.begin(), weights_.end()), weights_.end());
  }

  /// To start now among the nodes of the lowest weight first, then of the next too, where these are
  /// as many as are wanted; a start to come among all.
  bool run() {
    if (p_.wish.required.any() && !p_.wish.required.is_subset_of(usable_)) return false;
    if (!p_.wish.in_order) return take(nodes_of(usable_));
    for (const std::uint64_t weight : weights_) {
      NodeSet among(usable_.size());
      for_each_bit(usable_, [&](std::size_t node) {
        if (p_.offers.nodes[offer_of_[node]].weight <= weight) among.set(node);
      });
      const bool is_last = weight == weights_.back();
      if (!is_last && static_cast<std::int64_t>(among.count()) < p_.nodes_wanted) continue;
      const std::vector<std::size_t> nodes = nodes_of(among);
      if (!nodes.empty()) return take(nodes);
    }
    return false;
  }

 private:
  [[nodiscard]] std::int64_t cpus_of(std::size_t node) const {
    return p_.offers.nodes[offer_of_[node]].cpus;
  }

  [[nodiscard]] std::int64_t cpus_of(const NodeSet& nodes) const {
    std::int64_t cpus = 0;
    for_each_bit(nodes, [&](std::size_t node) { cpus += cpus_of(node); });
    return cpus;
  }

  bool take(const std::vector<std::size_t>& nodes) {
    return !nodes.empty() && std::all_of(nodes.begin(), nodes.end(), [&](std::size_t node) {
      return p_.take(offer_of_[node]);
    }) && p_.is_enough();
  }

  /// Empty: no switch has enough, or the leaves of the one that has, one after the other, do not.
  [[nodiscard]] std::vector<std::size_t> nodes_of(const NodeSet& among) const {
    const NodeSet* best = nullptr;
    std::uint32_t best_level = 0;
    std::size_t fewest = 0;
    for (const auto& each : tree_.switches) {
      if (p_.wish.required.any() && !p_.wish.required.is_subset_of(each.nodes)) continue;
      const NodeSet below = among & each.nodes;
      const std::size_t count = below.count();
      if (static_cast<std::int64_t>(count) < p_.nodes_least) continue;
      if (cpus_of(below) < p_.cpus_wanted) continue;
      const bool wins = best == nullptr || each.level < best_level ||
                        (each.level == best_level && count < fewest);
      if (!wins) continue;
      best = &each.nodes;
      best_level = each.level;
      fewest = count;
    }
    if (best == nullptr) return {};
    return leaf_by_leaf(among & *best);
  }

  /// -w first, then the leaves by how many CPUs they have left, the fewest first, on ties in table
  /// order, and of a leaf by index, until they suffice.
  [[nodiscard]] std::vector<std::size_t> leaf_by_leaf(NodeSet left) const {
    std::vector<std::size_t> nodes;
    std::int64_t cpus = p_.cpus_wanted;
    const auto add = [&](std::size_t node) {
      const auto taken = static_cast<std::int64_t>(nodes.size());
      if (taken >= p_.nodes_allowed || (taken >= p_.nodes_wanted && cpus <= 0)) return;
      nodes.push_back(node);
      cpus -= cpus_of(node);
    };
    if (p_.wish.required.any()) {
      for_each_bit(p_.wish.required, add);
      left -= p_.wish.required;
    }
    std::vector<std::pair<std::int64_t, NodeSet>> leaves;
    for (const auto& leaf : tree_.switches) {
      if (leaf.level != 0) continue;
      NodeSet nodes_left = left & leaf.nodes;
      const std::int64_t cpus_left = cpus_of(nodes_left);
      leaves.emplace_back(cpus_left, std::move(nodes_left));
      left -= leaf.nodes;
    }
    std::stable_sort(leaves.begin(), leaves.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& leaf : leaves) for_each_bit(leaf.second, add);
    const bool suffices = cpus <= 0 && static_cast<std::int64_t>(nodes.size()) >= p_.nodes_least;
    return suffices ? nodes : std::vector<std::size_t>{};
  }

  Progress& p_;
  const Topology& tree_;
  NodeSet usable_;
  std::vector<std::uint32_t> offer_of_;  // by node
  std::vector<std::uint64_t> weights_;   // ascending, each once
};

}  // namespace

bool choose_by_linear_tree(Progress& progress, const Alive& alive) {
  return LinearTree{progress, alive}.run();
}

}  // namespace rehearse
