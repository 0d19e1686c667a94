// sim/sched/select/best_fit.cpp — consecutive best fit, Slurm's usual choice of nodes
// (scheduling.md §6.5).
//
// Runs of adjacent usable nodes of equal weight are sets; the best set is used up, then the next.
// A set that is too small in nodes can displace a sufficient one if it has more CPUs: a quirk of
// Slurm's comparison, confirmed on a running controller.
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/sched/select/choose.hpp"

namespace rehearse {
namespace {

/// Adjacent nodes of equal weight: positions [begin, end) among the offers.
struct Run {
  std::uint32_t begin = 0, end = 0;
  std::uint64_t weight = 0;
  std::int64_t cpus = 0;   // of nodes not taken yet
  std::int64_t nodes = 0;  // not taken yet
  std::int64_t first_required = -1;
  /// Its first node is seen as required in it: behind a gap, not where weights change, unless sets
  /// are contiguous.
  bool sees_first = false;
  bool used = false;
};

class ConsecutiveFit {
 public:
  ConsecutiveFit(Progress& progress, const Alive& alive)
      : p_(progress), alive_(alive), has_required_(progress.wish.required.any()) {}

  bool run() {
    if (!take_required(p_, alive_)) return false;
    if (p_.is_done()) return true;
    build_runs();
    // Slurm: without -w only the first set is contiguous; further nodes come as for other jobs.
    bool is_bound = p_.scene.request.contiguous;
    const bool is_one_set = is_bound && has_required_;
    while (p_.may_take()) {
      Run* best = find_best();
      if (best == nullptr) break;
      if (std::exchange(is_bound, false) && !may_be_contiguous(*best)) return false;
      take_from(*best);
      best->used = true;
      if (p_.is_done()) return true;
      if (is_one_set) break;
    }
    return p_.is_enough();
  }

 private:
  [[nodiscard]] bool is_required(std::uint32_t offer) const {
    return has_required_ && p_.wish.required.test(index_of(p_.offers.nodes[offer].node));
  }

  void build_runs() {
    const bool contiguous = p_.scene.request.contiguous;
    const auto& nodes = p_.offers.nodes;
    bool open = false;
    std::size_t next_node = 0;
    const auto& wanted = p_.units_left();
    gres_ = std::any_of(wanted.begin(), wanted.end(), [](std::int64_t left) { return left > 0; })
                ? wanted.size()
                : 0;
    constexpr std::size_t kUsual = 16;
    runs_.reserve(kUsual);
    units_.reserve(kUsual * gres_);
    for (std::uint32_t i = 0, end = static_cast<std::uint32_t>(nodes.size()); i < end; ++i) {
      if (alive_[i] == 0 || (!is_required(i) && p_.settle(i) == CoreFit::TooFew)) {
        open = false;
        continue;
      }
      const bool adjacent = open && is_next(next_node, index_of(nodes[i].node));
      if (!adjacent || (!contiguous && weight_of(i) != runs_.back().weight)) {
        runs_.emplace_back();
        runs_.back().begin = i;
        runs_.back().sees_first = contiguous || !adjacent;
        units_.resize(runs_.size() * gres_, 0);
      }
      add(i, runs_.back());
      open = true;
      next_node = index_of(nodes[i].node) + 1;
    }
  }

  /// cons_res leaves nodes that others use in the sets of a job of whole nodes, though it takes
  /// none of them; not in states to come (§5.5).
  [[nodiscard]] bool is_next(std::size_t expected, std::size_t node) const {
    if (node == expected) return true;
    if (!p_.scene.is_cons_res || !p_.scene.request.whole_nodes) return false;
    if (p_.scene.on_copy || p_.scene.ignore_use) return false;
    const NodeSet& idle = p_.scene.ledger.idle();
    while (expected < node && !idle.test(expected)) ++expected;
    return expected == node;
  }

