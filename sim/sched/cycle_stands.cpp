// sim/sched/cycle_stands.cpp — the instants at which parts of a cycle could come out otherwise.
#include "sim/sched/cycle_stands.hpp"

#include "sim/sched/job_tests.hpp"

namespace rehearse {

void CycleStands::with_running(const std::vector<Job*>& running) {
  if (running.empty()) return;
  until(*running.front()->end);
  const SlurmTime latest = now_ + window_;
  const auto beyond = std::partition_point(running.begin(), running.end(),
                                           [&](const Job* job) { return *job->end <= latest; });
  if (beyond != running.end()) until(*(*beyond)->end - window_);
}

void CycleStands::with_search(const FoundSearch& found) {
  until(found.good_before);
  if (found.end == SearchEnd::BeyondWindow) until(found.start - window_);
}

void CycleStands::with_plan(SlurmTime begin, SlurmTime end, SlurmTime map_end) {
  if (begin >= map_end) return until(begin - window_);
  if (end >= map_end) until(end - window_);
}

void CycleStands::with_record(const Job& job, const Cluster& cluster) {
  until(deadline_missed_at(job));
  if (!job.switches_since || job.any_switches) return;
  until(*job.switches_since + switches_wait(job, cluster));
}

}  // namespace rehearse
