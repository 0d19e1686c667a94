// sim/output/views/sdiag.cpp — slurmctld's counters at an instant, as sdiag prints them (outputs.md
// §6).
//
// Jobs are counted exactly, from their rows. What the loops did is known by whole hours. What takes
// wall time (cycles, RPCs, threads) is not told.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/output/sacct_writer.hpp"
#include "sim/output/views/known_jobs.hpp"
#include "sim/output/views/view.hpp"

namespace rehearse {
namespace {

constexpr std::int64_t kDay = 86400;
constexpr std::int64_t kHour = 3600;

struct JobCounts {
  std::int64_t submitted = 0, started = 0, completed = 0, canceled = 0, failed = 0;
  std::int64_t pending = 0, running = 0;
  std::int64_t backfilled = 0, backfilled_ever = 0, backfilled_components = 0;
};

/// Ends: by the job itself or at its limit; by somebody's wish; by a node. A run that goes back to
/// the queue is none of them.
void count_end(JobCounts& counts, JobState state) {
  switch (state) {
    case JobState::Completed:
    case JobState::Failed:
    case JobState::Timeout:
    case JobState::OutOfMemory:
      ++counts.completed;
      break;
    case JobState::Cancelled:
    case JobState::Preempted:
    case JobState::Deadline:
      ++counts.canceled;
      break;
    case JobState::NodeFail:
    case JobState::BootFail:
      ++counts.failed;
      break;
    default:
      break;
  }
}

/// What happened in [since, at], and how many were backfilled before.
class Counter {
 public:
  Counter(const Result& result, std::int64_t since, std::int64_t at)
      : r_(result.runs),
        since_(since),
        at_(at),
        resized_(r_),
        stood_still_(stood_still_at(result, at)) {
    const std::vector<std::uint32_t> order = sacct_order(result);
    for (std::size_t i = 0; i < order.size(); ++i) {
      const bool again = i + 1 < order.size() && r_.job_id[order[i + 1]] == r_.job_id[order[i]];
      add(order[i], again);
    }
  }
  [[nodiscard]] const JobCounts& counts() const { return counts_; }

 private:
  [[nodiscard]] bool is_in(std::int64_t time) const {
    return time != kNoTime && time >= since_ && time <= at_;
  }
  void add(std::uint32_t row, bool again) {
    if (r_.restarts[row] == 0 && is_in(r_.submit[row])) counts_.submitted += r_.tasks[row];
    const Standing standing = standing_at(r_, row, at_);
    if (standing == Standing::Pending) counts_.pending += r_.tasks[row];
    const auto still = stood_still_.find(row);
    const bool is_suspended = still != stood_still_.end() && still->second.is_suspended;
    if (standing == Standing::Running && !is_suspended) ++counts_.running;
    if (is_in(r_.end[row]) && !again && r_.state[row] < kStateRequeued) {
      count_end(counts_, static_cast<JobState>(r_.state[row]));
    }
    if (r_.start[row] != kNoTime && resized_.parts_before(row).empty()) add_start(row);
  }
  void add_start(std::uint32_t row) {
    const std::int64_t allocated = r_.start[row] - std::int64_t{r_.configuring_s[row]};
    if (allocated > at_) return;
    if (is_in(allocated)) ++counts_.started;
    if (static_cast<StartedBy>(r_.started_by[row]) != StartedBy::Backfill) return;
    ++counts_.backfilled_ever;
    if (!is_in(allocated)) return;
    ++counts_.backfilled;
    if (r_.het_job[row] != 0) ++counts_.backfilled_components;
  }

