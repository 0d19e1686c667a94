// sim/study/explanation/job_lookup.hpp — job ids as users write them, found in a result.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/output/result.hpp"

namespace rehearse {

/// What `123`, `123_4`, `123_[4-6]` or `200+1` stands for.
struct FoundJobs {
  /// First rows of the jobs, in order of task; of an array's id all of its tasks.
  std::vector<std::uint32_t> rows;
  std::string note;  ///< how the id was read, where that is not plain
};

/// Throws InputError where the id is none, or no job of the run: the nearest ones are its hint.
[[nodiscard]] FoundJobs find_jobs(const Result& result, std::string_view text);

/// What sbatch would have said to whoever submitted that job; empty: it was not refused.
[[nodiscard]] std::string refusal_of(const Result& result, std::uint32_t id);

}  // namespace rehearse
