// workloads/logged_preemptions.hpp — what a slurmctld.log tells of victims: for whom they go, when
// their grace is over, and which scan for jobs beyond their limits kills them.
#pragma once

#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "workloads/controller_log.hpp"

namespace rehearse {

/// A scan ended a job. One can end several: their lines are milliseconds apart.
std::optional<Time> note_scan(ControllerLog& log, std::optional<Time> at);

/// Fed with the lines of a log in their order; `after`: what follows `JobId=`.
class LoggedPreemptions {
 public:
  explicit LoggedPreemptions(ControllerLog& log) : log_(log) {}

  /// `preempted JobId=4 has been requeued to reclaim resources for JobId=11`
  void preempted(std::string_view after, std::optional<Time> at);
  /// `setting 30 sec preemption grace time for JobId=4 to reclaim resources for JobId=11`;
  /// `before`: up to the number.
  void warned(std::string_view before, std::string_view after, std::optional<Time> at);
  /// `job_signal: 9 of running JobId=4 …`
  void killed(std::string_view after, std::optional<Time> at);
  /// The nodes of a run are clean. A preemption ends all components of a heterogeneous job, and its
  /// line names one: the others' ends are told by nothing else before.
  void cleaned(std::string_view after);
  /// The log has ended. Of a victim that is not requeued its kill alone is told, when its grace is
  /// over: by a pass, or else by a scan.
  void close();

 private:
  void note(const LoggedPreemption& told);

  ControllerLog& log_;
  std::map<JobId, Time> together_;  // preempted heterogeneous jobs, by their leaders
  std::vector<LoggedInstant> kills_;
};

}  // namespace rehearse
