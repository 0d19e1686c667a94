// sim/sched/select/topology_tree.cpp — TopologyPlugin=topology/tree: few switches before few CPUs
// (scheduling.md §6.6).
#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/sched/select/choose.hpp"

namespace rehearse {
namespace {

class TreeChoice {
 public:
  TreeChoice(Progress& progress, const Alive& alive)
      : p_(progress),
        tree_(*progress.wish.topology),
        alive_(alive),
        usable_(progress.scene.nodes.size()),
        used_leaves_(tree_.switches.size(), false) {
    offer_of_.assign(progress.scene.nodes.size(), kNone);
    for (std::uint32_t i = 0; i < p_.offers.nodes.size(); ++i) {
      if (alive_[i] == 0) continue;
      usable_.set(index_of(p_.offers.nodes[i].node));
      offer_of_[index_of(p_.offers.nodes[i].node)] = i;
    }
  }

  bool run() {
    if (!find_top()) return false;
    usable_ &= tree_.switches[top_].nodes;
    if (usable_.count() < p_.wish.min_nodes) return false;
    if (!take_required(p_, alive_)) return false;
    for (const TakenNode& node : p_.taken) mark_leaf(p_.offers.nodes[node.offer].node);
    if (p_.is_done()) return true;
    if (!gather_weights()) return false;
    if (p_.is_done()) return true;
    if (!p_.may_take()) return false;
    for (std::size_t leaf = 0; leaf < tree_.switches.size(); ++leaf) {
      if (used_leaves_[leaf] && fill(leaf, Most::Unasked)) return true;
    }
    while (p_.nodes_allowed != 0) {
      const std::size_t leaf = next_leaf();
      if (leaf == tree_.switches.size()) break;
      used_leaves_[leaf] = true;
      if (fill(leaf, Most::Kept)) return true;
    }
    return p_.is_enough();
  }

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  [[nodiscard]] std::uint64_t weight_of(std::size_t node) const {
    return p_.offers.nodes[offer_of_[node]].weight;
  }
  [[nodiscard]] bool is_free(std::size_t node) const {
    return usable_.test(node) && p_.is_open(offer_of_[node]);
  }

  void mark_leaf(NodeId node) {
    for (std::size_t i = 0; i < tree_.switches.size(); ++i) {
      if (tree_.switches[i].level == 0 && tree_.switches[i].nodes.test(index_of(node))) {
        used_leaves_[i] = true;
      }
    }
  }

  /// Step 1: the switch below which everything is chosen.
  bool find_top() {
    const NodeSet& required = p_.wish.required;
    if (required.any()) {
      bool found = false;
      for (std::size_t i = 0; i < tree_.switches.size(); ++i) {
        if (!required.intersects(tree_.switches[i].nodes)) continue;
        if (found && tree_.switches[i].level <= tree_.switches[top_].level) continue;
        top_ = i;
        found = true;
      }
      return found && required.is_subset_of(tree_.switches[top_].nodes);
    }
    bool found = false;
    std::uint64_t top_weight = 0;
    for (std::size_t i = 0; i < tree_.switches.size(); ++i) {
      const NodeSet nodes = usable_ & tree_.switches[i].nodes;
      if (nodes.count() < p_.wish.min_nodes || nodes.none()) continue;
      std::uint64_t lowest = UINT64_MAX;
      for_each_bit(nodes, [&](std::size_t node) { lowest = std::min(lowest, weight_of(node)); });
      const bool wins =
          !found || (tree_.switches[i].level >= tree_.switches[top_].level && lowest <= top_weight);
      if (!wins) continue;
      found = true;
      top_ = i;
      top_weight = lowest;
    }
    return found;
  }

  /// Step 2: weight groups until CPUs and the minimum of nodes are there, how many are wanted does
  /// not count; all but the last are taken outright.
  bool gather_weights() {
    std::vector<std::uint64_t> weights;
    for_each_bit(usable_, [&](std::size_t node) { weights.push_back(weight_of(node)); });
    std::sort(weights.begin(), weights.end());
    weights.erase(std::unique(weights.begin(), weights.end()), weights.end());
    NodeSet gathered(usable_.size());
    std::int64_t cpus = 0;
    std::int64_t nodes = 0;
    for (const std::uint64_t weight : weights) {
      NodeSet group(usable_.size());
      for_each_bit(usable_, [&](std::size_t node) {
        if (!p_.is_open(offer_of_[node]) || weight_of(node) != weight) return;
        group.set(node);
        cpus += p_.offers.nodes[offer_of_[node]].cpus;
        ++nodes;
      });
      if (cpus >= p_.cpus_wanted && nodes >= p_.nodes_least && units_suffice(gathered | group)) {
        must_use(gathered);
        usable_ = gathered | group;
        return true;
      }
      gathered |= group;
    }
    usable_ = gathered;
    return true;
  }

