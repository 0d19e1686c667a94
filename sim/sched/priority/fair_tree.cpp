// sim/sched/priority/fair_tree.cpp — Fair Tree: ranks users by walking the account tree.
#include "sim/sched/priority/fair_tree.hpp"

#include <algorithm>
#include <limits>

namespace rehearse {
namespace {

constexpr long double kInfinity = std::numeric_limits<long double>::infinity();
/// Slurm's marker for an account with fairshare=parent: below every user without usage, above all
/// that can be reached by sharing (§7.1).
constexpr long double kTransparentAccount = 4294967294.0L;

}  // namespace

FairTree::FairTree(AccountBook& book)
    : book_(book), tree_(book), work_(tree_.order()), place_(book.associations.size()) {
  for (std::size_t i = 0; i < work_.size(); ++i) {
    place_[index_of(work_[i])] = static_cast<std::uint32_t>(i);
  }
  for (const AssociationId id : tree_.top_down()) {
    book_.associations[id].shares_norm = tree_.level_share(book_, id);
  }
}

void FairTree::compute(AssociationId id) {
  Association& association = book_.associations[id];
  const long double all = book_.associations[AssociationId{0}].usage.raw;
  const long double level = book_.associations[tree_.share_parent(id)].usage.raw;
  const long double own = association.usage.raw;
  association.usage_norm = all > 0 ? own / all : 0.0L;
  association.usage_effective = level > 0 ? own / level : 0.0L;
  if (!association.shares) {
    association.level_fs = association.user != kNoName ? kInfinity : kTransparentAccount;
  } else if (*association.shares == 0 || association.shares_norm <= 0) {
    association.level_fs = 0;
  } else if (association.usage_effective <= 0) {
    association.level_fs = kInfinity;
  } else {
    association.level_fs =
        static_cast<long double>(association.shares_norm) / association.usage_effective;
  }
}

void FairTree::update() {
  Association& root = book_.associations[AssociationId{0}];
  root.usage_norm = root.usage_effective = 1;
  rank_ = next_ = tree_.user_count();
  rank_below(AssociationId{0}, false);
}

void FairTree::rank_below(AssociationId parent, bool tied) {
  const auto siblings = tree_.slice(work_, parent);
  for (const AssociationId id : siblings) compute(id);
  // The same order as a stable merge sort of the list by (level fair share descending, users before
  // accounts): the place in the list decides last.
  std::sort(siblings.begin(), siblings.end(), [this](AssociationId a, AssociationId b) {
    const Association &left = book_.associations[a], &right = book_.associations[b];
    if (left.level_fs != right.level_fs) return left.level_fs > right.level_fs;
    const bool left_account = left.user == kNoName, right_account = right.user == kNoName;
    if (left_account != right_account) return right_account;
    return place_[index_of(a)] < place_[index_of(b)];
  });
  const long double* before = nullptr;
  for (const AssociationId id : siblings) {
    Association& association = book_.associations[id];
    // The first of a list is tied when the account descended into was (§7.2 rule 2).
    if (before != nullptr) tied = association.level_fs == *before;
    before = &association.level_fs;
    if (association.user == kNoName) {
      rank_below(id, tied);
      continue;
    }
    if (!tied) rank_ = next_;
    association.fair_share = static_cast<double>(rank_) / static_cast<double>(tree_.user_count());
    --next_;
  }
}

}  // namespace rehearse
