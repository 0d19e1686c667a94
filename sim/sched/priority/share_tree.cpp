// sim/sched/priority/share_tree.cpp — who shares with whom.
#include "sim/sched/priority/share_tree.hpp"

#include <algorithm>
#include <utility>

namespace rehearse {

ShareTree::ShareTree(const AccountBook& book)
    : share_parent_(book.associations.size()), ranges_(book.associations.size()) {
  top_down_.reserve(book.associations.size());
  visit(book, AssociationId{0}, AssociationId{0});

  // Grouped by share parent.
  order_.assign(top_down_.begin() + 1, top_down_.end());
  const auto key = [&](AssociationId id) {
    return std::pair(index_of(share_parent_[id]), book.associations[id].place);
  };
  std::sort(order_.begin(), order_.end(),
            [&](AssociationId a, AssociationId b) { return key(a) < key(b); });
  for (std::size_t i = 0; i < order_.size(); ++i) {
    Range& range = ranges_[share_parent_[order_[i]]];
    if (range.size++ == 0) range.begin = i;
    range.shares += book.associations[order_[i]].shares.value_or(0);
  }
}

void ShareTree::visit(const AccountBook& book, AssociationId id, AssociationId share_parent) {
  const Association& association = book.associations[id];
  share_parent_[id] = share_parent;
  top_down_.push_back(id);
  if (association.user != kNoName) ++user_count_;
  const bool transparent = !association.shares && id != AssociationId{0};
  for (const AssociationId child : association.children) {
    visit(book, child, transparent ? share_parent : id);
  }
}

double ShareTree::level_share(const AccountBook& book, AssociationId id) const {
  while (id != AssociationId{0} && !book.associations[id].shares) id = share_parent_[id];
  if (id == AssociationId{0}) return 0;
  const std::uint64_t level = level_shares(share_parent_[id]);
  if (level == 0) return 0;
  return static_cast<double>(*book.associations[id].shares) / static_cast<double>(level);
}

long double usage_ratio(long double part, long double whole) {
  return whole > 0 ? std::min(part / whole, 1.0L) : 0.0L;
}

}  // namespace rehearse
