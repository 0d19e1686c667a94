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

/// Of the node's jobs those that have left by then, in the order of their ends.
template <typename Use>
void FutureLedgers::State::for_each_gone(NodeId node, Use use) const {
  const Job* stays = gone_ < running_->size() ? running_->by_end()[gone_] : nullptr;  // the first
  for (const RunningJobs::Resident& each : running_->on(node)) {
    if (stays != nullptr && !ends_before(*each.job, *stays)) break;
    use(*each.job, *each.share);
  }
}

void FutureLedgers::State::outline(const NodeSet& nodes) {
  if (nodes.is_subset_of(outlined_)) return;
  const bool adds_up = !present_->counts_cores();  // contents are sums of what jobs hold
  for_each_bit(nodes, [&](std::size_t n) {
    if (outlined_.test(n)) return;
    const auto node = id_at<NodeId>(n);
    if (!adds_up) return complete(node);
    std::size_t gone = 0;
    for_each_gone(node, [&](const Job&, const NodeShare&) { ++gone; });
    ledger_.set_content(node, all_->looks_of(node).without[gone]);
  });
  outlined_ |= nodes;
}

void FutureLedgers::State::complete(NodeId node) const {
  const std::size_t n = index_of(node);
  if (completed_.test(n)) return;
  completed_.set(n);
  ledger_.copy_node(*present_, node);
  for_each_gone(
      node, [&](const Job& job, const NodeShare& share) { give_back_all_of(ledger_, job, share); });
}

const FutureLedgers::Looks& FutureLedgers::looks_of(NodeId node) {
  if (looks_.empty()) looks_.resize(present_.idle().size());
  Looks& looks = looks_[index_of(node)];
  const NodeContent& present = present_.content(node);
  const std::uint64_t jobs = running_.look_of(node);
  if (!looks.without.empty() && looks.present == present && looks.jobs == jobs) return looks;
  looks.present = present;
  looks.jobs = jobs;
  looks.without.assign(1, present);
  for (const RunningJobs::Resident& each : running_.on(node)) {
    NodeContent left = looks.without.back();
    looks.without.push_back(left -= content_of(present_, *each.job, *each.share));
  }
  return looks;
}

const LedgerOutline& FutureLedgers::without_first(std::size_t gone, const NodeSet& nodes) {
  REHEARSE_CHECK(gone <= running_.size(), "{} jobs to take out, {} are running", gone,
                 running_.size());
  State& state = state_of(gone);
  state.outline(nodes);
  return state;
}

FutureLedgers::State& FutureLedgers::state_of(std::size_t gone) {
  const auto end = states_.begin() + static_cast<std::ptrdiff_t>(known_);
  const auto found =
      std::find_if(states_.begin(), end, [&](const auto& state) { return state->gone_ == gone; });
  State& state = found != end ? **found : room();
  if (found == end) {
    state.gone_ = gone;
    state.outlined_ = NodeSet(present_.idle().size());
    state.completed_ = state.outlined_;
  }
  state.asked_ = ++asked_;
  return state;
}

FutureLedgers::State& FutureLedgers::room() {
  if (known_ < states_.size()) return *states_[known_++];
  if (states_.size() < kMostStates) {
    ++known_;
    return *states_.emplace_back(std::make_unique<State>(*this));
  }
  return **std::min_element(states_.begin(), states_.end(),
                            [](const auto& a, const auto& b) { return a->asked_ < b->asked_; });
}

}  // namespace rehearse
