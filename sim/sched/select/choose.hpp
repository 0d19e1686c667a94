// sim/sched/select/choose.hpp — from what nodes offer to the nodes taken (scheduling.md §6.4).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/cluster/topology.hpp"
#include "sim/sched/select/gres_cores.hpp"
#include "sim/sched/select/offer.hpp"

namespace rehearse {

/// How many nodes, and by which order.
struct Wish {
  std::uint32_t min_nodes = 1;
  std::uint32_t max_nodes = 1;
  std::uint32_t req_nodes = 1;            ///< wanted
  NodeSet required;                       ///< -w; empty: none
  const NodeSet* without_jobs = nullptr;  ///< bf_busy_nodes applies: other nodes come first
  bool serial_at_end = false;             ///< pack_serial_at_end applies
  const Topology* topology = nullptr;     ///< topology/tree applies
  bool in_order = false;                  ///< select/linear now: no search for neighbours
  bool weighs = true;        ///< false: select/linear's estimate, which knows no weights
  bool linear_sets = false;  ///< select/linear's sets of neighbours: where jobs may preempt
};

struct TakenNode {
  std::uint32_t offer = 0;  ///< position in Offers::nodes
  std::uint32_t cpus = 0;   ///< CPUs taken, at most the capacity
  CoreSet cores;            ///< where they may be
  /// That its GPUs are for, of a job that has CPUs of GPUs that its tasks do not know (gres.md
  /// §2.3), or whose tasks leave threads idle (§3.2).
  std::uint64_t tasks = UINT64_MAX;
  bool gives_the_least = false;  ///< nothing was left for it beside nodes that must follow
};

using Alive = std::vector<std::uint8_t>;  ///< by offered node: 1 if it may still be chosen

/// The bookkeeping of one attempt: what is still missing (scheduling.md §6.5).
class Progress {
 public:
  Progress(const Scene& scene, Offers& offers, const Wish& wish, bool first_attempt);

  /// What stands beside its GRES is all that the node offers from now on, in later attempts too
  /// where GPUs bring CPUs. If that does not suffice, it is passed over in this attempt.
  CoreFit settle(std::uint32_t offer) {
    OfferedNode& node = offers.nodes[offer];
    if (!settled_.is_of(node)) return settle_anew(offer);
    node = settled_.after(node);
    if (settled_.fit != CoreFit::Enough) open_[offer] = 0;
    return settled_.fit;
  }
  /// Takes the node; false: it gives nothing in this attempt, and is passed over from now on.
  bool take(std::uint32_t offer);
  /// What may still be taken is less by the core or socket of which the last node gives a part.
  void count_whole_unit();
  /// Each node gives all that it has, so that tasks are dealt alike.
  void take_all() { budget_ = INT32_MAX; }

  [[nodiscard]] bool is_done() const { return nodes_wanted <= 0 && covered(); }
  /// At the end the minimum of nodes is enough.
  [[nodiscard]] bool is_enough() const { return nodes_least <= 0 && covered(); }
  [[nodiscard]] bool may_take() const { return nodes_allowed > 0; }
  [[nodiscard]] bool is_open(std::uint32_t offer) const { return open_[offer] != 0; }
  /// Gives back taken nodes, from the first on, that the rest can do without; -w ones stay.
  void drop_surplus();
  /// Units of each --gpus GRES still missing; the sums of nodes are compared with it.
  [[nodiscard]] const std::vector<std::int64_t>& units_left() const { return units_left_; }
  [[nodiscard]] bool gres_covered() const;
  /// What a node counts for one GRES in this attempt.
  [[nodiscard]] std::uint64_t units_of(std::uint32_t offer, std::size_t gres) const;
  /// True if the node alone gives all GRES that are missing.
  [[nodiscard]] bool has_units(std::uint32_t offer) const;

  std::int64_t nodes_wanted = 0;   ///< R
  std::int64_t nodes_least = 0;    ///< r
  std::int64_t nodes_allowed = 0;  ///< X
  std::int64_t cpus_wanted = 0;    ///< C
  std::vector<TakenNode> taken;    ///< in the order of taking

  const Scene& scene;
  Offers& offers;
  const Wish& wish;

