// sim/sched/job_counts.cpp — the counts that a record reaches, or adds to.
#include "sim/sched/job_counts.hpp"

#include <array>

namespace rehearse {

void JobCounts::begin_cycle() {
  by_user_.begin_cycle();
  by_association_.begin_cycle();
  by_partition_.begin_cycle();
  by_user_partition_.clear();
}

bool JobCounts::admit(const Job& job, PartitionId partition,
                      const SchedulerParameters& parameters) {
  const NameId user = job.spec->user;
  std::array<std::uint32_t*, 3> counts{};
  std::size_t counted = 0;
  const auto reaches = [&](std::uint32_t most, std::uint32_t& count) {
    counts[counted++] = &count;
    return count >= most;
  };
  const auto reached = [&](std::uint32_t most, auto& of, const auto& id) {
    return most > 0 && reaches(most, of.of(id));
  };
  if (reached(parameters.bf_max_job_part, by_partition_, partition)) return false;
  if (job.association) {  // bf_max_job_user knows no user beyond one account (§8.1)
    const std::uint32_t most =
        parameters.bf_max_job_assoc > 0 ? parameters.bf_max_job_assoc : parameters.bf_max_job_user;
    if (reached(most, by_association_, *job.association)) return false;
  } else if (parameters.bf_max_job_assoc == 0 &&
             reached(parameters.bf_max_job_user, by_user_, user)) {
    return false;
  }
  const std::uint32_t most = parameters.bf_max_job_user_part;
  if (most > 0 && reaches(most, by_user_partition_[{user, partition}])) return false;
  for (std::size_t i = 0; i < counted; ++i) ++*counts[i];
  return true;
}

}  // namespace rehearse
