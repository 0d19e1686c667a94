// sim/output/views/known_jobs.cpp — rows of one job in order of submission; the last one counts.
#include "sim/output/views/known_jobs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "sim/core/error.hpp"
#include "sim/output/sacct_writer.hpp"

namespace rehearse {
namespace {

std::set<std::uint32_t> asked_ids(const Result& result, const ViewOptions& options) {
  std::set<std::uint32_t> ids;
  for (const std::uint32_t row : options.jobs) ids.insert(result.runs.job_id[row]);
  return ids;
}

[[noreturn]] void refuse_unsubmitted(const Result& result, const ViewOptions& options,
                                     std::int64_t at) {
  const std::uint32_t row = options.jobs.front();
  const TimeZone zone = zone_of(result);
  throw InputError({"job id", 0, 0},
                   fmt::format("job {} is not submitted yet at {}", job_id_text(result, row),
                               zone.print(from_epoch_seconds(at))),
                   "it comes at " + zone.print(from_epoch_seconds(result.runs.submit[row])) +
                       ": ask --at that time or later");
}

}  // namespace

std::vector<std::uint32_t> known_jobs(const Result& result, const ViewOptions& options) {
  const std::int64_t at = options.at.value_or(result.end);
  const RunColumns& r = result.runs;
  const std::set<std::uint32_t> asked = asked_ids(result, options);
  const std::vector<std::uint32_t> completing = completing_at(result, at);
  std::vector<std::uint32_t> rows;
  for (const std::uint32_t row : sacct_order(result)) {
    if (standing_at(r, row, at) == Standing::Absent) continue;
    if (!asked.empty() && !asked.contains(r.job_id[row])) continue;
    if (!rows.empty() && r.job_id[rows.back()] == r.job_id[row]) rows.pop_back();
    rows.push_back(row);
  }
  if (!asked.empty()) {
    if (rows.empty()) refuse_unsubmitted(result, options, at);
    return rows;
  }
  const std::int64_t age = result.cluster.min_job_age_s;  // 0: they are never forgotten
  std::erase_if(rows, [&](std::uint32_t row) {
    return standing_at(r, row, at) == Standing::Ended && age > 0 && at - r.end[row] > age &&
           !std::binary_search(completing.begin(), completing.end(), row);
  });
  return rows;
}

ResizedJobs::ResizedJobs(const RunColumns& runs) : runs_(runs) {
  for (std::uint32_t row = 0; row < runs.size(); ++row) {
    if (runs.state[row] == kStateResizing) parts_[{runs.job_id[row], runs.end[row]}] = row;
  }
}

std::vector<std::uint32_t> ResizedJobs::parts_before(std::uint32_t row) const {
  std::vector<std::uint32_t> parts;
  for (;;) {
    const auto before = parts_.find({runs_.job_id[row], runs_.start[row]});
    if (before == parts_.end() || before->second == row) return parts;
    row = before->second;
    parts.push_back(row);
  }
}

}  // namespace rehearse