  const RunColumns& r_;
  std::int64_t since_, at_;
  ResizedJobs resized_;
  std::map<std::uint32_t, StoodStill> stood_still_;
  JobCounts counts_;
};

struct LoopSums {
  std::int64_t main_passes = 0, main_records = 0, backfill_cycles = 0;
};

/// The sums of the last row that is not after `at`.
LoopSums loops_until(const LoopColumns& kept, std::int64_t at) {
  LoopSums sums;
  for (std::size_t i = 0; i < kept.size() && kept.time[i] <= at; ++i) {
    sums = {static_cast<std::int64_t>(kept.main_passes[i]),
            static_cast<std::int64_t>(kept.main_records[i]),
            static_cast<std::int64_t>(kept.backfill_cycles[i])};
  }
  return sums;
}

/// The hour until which cycles are counted, where more were made until `at`.
std::optional<std::int64_t> counted_until(const LoopColumns& kept, std::int64_t at) {
  const auto next = std::upper_bound(kept.time.begin(), kept.time.end(), at);
  const std::int64_t hour = at / kHour * kHour;
  return next != kept.time.end() && *next - hour <= kHour && at > hour ? std::optional(hour)
                                                                       : std::nullopt;
}

/// One line; the same figure has a name of its own in `sdiag --json`.
struct Figure {
  const char* label;  ///< with the blanks before the value
  const char* key;
  std::int64_t value = 0;
};
struct Block {
  const char* title;  ///< empty: its figures are not indented
  std::vector<Figure> figures;
};

std::vector<Figure> main_figures(const LoopSums& loops, std::int64_t seconds) {
  std::vector<Figure> figures{{"Total cycles: ", "schedule_cycle_total", loops.main_passes}};
  if (loops.main_passes == 0) return figures;
  figures.push_back(
      {"Mean depth cycle:  ", "schedule_cycle_mean_depth", loops.main_records / loops.main_passes});
  if (seconds >= 60) {
    figures.push_back(
        {"Cycles per minute: ", "schedule_cycle_per_minute", loops.main_passes / (seconds / 60)});
  }
  return figures;
}

std::string when_text(const TimeZone& zone, std::int64_t at) {
  return fmt::format("{} ({})", ctime_text(zone, at), at);
}

std::string sdiag_text(const TimeZone& zone, std::int64_t at, std::int64_t since,
                       const std::vector<Block>& blocks) {
  const std::string stars(55, '*');
  std::string text = fmt::format("{}\nsdiag output at {}\nData since      {}\n{}\n", stars,
                                 when_text(zone, at), when_text(zone, since), stars);
  for (const Block& block : blocks) {
    const std::string_view title = block.title;
    text += fmt::format("\n{}{}", title, title.empty() ? "" : "\n");
    for (const Figure& figure : block.figures) {
      // The counts of jobs have the time of their own sample.
      if (std::string_view(figure.key) == "jobs_pending") {
        text += "Job states ts:  " + when_text(zone, at) + "\n";
      }
      text += fmt::format("{}{}{}\n", title.empty() ? "" : "\t", figure.label, figure.value);
    }
  }
  return text;
}

std::string parsable_text(const std::vector<Block>& blocks, const ViewOptions& options) {
  std::string text = options.no_header ? "" : "FIELD|VALUE\n";
  for (const Block& block : blocks) {
    for (const Figure& each : block.figures) text += fmt::format("{}|{}\n", each.key, each.value);
  }
  return text;
}

}  // namespace

View sdiag_view(const Result& result, const ViewOptions& options) {
  const std::int64_t at = options.at.value_or(result.end);
  const std::int64_t since = std::max(result.begin, at / kDay * kDay);
  const JobCounts jobs = Counter(result, since, at).counts();
  View view;
  std::vector<Block> blocks{{"",
                             {{"Jobs submitted: ", "jobs_submitted", jobs.submitted},
                              {"Jobs started:   ", "jobs_started", jobs.started},
                              {"Jobs completed: ", "jobs_completed", jobs.completed},
                              {"Jobs canceled:  ", "jobs_canceled", jobs.canceled},
                              {"Jobs failed:    ", "jobs_failed", jobs.failed}}},
                            {"",
                             {{"Jobs pending:   ", "jobs_pending", jobs.pending},
                              {"Jobs running:   ", "jobs_running", jobs.running}}}};
  std::vector<Figure> backfill{
      {"Total backfilled jobs (since last slurm start): ", "bf_backfilled_jobs",
       jobs.backfilled_ever},
      {"Total backfilled jobs (since last stats cycle start): ", "bf_last_backfilled_jobs",
       jobs.backfilled},
      {"Total backfilled heterogeneous job components: ", "bf_backfilled_het_jobs",
       jobs.backfilled_components}};
  if (result.loops_by_hour.kept) {
    const LoopSums until = loops_until(result.loops_by_hour, at);
    const LoopSums before = loops_until(result.loops_by_hour, since);
    const LoopSums loops{until.main_passes - before.main_passes,
                         until.main_records - before.main_records,
                         until.backfill_cycles - before.backfill_cycles};
    const auto hour = counted_until(result.loops_by_hour, at);
    blocks.push_back({"Main schedule statistics (microseconds):",
                      main_figures(loops, hour.value_or(at) - since)});
    backfill.push_back({"Total cycles: ", "bf_cycle_counter", loops.backfill_cycles});
    view.note = "cycles that could change nothing are not simulated, and not counted";
    if (hour) {
      view.note +=
          "; the others are counted until " + zone_of(result).print(from_epoch_seconds(*hour));
    } else if (!options.at && since > result.begin) {
      view.note +=
          "; counters began anew at midnight UTC, as slurmctld's do: --at asks for other days";
    }
  } else {
    view.note = "the file does not tell how many cycles the loops had made by then";
  }
  blocks.push_back({"Backfilling stats", backfill});
  if (!options.json) {
    view.text = options.parsable ? parsable_text(blocks, options)
                                 : sdiag_text(zone_of(result), at, since, blocks);
    return view;
  }
  ViewRow& row = view.rows.emplace_back();
  row.emplace_back("req_time", at);
  row.emplace_back("req_time_start", since);
  for (const Block& block : blocks) {
    for (const Figure& figure : block.figures) row.emplace_back(figure.key, figure.value);
  }
  return view;
}

}  // namespace rehearse
