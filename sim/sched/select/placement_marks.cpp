// sim/sched/select/placement_marks.cpp — what tests for GRES leave on nodes, for others to go by
// (scheduling.md §5.5).
#include "sim/sched/select/gres_nodes.hpp"
#include "sim/sched/select/marks.hpp"
#include "sim/sched/select/placement.hpp"

namespace rehearse {

/// That others go by.
bool Placement::leaves_marks() const {
  return rehearse::leaves_marks(query_, *request_);
}

/// Near GPUs that the step of all cores would note of a node; none: it would not offer it.
std::optional<std::uint32_t> Placement::near_of_all_cores(const Scene& test, const Node& node) {
  const CoreView all{CoreView::Kind::All, {}, {}, {}, 0};
  if (!may_share_node(node, all)) return std::nullopt;
  const CoreSet cores = free_cores(all, node);
  Offers alone;
  std::uint32_t near = 0;
  Scene whole = test;
  whole.all_cores = true;
  if (cores.none() || !measure_node(whole, node, cores, alone, near)) return std::nullopt;
  return near;
}

/// What a test marks besides the nodes that it is offered (§5.5).
void Placement::mark_held(const Scene& test, const Node& node) {
  if (const auto near = near_of_all_cores(test, node)) offers_.near.add(node.id, *near);
}

void Placement::mark_held_as_last(const Scene& test, const Node& node) {
  OfferMemo::OfAllCores& known = memo_->of_all_cores();
  if (!known.is_known) {
    query_.complete(node.id);
    known = {true, near_of_all_cores(test, node)};
  }
  if (known.near) offers_.near.add(node.id, *known.near);
}

/// Slurm looks at GPUs of nodes only where enough of them have the memory and, whoever holds them,
/// the GRES (scheduling.md §5.5).
bool Placement::are_let_in(const Scene& test, const NodeSet& nodes) const {
  if (request_->gres.empty() || offers_.nodes.size() >= wish_.min_nodes) return true;
  const std::uint64_t of_cpu =
      request_->memory_mode == MemoryMode::PerCpu ? request_->memory_mib : 0;
  std::size_t count = 0;
  for_each_bit(nodes, [&](std::size_t i) {
    const Node& node = context_.nodes[id_at<NodeId>(i)];
    const bool has_memory = memory_there(test, node) && free_memory(test, node) >= of_cpu;
    if (has_memory && has_gres(test, node)) ++count;
  });
  return count >= wish_.min_nodes;
}

}  // namespace rehearse
