// sim/sched/priority/fair_tree.hpp — Fair Tree: ranks users by walking the account tree.
//
// Slurm's documentation says that the children of accounts that tie are ranked together. No release
// does so: the second account's first entry takes the rank last given, the rest go on downward
// (priority.md §7.2). That is what stands here.
#pragma once

#include <vector>

#include "sim/cluster/account.hpp"
#include "sim/sched/priority/share_tree.hpp"

namespace rehearse {

class FairTree {
 public:
  explicit FairTree(AccountBook& book);

  /// Recomputes level fair share and rank of every association from its usage. No allocation.
  void update();

 private:
  void rank_below(AssociationId parent, bool tied);
  void compute(AssociationId id);

  AccountBook& book_;
  ShareTree tree_;
  std::vector<AssociationId> work_;   // beside tree_.order(), sorted level by level
  std::vector<std::uint32_t> place_;  // position in tree_.order(), by association
  std::uint32_t rank_ = 0, next_ = 0;
};

}  // namespace rehearse
