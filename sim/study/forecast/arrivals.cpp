// sim/study/forecast/arrivals.cpp — stretches of the past, moved into the future user by user.
#include "sim/study/forecast/arrivals.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace rehearse {
namespace {

constexpr std::array<Seconds, 5> kStretches{Seconds{7 * 86400}, Seconds{86400}, Seconds{6 * 3600},
                                            Seconds{3600}, Seconds{600}};

}  // namespace

Arrivals::Arrivals(const LoadedSite& site, SlurmTime at, const RunTimes& run_times)
    : at_(at), run_times_(run_times) {
  std::map<NameId, std::vector<const JobSpec*>> by_user;
  const std::vector<JobSpec>& specs = site.jobs().specs();
  for (const JobSpec& spec : specs) {
    if (whole_second(spec.submit) >= at) break;
    by_user[spec.user].push_back(&spec);
  }
  for (auto& [user, jobs] : by_user) users_.push_back(std::move(jobs));
  if (users_.empty()) return;
  const Seconds recorded = at - whole_second(specs.front().submit);
  for (const Seconds stretch : kStretches) {
    if (recorded < 2 * stretch) continue;
    stretch_ = stretch;
    stretches_ = std::min<std::int64_t>(recorded / stretch, kMost);
    return;
  }
}

JobSpec Arrivals::moved(const JobSpec& spec, Seconds by, std::uint64_t future, Rng& rng) const {
  JobSpec job = spec;
  job.id = JobId{0};
  job.submit += by;
  const auto move = [&](auto& time) {  // an optional one
    if (time) *time += by;
  };
  const auto is_known = [&](const std::optional<SlurmTime>& end) { return end && *end <= at_; };
  const auto settle = [&](const std::optional<SlurmTime>& end, TrueRun& run,
                          CompactOptional<SlurmTime>& cancel) {
    if (cancel && *cancel > at_) cancel.reset();  // not known at the instant
    if (!is_known(end) && !cancel) run = run_times_.draw(spec, Seconds{0}, future, rng).run;
    move(cancel);
  };
  settle(spec.recorded_end, job.run, job.cancel_at);
  move(job.begin);
  job.recorded_start.reset();
  job.recorded_end.reset();
  if (!job.extras) return job;
  job.extras->dependency.clear();
  job.extras->het_leader = JobId{0};
  move(job.extras->deadline);
  for (std::size_t i = 0; i < job.extras->array.size(); ++i) {
    ArrayTask& task = job.extras->array[i];
    task.id = JobId{0};
    settle(spec.extras->array[i].recorded_end, task.run, task.cancel_at);
    task.recorded_start.reset();
    task.recorded_end.reset();
  }
  return job;
}

std::vector<JobSpec> Arrivals::draw(Seconds horizon, std::uint64_t future, Rng& rng) const {
  std::vector<JobSpec> jobs;
  if (stretches_ == 0) return jobs;
  const std::int64_t blocks = (horizon + stretch_ - Seconds{1}) / stretch_;
  for (const std::vector<const JobSpec*>& user : users_) {
    for (std::int64_t block = 0; block < blocks; ++block) {
      const std::int64_t back = rng.between(1, stretches_);
      const Time from{at_ - back * stretch_};
      const Seconds by = (back + block) * stretch_;
      auto job = std::lower_bound(user.begin(), user.end(), from,
                                  [](const JobSpec* a, Time t) { return a->submit < t; });
      for (; job != user.end() && (*job)->submit < from + stretch_; ++job) {
        if (whole_second((*job)->submit + by) >= at_ + horizon) break;
        jobs.push_back(moved(**job, by, future, rng));
      }
    }
  }
  std::stable_sort(jobs.begin(), jobs.end(),
                   [](const JobSpec& a, const JobSpec& b) { return a.submit < b.submit; });
  return jobs;
}

}  // namespace rehearse
