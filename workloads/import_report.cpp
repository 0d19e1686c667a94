// workloads/import_report.cpp — the words of the report, and its table.
#include "workloads/import_report.hpp"

#include <date/date.h>
#include <fmt/format.h>

#include "sim/core/check.hpp"

namespace rehearse {
namespace {

std::string first_lines(const Tally& tally) {
  const std::size_t kept = std::min<std::size_t>(Tally::kLinesKept, tally.count);
  // Objects of JSON may all stand in one line.
  std::string text = tally.lines[0] == tally.lines[kept - 1] ? "line " : "lines ";
  for (std::size_t i = 0; i < kept; ++i) {
    if (i > 0 && tally.lines[i] == tally.lines[i - 1]) continue;
    if (i > 0) text += ", ";
    text += fmt::format("{}", tally.lines[i]);
  }
  if (tally.count > Tally::kLinesKept) text += ", …";
  return text;
}

template <typename What, std::size_t Size>
std::string table(const std::array<Tally, Size>& tallies) {
  std::string text;
  for (std::size_t i = 0; i < Size; ++i) {
    if (tallies[i].count == 0) continue;
    text += fmt::format("{:>12}  {} ({})\n", tallies[i].count, to_text(static_cast<What>(i)),
                        first_lines(tallies[i]));
  }
  return text;
}

}  // namespace

void Tally::add(std::uint64_t line) {
  const std::size_t kept = count < kLinesKept ? static_cast<std::size_t>(count) : kLinesKept;
  ++count;
  if (kept == kLinesKept && line >= lines.back()) return;
  std::size_t at = kept < kLinesKept ? kept : kLinesKept - 1;
  for (; at > 0 && lines[at - 1] > line; --at) lines[at] = lines[at - 1];
  lines[at] = line;
}

std::string_view to_text(Explained reason) {
  switch (reason) {
    case Explained::Step:
      return "steps of a job, whose own row is read";
    case Explained::EarlierRun:
      return "earlier runs of a requeued job, which is simulated once";
    case Explained::Resized:
      return "parts of a run before its job changed size";
    case Explained::SameRowAgain:
      return "the same record once more (exports that overlap)";
    case Explained::Continuation:
      return "lines that continue a text of the line before";
    case Explained::OtherCluster:
      return "jobs of another cluster";
    case Explained::BeforeWindow:
      return "outside the window: ended before it";
    case Explained::WaitingAtWindowStart:
      return "outside the window: submitted before it, waiting as it begins";
    case Explained::RunningAtWindowStart:
      return "outside the window: submitted before it, running as it begins";
    case Explained::AfterWindow:
      return "outside the window: submitted after it";
    case Explained::Revoked:
      return "revoked: another cluster of the federation ran the job";
    case Explained::NotCalled:
      return "cancelled while queued, at a time that is not told";
    case Explained::CutTaskSet:
      return "array tasks that are not told: sacct cut the set short";
    case Explained::TasksElsewhere:
      return "the rest of an array whose tasks all have rows of their own";
    case Explained::Unusable:
      return "cannot be used: see the findings";
    case Explained::Count:
      break;
  }
  REHEARSE_CHECK(false, "explanation {}", static_cast<int>(reason));
}

std::string_view to_text(Assumed what) {
  switch (what) {
    case Assumed::TimeoutUntilKilled:
      return "ended by the time limit: would have run until killed";
    case Assumed::StillRunning:
      return "still running when the trace was made: runs until killed";
    case Assumed::StillPending:
      return "still pending when the trace was made: once started, runs until killed";
    case Assumed::CutShortLongestRun:
      return "cut short (preempted, requeued): runs as long as its longest recorded run";
    case Assumed::NodeFailure:
      return "ended by NODE_FAIL: runs as long as its longest recorded run";
    case Assumed::NeverStarted:
      return "never started: cancelled at its recorded end, whether it waits or runs then";
    case Assumed::DeadlineFromEnd:
      return "DEADLINE without a run, no --deadline told: the one that it missed at its recorded "
             "end";
    case Assumed::CancelTimeUnknown:
      return "never started, end not told: waits for good";
    case Assumed::RunTimeGiven:
      return "run time from runtimes.csv";
    case Assumed::BeginFromEligible:
      return "eligible later than submitted, no dependency told: begin time = Eligible";
    case Assumed::BeginForJobsNotThere:
      return "depended on a job that the trace does not have: begin time = Eligible";
    case Assumed::HoldReleased:
      return "submitted held and released later: begin time = Eligible";
    case Assumed::PriorityOfNoOperator:
      return "--priority of a user who is no operator: ignored, as Slurm does";
    case Assumed::UpdatedLater:
      return "a column shows what a command gave the job later: submitted with the default";
    case Assumed::RequestFromTres:
      return "no SubmitLine: request from ReqTRES and its neighbours";
    case Assumed::RequestPartUnread:
      return "a part of what was asked for cannot be read: as if it were not told";
    case Assumed::ScriptOptions:
      return "SubmitLine names a script: what only its #SBATCH lines ask is from ReqTRES";
    case Assumed::GpusByJob:
      return "GPUs do not divide by the nodes: taken as --gpus";
    case Assumed::GpusFromAllocation:
      return "GPUs only in AllocTRES: taken as asked for";
    case Assumed::RequestFromAllocation:
      return "nodes, CPUs or memory only in AllocTRES: taken as asked for";
    case Assumed::MixedGpuTypes:
      return "typed GPUs do not add up to all GPUs: types dropped";
    case Assumed::MayUseMoreNodes:
      return "got more nodes than ReqTRES names: no maximum of nodes";
    case Assumed::ExclusiveFromAllocation:
      return "holds whole nodes but asked for less: taken as --exclusive";
    case Assumed::MemoryFlagUndone:
      return "ReqMem with Slurm's per-CPU flag left in: read as memory per CPU";
    case Assumed::RequeueWithoutDuplicates:
      return "started before it was submitted (a requeue, and no sacct -D)";
    case Assumed::ClockAmbiguous:
      return "local time in the hour that occurs twice: settled by order and Elapsed";
    case Assumed::ClockSkipped:
      return "local time in the hour that does not exist: taken an hour later";
    case Assumed::EndBeforeStart:
      return "ends before it starts";
    case Assumed::ElapsedDiffers:
      return "Elapsed + Suspended is not End - Start: Elapsed is believed";
    case Assumed::Repaired:
      return "delimiters inside a free text: given back to it";
    case Assumed::Joined:
      return "newlines inside a free text: lines joined";
    case Assumed::TasksDiffer:
      return "array task whose request or limit differs from its array's: the array's is used";
    case Assumed::TasksWithoutRow:
      return "array with tasks on its submit line that have no row: left out";
    case Assumed::TasksThatWaited:
      return "array with tasks on its submit line that have no row, but for its %N or aftercorr: "
             "they waited";
    case Assumed::ComponentWithoutRow:
      return "component of a heterogeneous job that never started and has no row: as its submit "
             "line says";
    case Assumed::IdReused:
      return "job id used again by another job: renumbered";
    case Assumed::SubmitLineUnread:
      return "SubmitLine with options that cannot be read: ReqTRES is used";
    case Assumed::PartitionsOfTasks:
      return "array whose tasks ran in several partitions: all of them are asked for";
    case Assumed::ElapsedFromTimes:
      return "no Elapsed: End - Start";
    case Assumed::ThinkTime:
      return "think time after the preceding job: only the recorded submit keeps it";
    case Assumed::Count:
      break;
  }
  REHEARSE_CHECK(false, "assumption {}", static_cast<int>(what));
}

std::uint64_t ImportReport::explained_rows() const {
  std::uint64_t sum = 0;
  for (const Tally& tally : explained) sum += tally.count;
  return sum;
}

bool ImportReport::adds_up() const {
  return rows_read == job_rows + explained_rows();
}

namespace {

std::string notes_of(const ImportReport& report) {
  std::string text;
  for (const std::string& note : report.notes) text += fmt::format("{:>12}  {}\n", "note", note);
  return text;
}

}  // namespace

std::string to_text(const ImportReport& report, const TimeZone& zone) {
  std::string text = fmt::format(
      "{}\n{:>12}  rows read\n{:>12}  {}\n", report.source, report.rows_read, report.job_rows,
      report.copied ? "rows copied: rehearse check tells of each" : "rows of simulated jobs");
  text += table<Explained>(report.explained);
  if (report.copied) return text + notes_of(report);
  text += fmt::format("jobs\n{:>12}  jobs ({} arrays, {} tasks in all, {} requeued)\n", report.jobs,
                      report.arrays, report.tasks, report.requeued);
  constexpr double kSecondsPerHour = 3600;
  text += fmt::format("{:>12.0f}  GPU-hours in the trace\n",
                      static_cast<double>(report.gpu_milli_seconds) / 1000 / kSecondsPerHour);
  if (report.submit_first && report.submit_last) {
    text += fmt::format("{:>12}  {} .. {} ({})\n", "submitted",
                        zone.print(whole_second(*report.submit_first)),
                        zone.print(whole_second(*report.submit_last)), zone.name());
  }
  if (report.end_last) {
    text += fmt::format("{:>12}  {} ({})\n", "last end", zone.print(*report.end_last), zone.name());
  }
  const std::string assumed = table<Assumed>(report.assumed);
  if (!assumed.empty()) text += "assumed\n" + assumed;
  return text + notes_of(report);
}

std::string brief_text(const ImportReport& report) {
  std::string text = fmt::format("{}: {} rows read, {} of simulated jobs", report.source,
                                 report.rows_read, report.job_rows);
  if (const std::uint64_t others = report.explained_rows(); others > 0) {
    text += fmt::format(", {} others (rehearse check SITE tells of each)", others);
  }
  const std::string assumed = table<Assumed>(report.assumed);
  return text + (assumed.empty() ? "\n" : ", assumed:\n") + assumed + notes_of(report);
}

}  // namespace rehearse
