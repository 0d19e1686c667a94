// sim/sched/feature_names.hpp — which expressions of -C and --prefer slurmctld accepts
// (scheduling.md §5.4).
#pragma once

#include <map>

#include "sim/cluster/cluster.hpp"

namespace rehearse {

class FeatureNames {
 public:
  explicit FeatureNames(const Cluster& cluster) : cluster_(cluster) {}

  /// False: it cannot be read, or names a feature that no node has. No expression is a valid one.
  [[nodiscard]] bool are_valid(NameId expression);
  /// An admin gave nodes other features.
  void forget() { known_.clear(); }

 private:
  const Cluster& cluster_;
  std::map<NameId, bool> known_;
};

}  // namespace rehearse
