// workloads/logged_instants.hpp — where a job's lines begin in a list of a slurmctld.log.
#pragma once

#include <algorithm>
#include <vector>

#include "workloads/controller_log.hpp"

namespace rehearse {

/// The first of the job's instants, in lists by job; of a job without one where they would stand.
template <typename Logged>
[[nodiscard]] typename std::vector<Logged>::const_iterator first_of(const std::vector<Logged>& list,
                                                                    JobId id) {
  return std::lower_bound(list.begin(), list.end(), id,
                          [](const Logged& a, JobId b) { return a.id < b; });
}

}  // namespace rehearse
