// workloads/feedback.hpp — which submissions of a trace answered to the end of a job, told from the
// record alone.
//
// A user who submits soon after one of his jobs has ended is thought to have waited for it: the
// time between is his think time (Feitelson, "Workload Modeling for Computer Systems Performance
// Evaluation", 2015, §8.4; at most 20 min: Shmueli and Feitelson, "On Simulation and
// Parallel-System Schedulers: Are We Doing the Right Thing?", IEEE TPDS 20(7), 2009). What he
// submits while his last submission still waits or runs is of one batch with it: nobody waited for
// anything, and the batch keeps its inner distances (ibid.). A long pause between two submissions
// begins a session, which comes by the clock, as people do (an hour: Zakay and Feitelson, "On
// Identifying User Session Boundaries in Parallel Workload Logs", JSSPP 2012).
//
// Invariant: a link leads to an earlier position, so that there are no circles.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "sim/config/feedback_conf.hpp"
#include "workloads/trace_jobs.hpp"

namespace rehearse {

/// What decides when a job is submitted.
enum class SubmitRule : std::uint8_t {
  Recorded,   ///< the record
  AfterEnd,   ///< the end of another job, and the think time
  WithBatch,  ///< the submission of the first job of its batch, which waits for an end
};
inline constexpr std::size_t kSubmitRuleCount = 3;
/// `recorded`, `after_end`, `with_batch`.
[[nodiscard]] std::string_view to_text(SubmitRule rule);

struct SubmitLink {
  SubmitRule rule = SubmitRule::Recorded;
  std::uint32_t of = 0;  ///< position of the job that it goes by; not used with Recorded
  Duration distance{0};  ///< from the whole second of the end, or from the first of the batch
};

/// Jobs by what was found; each task of an array is one.
struct FeedbackSurvey {
  std::uint64_t jobs = 0;
  std::array<std::uint64_t, kSubmitRuleCount> by_rule{};
  [[nodiscard]] std::uint64_t of(SubmitRule rule) const {
    return by_rule[static_cast<std::size_t>(rule)];
  }
  std::uint64_t without_user = 0;  ///< nobody knows whose they are: they stay where they are
  std::uint64_t without_end = 0;   ///< the record has no end: nothing can wait for them
  std::uint64_t fixed = 0;         ///< commands name them, or the run begins after them
};

struct FeedbackPlan {
  std::vector<SubmitLink> links;            ///< beside TraceJobs::specs()
  std::map<JobId, std::uint32_t> position;  ///< the first with that id; id 0 has none
  /// Of a job with --dependency, those that it names and that come before it.
  std::map<std::uint32_t, std::vector<std::uint32_t>> named;
  FeedbackSurvey survey;
};

/// What stays at its recorded time whatever its user waited for.
struct FixedSubmissions {
  std::vector<JobId> ids;           ///< ascending: commands name them at times of the record
  std::optional<SlurmTime> before;  ///< submitted before: there when the run begins
};

/// The jobs that `spec` stands for: the tasks of an array, or one.
[[nodiscard]] std::uint32_t jobs_of(const JobSpec& spec);

/// When it was over, all tasks of an array: by its end, or by its cancellation while it waited.
/// None: not known, or not yet.
[[nodiscard]] std::optional<SlurmTime> end_of_submission(const JobSpec& spec);

[[nodiscard]] FeedbackPlan plan_feedback(const TraceJobs& jobs, const FeedbackConf& conf,
                                         const FixedSubmissions& fixed);

}  // namespace rehearse
