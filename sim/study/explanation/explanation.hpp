// sim/study/explanation/explanation.hpp — why one job waited: its Reasons, its priority over time,
// and who started before it.
//
// All of it is read from the result: nothing is run again. Priorities between ticks are made up of
// what the file keeps (priority_parts.hpp); where a file kept fair-share hourly, so are they.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/output/priority_parts.hpp"
#include "sim/output/result.hpp"

namespace rehearse {

/// An interval with one Reason.
struct ReasonSpan {
  std::int64_t begin = 0, end = 0;
  Reason reason = Reason::None;
  std::string text;  ///< a description that hides the reason; empty: none
};

struct PriorityAt {
  std::int64_t time = 0;
  PriorityParts parts;
};

/// By what rule a later job went first.
enum class OvertakeRule : std::uint8_t {
  NotReady,       ///< this job could not have started: a limit, a dependency, a begin time
  PartitionTier,  ///< its partition's PriorityTier is higher
  Priority,       ///< its priority is higher
  Backfill,       ///< backfill: it fits in before the planned start of those ahead
  OtherNodes,  ///< lower priority, by the main loop: other partition, or nodes this job cannot use
};
inline constexpr std::size_t kOvertakeRuleCount = 5;
[[nodiscard]] std::string_view to_text(OvertakeRule rule);

/// A job that was submitted later, started earlier, and took nodes that this job might have had.
struct Overtaker {
  std::uint32_t row = 0;
  OvertakeRule rule = OvertakeRule::Priority;
  std::string detail;                           ///< the factor that decided, or this job's Reason
  std::int64_t priority = 0, own_priority = 0;  ///< its own, and this job's at that instant
};

/// One run, or the wait for one.
struct ExplainedRun {
  std::uint32_t row = 0;
  std::vector<ReasonSpan> spans;  ///< in order of time, no two alike in a row; the whole wait
  std::vector<PriorityAt> priorities;
  std::vector<Overtaker> overtakers;  ///< in order of start, of each job its first
  /// Of a preempted run: the rows of others that were the first to start on its nodes.
  std::vector<std::uint32_t> took_its_nodes;
  [[nodiscard]] std::int64_t seconds_of(Reason reason) const;
};

struct Explanation {
  std::vector<ExplainedRun> runs;  ///< a requeued job has several
};

/// Of the job whose first row is `row`.
[[nodiscard]] Explanation explain_job(const Result& result, std::uint32_t row);

/// The Reason at an instant; none: it did not pend then.
[[nodiscard]] const ReasonSpan* reason_at(const std::vector<ReasonSpan>& spans, std::int64_t at);

/// The spans of one row's wait, those from before it was split off its array included.
[[nodiscard]] std::vector<ReasonSpan> spans_of(const Result& result, std::uint32_t row);

/// What a Reason means, in a sentence without its subject: `its turn has not come: …`.
[[nodiscard]] std::string meaning_of(Reason reason);

/// Pending jobs by Reason over time: the mean number in each bucket.
struct ReasonTable {
  std::vector<Reason> reasons;            ///< columns, the largest first
  std::vector<std::int64_t> time;         ///< begin of each bucket
  std::vector<std::vector<double>> mean;  ///< [bucket][reason]
};
/// A bucket begins at each of `begins` and ends where the next does, the last with the run. They
/// ascend, and the first is not after the run's begin.
[[nodiscard]] ReasonTable reasons_over_time(const Result& result, std::vector<std::int64_t> begins);
/// Begins of buckets of `period_s` all over the run, at `offset_s` past multiples of it.
[[nodiscard]] std::vector<std::int64_t> even_begins(const Result& result, std::int64_t period_s,
                                                    std::int64_t offset_s);
/// Those of its days by the site's clock, of which one in a year has 23 hours and one 25.
[[nodiscard]] std::vector<std::int64_t> day_begins(const Result& result);

}  // namespace rehearse
