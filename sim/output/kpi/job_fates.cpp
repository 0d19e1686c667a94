// sim/output/kpi/job_fates.cpp — runs of a job put together: a requeued one is a row of its own.
#include "sim/output/kpi/job_fates.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>

#include "sim/output/kpi/run_time.hpp"

namespace rehearse {
namespace {

constexpr double kLeastWork = 10;  // [s]

bool is_failure(std::uint8_t state) {
  const auto is = [&](JobState which) { return state == static_cast<std::uint8_t>(which); };
  return is(JobState::Failed) || is(JobState::NodeFail) || is(JobState::BootFail) ||
         is(JobState::OutOfMemory);
}

struct JobSpan {
  std::int64_t submit = 0, end = kNoTime, work_s = 0;
  bool is_killed = false, has_ended = false, has_failed = false;

  void add(const RunColumns& r, std::size_t row) {
    end = was_lost(r.state[row]) ? kNoTime : r.end[row];
    is_killed = was_lost(r.state[row]) && r.state[row] != kStateRequeued;
    has_ended = r.end[row] != kNoTime && r.state[row] != kStateRequeued;
    has_failed = has_ended && is_failure(r.state[row]);
    if (r.start[row] == kNoTime || r.end[row] == kNoTime) return;
    const std::int64_t took =
        std::max<std::int64_t>(0, r.end[row] - r.start[row] - std::int64_t{r.suspended_s[row]});
    work_s += was_lost(r.state[row]) ? std::min<std::int64_t>(took, r.kept_s[row]) : took;
  }
  [[nodiscard]] double slowdown() const {
    const auto response = static_cast<double>(end - submit);
    return std::max(1.0, response / std::max(static_cast<double>(work_s), kLeastWork));
  }
};

}  // namespace

std::vector<JobFate> job_fates(const Result& result) {
  const RunColumns& r = result.runs;
  std::vector<JobFate> fates(r.size());
  std::set<std::uint32_t> again;  // jobs of several rows
  for (std::size_t row = 0; row < r.size(); ++row) {
    if (r.restarts[row] > 0) again.insert(r.job_id[row]);
  }
  struct Known {
    std::size_t first = 0;
    JobSpan span;
  };
  std::map<std::uint32_t, Known> known;
  const auto close = [&](const Known& job) {
    const bool has_run = r.start[job.first] != kNoTime;
    if (has_run && job.span.end != kNoTime) fates[job.first].slowdown = job.span.slowdown();
    fates[job.first].is_killed = has_run && job.span.is_killed;
    fates[job.first].has_ended = has_run && job.span.has_ended;
    fates[job.first].has_failed = has_run && job.span.has_failed;
  };
  for (std::size_t row = 0; row < r.size(); ++row) {
    const std::uint32_t id = r.job_id[row];
    if (r.restarts[row] > 0) {
      const auto job = known.find(id);
      if (job != known.end()) job->second.span.add(r, row);
      continue;
    }
    Known job{row, {r.submit[row]}};
    job.span.add(r, row);
    if (!again.contains(id)) {
      close(job);
      continue;
    }
    const auto before = known.find(id);  // an id that was used again
    if (before != known.end()) close(before->second);
    known[id] = job;
  }
  for (const auto& [id, job] : known) close(job);
  return fates;
}

}  // namespace rehearse
