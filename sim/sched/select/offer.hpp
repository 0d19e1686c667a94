// sim/sched/select/offer.hpp — what each candidate node could give to a request: the input of the
// choice.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/cluster/core_set.hpp"
#include "sim/cluster/ids.hpp"
#include "sim/cluster/ledger.hpp"
#include "sim/cluster/node.hpp"
#include "sim/cluster/reservation.hpp"
#include "sim/config/site_conf.hpp"
#include "sim/config/slurm_conf.hpp"
#include "sim/sched/select/core_fits.hpp"
#include "sim/sched/select/effective_request.hpp"
#include "sim/sched/select/sched_weights.hpp"

namespace rehearse {

/// One requested GRES on one node (gres.md §3.1). Socket counts are in the arena of Offers.
struct GresOffer {
  std::uint16_t node_gres = 0;   ///< position among the node's GRES
  bool has_topology = false;     ///< as NodeGres has it
  std::uint32_t sockets_at = 0;  ///< first of the node's sockets in Offers::socket_units
  std::uint64_t any_socket = 0;  ///< free units bound to no socket
  std::uint64_t total = 0;       ///< free units in all
  std::uint64_t ceiling = 0;     ///< most units the job may get here
  std::uint64_t pickable = 0;    ///< the same, whatever the CPUs and the memory
  std::uint64_t beside = 0;      ///< free units beside free cores, or unbound
  std::uint64_t near = 0;        ///< of these, what counts: no more than the ceiling
};

/// What a node gives, and others that are made like it and of which the same is held.
struct NodeOffer {
  std::uint32_t cpus = 0;            ///< at most (scheduling.md §6.2)
  std::uint32_t near_cpus = 0;       ///< of them in the first attempt (gres.md §3.2)
  std::uint16_t cpus_per_core = 1;   ///< usable by the job: u
  std::uint16_t memory_cpus = 1;     ///< of a core, that memory by CPU is counted for
  std::uint16_t missing_cpus = 0;    ///< of the last core: memory by CPU counts for whole tasks
  std::uint32_t cores_per_task = 0;  ///< whole ones; 0: tasks share cores (scheduling.md §6.2)
  std::uint32_t gres_at = 0;         ///< first of its GresOffers, one for each GRES of the request
  CoreSet cores;                     ///< that the job may use
  CoreFits* fits = nullptr;  ///< those kept for it, as long as they have its number; null: none
  std::uint64_t number = 0;  ///< by which it is remembered

  /// Null: nothing is kept from choice to choice.
  [[nodiscard]] CoreFits* kept_fits() const {
    return fits != nullptr && fits->offer == number ? fits : nullptr;
  }
};

struct OfferedNode {
  NodeId node{};
  std::uint32_t offer = 0;             ///< position in Offers::offers, which neighbours share
  std::uint32_t cpus = 0;              ///< what counts of the capacity in this attempt
  std::uint32_t capacity = 0;          ///< CPUs, for attempts to come
  std::uint64_t weight = 0;            ///< sched_weight (scheduling.md §5.5)
  std::uint32_t before_cut = 0;        ///< `cpus`, before its cores were cut to those beside GPUs
  std::uint32_t serving = UINT32_MAX;  ///< CPUs for its GPUs, by attempts before (gres.md §3.2)
};

struct Offers {
  std::vector<OfferedNode> nodes;  ///< ascending node index; only nodes that could give something
  std::vector<NodeOffer> offers;
  std::vector<GresOffer> gres;
  std::vector<std::uint32_t> socket_units;  ///< free units by socket
  NearNotes near;                           ///< to be left behind with the nodes

