// sim/sched/priority/share_tree.hpp — who shares with whom: the tree with `parent` accounts
// removed.
//
// An account with fairshare=parent is transparent: its users and sub-accounts are siblings of its
// own siblings, and it stays in that list as an entry without children (priority.md §7.1).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/cluster/account.hpp"

namespace rehearse {

class ShareTree {
 public:
  explicit ShareTree(const AccountBook& book);

  /// The nearest ancestor that is not itself `parent`-shared; of root: root.
  [[nodiscard]] AssociationId share_parent(AssociationId id) const { return share_parent_[id]; }
  /// Siblings with this share parent, in the order of slurmctld's list (§7.3).
  [[nodiscard]] std::span<const AssociationId> children(AssociationId parent) const {
    const Range& range = ranges_[parent];
    return {order_.data() + range.begin, range.size};
  }
  /// The same positions in a caller's array of `total_children` entries.
  [[nodiscard]] std::span<AssociationId> slice(std::vector<AssociationId>& of,
                                               AssociationId parent) const {
    const Range& range = ranges_[parent];
    return {of.data() + range.begin, range.size};
  }
  [[nodiscard]] const std::vector<AssociationId>& order() const { return order_; }
  /// L: raw shares of the siblings that are not `parent`-shared.
  [[nodiscard]] std::uint64_t level_shares(AssociationId parent) const {
    return ranges_[parent].shares;
  }
  /// S: shares/L of the association on its level (§7.1); a `parent`-shared one has its share
  /// parent's; root has 0.
  [[nodiscard]] double level_share(const AccountBook& book, AssociationId id) const;
  /// User associations of the cluster: n.
  [[nodiscard]] std::uint32_t user_count() const { return user_count_; }
  /// Every association, each after its share parent.
  [[nodiscard]] const std::vector<AssociationId>& top_down() const { return top_down_; }

 private:
  struct Range {
    std::size_t begin = 0, size = 0;
    std::uint64_t shares = 0;
  };
  void visit(const AccountBook& book, AssociationId id, AssociationId share_parent);

  IdVector<AssociationId, AssociationId> share_parent_;
  IdVector<AssociationId, Range> ranges_;
  std::vector<AssociationId> order_;
  std::vector<AssociationId> top_down_;
  std::uint32_t user_count_ = 0;
};

/// U / U(root), 0 where the root has none; not above 1 (§8).
[[nodiscard]] long double usage_ratio(long double part, long double whole);

}  // namespace rehearse
