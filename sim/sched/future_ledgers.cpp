// sim/sched/future_ledgers.cpp — a node as it is now, less those of its jobs that are gone.
#include "sim/sched/future_ledgers.hpp"

#include <algorithm>

#include "sim/cluster/holdings.hpp"
#include "sim/core/check.hpp"

namespace rehearse {
namespace {

/// Windows of an estimate double: a dozen boundaries, for a few first ends.
constexpr std::size_t kMostStates = 48;

}  // namespace

const Ledger& FutureLedgers::without_first(std::size_t gone, const NodeSet& nodes) {
  REHEARSE_CHECK(gone <= running_.size(), "{} jobs to take out, {} are running", gone,
                 running_.size());
  State& state = state_of(gone);
  if (nodes.is_subset_of(state.made_up)) return state.ledger;
  const Job* stays = gone < running_.size() ? running_.by_end()[gone] : nullptr;  // the first
  for_each_bit(nodes, [&](std::size_t n) {
    if (state.made_up.test(n)) return;
    const auto node = id_at<NodeId>(n);
    state.ledger.copy_node(present_, node);
    for (const RunningJobs::Resident& each : running_.on(node)) {
      if (stays != nullptr && !ends_before(*each.job, *stays)) break;
      give_back_all_of(state.ledger, *each.job, *each.share);
    }
  });
  state.made_up |= nodes;
  return state.ledger;
}

FutureLedgers::State& FutureLedgers::state_of(std::size_t gone) {
  const auto end = states_.begin() + static_cast<std::ptrdiff_t>(known_);
  const auto found =
      std::find_if(states_.begin(), end, [&](const State& state) { return state.gone == gone; });
  State& state = found != end ? *found : room();
  if (found == end) {
    state.gone = gone;
    state.made_up.reset();
  }
  state.asked = ++asked_;
  return state;
}

FutureLedgers::State& FutureLedgers::room() {
  if (known_ < states_.size()) return states_[known_++];
  if (states_.size() < kMostStates) {
    ++known_;
    return states_.emplace_back(State{0, 0, present_, NodeSet(present_.idle().size())});
  }
  return *std::min_element(states_.begin(), states_.end(),
                           [](const State& a, const State& b) { return a.asked < b.asked; });
}

}  // namespace rehearse