  [[nodiscard]] const NodeOffer& of(const OfferedNode& node) const { return offers[node.offer]; }
  /// Adds a node that gives this one of the offers.
  void add_node(NodeId node, std::uint32_t offer) {
    nodes.push_back({node, offer, offers[offer].near_cpus, offers[offer].cpus, 0});
  }
  void clear() {
    nodes.clear();
    offers.clear();
    gres.clear();
    socket_units.clear();
    near.clear();
  }
};

/// One placement test: all that does not change while nodes are looked at.
struct Scene {
  const IdVector<NodeId, Node>& nodes;
  const Ledger& ledger;
  const EffectiveRequest& request;
  PartitionId partition{};
  ConsumableUnit unit = ConsumableUnit::Core;
  SlurmVersion version;
  std::uint32_t max_nodes = 1;
  bool ignore_use = false;
  bool future = false;
  bool on_copy = false;                ///< the ledger is a copy with jobs taken out
  bool first = false;                  ///< by what the last test left (PlacementQuery::first)
  const NodeSet* preferred = nullptr;  ///< of a FLEX reservation
  SchedWeights* weights = nullptr;     ///< null: fresh ones
  bool is_cons_res = false;            ///< it knows no weights here (§5.5)
  /// Of -O under cons_res and pack_serial_at_end: its tasks have CPUs of their own (§6.7).
  bool has_own_cpus = false;
  const CoresByNode* reserved = nullptr;  ///< cores that reservations keep from the job; null: none
  bool all_cores = false;                 ///< of those that jobs hold, too (§6.3 step 0)
};

/// Cores that reservations keep from the job and no job holds. Under CR_Socket a socket with such
/// cores serves with the others (scheduling.md §9).
[[nodiscard]] CoreSet kept_cores(const Scene& scene, const Node& node);

/// Adds what `node` offers of `cores`; false: nothing that would do.
[[nodiscard]] bool offer_node(const Scene& scene, const Node& node, const CoreSet& cores,
                              Offers& offers);
/// The same without the weight, which `near` is for: GPUs beside the cores, 0 to 255.
[[nodiscard]] bool measure_node(const Scene& scene, const Node& node, const CoreSet& cores,
                                Offers& offers, std::uint32_t& near);
/// What a node weighs more than by its configuration: to be powered up, or outside `preferred`, as
/// a member of a FLEX reservation takes its nodes first (scheduling.md §5.5).
[[nodiscard]] inline std::uint64_t late_weight(const Node& node, const NodeSet* preferred) {
  const bool is_outside = preferred != nullptr && !preferred->test(index_of(node.id));
  return (is_outside ? SchedWeights::kOutsideFlex : 0) +
         (node.state.powered_down ? SchedWeights::kPowersUp : 0);
}
/// Gives the last offer, which is the node's, its weight: that of the last selection that
/// considered the node, but for the near GPUs of this request (scheduling.md §5.5).
inline void weigh_last(const Scene& scene, const Node& node, std::uint32_t near, Offers& offers) {
  const SchedWeights* left = scene.weights;
  const bool counts_gpus = !scene.request.gres.empty();
  std::uint64_t& weight = offers.nodes.back().weight;
  if (left == nullptr) {
    weight = SchedWeights::fresh(node) - (counts_gpus ? near : 0);
  } else if (counts_gpus) {
    offers.near.add(node.id, near);
    weight = left->with_near(node.id, near);
  } else {
    weight = left->of(node.id);
  }
  weight = scene.is_cons_res ? 0 : weight | late_weight(node, scene.preferred);
}

/// Fills `offer` with CPUs and withdraws cores that do not count; false: not enough
/// (scheduling.md §6.2).
[[nodiscard]] bool measure_cpus(const Scene& scene, const Node& node, NodeOffer& offer);

/// True of tasks that bring GPUs, of a number of CPUs that is not one of whole cores: one may go
/// with what is too much of a node, and of a node with more cores sooner (gres.md §3.2). And of
/// --gpus on no more than so many nodes: which of them are small goes by their cores.
[[nodiscard]] bool tests_all_cores_first(const EffectiveRequest& request,
                                         const IdVector<NodeId, Node>& nodes);

/// True where tasks leave threads of their cores idle (CR_ONE_TASK_PER_CORE), for which the node
/// counts beside its GPUs all the same (gres.md §3.2).
[[nodiscard]] bool counts_idle_threads(const EffectiveRequest& request, const Node& node,
                                       const NodeOffer& offer);

/// True where they may, and a choice of nodes need have no layout.
[[nodiscard]] bool may_lack_cores(const EffectiveRequest& request,
                                  const IdVector<NodeId, Node>& nodes);

/// Cores of a task that has them for itself and needs more than one (scheduling.md §6.2); 0: tasks
/// share cores. `cpus_per_core`: usable ones.
[[nodiscard]] std::uint32_t cores_per_task(const EffectiveRequest& request,
                                           std::uint32_t cpus_per_core);

/// False: the node has less free memory than the job wants of each.
[[nodiscard]] bool memory_there(const Scene& scene, const Node& node);
/// Free memory for a new job [MiB].
[[nodiscard]] std::uint64_t free_memory(const Scene& scene, const Node& node);

/// True if some of its GRES bring CPUs (--cpus-per-gpu, DefCpuPerGPU).
[[nodiscard]] bool brings_cpus(const EffectiveRequest& request);
/// … that are the job's alone (gres.md §2.3).
[[nodiscard]] bool has_cpus_for_job_alone(const EffectiveRequest& request);

/// CPUs that cores of `node` are worth to the request, and those that memory by CPU is counted for
/// (scheduling.md §6.1).
[[nodiscard]] std::uint16_t usable_cpus_per_core(const EffectiveRequest& request, const Node& node);
/// Does the user say how many threads of a core tasks have, of a job whose GPUs bring CPUs? These
/// are held against all threads of the cores (gres.md §3.3).
[[nodiscard]] bool counts_all_threads(const EffectiveRequest& request);
/// CPUs of a core where those that GPUs bring are held against cores.
[[nodiscard]] std::uint32_t gpus_cpus_per_core(const EffectiveRequest& request, const Node& node,
                                               const NodeOffer& offer);
[[nodiscard]] std::uint16_t memory_cpus_per_core(const EffectiveRequest& request, const Node& node);

}  // namespace rehearse
