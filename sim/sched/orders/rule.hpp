// sim/sched/orders/rule.hpp — what a rule of policy.order sees of a pending job, and what it
// answers.
#pragma once

namespace rehearse {

/// A pending job in one partition. All are what Slurm knows before the start: no run times.
struct OrderedJob {
  double submitted = 0;  ///< [s] since the first job was submitted
  double waited = 0;     ///< [s] since its submission, at the last tick of PriorityCalcPeriod
  double limit = 60;     ///< [s] its time limit in that partition, at least 60; none: a year
  double nodes = 1;      ///< at least 1
  double cpus = 1;       ///< at least 1
  double gpus = 0;       ///< gres/gpu of any Type
};

/// The larger the answer, the sooner the job is looked at. Any finite number, the same for the same
/// job; answers that differ by less than a millionth tie, and ties go to who came first.
using OrderRule = double(const OrderedJob& job);

}  // namespace rehearse
