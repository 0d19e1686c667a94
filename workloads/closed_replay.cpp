// workloads/closed_replay.cpp — what is due in a heap, what waits beside what it waits for.
#include "workloads/closed_replay.hpp"

#include <algorithm>

namespace rehearse {
namespace {

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// The second parts of the pairs that begin with `of`.
std::vector<std::uint32_t> beside(const Pairs& pairs, std::uint32_t of) {
  std::vector<std::uint32_t> found;
  for (auto at = std::lower_bound(pairs.begin(), pairs.end(), std::pair(of, std::uint32_t{0}));
       at != pairs.end() && at->first == of; ++at) {
    found.push_back(at->second);
  }
  return found;
}

/// The job as it is when it is submitted then.
void submit_at(JobSpec& spec, Time submit) {
  const Seconds by = whole_second(submit) - whole_second(spec.submit);
  const auto shift = [by](auto& at) {  // an optional time
    if (at) *at += by;
  };
  spec.submit = submit;
  shift(spec.begin);
  shift(spec.cancel_at);
  if (!spec.extras) return;
  shift(spec.extras->deadline);
  for (ArrayTask& task : spec.extras->array) shift(task.cancel_at);
}

}  // namespace

ClosedReplay::ClosedReplay(const TraceJobs& jobs, const FeedbackPlan& plan)
    : specs_(&jobs.specs()), plan_(&plan), states_(jobs.specs().size()) {
  for (std::uint32_t at = 0; at < states_.size(); ++at) {
    states_[at].left = jobs_of((*specs_)[at]);
    const SubmitLink& link = plan.links[at];
    if (link.rule != SubmitRule::Recorded) goes_by_.emplace_back(link.of, at);
  }
  for (const auto& [at, targets] : plan.named) {
    for (const std::uint32_t target : targets) named_by_.emplace_back(target, at);
  }
  std::sort(goes_by_.begin(), goes_by_.end());
  std::sort(named_by_.begin(), named_by_.end());
  for (std::uint32_t at = 0; at < states_.size(); ++at) {
    if (plan.links[at].rule == SubmitRule::Recorded) want(at, (*specs_)[at].submit);
  }
}

std::vector<std::uint32_t> ClosedReplay::followers(std::uint32_t of, SubmitRule rule) const {
  std::vector<std::uint32_t> some = beside(goes_by_, of);
  std::erase_if(some, [&](std::uint32_t at) { return plan_->links[at].rule != rule; });
  return some;
}

void ClosedReplay::want(std::uint32_t at, Time when) {
  if (states_[at].wanted != kUnknown) return;
  states_[at].wanted = when;
  settle(at);
}

/// Its time is known once that of all jobs which it names is.
void ClosedReplay::settle(std::uint32_t at) {
  State& state = states_[at];
  if (state.at != kUnknown || state.wanted == kUnknown) return;
  Time when = state.wanted;
  if (const auto named = plan_->named.find(at); named != plan_->named.end()) {
    for (const std::uint32_t target : named->second) when = std::max(when, states_[target].at);
  }
  if (when == kUnknown) return;
  state.at = when;
  due_.emplace(when, at);
  for (const std::uint32_t member : followers(at, SubmitRule::WithBatch)) {
    want(member, when + plan_->links[member].distance);
  }
  for (const std::uint32_t dependent : beside(named_by_, at)) settle(dependent);
}

const JobSpec* ClosedReplay::next() {
  last_.reset();
  if (due_.empty()) return nullptr;
  last_ = due_.top();
  due_.pop();
  given_.push_back((*specs_)[last_->second]);
  submit_at(given_.back(), last_->first);
  return &given_.back();
}

bool ClosedReplay::is_outdated() const {
  return !due_.empty() && (!last_ || due_.top() < *last_);
}

void ClosedReplay::take_back() {
  if (!last_) return;
  due_.push(*last_);
  given_.pop_back();
  last_.reset();
}

/// What follows a job that is refused comes as long after its submission as in the record: it has
/// no end.
void ClosedReplay::job_rejected(const JobSpec& spec, std::string_view /*message*/,
                                SlurmTime /*now*/) {
  const auto found = plan_->position.find(spec.id);
  if (found == plan_->position.end() || states_[found->second].left == 0) return;
  const std::uint32_t at = found->second;
  states_[at].left = 0;
  for (const std::uint32_t follower : followers(at, SubmitRule::AfterEnd)) {
    want(follower, states_[at].at + ((*specs_)[follower].submit - (*specs_)[at].submit));
  }
}

void ClosedReplay::job_ended(const Job& job, bool requeued, SlurmTime now) {
  if (requeued) return;
  jobs_over(job.array_job != JobId{} ? job.array_job : job.id, 1, job.end.value_or(now));
}

void ClosedReplay::job_cancelled(const Job& job, SlurmTime now) {
  const auto tasks = static_cast<std::uint32_t>(job.pending_tasks.size());
  jobs_over(job.array_job != JobId{} ? job.array_job : job.id, std::max<std::uint32_t>(tasks, 1),
            now);
}

void ClosedReplay::jobs_over(JobId id, std::uint32_t jobs, SlurmTime end) {
  const auto found = plan_->position.find(id);
  if (found == plan_->position.end()) return;
  State& state = states_[found->second];
  if (state.left == 0) return;
  state.left -= std::min(state.left, jobs);
  if (state.left > 0) return;
  for (const std::uint32_t follower : followers(found->second, SubmitRule::AfterEnd)) {
    want(follower, Time{end} + plan_->links[follower].distance);
  }
}

std::uint64_t ClosedReplay::held_back() const {
  std::uint64_t jobs = 0;
  for (std::uint32_t at = 0; at < states_.size(); ++at) {
    if (states_[at].at == kUnknown) jobs += jobs_of((*specs_)[at]);
  }
  return jobs;
}

}  // namespace rehearse
