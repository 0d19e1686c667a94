// sim/study/comparison/effective_users.hpp — by how many users alike the jobs would weigh as they
// do.
#pragma once

#include <cstddef>
#include <limits>
#include <string>

#include "sim/study/comparison/job_pairs.hpp"

namespace rehearse {

/// (sum of w)^2 / sum of w^2 over the users (Kish, Survey Sampling, 1965, §11.7): as many as there
/// are if all weigh the same, 1 if one has it all. Draws of users are of so many in truth.
struct EffectiveUsers {
  double by_jobs = 0;  ///< that started on both sides: those of waits
  /// While jobs arrived, on side A; infinite: there are none.
  double by_gpu_hours = std::numeric_limits<double>::infinity();
};

[[nodiscard]] EffectiveUsers effective_users(const JobPairs& pairs);

/// What to think of intervals where there are `users_min` users or more, but they weigh as fewer.
/// Empty: nothing.
[[nodiscard]] std::string few_users_text(const JobPairs& pairs, std::size_t users_min);

}  // namespace rehearse
