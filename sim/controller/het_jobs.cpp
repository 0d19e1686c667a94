// sim/controller/het_jobs.cpp — the components of a heterogeneous job: who they are, submitted and
// ended together (lifecycle.md §10.2, scheduling.md §11).
#include <algorithm>

#include "sim/controller/controller.hpp"
#include "sim/sched/job_tests.hpp"

namespace rehearse {

std::vector<Job*> Controller::components(Job& job) {
  const auto leader = het_leader(job);
  if (!leader) return {&job};
  std::vector<Job*> all;
  for (const JobIndex index : dependencies_.records_of(*leader)) {
    Job& each = cluster_.jobs[index];
    if (het_leader(each) == leader) all.push_back(&each);
  }
  std::stable_sort(all.begin(), all.end(), [](const Job* a, const Job* b) {
    return a->spec->extras->het_offset < b->spec->extras->het_offset;
  });
  return all;
}

/// Where a recording is forced its runs end when it says. A start that comes to nothing is no
/// activity: what starts so for ever does not keep the run from its end.
void Controller::take_back(Job& job) {
  if (history_ != nullptr || !job.has_started()) return;
  const Time before = last_activity_;
  end_run(job, JobState::Cancelled, Reason::None, AfterEnd::Requeued, true);
  last_activity_ = before;
}

/// The script runs on the nodes of the leader: the others end with it.
bool Controller::follows_leader(Job& job) {
  const auto leader = het_leader(job);
  if (!leader || *leader == job.id) return false;
  const std::vector<Job*> all = components(job);
  return all.front()->id == *leader && all.front()->has_started();
}

/// Of a leader at its time limit those that have not reached theirs are FAILED (0:15).
void Controller::end_followers(Job& leader, const RunEnding& ending) {
  if (het_leader(leader) != leader.id) return;
  for (Job* each : components(leader)) {
    if (!each->has_started()) continue;
    const bool early = ending.state == JobState::Timeout && each->end && *each->end > now();
    const JobState state = early ? JobState::Failed : ending.state;
    const Reason reason = early ? Reason::NonZeroExitCode : ending.reason;
    end_run(*each, state, reason, ending.after, ending.killed);
  }
}

/// Of a job that is refused for one component the others are no more.
void Controller::refuse_components(const Job& refused) {
  const auto leader = het_leader(refused);
  if (!leader) return;
  refused_het_ = *leader;
  for (const JobIndex index : dependencies_.records_of(*leader)) {
    Job& each = cluster_.jobs[index];
    if (het_leader(each) == leader && each.is_pending()) {
      end_pending(each, JobState::Cancelled, Reason::None);
    }
  }
}

}  // namespace rehearse
