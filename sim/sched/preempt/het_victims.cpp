// sim/sched/preempt/het_victims.cpp — a heterogeneous victim is judged by all of its components and
// goes whole (preemption.md §2) [V].
#include <algorithm>

#include "sim/sched/job_tests.hpp"
#include "sim/sched/preempt/preemption.hpp"

namespace rehearse {
namespace {

/// Higher is milder.
int mildness(PreemptMode mode) {
  switch (mode) {
    case PreemptMode::Suspend:
      return 3;
    case PreemptMode::Requeue:
      return 2;
    case PreemptMode::Cancel:
      return 1;
    case PreemptMode::Off:
      break;
  }
  return 0;
}

}  // namespace

/// The job, or the components of it that run: the victim first.
std::vector<Job*> Preemption::parts_of(Job& victim) const {
  std::vector<Job*> parts{&victim};
  const auto leader = het_leader(victim);
  if (!leader) return parts;
  for (Job* other : running_.by_end()) {
    if (other != &victim && het_leader(*other) == leader) parts.push_back(other);
  }
  return parts;
}

PreemptMode Preemption::mode_of(const Job& victim) const {
  PreemptMode mildest = plugin_->mode_of(victim);
  const auto leader = het_leader(victim);
  if (!leader) return mildest;
  for (const Job* other : running_.by_end()) {
    if (het_leader(*other) != leader) continue;
    const PreemptMode mode = plugin_->mode_of(*other);
    if (mildness(mode) > mildness(mildest)) mildest = mode;
  }
  return mildest;
}

bool Preemption::uses(const Job& victim, const NodeSet& nodes) const {
  if (victim.allocated_nodes.intersects(nodes)) return true;
  const auto leader = het_leader(victim);
  return leader &&
         std::any_of(running_.by_end().begin(), running_.by_end().end(), [&](const Job* other) {
           return het_leader(*other) == leader && other->allocated_nodes.intersects(nodes);
         });
}

}  // namespace rehearse