  [[nodiscard]] bool units_suffice(const NodeSet& nodes) const {
    for (std::size_t gres = 0; gres < p_.units_left().size(); ++gres) {
      std::int64_t units = 0;
      for_each_bit(nodes, [&](std::size_t node) {
        units += static_cast<std::int64_t>(p_.units_of(offer_of_[node], gres));
      });
      if (units < p_.units_left()[gres]) return false;
    }
    return true;
  }

  void must_use(const NodeSet& nodes) {
    for_each_bit(nodes, [&](std::size_t node) {
      if (!is_free(node) || p_.is_done() || !p_.may_take()) return;
      if (p_.take(offer_of_[node])) mark_leaf(id_at<NodeId>(node));
    });
  }

  /// Takes the leaf's nodes in index order; true: done. In leaves that hold a taken node Slurm does
  /// not ask how many nodes the job may have.
  enum class Most : std::uint8_t { Kept, Unasked };
  bool fill(std::size_t leaf, Most most) {
    const NodeSet nodes = usable_ & tree_.switches[leaf].nodes;
    for (auto node = nodes.find_first(); node != NodeSet::npos; node = nodes.find_next(node)) {
      if (most == Most::Kept && p_.nodes_allowed == 0) return false;
      if (is_free(node)) p_.take(offer_of_[node]);
      if (p_.is_done()) return true;
    }
    return false;
  }

  [[nodiscard]] std::int64_t free_nodes(std::size_t at) const {
    std::int64_t count = 0;
    const NodeSet nodes = usable_ & tree_.switches[at].nodes;
    for_each_bit(nodes, [&](std::size_t node) { count += is_free(node) ? 1 : 0; });
    return count;
  }

  [[nodiscard]] std::uint64_t distance_sum(std::size_t leaf) const {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < tree_.switches.size(); ++i) {
      if (used_leaves_[i]) sum += tree_.distance(leaf, i);
    }
    return sum;
  }

  /// Which of two leaves fits what is wanted better: > 0 the first, < 0 the second.
  [[nodiscard]] int better_fit(std::size_t a, std::size_t b) const {
    const std::int64_t wanted = p_.nodes_wanted;
    const std::int64_t mine = free_nodes(a);
    const std::int64_t other = free_nodes(b);
    if (mine >= wanted && other >= wanted) return mine == other ? 0 : (mine < other ? 1 : -1);
    if (mine >= wanted) return 1;
    if (other >= wanted) return -1;
    const std::int32_t up_a = tree_.switches[a].parent;
    const std::int32_t up_b = tree_.switches[b].parent;
    if (up_a != up_b && up_a >= 0 && up_b >= 0) {
      return better_fit(static_cast<std::size_t>(up_a), static_cast<std::size_t>(up_b));
    }
    if (mine != other) return mine > other ? 1 : -1;
    const std::uint32_t level_a = tree_.switches[a].level;
    const std::uint32_t level_b = tree_.switches[b].level;
    return level_a == level_b ? 0 : (level_a < level_b ? 1 : -1);
  }

  /// Step 4: nearest to the leaves in use if it fits no worse, else the better fit.
  [[nodiscard]] std::size_t next_leaf() const {
    std::size_t best = tree_.switches.size();
    for (std::size_t i = 0; i < tree_.switches.size(); ++i) {
      if (tree_.switches[i].level != 0 || used_leaves_[i] || free_nodes(i) == 0) continue;
      if (best == tree_.switches.size()) {
        best = i;
        continue;
      }
      const std::uint64_t near = distance_sum(i);
      const std::uint64_t best_near = distance_sum(best);
      const int fit = better_fit(i, best);
      if ((near < best_near && fit >= 0) || (near == best_near && fit > 0)) best = i;
    }
    return best;
  }

  Progress& p_;
  const Topology& tree_;
  const Alive& alive_;
  NodeSet usable_;
  std::vector<bool> used_leaves_;
  std::vector<std::uint32_t> offer_of_;  // by node
  std::size_t top_ = 0;
};

}  // namespace

bool choose_by_topology(Progress& progress, const Alive& alive) {
  return TreeChoice{progress, alive}.run();
}

}  // namespace rehearse