 private:
  /// What settling the last node came to: neighbours often offer the same.
  struct Settled {
    OfferedNode before, result;
    CoreFit fit = CoreFit::TooFew;
    bool is_known = false;

    [[nodiscard]] bool is_of(const OfferedNode& node) const {
      return is_known && node.offer == before.offer && node.cpus == before.cpus &&
             node.capacity == before.capacity && node.before_cut == before.before_cut &&
             node.serving == before.serving;
    }
    [[nodiscard]] OfferedNode after(const OfferedNode& node) const {
      OfferedNode settled = result;
      settled.node = node.node;
      settled.offer = node.offer;
      settled.weight = node.weight;
      return settled;
    }
  };
  CoreFit settle_anew(std::uint32_t offer);
  CoreFit fit_devices(OfferedNode& node);
  [[nodiscard]] bool cuts_for_good(const OfferedNode& node) const;
  [[nodiscard]] bool serves_no_more(const OfferedNode& node, std::uint32_t left) const;

  [[nodiscard]] bool covered() const { return cpus_wanted <= 0 && gres_covered(); }
  /// That the job still wants and the node may give: some are kept for nodes that must follow.
  [[nodiscard]] std::int64_t cpus_left_for(const OfferedNode& node) const;
  /// Of a core; where sockets are counted, of one.
  [[nodiscard]] std::int64_t cpus_of_unit(const OfferedNode& node) const;
  [[nodiscard]] std::uint32_t cpus_to_use(const OfferedNode& node, std::uint32_t capacity,
                                          const std::vector<std::uint64_t>& units) const;

  [[nodiscard]] std::int64_t cpus_of_units(const std::vector<std::uint64_t>& units) const;
  [[nodiscard]] std::uint32_t cpus_that_count(const TakenNode& node) const;
  [[nodiscard]] std::uint32_t counted_cpus(const OfferedNode& node, const CoreSet& cores) const;
  [[nodiscard]] std::uint32_t cpus_of(const OfferedNode& node, const CoreSet& cores) const;
  [[nodiscard]] std::uint32_t cpus_of_tasks(std::uint32_t at) const;
  [[nodiscard]] std::uint32_t cpus_that_fit(const OfferedNode& node, const CoreSet& cores) const;
  /// What the cores beside its devices come to with as many CPUs as it has now.
  [[nodiscard]] const FittedCores& fitted(const OfferedNode& node);

  Settled settled_;
  bool first_;
  bool ties_cpus_ = false;   // to GPUs
  std::int64_t budget_ = 0;  // B
  std::vector<std::int64_t> units_left_;
  std::vector<std::uint64_t> units_;  // of the node being taken
  std::vector<FittedCores> fitted_;   // by offer, of those that nobody keeps; empty: none yet
  Alive open_;                        // neither taken nor passed over
};

// The orders, each for one attempt over the nodes that are alive. True: the job fits.
[[nodiscard]] bool choose_consecutive(Progress& progress, const Alive& alive);
[[nodiscard]] bool choose_spread(Progress& progress, const Alive& alive);
[[nodiscard]] bool choose_busy_first(Progress& progress, const Alive& alive);
[[nodiscard]] bool choose_least_loaded(Progress& progress, const Alive& alive);
[[nodiscard]] bool choose_serial_at_end(Progress& progress, const Alive& alive);
[[nodiscard]] bool choose_in_order(Progress& progress, const Alive& alive);
[[nodiscard]] bool choose_by_topology(Progress& progress, const Alive& alive);
[[nodiscard]] bool choose_by_linear_tree(Progress& progress, const Alive& alive);
[[nodiscard]] bool choose_linear_sets(Progress& progress, const Alive& alive);

/// Takes the required nodes, in index order; false: one of them cannot be taken.
[[nodiscard]] bool take_required(Progress& progress, const Alive& alive);

/// All attempts (scheduling.md §6.4, gres.md §3.2): near devices, then any, then without the
/// smallest nodes. Empty: does not fit. In ascending node order. A node that was taken offers no
/// more CPUs afterwards than the job was to have of it.
[[nodiscard]] std::vector<TakenNode> choose_nodes(const Scene& scene, Offers& offers,
                                                  const Wish& wish);

}  // namespace rehearse
