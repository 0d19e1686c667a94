// sim/sched/future_ledgers.cpp — the nearest earlier state, and the jobs between it and the one
// asked for.
#include "sim/sched/future_ledgers.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "sim/cluster/holdings.hpp"
#include "sim/core/check.hpp"

namespace rehearse {
namespace {

/// Windows of an estimate double: a dozen boundaries, for a few first ends.
constexpr std::size_t kMostStates = 48;

}  // namespace

/// Which nodes have changed since the ledgers that are kept were made.
void FutureLedgers::see_present() {
  if (std::exchange(is_seen_, true)) return;
  const NodeSet changed = watch_.changed(present_);
  for (State& state : states_) state.others |= changed;
}

const Ledger& FutureLedgers::without_first(std::size_t gone) {
  REHEARSE_CHECK(gone <= running_.size(), "{} jobs to take out, {} are running", gone,
                 running_.size());
  see_present();
  ++asked_;
  std::optional<std::size_t> nearest;  // the last state before the one asked for
  for (std::size_t i = 0; i < known_; ++i) {
    if (states_[i].gone == gone) {
      states_[i].asked = asked_;
      return states_[i].ledger;
    }
    const bool is_before = states_[i].gone < gone;
    if (is_before && (!nearest || states_[i].gone > states_[*nearest].gone)) nearest = i;
  }
  const std::size_t from = nearest ? states_[*nearest].gone : 0;
  State& state = room();  // may be the nearest itself
  if (!nearest) {
    state.ledger.copy_nodes(present_, state.others);
    state.others.reset();
  } else if (const State& before = states_[*nearest]; &before != &state) {
    state.others |= before.others;
    state.ledger.copy_nodes(before.ledger, state.others);
    state.others = before.others;
  }
  for (std::size_t i = from; i < gone; ++i) {
    const Job& job = *running_.by_end()[i];
    give_back_all(state.ledger, job);
    for (const NodeShare& share : job.allocation.nodes) state.others.set(index_of(share.node));
  }
  state.gone = gone;
  state.asked = asked_;
  return state.ledger;
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
