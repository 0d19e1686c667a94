// sim/sched/select/sched_weights.cpp — writing the weights down, and telling when they changed.
#include "sim/sched/select/sched_weights.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "sim/core/bit_runs.hpp"
#include "sim/core/mix.hpp"

namespace rehearse {
namespace {

constexpr std::uint8_t kFresh = 0xff;

}  // namespace

SchedWeights::SchedWeights(const IdVector<NodeId, Node>& nodes, const RequestTable& requests)
    : nodes_(nodes),
      requests_(requests),
      upper_(nodes.size()),
      lower_(nodes.size()),
      known_(nodes.size()),
      fresh_(nodes.size()) {}

/// The node's weight is not known to be that of its configuration any more.
void SchedWeights::set(NodeId node, std::uint64_t weight) {
  const std::uint64_t before = of(node);
  if (before == weight) return;
  ++stamp_;
  if (before >> 8U != weight >> 8U) ++upper_stamp_;
  upper_[node] = weight >> 8U << 8U;
  lower_[index_of(node)] = static_cast<std::uint8_t>(weight);
}

void SchedWeights::forget() {
  for (std::size_t i = 0; i < lower_.size(); ++i) set(id_at<NodeId>(i), 0);
  configuration_changed();
}

void SchedWeights::configuration_changed() {
  known_.reset();
  fresh_.reset();
}

/// After most selections the lower parts alone are others.
void SchedWeights::consider(const NodeSet& nodes, const NodeSet* preferred) {
  if (takers_ > 0) {
    for_each_run(nodes, [&](std::size_t first, std::size_t count) {
      notes_.add_run(static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(count), 0);
    });
  }
  const NodeSet others = nodes - fresh_;
  if (others.none()) {
    if (preferred != nullptr) put_behind(nodes - *preferred);
    return;
  }
  if (others.intersects(known_)) ++stamp_;
  for_each_bit(others - known_, [&](std::size_t i) {
    const NodeId node = id_at<NodeId>(i);
    set(node, fresh(nodes_[node]));
  });
  for_each_run(others, [&](std::size_t first, std::size_t count) {
    std::fill_n(lower_.begin() + static_cast<std::ptrdiff_t>(first), count, kFresh);
  });
  known_ |= others;
  fresh_ |= others;
  if (preferred != nullptr) put_behind(nodes - *preferred);
}

/// Until a selection without that reservation considers them.
void SchedWeights::put_behind(const NodeSet& nodes) {
  for_each_bit(nodes, [&](std::size_t i) {
    const NodeId node = id_at<NodeId>(i);
    set(node, fresh(nodes_[node]) | kOutsideFlex);
  });
  known_ -= nodes;
  fresh_ -= nodes;
}

void SchedWeights::set_near(const NearNotes::Run& run) {
  if (run.count == 0) return;
  const auto lower = static_cast<std::uint8_t>(kFresh - run.near);
  std::uint8_t* const begin = lower_.data() + run.first;
  const bool is_same =
      *begin == lower && std::memcmp(begin, begin + 1, run.count - 1) == 0;  // each as the next
  if (is_same) return;
  ++stamp_;
  std::fill_n(begin, run.count, lower);
  if (lower != kFresh) {
    fresh_.set(run.first, run.count, false);
    return;
  }
  for (std::size_t i = run.first; i < run.first + run.count; ++i) fresh_.set(i, known_.test(i));
}

void SchedWeights::note_near(const NearNotes& notes) {
  for (const NearNotes::Run& run : notes.runs()) set_near(run);
  if (takers_ > 0) notes_.add(notes);
}

std::uint64_t SchedWeights::marks_on(const NodeSet& nodes) const {
  std::uint64_t marks = 0;
  for (std::size_t w = 0; w < nodes.word_count(); ++w) {
    for (std::uint64_t left = nodes.word(w) & ~fresh_.word(w); left != 0; left &= left - 1) {
      const std::size_t i = w * 64 + static_cast<std::size_t>(std::countr_zero(left));
      marks += mixed(i << 8U | lower_[i]);
    }
  }
  return marks;
}

std::uint64_t SchedWeights::seen_by(const Request& request, const NodeSet& nodes) const {
  return mixed(upper_stamp_) + (request.gres.empty() ? marks_on(nodes) : 0);
}

NearNotes SchedWeights::end_notes(std::size_t place) {
  NearNotes since;
  since.add(notes_, place);
  drop_notes();
  return since;
}

}  // namespace rehearse
