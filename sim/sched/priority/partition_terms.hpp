// sim/sched/priority/partition_terms.hpp — the two terms of a priority that differ by partition:
// the partition's own and those of TRES (priority.md §3.5, §3.8).
#pragma once

#include <vector>

#include "sim/cluster/cluster.hpp"

namespace rehearse {

class PartitionTerms {
 public:
  /// The cluster as it is now; see partitions_changed().
  explicit PartitionTerms(const Cluster& cluster);

  /// PriorityWeightTRES, licences or flags are others.
  void settings_changed();
  /// What a partition has, or how it is billed, is not what it was.
  void partitions_changed();

  [[nodiscard]] double of_partition(PartitionId partition) const;
  /// Their sum; each of them into `terms`, by TRES, unless it is null.
  double of_tres(const Job& job, PartitionId partition, std::vector<double>* terms) const;
  [[nodiscard]] bool weigh_tres() const { return !weights_.empty(); }
  [[nodiscard]] std::size_t tres_count() const { return weights_.size(); }

 private:
  const Cluster& cluster_;
  std::vector<double> weights_;     // by TRES; empty: none
  std::vector<TresVector> totals_;  // by partition, with licences and billing
};

}  // namespace rehearse
