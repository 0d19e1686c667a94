// sim/study/comparison/outcomes.cpp — rows of /jobs gathered by job.
#include "sim/study/comparison/outcomes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "sim/config/sbatch_args.hpp"
#include "sim/output/kpi/job_fates.hpp"
#include "sim/output/kpi/run_time.hpp"

namespace rehearse {
namespace {

/// What runs are measured against.
struct Span {
  std::int64_t until = 0;  ///< the end of the simulated period
  Window window;
};

/// Adds what one run held and how it ended.
void add_run(JobOutcome& job, const RunColumns& r, std::size_t row, const Span& span) {
  if (r.start[row] == kNoTime) return;
  const bool over = r.end[row] != kNoTime;
  const std::int64_t end = over ? r.end[row] : span.until;
  const auto held = static_cast<std::uint64_t>(
      std::max<std::int64_t>(0, end - r.start[row] - std::int64_t{r.suspended_s[row]}));
  // A suspension is taken off the end: few runs have one, and fewer across the window's edge.
  const Window inside{std::max(r.start[row], span.window.from),
                      std::min(r.start[row] + static_cast<std::int64_t>(held), span.window.to)};
  const auto held_inside = static_cast<std::uint64_t>(inside.length());
  job.window_gpu_milli_s += held_inside * r.gpu_milli[row];
  job.window_cpu_s += held_inside * r.cpus[row];
  job.gpu_milli_s += held * r.gpu_milli[row];
  if (was_lost(r.state[row])) {
    job.lost_gpu_milli_s +=
        (held - std::min<std::uint64_t>(held, r.kept_s[row])) * r.gpu_milli[row];
  }
  if (r.state[row] == static_cast<std::uint8_t>(JobState::Preempted)) ++job.preemptions;
  job.ended_in_window =
      over && !was_lost(r.state[row]) && end >= span.window.from && end < span.window.to;
}

void add_first_run(JobOutcome& job, const RunColumns& r, std::size_t row, const JobFate& fate) {
  job.row = static_cast<std::uint32_t>(row);
  job.start = r.start[row];
  job.eligible = r.eligible[row];
  job.slowdown = std::isnan(fate.slowdown) ? 0 : fate.slowdown;
  job.is_killed = fate.is_killed;
}

/// When the record has its first submission; an open replay keeps that.
std::int64_t recorded_submit_of(const Result& result, std::size_t row) {
  return result.feedback.kept ? result.feedback.recorded_submit[row] : result.runs.submit[row];
}

/// The tasks that a row stands for: one, or those of an array that never split.
std::vector<std::int32_t> tasks_of(const Result& result, std::size_t row) {
  const RunColumns& r = result.runs;
  if (r.array_job[row] == 0) return {-1};
  if (r.array_task[row] >= 0) return {r.array_task[row]};
  const auto waiting = parse_array_indexes(text_of(result.names.text, r.array_text[row]));
  if (!waiting) return {-1};
  return {waiting->indexes.begin(), waiting->indexes.end()};
}

}  // namespace

std::vector<JobOutcome> outcomes_of(const Result& result, const Window& window) {
  const Span span{result.end, window};
  const RunColumns& r = result.runs;
  const std::vector<JobFate> fates = job_fates(result);
  std::vector<JobOutcome> jobs;
  jobs.reserve(r.size());
  // A requeued run is a row of its own, behind its first: the last job of that id is its job.
  std::map<std::pair<std::uint32_t, std::int32_t>, std::size_t> last;
  for (std::size_t row = 0; row < r.size(); ++row) {
    const std::uint32_t id = r.array_job[row] != 0 ? r.array_job[row] : r.job_id[row];
    for (const std::int32_t task : tasks_of(result, row)) {
      const auto known = last.find({id, task});
      if (r.restarts[row] > 0 && known != last.end()) {
        add_run(jobs[known->second], r, row, span);
        continue;
      }
      JobOutcome job;
      job.submit = r.submit[row];
      job.key = {id, task, recorded_submit_of(result, row)};
      add_first_run(job, r, row, fates[row]);
      add_run(job, r, row, span);
      last[{id, task}] = jobs.size();
      jobs.push_back(job);
    }
  }
  std::stable_sort(jobs.begin(), jobs.end(),
                   [](const JobOutcome& a, const JobOutcome& b) { return a.key < b.key; });
  return jobs;
}

Window arrival_window(const Result& a, const Result& b) {
  Window window{kNoTime, std::numeric_limits<std::int64_t>::max()};
  for (const Result* result : {&a, &b}) {
    const RunColumns& r = result->runs;
    if (r.size() == 0) return {};
    Window own{std::numeric_limits<std::int64_t>::max(), kNoTime};
    for (std::size_t row = 0; row < r.size(); ++row) {
      if (r.restarts[row] > 0) continue;
      own.from = std::min(own.from, r.submit[row]);
      own.to = std::max(own.to, r.submit[row]);
    }
    own.from = std::max(own.from, result->begin);  // a run from the middle: of its own time
    window.from = std::max(window.from, own.from);
    window.to = std::min(window.to, own.to);
  }
  return window;
}

}  // namespace rehearse
