// sim/sched/future_ledgers.cpp — the nearest earlier state, and the jobs between it and the one
// asked for.
#include "sim/sched/future_ledgers.hpp"

#include <algorithm>
#include <span>

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
  const State* nearest = nullptr;
  for (State& state : std::span(states_).first(known_)) {
    if (state.gone == gone) {
      state.asked = asked_;
      return state.ledger;
    }
    if (state.gone < gone && (nearest == nullptr || state.gone > nearest->gone)) nearest = &state;
  }
  const std::size_t from = nearest == nullptr ? 0 : nearest->gone;
  const std::size_t source =
      nearest == nullptr ? 0 : static_cast<std::size_t>(nearest - states_.data());
  const bool from_present = nearest == nullptr;
  State& state = room();
  const Ledger& before = from_present ? present_ : states_[source].ledger;
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
