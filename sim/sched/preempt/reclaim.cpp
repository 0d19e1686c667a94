// sim/sched/preempt/reclaim.cpp — victims for licences: PreemptParameters=reclaim_licenses
// (preemption.md §4.1).
#include "sim/cluster/licenses.hpp"
#include "sim/sched/preempt/license_need.hpp"
#include "sim/sched/preempt/preemption.hpp"

namespace rehearse {

bool Preemption::reclaims_licenses(const Job& preemptor) const {
  const Request& request = cluster_.request_of(preemptor);
  return enabled_ && cluster_.conf.preempt_parameters.reclaim_licenses &&
         !request.licenses.empty() && !request.any_license;
}

bool Preemption::holds_any(Job& job, std::span<const std::uint32_t> lacking) const {
  if (lacking.empty()) return false;
  for (const Job* part : parts_of(job)) {
    const std::vector<std::uint32_t> held = license_counts(cluster_, licenses_of(cluster_, *part));
    for (std::size_t i = 0; i < held.size(); ++i) {
      if (held[i] > 0 && lacking[i] > 0) return true;
    }
  }
  return false;
}

bool Preemption::could_reclaim(const Job& preemptor, PartitionId partition, SlurmTime now,
                               std::span<const std::uint32_t> lacking) const {
  LicenseNeed need(lacking);
  for (Job* victim : candidates(preemptor, partition, now, lacking)) {
    if (!is_killed(*victim)) continue;
    for (const Job* part : parts_of(*victim))
      need.met_by(license_counts(cluster_, licenses_of(cluster_, *part)));
  }
  return need.is_met();
}

}  // namespace rehearse
