// sim/sched/select/sched_weights.cpp — writing the weights down, and telling when they changed.
#include "sim/sched/select/sched_weights.hpp"

namespace rehearse {
namespace {

std::uint64_t with_near(std::uint64_t weight, std::uint32_t near) {
  return weight >> 8U << 8U | (0xffU - near);
}

}  // namespace

SchedWeights::SchedWeights(const IdVector<NodeId, Node>& nodes)
    : nodes_(nodes), fresh_(nodes.size()), noted_(nodes.size()) {
  for (std::size_t i = 0; i < nodes.size(); ++i) left_.push_back(0);
}

void SchedWeights::set(NodeId node, std::uint64_t weight) {
  const std::uint64_t before = of(node);
  if (before == weight) return;
  ++stamp_;
  const bool keeps_upper = before >> 8U == weight >> 8U;
  if (!keeps_upper) ++upper_stamp_;
  left_[node] = weight;
  const std::size_t i = index_of(node);
  const bool is_known = keeps_upper && (fresh_.test(i) || noted_.test(i));
  fresh_.set(i, is_known && (weight & 0xffU) == 0xffU);
  noted_.set(i, is_known && !fresh_.test(i));
}

void SchedWeights::forget() {
  for (std::size_t i = 0; i < left_.size(); ++i) set(id_at<NodeId>(i), 0);
  noted_.reset();
}

void SchedWeights::configuration_changed() {
  for_each_bit(fresh_, [&](std::size_t i) { left_[id_at<NodeId>(i)] |= 0xffU; });
  fresh_.reset();
  noted_.reset();
}

/// After most selections a few words tell: the lower parts go, of all nodes at once.
void SchedWeights::consider(const NodeSet& nodes) {
  const NodeSet others = nodes - fresh_;
  if (others.none()) return;
  if (others.intersects(noted_)) ++stamp_;
  for_each_bit(others - noted_, [&](std::size_t i) {
    const NodeId node = id_at<NodeId>(i);
    set(node, fresh(nodes_[node]));
  });
  fresh_ |= others;
  noted_ -= others;
}

void SchedWeights::note_near(NodeId node, std::uint32_t near) {
  set(node, with_near(of(node), near));
  if (takers_ > 0) notes_.emplace_back(node, near);
}

SchedWeights::Notes SchedWeights::end_notes(std::size_t place) {
  Notes since(notes_.begin() + static_cast<std::ptrdiff_t>(place), notes_.end());
  if (--takers_ == 0) notes_.clear();
  return since;
}

void SchedWeights::repeat(const Notes& notes) {
  for (const auto& [node, near] : notes) set(node, with_near(of(node), near));
}

}  // namespace rehearse
