// workloads/controller_log.cpp — the instants that sacct cuts to seconds, from a slurmctld.log.
#include "workloads/controller_log.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <string>
#include <utility>

#include "workloads/input.hpp"
#include "workloads/logged_instants.hpp"
#include "workloads/logged_job_id.hpp"
#include "workloads/logged_preemptions.hpp"

namespace rehearse {
namespace {

constexpr std::string_view kLoopsBegan = "Priority MULTIFACTOR plugin loaded";
constexpr std::string_view kSubmitted = "_slurm_rpc_submit_batch_job: JobId=";
constexpr std::string_view kSubmittedTogether = "_slurm_rpc_submit_batch_het_job: JobId=";
constexpr std::string_view kMainPass = "debug:  sched: Running job scheduler for ";
constexpr std::string_view kLongTurn = "large processing time from _slurmctld_background: usec=";
constexpr std::string_view kScanned = "Time limit exhausted for JobId=";
constexpr std::string_view kJob = "JobId=";
constexpr std::string_view kOverUsage = " timed out, the job is at or exceeds ";  // GrpTRESMins …
constexpr std::string_view kCycleBegan = "sched/backfill: _attempt_backfill: beginning";
constexpr std::string_view kTry = "sched/backfill: _attempt_backfill: BACKFILL: test for JobId=";
constexpr std::string_view kYields = "sched/backfill: _attempt_backfill: yielding locks ";
constexpr std::string_view kCycle = "sched/backfill: _attempt_backfill: completed testing ";
constexpr std::chrono::milliseconds kSleep{500};  // bf_yield_sleep, where no try tells more
constexpr std::string_view kPreempted = "preempted JobId=";
constexpr std::string_view kGrace = " sec preemption grace time for JobId=";
constexpr std::string_view kRequeued = "Requeuing JobId=";
constexpr std::string_view kCleaned = "TRACE_JOBS: cleanup_completing: JobId=";
constexpr std::string_view kNodeCleaned = "ROUTE: _slurm_rpc_epilog_complete: node_name = ";
constexpr std::string_view kEpilog = "TRACE_JOBS: job_epilog_complete: enter JobId=";
constexpr std::string_view kAllocated = "sched: Allocate JobId=";
constexpr std::string_view kBackfilled = "sched/backfill: _start_job: Started JobId=";
constexpr std::string_view kItsJob = ", JobId=";
constexpr std::string_view kLeftGang = "GANG: gang: entering gs_job_fini for JobId=";
constexpr std::string_view kSlice = "GANG: gang: _timeslicer_thread: scanning partitions";
constexpr std::string_view kStopped = "gang: suspending JobId=";
constexpr std::string_view kWentOn = "gang: resuming JobId=";
constexpr std::string_view kNodeFailed = "requeue job JobId=";
constexpr std::string_view kCompleted = "_job_complete: JobId=";
constexpr std::string_view kKilled = "job_signal: 9 of running JobId=";

void put(std::vector<LoggedInstant>& list, std::string_view after, std::optional<Time> at) {
  const auto id = logged_job_id(after);
  if (id && at) list.push_back({*id, *at});
}

/// `s6, JobId=13`
void put_node(std::vector<LoggedNode>& list, std::string_view after, std::optional<Time> at) {
  const std::size_t comma = after.find(kItsJob);
  if (comma == std::string_view::npos || !at) return;
  const auto id = logged_job_id(after.substr(comma + kItsJob.size()));
  if (id) list.push_back({*id, *at, std::string(after.substr(0, comma))});
}

/// `83 NodeList=h[02,18] #CPUs=96 …`, `109 in h100 on h01`: the nodes stand behind `before`.
void put_start(std::vector<LoggedNode>& list, std::string_view after, std::string_view before,
               std::optional<Time> at) {
  const auto id = logged_job_id(after);
  const std::size_t begin = after.find(before);
  if (!id || !at || begin == std::string_view::npos) return;
  const std::string_view nodes = after.substr(begin + before.size());
  list.push_back({*id, *at, std::string(nodes.substr(0, nodes.find(' ')))});
}

/// `2477224 began=08:11:25.550`: the line is written when the turn has ended.
void put_turn(ControllerLog& log, std::string_view after, std::optional<Time> at) {
  constexpr Duration kLongest = std::chrono::hours{24};  // beyond it the number is torn
  std::int64_t took = 0;
  const auto error = std::from_chars(after.data(), after.data() + after.size(), took).ec;
  if (at && error == std::errc{} && took >= 0 && Duration{took} <= kLongest)
    log.long_turns.push_back({*at - Duration{took}, *at});
}

template <typename Logged>
void by_id(std::vector<Logged>& list) {
  std::stable_sort(list.begin(), list.end(),
                   [](const Logged& a, const Logged& b) { return a.id < b.id; });
}

/// The line of a submission is written when the work is done. A cycle that came to the job before
/// it had found it in its queue, so it was there when the cycle began.
void submit_before_tries(ControllerLog& log) {
  constexpr Seconds kLongest{3};
  std::map<JobId, Time> first;
  for (const KnownCycle& cycle : log.cycles) {
    for (const KnownCycle::Tried& tried : cycle.tries) first.emplace(tried.job, cycle.began);
  }
  for (LoggedInstant& submitted : log.submitted) {
    const auto cycle = first.find(submitted.id);
    if (cycle == first.end() || cycle->second >= submitted.at) continue;
    if (submitted.at - cycle->second < kLongest) submitted.at = cycle->second - Duration{1};
  }
}

/// The logged instant of `id` that lies in `second`, or in the next: a line is written when the
/// work is done. Then the last microsecond of `second`.
std::optional<Duration> part_of_second(const std::vector<LoggedInstant>& list, JobId id,
                                       SlurmTime second) {
  auto at = first_of(list, id);
  for (; at != list.end() && at->id == id; ++at) {
    const Duration part = at->at - Time{second};
    if (part >= Seconds{0} && part < Seconds{2}) {
      return std::min<Duration>(part, Seconds{1} - Duration{1});
    }
  }
  return std::nullopt;
}

/// A program that ends after its limit and before the scan is TIMEOUT in sacct, as a killed one;
/// the log alone tells that it ended by itself, and so how long it ran. `most`: a longer difference
/// to what runtimes.csv says is another run's.
void believe_length(TrueRun& run, Seconds length, std::optional<Minutes> limit) {
  constexpr Seconds most{30};
  const bool unknown = run.outcome == RunOutcome::UntilKilled;
  if (!unknown && (length < run.runtime || length > run.runtime + most)) return;
  if (unknown) run.outcome = RunOutcome::Completed;
  run.runtime = length;
  run.outlived_limit = limit && *limit != kUnlimited && length > *limit;
}

/// What the log says of the end of one run; `ran_once`: its start is that of the trace.
bool sharpen_end(TrueRun& run, const std::vector<LoggedInstant>& ends, JobId id,
                 const std::optional<SlurmTime>& start, const std::optional<SlurmTime>& end,
                 std::optional<Minutes> limit, bool ran_once) {
  if (!end) return false;
  const auto part = part_of_second(ends, id, *end);
  if (!part) return false;
  if (start && ran_once) {
    const Seconds stood = run.sleeps ? Seconds{0} : run.suspended;
    believe_length(run, *end - *start - stood, limit);
  }
  if (run.outcome == RunOutcome::UntilKilled) return false;
  run.last_second = part;
  return true;
}

/// The job of a try: its own id, or that of the array whose record was tried (`5_*`).
JobId tried_job(std::string_view text) {
  std::uint32_t id = 0;
  (void)std::from_chars(text.data(), text.data() + text.size(), id);
  return logged_job_id(text).value_or(JobId{id});
}

std::uint32_t tested_priority(std::string_view text) {
  constexpr std::string_view kPriority = " Prio=";
  std::uint32_t priority = 0;
  const std::size_t at = text.find(kPriority);
  if (at == std::string_view::npos) return 0;
  text.remove_prefix(at + kPriority.size());
  (void)std::from_chars(text.data(), text.data() + text.size(), priority);
  return priority;
}

/// One that tried nobody behind its last sleep ended with it.
KnownCycle ended(KnownCycle cycle) {
  if (!cycle.sleeps.empty()) {
    Time& awake = cycle.sleeps.back().awake;
    if (cycle.tries.empty() || cycle.tries.back().at < awake) awake = Time::max();
  }
  return cycle;
}

/// A line between the begin and the end of a cycle; `said`: what follows the name of the function.
void put_in_cycle(KnownCycle& cycle, std::string_view said, Time at) {
  if (said.starts_with(kTry)) {
    // Awake again: the next try that it came to, at the latest.
    if (!cycle.sleeps.empty() && cycle.sleeps.back().awake > at) cycle.sleeps.back().awake = at;
    const std::string_view record = said.substr(kTry.size());
    cycle.tries.push_back({tried_job(record), at, tested_priority(record)});
  } else if (said.starts_with(kYields)) {
    const JobId after = cycle.tries.empty() ? JobId{} : cycle.tries.back().job;
    cycle.sleeps.push_back({after, at + kSleep});
  }
}

}  // namespace

ControllerLog read_controller_log(std::string_view text, const TimeZone& zone) {
  ControllerLog log;
  std::optional<KnownCycle> cycle;  // the present one
  LoggedPreemptions preemptions(log);
  NodeFailures failures;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t close = line.find("] ");
    if (!line.starts_with('[') || close == std::string_view::npos) continue;
    const std::string_view said = line.substr(close + 2);
    const auto at = [&] { return zone.read_instant(line.substr(1, close - 1)); };
    if (said.starts_with(kSubmitted)) {
      put(log.submitted, said.substr(kSubmitted.size()), at());
    } else if (said.starts_with(kSubmittedTogether)) {
      put(log.submitted, said.substr(kSubmittedTogether.size()), at());
    } else if (said.starts_with(kCompleted)) {
      put(log.completed, said.substr(kCompleted.size()), at());
      put(log.ended, said.substr(kCompleted.size()), at());
    } else if (said.starts_with(kKilled)) {
      put(log.ended, said.substr(kKilled.size()), at());
      preemptions.killed(said.substr(kKilled.size()), at());
    } else if (auto typed = logged_command(said)) {
      if (const auto when = at()) {
        typed->at = *when;
        log.commands.push_back(*typed);
      }
    } else if (said.starts_with(kCleaned)) {
      preemptions.cleaned(said.substr(kCleaned.size()));
      put(log.cleaned, said.substr(kCleaned.size()), at());
    } else if (said.starts_with(kNodeCleaned)) {
      put_node(log.node_cleaned, said.substr(kNodeCleaned.size()), at());
    } else if (said.starts_with(kEpilog)) {
      put(log.epilogs, said.substr(kEpilog.size()), at());
    } else if (said.starts_with(kAllocated)) {
      put_start(log.started, said.substr(kAllocated.size()), " NodeList=", at());
    } else if (said.starts_with(kBackfilled)) {
      put_start(log.started, said.substr(kBackfilled.size()), " on ", at());
    } else if (said.starts_with(kLeftGang)) {
      put(log.left_gang, said.substr(kLeftGang.size()), at());
    } else if (const auto back = returned_node(said); !back.empty()) {
      if (const auto answer = at()) log.answers[std::string(back)].push_back(*answer);
    } else if (const auto silent = silent_nodes(said)) {
      if (const auto noticed = at()) {
        for (const std::string& node : silent->nodes) {
          const Time began = silent->set_down ? failures.began(node, *noticed) : *noticed;
          log.silences[node].push_back({began, silent->set_down});
        }
      }
    } else if (const auto updated = updated_node(said); !updated.empty()) {
      if (const auto update = at()) log.node_updates.push_back({*update, std::string(updated)});
    } else if (said.starts_with(kSlice)) {
      if (const auto slice = at()) log.slices.push_back(*slice);
    } else if (said.find(kStopped) != std::string_view::npos) {
      if (const auto turn = at()) put_gang_turn(log.gang_turns, *turn, true);
    } else if (said.find(kWentOn) != std::string_view::npos) {
      if (const auto turn = at()) put_gang_turn(log.gang_turns, *turn, false);
    } else if (said.starts_with(kNodeFailed)) {
      put(log.ended, said.substr(kNodeFailed.size()), at());
      if (const auto failed = failed_node(said); !failed.empty()) {
        if (const auto when = at()) failures.note(failed, *when);
      }
    } else if (said.starts_with(kPreempted)) {
      preemptions.preempted(said.substr(kPreempted.size()), at());
      put(log.ended, said.substr(kPreempted.size()), at());
    } else if (const auto grace = said.find(kGrace); grace != std::string_view::npos) {
      preemptions.warned(said.substr(0, grace), said.substr(grace + kGrace.size()), at());
    } else if (said.starts_with(kRequeued)) {
      put(log.requeued, said.substr(kRequeued.size()), at());
    } else if (said.starts_with(kMainPass)) {
      const bool full = said.substr(kMainPass.size()).starts_with("full queue");
      using Due = BackgroundClock::Due;
      if (const auto pass = at())
        log.main_passes.push_back({*pass, full ? Due::Full : Due::Partial});
    } else if (const auto turn = said.find(kLongTurn); turn != std::string_view::npos) {
      put_turn(log, said.substr(turn + kLongTurn.size()), at());
    } else if (said.starts_with(kCycleBegan)) {
      cycle.reset();
      if (const auto began = at()) cycle = KnownCycle{*began, {}, {}};
    } else if (said.starts_with(kTry) || said.starts_with(kYields)) {
      const auto when = at();
      if (cycle && when) put_in_cycle(*cycle, said, *when);
    } else if (said.starts_with(kCycle)) {
      if (cycle) log.cycles.push_back(ended(std::move(*cycle)));
      cycle.reset();
    } else if (said.starts_with(kScanned)) {
      const auto scan = at();
      put(log.ended, said.substr(kScanned.size()), scan);
      put(log.overdue, said.substr(kScanned.size()), note_scan(log, scan));
    } else if (said.starts_with(kJob) && said.find(kOverUsage) != std::string_view::npos) {
      const auto scan = at();
      put(log.ended, said.substr(kJob.size()), scan);
      note_scan(log, scan);
    } else if (auto made = logged_reservation(said, at().value_or(Time{}), zone)) {
      log.reservations.push_back(std::move(*made));
    } else if (!log.loops_began && said.find(kLoopsBegan) != std::string_view::npos) {
      log.loops_began = at();
    }
  }
  std::sort(log.main_passes.begin(), log.main_passes.end(),
            [](const auto& a, const auto& b) { return a.at < b.at; });
  std::sort(log.cycles.begin(), log.cycles.end(),
            [](const auto& a, const auto& b) { return a.began < b.began; });
  preemptions.close();
  std::sort(log.limit_scans.begin(), log.limit_scans.end());
  submit_before_tries(log);
  by_id(log.submitted);
  by_id(log.completed);
  by_id(log.requeued);
  by_id(log.overdue);
  by_id(log.ended);
  by_id(log.cleaned);
  by_id(log.left_gang);
  by_id(log.node_cleaned);
  by_id(log.epilogs);
  by_id(log.started);
  std::sort(log.slices.begin(), log.slices.end());
  std::stable_sort(
      log.preempted.begin(), log.preempted.end(),
      [](const LoggedPreemption& a, const LoggedPreemption& b) { return a.at < b.at; });
  return log;
}

