// sim/study/comparison/moved_jobs.hpp — the jobs whose wait two runs differ in most, by name, and
// for what they waited.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/study/comparison/comparison.hpp"

namespace rehearse {

struct MovedJob {
  const JobPair* pair = nullptr;  ///< of the comparison's
  std::uint64_t gpus = 0;         ///< asked for, as /jobs of side A has them
  /// Of B over A [s]; none: it never starts on one side.
  std::optional<std::int64_t> difference;
  /// The Reason for which it pended longest until its first start; empty: it did not wait.
  std::string reason_a, reason_b;
};

struct MovedJobs {
  std::vector<MovedJob> longer;   ///< those that never start under B alone, then the most first
  std::vector<MovedJob> shorter;  ///< those that never start under A alone, then the most first
  std::size_t longer_count = 0, shorter_count = 0;  ///< of all such pairs
};

/// At most `most` of each; of equal ones in order of key.
[[nodiscard]] MovedJobs moved_jobs(const Comparison& value, std::size_t most);

}  // namespace rehearse
