// sim/sched/future_ledgers.cpp — the nearest earlier state, and the jobs between it and the one
// asked for.
#include "sim/sched/future_ledgers.hpp"

#include <algorithm>
#include <optional>

#include "sim/cluster/holdings.hpp"
#include "sim/core/check.hpp"

namespace rehearse {
namespace {

/// Windows of an estimate double: a dozen boundaries, for a few first ends.
constexpr std::size_t kMostStates = 48;

}  // namespace

const Ledger& FutureLedgers::without_first(std::size_t gone) {
  REHEARSE_CHECK(gone <= running_.size(), "{} jobs to take out, {} are running", gone,
                 running_.size());
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
  const Ledger& before = nearest ? states_[*nearest].ledger : present_;
  if (&before != &state.ledger) state.ledger = before;
  for (std::size_t i = from; i < gone; ++i) give_back_all(state.ledger, *running_.by_end()[i]);
  state.gone = gone;
  state.asked = asked_;
  return state.ledger;
}

FutureLedgers::State& FutureLedgers::room() {
  if (known_ < states_.size()) return states_[known_++];
  if (states_.size() < kMostStates) {
    ++known_;
    return states_.emplace_back(State{0, 0, present_});
  }
  return *std::min_element(states_.begin(), states_.end(),
                           [](const State& a, const State& b) { return a.asked < b.asked; });
}

}  // namespace rehearse
