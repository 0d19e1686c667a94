// sim/sched/select/sched_weights.cpp — writing the weights down, and telling when they changed.
#include "sim/sched/select/sched_weights.hpp"

namespace rehearse {

SchedWeights::SchedWeights(const IdVector<NodeId, Node>& nodes)
    : nodes_(nodes), fresh_(nodes.size()) {
  for (std::size_t i = 0; i < nodes.size(); ++i) left_.push_back(0);
}

void SchedWeights::set(NodeId node, std::uint64_t weight) {
  if (left_[node] == weight) return;
  ++stamp_;
  if (left_[node] >> 8U != weight >> 8U) ++upper_stamp_;
  left_[node] = weight;
  fresh_.reset(index_of(node));
}

void SchedWeights::forget() {
  for (std::size_t i = 0; i < left_.size(); ++i) set(id_at<NodeId>(i), 0);
}

void SchedWeights::consider(const NodeSet& nodes) {
  const NodeSet others = nodes - fresh_;
  for_each_bit(others, [&](std::size_t i) {
    const NodeId node = id_at<NodeId>(i);
    set(node, fresh(nodes_[node]));
  });
  fresh_ |= others;
}

void SchedWeights::note_near(NodeId node, std::uint32_t near) {
  set(node, left_[node] >> 8U << 8U | (0xffU - near));
  if (takers_ > 0) notes_.emplace_back(node, near);
}

SchedWeights::Notes SchedWeights::end_notes(std::size_t place) {
  Notes since(notes_.begin() + static_cast<std::ptrdiff_t>(place), notes_.end());
  if (--takers_ == 0) notes_.clear();
  return since;
}

void SchedWeights::repeat(const Notes& notes) {
  for (const auto& [node, near] : notes) set(node, left_[node] >> 8U << 8U | (0xffU - near));
}

}  // namespace rehearse