std::optional<ControllerLog> find_controller_log(const std::filesystem::path& root,
                                                 const TimeZone& zone) {
  for (const char* end : {"", ".xz", ".gz", ".zst", ".bz2"}) {
    const auto path = root / (std::string("slurmctld.log") + end);
    if (std::filesystem::exists(path)) return read_controller_log(read_input(path).text, zone);
  }
  return std::nullopt;
}

namespace {

/// slurmdbd loses the row of a run that was held while it ran (lifecycle.md §10.1). What rows there
/// are begin with a requeue then, and the log tells an earlier submission of the same job.
std::optional<Time> lost_submission(const std::vector<LoggedInstant>& submitted,
                                    const JobSpec& spec) {
  const auto first = first_of(submitted, spec.id);
  if (first == submitted.end() || first->id != spec.id) return std::nullopt;
  constexpr Seconds kSlack{2};
  return first->at + kSlack < spec.submit ? std::optional(first->at) : std::nullopt;
}

}  // namespace

std::size_t sharpen(TraceJobs& jobs, const ControllerLog& log) {
  std::size_t sharpened = 0;
  const std::vector<RecordedRuns>& requeued = jobs.requeued();
  const auto ran_once = [&](JobId id) {
    const auto runs = std::lower_bound(requeued.begin(), requeued.end(), id,
                                       [](const RecordedRuns& a, JobId b) { return a.id < b; });
    return runs == requeued.end() || runs->id != id;
  };
  jobs.change([&](JobSpec& spec) {
    // Components come with their leader, whose id the log has.
    const bool is_component = spec.extras && spec.extras->het_leader != JobId{};
    const JobId submitted = is_component ? spec.extras->het_leader : spec.id;
    if (const auto part = part_of_second(log.submitted, submitted, whole_second(spec.submit))) {
      spec.submit = Time{whole_second(spec.submit)} + *part;
      ++sharpened;
    } else if (const auto earlier = lost_submission(log.submitted, spec)) {
      spec.submit = *earlier;
      ++sharpened;
    }
    const auto end = [&](TrueRun& run, JobId id, const auto& recorded) {
      const bool done = sharpen_end(run, log.completed, id, recorded.recorded_start,
                                    recorded.recorded_end, spec.time_limit, ran_once(id));
      sharpened += done ? 1U : 0U;
    };
    end(spec.run, spec.id, spec);
    if (!spec.extras) return;
    for (ArrayTask& task : spec.extras->array) end(task.run, task.id, task);
  });
  return sharpened;
}

}  // namespace rehearse
