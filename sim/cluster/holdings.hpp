// sim/cluster/holdings.hpp — what a started job holds in a ledger, suspended or not.
#pragma once

#include "sim/cluster/job.hpp"
#include "sim/cluster/ledger.hpp"

namespace rehearse {

/// Gives back all that the job still holds.
inline void give_back_all(Ledger& ledger, const Job& job) {
  if (job.suspension.lends_cores) {
    ledger.give_back_rest(job.allocation);
  } else {
    ledger.give_back(job.allocation, job.partition);
  }
}

/// The same of one of its nodes.
inline void give_back_all_of(Ledger& ledger, const Job& job, const NodeShare& share) {
  if (job.suspension.lends_cores) {
    ledger.give_back_rest_of(share);
  } else {
    ledger.give_back_share(share, job.allocation, job.partition);
  }
}

/// Its part of Ledger::content() of the node.
[[nodiscard]] inline NodeContent content_of(const Ledger& ledger, const Job& job,
                                            const NodeShare& share) {
  return job.suspension.lends_cores ? ledger.content_of_rest(share)
                                    : ledger.content_of(share, job.allocation, job.partition);
}

/// Takes it again: the reverse of give_back_all. A resumed job may hold cores that another holds
/// too.
inline void take_all(Ledger& ledger, const Job& job) {
  if (!job.suspension.lends_cores) ledger.take_cores(job.allocation, job.partition);
  ledger.take_rest(job.allocation);
}

}  // namespace rehearse
