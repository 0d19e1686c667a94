// sim/sched/last_cycle.cpp — searches of two cycles beside each other, plan by plan.
#include "sim/sched/last_cycle.hpp"

#include <utility>

namespace rehearse {

void LastCycle::begin(bool comparable, std::uint64_t state, const NodeSet& usable, SlurmTime end) {
  std::swap(last_, present_);
  agrees_ = keeps_ && comparable && last_.state == state && last_.usable == usable;
  keeps_ = comparable;
  plans_ = next_ = 0;
  present_.found.clear();
  present_.plans.clear();
  if (!comparable) return;
  present_.state = state;
  present_.usable = usable;
  present_.end = end;
  if (!agrees_) return;
  for (std::size_t i = last_.found.size(); i > 0; --i) {
    const std::size_t job = index_of(last_.found[i - 1].inputs.job);
    if (job >= first_of_.size()) first_of_.resize(job + 1);
    first_of_[job] = static_cast<std::uint32_t>(i - 1);
  }
}

void LastCycle::spoil() {
  agrees_ = keeps_ = false;
}

const FoundSearch* LastCycle::find(const SearchInputs& inputs, SlurmTime now,
                                   SlurmTime latest_plan) {
  if (!agrees_) return nullptr;
  std::size_t at = next_;
  if (at >= last_.found.size() || last_.found[at].inputs.job != inputs.job) {
    const std::size_t job = index_of(inputs.job);
    if (job >= first_of_.size()) return nullptr;
    at = first_of_[job];
  }
  if (at >= last_.found.size()) return nullptr;
  const FoundSearch& found = last_.found[at];
  if (found.inputs != inputs || found.plans_before != plans_) return nullptr;
  if (now >= found.good_before) return nullptr;
  if (found.end == SearchEnd::BeyondWindow && found.start <= latest_plan) return nullptr;
  next_ = at + 1;
  return &found;
}

void LastCycle::keep(FoundSearch found) {
  found.plans_before = plans_;
  present_.found.push_back(std::move(found));
}

void LastCycle::planned(SlurmTime begin, SlurmTime end, const NodeSet& nodes) {
  if (!keeps_) return;
  present_.plans.push_back({begin, end, nodes, begin < present_.end, end < present_.end});
  agrees_ = agrees_ && plans_ < last_.plans.size() && present_.plans.back() == last_.plans[plans_];
  ++plans_;
}

}  // namespace rehearse
