// sim/output/plan_columns.hpp — what backfill planned, plan by plan (scheduling.md §8.9).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rehearse {

/// What backfill planned, where the run was to keep it; in order of their ends.
struct PlanColumns {
  std::vector<std::uint32_t> job_id;
  std::vector<std::int64_t> begin, end;  ///< while the plan stood
  std::vector<std::int64_t> start;       ///< of the job, as planned
  std::vector<std::uint32_t> node_list;
  bool kept = false;  ///< false: nobody asked for them
  [[nodiscard]] std::size_t size() const { return job_id.size(); }
};

}  // namespace rehearse
