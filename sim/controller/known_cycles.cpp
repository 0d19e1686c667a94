// sim/controller/known_cycles.cpp — which recorded cycle the present one is, and where it stands.
#include "sim/controller/known_cycles.hpp"

#include <algorithm>
#include <map>

#include "sim/sched/job_tests.hpp"

namespace rehearse {
namespace {

/// With which the cycle tested the records of the job first; 0: none.
std::uint32_t first_priority(const KnownCycle& cycle, JobId id) {
  const auto first = std::find_if(cycle.tries.begin(), cycle.tries.end(),
                                  [&](const KnownCycle::Tried& each) { return each.job == id; });
  return first != cycle.tries.end() ? first->priority : 0;
}

}  // namespace

void KnownCycles::began(Time now) {
  constexpr Duration kSame{100'000};  // the begin is logged a little after it is told
  const auto known =
      std::lower_bound(known_.begin(), known_.end(), now - kSame,
                       [](const KnownCycle& cycle, Time at) { return cycle.began < at; });
  present_ = known != known_.end() && known->began <= now + kSame ? &*known : nullptr;
  asked_ = sleeps_ = 0;
}

std::optional<Time> KnownCycles::tried(const Job& job, std::uint32_t tries) {
  if (present_ == nullptr || present_->tries.empty()) return std::nullopt;
  const std::vector<KnownCycle::Tried>& all = present_->tries;
  // They start after the last try, which has taken some hundredths of a second of fast time.
  if (het_leader(job)) return all.back().at + Duration{10'000};
  const auto from = all.begin() + static_cast<std::ptrdiff_t>(asked_);
  const auto here = std::find_if(from, all.end(), [&](const KnownCycle::Tried& each) {
    return each.job == job.id || (job.array_job != JobId{} && each.job == job.array_job);
  });
  if (here != all.end()) {
    asked_ = static_cast<std::size_t>(here - all.begin()) + 1;
    return here->at;
  }
  return all[std::clamp<std::size_t>(tries, 1, all.size()) - 1].at;
}

std::uint32_t KnownCycles::priority_of(JobId id) const {
  return present_ == nullptr ? 0 : first_priority(*present_, id);
}

std::uint32_t KnownCycles::priority_to_come(JobId id, Time now, Time end) const {
  auto cycle = std::upper_bound(known_.begin(), known_.end(), now,
                                [](Time at, const KnownCycle& each) { return at < each.began; });
  for (; cycle != known_.end() && cycle->began < end; ++cycle) {
    if (const std::uint32_t told = first_priority(*cycle, id); told > 0) return told;
  }
  return 0;
}

const KnownCycle::Slept* KnownCycles::next_sleep() const {
  if (present_ == nullptr || sleeps_ >= present_->sleeps.size()) return nullptr;
  return &present_->sleeps[sleeps_];
}

std::vector<KnownCycle::Slept> KnownCycles::ticks() const {
  std::vector<KnownCycle::Slept> ticks;
  if (present_ == nullptr || !present_->sleeps.empty()) return ticks;
  std::map<JobId, std::size_t> records;  // a job of several partitions has as many
  const std::vector<KnownCycle::Tried>& tries = present_->tries;
  for (std::size_t i = 0; i < tries.size(); ++i) {
    if (i == 0 || tries[i].job != tries[i - 1].job) ++records[tries[i].job];
  }
  JobId last{};
  SlurmTime second = whole_second(present_->began);
  for (const KnownCycle::Tried& tried : tries) {
    const bool told = last == JobId{} || (tried.job != last && records[last] == 1);
    if (whole_second(tried.at) > second && told) {
      ticks.push_back({last, tried.at});
      second = whole_second(tried.at);
    }
    last = tried.job;
  }
  return ticks;
}

}  // namespace rehearse
