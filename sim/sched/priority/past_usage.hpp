// sim/sched/priority/past_usage.hpp — usage that was made before the run begins (priority.md §6).
#pragma once

#include <vector>

#include "sim/cluster/account.hpp"
#include "sim/config/slurm_conf.hpp"
#include "sim/core/time.hpp"

namespace rehearse {

/// A run, or the part of it before the run begins.
struct PastRun {
  AssociationId association{};
  double billing = 0;  ///< [billing], times the QOS' UsageFactor
  SlurmTime start, end;
};

/// Makes the usage of the book, which is that of `since`, what it has become by `now`: decayed, and
/// `runs` charged. PriorityUsageResetPeriod is not looked at, nor usage by TRES for GrpTRESMins.
void charge_past(AccountBook& book, const std::vector<PastRun>& runs, const PriorityConf& conf,
                 SlurmTime since, SlurmTime now);

/// As if nothing had been used.
void forget_usage(AccountBook& book);

}  // namespace rehearse
