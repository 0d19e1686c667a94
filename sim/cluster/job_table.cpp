// sim/cluster/job_table.cpp — records come and go.
#include "sim/cluster/job_table.hpp"

namespace rehearse {

JobTable::JobTable() {
  static const JobSpec nobodys;
  purged_.spec = &nobodys;
  purged_.state = JobState::Completed;
  purged_.end = SlurmTime{};  // long ago
}

Job& JobTable::add() {
  Job& job = *slots_.emplace_back(std::make_unique<Job>());
  job.index = id_at<JobIndex>(slots_.size() - 1);
  ++kept_;
  return job;
}

void JobTable::purge(JobIndex index) {
  std::unique_ptr<Job>& slot = slots_[index_of(index)];
  if (slot == nullptr) return;
  slot.reset();
  --kept_;
  while (first_ < slots_.size() && slots_[first_] == nullptr) ++first_;
}

}  // namespace rehearse
