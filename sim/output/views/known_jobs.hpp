// sim/output/views/known_jobs.hpp — the job records that slurmctld holds at an instant, by their
// rows.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "sim/output/views/view.hpp"

namespace rehearse {

/// The row that stands for each job at the instant, by job id: the last that was submitted by then.
/// Without `options.jobs` those that had ended longer ago than MinJobAge are left out; with them an
/// InputError where none of the jobs was submitted yet.
[[nodiscard]] std::vector<std::uint32_t> known_jobs(const Result& result,
                                                    const ViewOptions& options);

/// A job that gave back nodes while it ran is several rows, one after another.
class ResizedJobs {
 public:
  explicit ResizedJobs(const RunColumns& runs);
  /// The rows before this one of the same run, the last first; empty of a job that kept its size.
  [[nodiscard]] std::vector<std::uint32_t> parts_before(std::uint32_t row) const;

 private:
  const RunColumns& runs_;
  std::map<std::pair<std::uint32_t, std::int64_t>, std::uint32_t> parts_;  // by job id and end
};

}  // namespace rehearse
