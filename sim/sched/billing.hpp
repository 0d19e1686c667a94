// sim/sched/billing.hpp — what a job's TRES weigh in the billing of its partition (priority.md
// §6.2).
#pragma once

#include <cstdint>
#include <vector>

#include "sim/cluster/partition.hpp"
#include "sim/cluster/tres.hpp"
#include "sim/config/site_conf.hpp"
#include "sim/config/slurm_conf.hpp"

namespace rehearse {

/// How weighted amounts become one number.
enum class BillingRule : std::uint8_t {
  Sum,
  MaxTres,      ///< greatest of CPUs, memory, nodes and every GRES, plus the sum of the others
  MaxTresGres,  ///< 25.05: greatest of CPUs, memory and nodes, plus the sum of the others
};

/// From PriorityFlags. Up to 24.11 MAX_TRES_GRES is read as MAX_TRES (priority.md §1.1).
[[nodiscard]] BillingRule billing_rule(const SlurmConf& conf, SlurmVersion version);

class Billing {
 public:
  Billing(const TresTable& tres, BillingRule rule);

  /// The exact value; without weights the CPUs. `amounts` has every TRES; its billing is not read.
  [[nodiscard]] double of(const Partition& partition, const TresVector& amounts) const;

 private:
  std::vector<bool> competes_;  // by TRES: only the greatest of these counts
};

/// Slurm's integer billing: the fraction is cut.
[[nodiscard]] std::uint64_t truncated_billing(double billing);

}  // namespace rehearse
