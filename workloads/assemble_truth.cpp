// workloads/assemble_truth.cpp — how long a job would have run, from how its recorded runs ended.
//
// Elapsed is believed where the job ended by itself. A run that was cut (TIMEOUT, preemption, a
// cancellation) says only that the job runs at least so long; runtimes.csv knows better.
#include <algorithm>

#include "workloads/assemble.hpp"

namespace rehearse {
namespace {

Seconds longest_run(const std::vector<const TraceRecord*>& records) {
  Seconds longest{0};
  for (const TraceRecord* record : records) longest = std::max(longest, record->elapsed);
  return longest;
}

TrueRun given_run(const RuntimeRow& given) {
  TrueRun run;
  run.runtime = given.runtime;
  run.outcome = given.exit_code == 0 ? RunOutcome::Completed : RunOutcome::Failed;
  run.exit_code = given.exit_code;
  return run;
}

/// A sleeping program goes by the clock, also while it is suspended: the run was as long as it
/// lasted, unless its end lay in a suspension, which put it off. Then runtimes.csv alone tells the
/// length.
Seconds length_of_sleep(const TraceRecord& record, const RuntimeRow* given) {
  constexpr Seconds kLatencies{30};
  const Seconds lasted = record.elapsed + record.suspended;
  return given != nullptr && lasted > given->runtime + kLatencies ? given->runtime : lasted;
}

/// Something ended the last run (the signal of --signal, say) earlier than the program does: a run
/// before it was longer, and was cut while the program ran on.
bool was_ended_early(const std::vector<const TraceRecord*>& records, const RuntimeRow* given) {
  const Seconds longest = longest_run(records);
  return given != nullptr && longest > records.back()->elapsed && given->runtime >= longest;
}

/// A pending job is DEADLINE once it can no longer end in time (lifecycle.md §7), which its limit
/// tells.
bool missed_its_deadline(const TraceRecord& last) {
  return last.state == RowState::Deadline && last.time_limit && *last.time_limit != kUnlimited;
}

}  // namespace

Assembler::Truth Assembler::truth_of(const Runs& runs, std::uint32_t id) {
  const TraceRecord& last = runs.last();
  const RuntimeRow* given = runtime_of(id);
  Truth truth;
  for (const TraceRecord* record : runs.records) {
    if (record->started && !truth.recorded_start) truth.recorded_start = record->start;
  }
  for (const TraceRecord* record : runs.records) {
    truth.run.max_rss_mib = std::max(truth.run.max_rss_mib, record->max_rss_mib);
  }
  if (last.started) {
    truth.recorded_end = last.end;
    end_of_started(runs, given, truth);
    truth.run.gpu_type = last.gpu_type;
    return truth;
  }
  truth.run.outcome = RunOutcome::UntilKilled;
  if (given != nullptr) {
    const auto max_rss = truth.run.max_rss_mib;
    truth.run = given_run(*given);
    truth.run.max_rss_mib = max_rss;
    report_.assume(Assumed::RunTimeGiven, last.line);
  } else {
    truth.run.is_unknown = true;
  }
  if (last.state == RowState::Pending || last.state == RowState::Running) {
    report_.assume(Assumed::StillPending, last.line);
  } else if (last.end && missed_its_deadline(last)) {
    truth.missed_deadline_at = last.end;
  } else if (last.end) {
    truth.cancel_at = last.end;
    report_.assume(Assumed::NeverStarted, last.line);
  } else {
    report_.assume(Assumed::CancelTimeUnknown, last.line);
  }
  return truth;
}

/// A --deadline that no submit line tells: the last one that the job, or task, could not keep any
/// more when it ended (lifecycle.md §7).
void Assembler::set_deadline(const Truth& truth, const TraceRecord& last, JobSpec& spec) {
  if (!truth.missed_deadline_at || (spec.extras && spec.extras->deadline)) return;
  if (!spec.extras) spec.extras = std::make_unique<JobExtras>();
  const Minutes least = spec.time_min ? *spec.time_min : *last.time_limit;
  spec.extras->deadline = *truth.missed_deadline_at + least - Seconds{1};
  report_.assume(Assumed::DeadlineFromEnd, last.line);
}

void Assembler::end_of_started(const Runs& runs, const RuntimeRow* given, Truth& truth) {
  const TraceRecord& last = runs.last();
  TrueRun& run = truth.run;
  run.runtime = last.elapsed;
  run.exit_code = last.exit_code < 0 ? 1 : last.exit_code;
  for (const TraceRecord* record : runs.records) {
    // One run in parts: the row after a failed node begins there, that after an admin's update has
    // the whole run.
    const bool is_part = record->state == RowState::Resizing && record->end && last.start &&
                         *last.start >= *record->end;
    if (is_part) run.runtime += record->elapsed;
  }
  run.sleeps = last.sleeps;
  run.suspended = last.suspended;
  if (run.sleeps && run.suspended > Seconds{0}) run.runtime = length_of_sleep(last, given);
  run.outlived_limit =
      last.time_limit && *last.time_limit != kUnlimited && last.elapsed > *last.time_limit;
  switch (last.state) {
    case RowState::Completed:
      run.outcome = RunOutcome::Completed;
      return;
    case RowState::Failed:
      if (was_ended_early(runs.records, given)) break;
      run.outcome = RunOutcome::Failed;
      return;
    case RowState::OutOfMemory:
      run.outcome = RunOutcome::OutOfMemory;
      return;
    default:
      break;
  }
  if (given != nullptr) {
    const auto max_rss = run.max_rss_mib;
    run = given_run(*given);
    run.max_rss_mib = max_rss;
    if (last.exit_code < 0) run.exit_code = last.exit_code;
    run.sleeps = last.sleeps;
    run.suspended = last.suspended;
    // A program that was cut was alive at its last recorded second.
    if (last.state == RowState::CutShort) {
      run.runtime = std::max(run.runtime, longest_run(runs.records) + Seconds{1});
    }
    report_.assume(Assumed::RunTimeGiven, last.line);
    return;
  }
  switch (last.state) {
    case RowState::Cancelled:
      run.outcome = RunOutcome::Cancelled;
      return;
    case RowState::Timeout:
    case RowState::Deadline:
      run.outcome = RunOutcome::UntilKilled;
      report_.assume(Assumed::TimeoutUntilKilled, last.line);
      return;
    case RowState::NodeFail:
      run.outcome = RunOutcome::NodeFailure;
      run.runtime = longest_run(runs.records);
      report_.assume(Assumed::NodeFailure, last.line);
      return;
    case RowState::CutShort:
    case RowState::Resizing:
      run.outcome = RunOutcome::Completed;
      run.runtime = std::max(run.runtime, longest_run(runs.records));
      report_.assume(Assumed::CutShortLongestRun, last.line);
      return;
    default:
      run.outcome = RunOutcome::UntilKilled;
      report_.assume(Assumed::StillRunning, last.line);
  }
}

}  // namespace rehearse
