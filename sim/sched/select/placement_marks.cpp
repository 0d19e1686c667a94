// sim/sched/select/placement_marks.cpp — what tests for GRES leave on nodes, for others to go by
// (scheduling.md §5.5).
#include "sim/sched/select/gres_nodes.hpp"
#include "sim/sched/select/placement.hpp"

namespace rehearse {

/// That others go by.
bool Placement::leaves_marks() const {
  return query_.weights != nullptr && query_.weights->is_marked_by(!request_->gres.empty());
}

void Placement::offer_all_cores(const NodeSet& nodes) {
  const Scene test = scene();
  const CoreView all{CoreView::Kind::All, {}, {}, {}, 0};
  offers_.clear();
  for_each_bit(nodes,
               [&](std::size_t i) { (void)offer(test, all, context_.nodes[id_at<NodeId>(i)]); });
}

void Placement::mark_unable(const NodeSet& nodes) {
  if (nodes.none()) return;
  offer_all_cores(nodes & prepared_.configured);
  query_.weights->note_near(offers_.near);
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
