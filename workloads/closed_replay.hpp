// workloads/closed_replay.hpp — a trace whose users wait for their jobs: submissions answer to the
// ends of the simulation as they answered to those of the record.
//
// A source of jobs that also listens to the run. What is not known yet, as it waits for an end, is
// held back; what an end lets go comes its think time later. Times in a request that count from its
// submission (begin, deadline, the moment at which its user gives up) move with it. Where the
// schedule is the recorded one, so are all submissions, to the microsecond.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

#include "sim/controller/job_source.hpp"
#include "sim/controller/observer.hpp"
#include "workloads/feedback.hpp"

namespace rehearse {

class ClosedReplay final : public JobSource, public Observer {
 public:
  /// The trace and its plan stay the caller's and outlive it.
  ClosedReplay(const TraceJobs& jobs, const FeedbackPlan& plan);

  [[nodiscard]] const JobSpec* next() override;
  [[nodiscard]] bool is_outdated() const override;
  void take_back() override;

  void job_rejected(const JobSpec& spec, std::string_view message, SlurmTime now) override;
  void job_ended(const Job& job, bool requeued, SlurmTime now) override;
  void job_cancelled(const Job& job, SlurmTime now) override;

  /// Jobs that wait for an end that has not come; each task of an array is one.
  [[nodiscard]] std::uint64_t held_back() const;

 private:
  static constexpr Time kUnknown = Time::max();
  using Due = std::pair<Time, std::uint32_t>;  ///< when, and the position

  struct State {
    Time at = kUnknown;      ///< of the submission
    Time wanted = kUnknown;  ///< … were it not for jobs that it names, which must come before it
    std::uint32_t left = 0;  ///< jobs of it that are not over
  };
  void want(std::uint32_t at, Time when);
  void settle(std::uint32_t at);
  void jobs_over(JobId id, std::uint32_t jobs, SlurmTime end);
  /// Those that go by `of` under `rule`, ascending.
  [[nodiscard]] std::vector<std::uint32_t> followers(std::uint32_t of, SubmitRule rule) const;

  const std::vector<JobSpec>* specs_;
  const FeedbackPlan* plan_;
  std::vector<State> states_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> goes_by_;   ///< (of, position), ascending
  std::vector<std::pair<std::uint32_t, std::uint32_t>> named_by_;  ///< likewise, by --dependency
  std::priority_queue<Due, std::vector<Due>, std::greater<>> due_;
  std::optional<Due> last_;    ///< what next() gave
  std::deque<JobSpec> given_;  ///< all that it gave, as they were submitted
};

}  // namespace rehearse
