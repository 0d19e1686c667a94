// sim/sched/limit_answers.hpp — what limits said before the selection, while no counter changes.
//
// Users have many jobs of one kind pending, and a queue of hundreds has few kinds: whoever comes to
// all of them asks the same again and again.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/sched/limits.hpp"

namespace rehearse {

class LimitAnswers {
 public:
  explicit LimitAnswers(const Limits& limits) : limits_(limits) {}

  /// To be called when a job started or left, and between passes.
  void forget() { ++state_; }
  /// Limits::before_selection(). A job without association is asked for each time.
  [[nodiscard]] std::optional<Reason> before_selection(const Job& job, PartitionId partition) {
    if (!job.association) return limits_.before_selection(job, partition);
    const std::size_t at = index_of(*job.association);
    if (at >= last_.size()) last_.resize(at + 1);
    Answer& last = last_[at];
    const Question question{partition, job.qos, job.time_limit, job.set_by_operator.time_limit};
    if (last.state != state_ || !(last.question == question)) {
      last = {state_, question, limits_.before_selection(job, partition)};
    }
    return last.reason;
  }

 private:
  /// All that the tests look at of a job, beside its association (limits.md §6.2).
  struct Question {
    PartitionId partition{};
    std::optional<QosId> qos;
    std::optional<Minutes> time_limit;
    bool time_set_by_operator = false;
    friend bool operator==(const Question&, const Question&) = default;
  };
  struct Answer {
    std::uint64_t state = 0;
    Question question;
    std::optional<Reason> reason;
  };

  const Limits& limits_;
  std::uint64_t state_ = 1;
  std::vector<Answer> last_;  ///< by association
};

}  // namespace rehearse
