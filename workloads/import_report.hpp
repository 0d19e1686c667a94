// workloads/import_report.hpp — where every row of a trace went, and what had to be assumed.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/config/time_zone.hpp"
#include "sim/core/time.hpp"

namespace rehearse {

/// Why a row is not a job of its own. Rows read = rows of jobs + rows explained.
enum class Explained : std::uint8_t {
  Step,
  EarlierRun,
  Resized,
  SameRowAgain,
  Continuation,
  OtherCluster,
  BeforeWindow,
  WaitingAtWindowStart,
  RunningAtWindowStart,
  AfterWindow,
  Revoked,
  NotCalled,
  CutTaskSet,
  TasksElsewhere,
  Unusable,
  Count,
};

/// What the reader took for granted, by row or job. None of it is wrong in itself.
enum class Assumed : std::uint8_t {
  TimeoutUntilKilled,
  StillRunning,
  StillPending,
  CutShortLongestRun,
  NodeFailure,
  NeverStarted,
  DeadlineFromEnd,
  CancelTimeUnknown,
  RunTimeGiven,
  BeginFromEligible,
  BeginForJobsNotThere,
  HoldReleased,
  PriorityOfNoOperator,
  UpdatedLater,
  RequestFromTres,
  RequestPartUnread,
  ScriptOptions,
  GpusByJob,
  GpusFromAllocation,
  RequestFromAllocation,
  MixedGpuTypes,
  MayUseMoreNodes,
  ExclusiveFromAllocation,
  MemoryFlagUndone,
  RequeueWithoutDuplicates,
  ClockAmbiguous,
  ClockSkipped,
  EndBeforeStart,
  ElapsedDiffers,
  Repaired,
  Joined,
  TasksDiffer,
  TasksWithoutRow,
  TasksThatWaited,
  ComponentWithoutRow,
  IdReused,
  SubmitLineUnread,
  PartitionsOfTasks,
  ElapsedFromTimes,
  ThinkTime,
  Count,
};

/// What is said of an explanation or an assumption: a claim, lower case, no full stop.
[[nodiscard]] std::string_view to_text(Explained reason);
[[nodiscard]] std::string_view to_text(Assumed what);

/// A count, and the first lines it happened on.
struct Tally {
  static constexpr std::size_t kLinesKept = 3;
  std::uint64_t count = 0;
  std::array<std::uint64_t, kLinesKept> lines{};  ///< the least ones, ascending

  void add(std::uint64_t line);
};

/// The account of an import. Filled by the readers; printed by `import`, `check` and `run`.
struct ImportReport {
  std::string source;           ///< the file, as given
  std::uint64_t rows_read = 0;  ///< lines that are not blank nor the header; objects of JSON
  std::uint64_t job_rows = 0;   ///< rows that stand for a simulated job or array task
  std::uint64_t jobs = 0;       ///< JobSpecs
  std::uint64_t tasks = 0;      ///< runs: array tasks counted one by one
  std::uint64_t arrays = 0;
  std::uint64_t requeued = 0;  ///< jobs with more than one run in the trace
  /// Held by the runs of the trace, in thousandths of a GPU x second: parts of a GPU as parts.
  std::uint64_t gpu_milli_seconds = 0;
  void add_run(std::uint64_t gpu_milli, std::chrono::seconds elapsed) {
    gpu_milli_seconds += gpu_milli * static_cast<std::uint64_t>(elapsed.count());
  }
  std::optional<Time> submit_first, submit_last;
  std::optional<SlurmTime> end_last;
  std::array<Tally, static_cast<std::size_t>(Explained::Count)> explained{};
  std::array<Tally, static_cast<std::size_t>(Assumed::Count)> assumed{};
  /// Job ids of rows that are no jobs, where they could be read.
  std::vector<std::uint32_t> unread;
  bool copied = false;             ///< rows went on as they are: the site's reader explains them
  std::vector<std::string> notes;  ///< of a back-end: what is invented, and how
  bool tells_limits = true;        ///< false: no column has the jobs' time limits

  void explain(Explained reason, std::uint64_t line) {
    explained[static_cast<std::size_t>(reason)].add(line);
  }
  void assume(Assumed what, std::uint64_t line) {
    assumed[static_cast<std::size_t>(what)].add(line);
  }
  [[nodiscard]] const Tally& operator[](Explained reason) const {
    return explained[static_cast<std::size_t>(reason)];
  }
  [[nodiscard]] const Tally& operator[](Assumed what) const {
    return assumed[static_cast<std::size_t>(what)];
  }
  [[nodiscard]] std::uint64_t explained_rows() const;
  /// rows_read == job_rows + explained_rows().
  [[nodiscard]] bool adds_up() const;
};

/// The report as a person reads it: one line a fact, with the first line numbers; times of `zone`.
[[nodiscard]] std::string to_text(const ImportReport& report, const TimeZone& zone);
/// What a run should not keep to itself: how many rows became jobs, and what was assumed of them.
[[nodiscard]] std::string brief_text(const ImportReport& report);

}  // namespace rehearse