  /// Units of each --gpus GRES that is still wanted.
  [[nodiscard]] std::uint64_t* units_of(const Run& run) {
    return units_.data() + static_cast<std::size_t>(&run - runs_.data()) * gres_;
  }

  [[nodiscard]] std::uint64_t weight_of(std::uint32_t offer) const {
    const bool weighs = p_.wish.weighs && !p_.wish.linear_sets;
    return weighs ? p_.offers.nodes[offer].weight : 0;
  }

  void add(std::uint32_t offer, Run& run) {
    run.end = offer + 1;
    run.weight = weight_of(offer);
    if (is_required(offer)) {
      const bool is_seen = run.sees_first || offer != run.begin;
      if (is_seen && run.first_required < 0) run.first_required = offer;
      return;  // taken already
    }
    run.cpus += p_.offers.nodes[offer].cpus;
    ++run.nodes;
    for (std::size_t gres = 0; gres < gres_; ++gres) {
      if (p_.units_left()[gres] > 0) units_of(run)[gres] += p_.units_of(offer, gres);
    }
  }

  [[nodiscard]] bool is_sufficient(const Run& run) {
    const std::int64_t nodes = p_.wish.req_nodes > p_.wish.min_nodes
                                   ? p_.nodes_wanted + p_.wish.min_nodes - p_.wish.req_nodes
                                   : p_.nodes_wanted;
    if (run.cpus < p_.cpus_wanted || run.nodes < nodes) return false;
    for (std::size_t gres = 0; gres < gres_; ++gres) {
      const std::int64_t left = p_.units_left()[gres];
      if (left > 0 && units_of(run)[gres] < static_cast<std::uint64_t>(left)) return false;
    }
    return true;
  }

  [[nodiscard]] bool replaces(const Run& run, bool sufficient, const Run& best,
                              bool best_sufficient) const {
    const bool required = run.first_required >= 0;
    const bool best_required = best.first_required >= 0;
    if (required && !best_required) return true;
    const bool contiguous = p_.scene.request.contiguous;
    if (contiguous && best_required && !required) return false;
    if (contiguous && sufficient && !best_sufficient) return true;
    if (run.weight != best.weight) return run.weight < best.weight;
    if (contiguous && !sufficient && best_sufficient) return false;
    if (sufficient && !best_sufficient) return true;
    if (sufficient) return run.cpus < best.cpus;
    return run.cpus > best.cpus;  // even if the best is sufficient: the quirk
  }

  Run* find_best() {
    const bool contiguous = p_.scene.request.contiguous;
    Run* best = nullptr;
    bool best_sufficient = false;
    for (Run& run : runs_) {
      if (run.used || (run.nodes == 0 && (run.first_required < 0 || !contiguous))) continue;
      const bool sufficient = is_sufficient(run);
      if (best == nullptr || replaces(run, sufficient, *best, best_sufficient)) {
        best = &run;
        best_sufficient = sufficient;
      }
    }
    return best;
  }

  [[nodiscard]] bool may_be_contiguous(const Run& best) {
    if (!is_sufficient(best)) return false;
    const std::size_t elsewhere =
        static_cast<std::size_t>(std::count_if(runs_.begin(), runs_.end(), [&](const Run& run) {
          return &run != &best && run.first_required >= 0;
        }));
    return elsewhere == 0;
  }

  [[nodiscard]] bool is_free(std::uint32_t offer) const {
    return alive_[offer] != 0 && p_.is_open(offer);
  }

  /// False: stop with this run.
  bool take_one(std::uint32_t offer) {
    if (p_.is_done() || !p_.may_take()) return false;
    if (is_free(offer)) p_.take(offer);
    return true;
  }

