// sim/study/forecast/watcher.cpp — the first start of each job counts.
#include "sim/study/forecast/watcher.hpp"

namespace rehearse {

StartWatcher::StartWatcher(const std::vector<Key>& watched, SlurmTime until,
                           const std::atomic<bool>* outer)
    : starts_(watched.size()), left_(watched.size()), until_(until), outer_(outer) {
  for (std::size_t i = 0; i < watched.size(); ++i) positions_.emplace(watched[i], i);
}

void StartWatcher::look(SlurmTime now) {
  const bool wanted = outer_ != nullptr && outer_->load(std::memory_order_relaxed);
  if (left_ == 0 || now > until_ || wanted) stop_.store(true, std::memory_order_relaxed);
}

void StartWatcher::job_submitted(const Job& /*job*/, SlurmTime now) {
  look(now);
}

void StartWatcher::job_started(const Job& job, SlurmTime now) {
  const JobId id = job.array_job != JobId{} ? job.array_job : job.id;
  const auto found = positions_.find({id, job.array_task});
  if (found != positions_.end() && !starts_[found->second] && job.start && *job.start <= until_) {
    starts_[found->second] = job.start;
    --left_;
  }
  look(now);
}

void StartWatcher::job_ended(const Job& /*job*/, bool /*requeued*/, SlurmTime now) {
  look(now);
}

void StartWatcher::priorities_recomputed(const Cluster& /*cluster*/, SlurmTime now) {
  look(now);
}

void StartWatcher::progressed(SlurmTime now, std::size_t /*pending*/, std::size_t /*running*/) {
  look(now);
}

}  // namespace rehearse
