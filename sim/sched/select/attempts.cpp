// sim/sched/select/attempts.cpp — the attempts of a choice: by which order, and without which
// nodes.
#include <algorithm>
#include <functional>

#include "sim/sched/select/choose.hpp"

namespace rehearse {
namespace {

/// select/linear has an order of its own under topology/tree, and knows no --contiguous there.
bool is_linear_tree(const Wish& wish) {
  return wish.topology != nullptr && (wish.in_order || !wish.weighs);
}

bool choose_once(Progress& progress, const Alive& alive) {
  const EffectiveRequest& request = progress.scene.request;
  const Wish& wish = progress.wish;
  if (request.spread) return choose_spread(progress, alive);
  if (wish.without_jobs != nullptr && !request.contiguous)
    return choose_busy_first(progress, alive);
  if (request.lln) return choose_least_loaded(progress, alive);
  if (wish.serial_at_end) return choose_serial_at_end(progress, alive);
  if (is_linear_tree(wish)) return choose_by_linear_tree(progress, alive);
  if (wish.topology != nullptr && !request.contiguous) return choose_by_topology(progress, alive);
  if (wish.linear_sets && !request.contiguous) return choose_linear_sets(progress, alive);
  if (wish.in_order && !request.contiguous) return choose_in_order(progress, alive);
  return choose_consecutive(progress, alive);
}

/// Those of --gpus as many as are free and have memory, however few are asked for.
std::uint64_t gpus_of(const Scene& scene, const EffectiveGres& wanted, const GresOffer& gres,
                      NodeId node) {
  if (wanted.per_node > 0) return gres.ceiling;
  const bool tied = wanted.mem_per_gres_mib > 0 && scene.request.memory_mode == MemoryMode::PerGpu;
  if (!tied) return gres.total;
  return std::min(gres.total, free_memory(scene, scene.nodes[node]) / wanted.mem_per_gres_mib);
}

/// CPUs and GPUs of a node, as the removal of small nodes counts them.
std::uint64_t size_of(const Scene& scene, const Offers& offers, std::uint32_t offer) {
  const OfferedNode& node = offers.nodes[offer];
  std::uint64_t size = node.capacity;
  for (std::size_t i = 0; i < scene.request.gres.size(); ++i) {
    const EffectiveGres& wanted = scene.request.gres[i];
    const GresOffer& gres = offers.gres[offers.of(node).gres_at + i];
    if (wanted.is_gpu) size += gpus_of(scene, wanted, gres, node.node);
  }
  return size;
}

/// What no attempt can mend: too few nodes or CPUs in all.
bool is_hopeless(const Scene& scene, const Offers& offers, const Wish& wish) {
  if (offers.nodes.size() < wish.min_nodes || wish.max_nodes < wish.min_nodes) return true;
  if (scene.request.overcommit) return false;
  const std::uint32_t needed = scene.request.min_cpus - scene.request.spare_cpus;
  std::uint64_t cpus = 0;
  for (const OfferedNode& node : offers.nodes) {
    cpus += node.capacity;
    if (cpus >= needed) return false;
  }
  return true;
}

/// True if the nodes could together give the GRES that the job counts over all of them (--gpus), as
/// many nodes as it may have: none gives more than is free there.
bool may_cover(const Scene& scene, const Offers& offers, const Wish& wish, const Alive& alive) {
  if (wish.topology != nullptr || wish.without_jobs != nullptr || scene.request.spread) return true;
  std::vector<std::uint64_t> units;
  for (std::size_t i = 0; i < scene.request.gres.size(); ++i) {
    const std::uint64_t wanted = scene.request.gres[i].per_job;
    if (wanted == 0) continue;
    units.clear();
    for (std::size_t n = 0; n < offers.nodes.size(); ++n) {
      if (alive[n] == 0) continue;
      const GresOffer& gres = offers.gres[offers.of(offers.nodes[n]).gres_at + i];
      units.push_back(std::min(std::max(gres.total, gres.ceiling), wanted));
    }
    if (units.size() > wish.max_nodes) {
      std::nth_element(units.begin(), units.begin() + wish.max_nodes, units.end(),
                       std::greater<>());
      units.resize(wish.max_nodes);
    }
    std::uint64_t sum = 0;
    for (const std::uint64_t each : units) sum += each;
    if (sum < wanted) return false;
  }
  return true;
}

/// The loop of attempts; returns the nodes of the first that succeeds.
class Attempts {
 public:
  Attempts(const Scene& scene, Offers& offers, const Wish& wish)
      : scene_(scene), offers_(offers), wish_(wish), alive_(offers.nodes.size(), 1) {}

  std::vector<TakenNode> run() {
    if (!may_cover(scene_, offers_, wish_, alive_)) return {};
    if (attempt(true)) return std::move(taken_);
    if (is_linear_tree(wish_) || wish_.linear_sets)
      return {};  // it is not asked again without small nodes
    const bool relaxes = !scene_.request.gres.empty();
    std::size_t left = offers_.nodes.size();
    const std::size_t least = scene_.is_cons_res ? wish_.req_nodes : wish_.min_nodes;
    if (left <= least) {
      if (relaxes && attempt(false)) return std::move(taken_);
      return {};
    }
    // Slurm counts the limit up by one; only limits that remove a node can change the answer.
    std::uint64_t largest = 0;
    for (std::uint32_t i = 0; i < alive_.size(); ++i) {
      largest = std::max(largest, size_of(scene_, offers_, i));
    }
    for (std::uint64_t limit = 1; limit < largest; ++limit) {
      const std::size_t before = left;
      for (std::uint32_t i = 0; i < alive_.size() && left > least; ++i) {
        const bool goes = alive_[i] != 0 && size_of(scene_, offers_, i) <= limit && !is_required(i);
        if (!goes) continue;
        alive_[i] = 0;
        --left;
      }
      if (left == before && !(limit == 1 && relaxes)) continue;
      if (!may_cover(scene_, offers_, wish_, alive_)) break;
      if (attempt(false)) return std::move(taken_);
      if (left <= least) break;
    }
    return {};
  }

 private:
  [[nodiscard]] bool is_required(std::uint32_t offer) const {
    return wish_.required.any() && wish_.required.test(index_of(offers_.nodes[offer].node));
  }

  bool attempt(bool first) {
    if (!first) {
      for (OfferedNode& node : offers_.nodes) {
        node.cpus = node.capacity;
        node.before_cut = 0;
      }
    }
    Progress progress{scene_, offers_, wish_, first};
    if (!choose_once(progress, alive_)) return false;
    taken_ = std::move(progress.taken);
    std::sort(taken_.begin(), taken_.end(),
              [](const TakenNode& a, const TakenNode& b) { return a.offer < b.offer; });
    return true;
  }

  const Scene& scene_;
  Offers& offers_;
  const Wish& wish_;
  Alive alive_;
  std::vector<TakenNode> taken_;
};

}  // namespace

std::vector<TakenNode> choose_nodes(const Scene& scene, Offers& offers, const Wish& wish) {
  if (is_hopeless(scene, offers, wish)) return {};
  return Attempts{scene, offers, wish}.run();
}

}  // namespace rehearse