  /// The node of least capacity that suffices alone; lowest index on ties.
  bool take_single(const Run& run) {
    std::int64_t best = -1;
    for (std::uint32_t i = run.begin; i < run.end; ++i) {
      if (!is_free(i) || p_.offers.nodes[i].cpus < p_.cpus_wanted || !p_.has_units(i)) continue;
      if (best < 0 ||
          p_.offers.nodes[i].cpus < p_.offers.nodes[static_cast<std::size_t>(best)].cpus) {
        best = i;
      }
    }
    if (best < 0) return false;
    p_.take(static_cast<std::uint32_t>(best));
    return true;
  }

  /// Those of the job's that --gpus alone brings.
  [[nodiscard]] std::int64_t cpus_of_gpus() const {
    const EffectiveRequest& request = p_.scene.request;
    if (!request.per_job_gres || request.overcommit) return 0;
    return std::int64_t{request.min_cpus} - request.spare_cpus - request.asked_cpus;
  }

  void take_from(const Run& run) {
    if (run.first_required >= 0) {
      const auto first = static_cast<std::uint32_t>(run.first_required);
      for (std::uint32_t i = first; i < run.end; ++i) {
        if (!take_one(i)) return;
      }
      for (std::uint32_t i = first; i-- > run.begin;) {
        if (!take_one(i)) return;
      }
      return;
    }
    if (p_.nodes_wanted <= 1 && !p_.wish.linear_sets && take_single(run)) return;
    for (std::uint32_t i = run.begin; i < run.end; ++i) {
      // Those that come with --gpus are not asked of it (scheduling.md §6.5).
      const bool last = p_.nodes_allowed == 1;
      const std::int64_t least = p_.cpus_wanted - cpus_of_gpus();
      if (last && p_.offers.nodes[i].cpus < least) continue;
      if (!take_one(i)) return;
    }
  }

  Progress& p_;
  const Alive& alive_;
  const bool has_required_;
  std::vector<Run> runs_;
  std::size_t gres_ = 0;              // of the request, if any is still wanted
  std::vector<std::uint64_t> units_;  // by run, GRES
};

}  // namespace

bool choose_consecutive(Progress& progress, const Alive& alive) {
  return ConsecutiveFit{progress, alive}.run();
}

/// Sets of neighbours where any nodes of the fewest that could do have the CPUs; else all but
/// those that the rest can do without, the smallest first (scheduling.md §6).
bool choose_linear_sets(Progress& progress, const Alive& alive) {
  std::vector<std::uint32_t> usable;
  for (std::uint32_t i = 0; i < progress.offers.nodes.size(); ++i) {
    if (alive[i] != 0) usable.push_back(i);
  }
  if (usable.empty()) return false;
  const auto cpus_of = [&](std::uint32_t i) { return std::int64_t{progress.offers.nodes[i].cpus}; };
  const auto smaller = [&](std::uint32_t a, std::uint32_t b) { return cpus_of(a) < cpus_of(b); };
  const auto [least, most] = std::minmax_element(usable.begin(), usable.end(), smaller);
  const std::int64_t wanted = progress.cpus_wanted;
  const std::int64_t fewest =
      (wanted + cpus_of(*most) - 1) / std::max(cpus_of(*most), std::int64_t{1});
  const std::int64_t nodes = std::max(progress.nodes_wanted, fewest);
  if (progress.wish.required.any() || wanted <= nodes * cpus_of(*least)) {
    return choose_consecutive(progress, alive);
  }
  std::vector<std::uint32_t> order = usable;
  std::stable_sort(order.begin(), order.end(), smaller);
  std::int64_t cpus = 0;
  for (const std::uint32_t i : usable) cpus += cpus_of(i);
  auto left = static_cast<std::int64_t>(usable.size());
  for (const std::uint32_t i : order) {
    if (cpus - cpus_of(i) < wanted || left <= progress.nodes_wanted) continue;
    cpus -= cpus_of(i);
    --left;
    std::erase(usable, i);
  }
  if (left > progress.nodes_allowed) return false;
  return std::all_of(usable.begin(), usable.end(),
                     [&](std::uint32_t i) { return progress.take(i); }) &&
         progress.is_enough();
}

}  // namespace rehearse
