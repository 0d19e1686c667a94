// sim/sched/bound_limits.cpp — collecting what is set along a scope.
#include "sim/sched/bound_limits.hpp"

#include <algorithm>

namespace rehearse {
namespace {

void add(const BoundLimit& limit, BoundLimits::List& list) {
  list.limits.push_back(limit);
  list.looked_at |= mask_of(limit.tres);
  if (limit.kind == TresLimitKind::MaxPerNode) {
    list.looked_at |= mask_of(index_of(TresTable::kNode));
  }
}

/// What its owner sets, up to the kind `last`. `whose`: names the owner; `factor`: on the group's
/// amounts and those of a job (limits.md §4).
template <typename Owner>
void add_of(const Owner& owner, const LimitScope& scope, LimitRank rank, TresLimitKind last,
            double factor, BoundLimit whose, BoundLimits::List& list) {
  for (std::size_t k = 0; k <= static_cast<std::size_t>(last); ++k) {
    whose.kind = static_cast<TresLimitKind>(k);
    const TresLimits& limits = tres_limits(owner, whose.kind);
    const bool scales = whose.kind == TresLimitKind::Grp || whose.kind == TresLimitKind::Max;
    for (std::size_t t = 0; t < limits.size(); ++t) {
      if (!limits[t] || scope.hidden(rank, whose.kind, t)) continue;
      const auto limit = scales ? scaled_limit(*limits[t], factor) : limits[t];
      if (!limit) continue;
      whose.tres = static_cast<std::uint32_t>(t);
      whose.limit = *limit;
      add(whose, list);
    }
  }
}

/// Of ancestors the three group limits only.
void add_of_association(const LimitScope& scope, const Association& association,
                        BoundLimits::List& list) {
  const TresLimitKind last =
      &association == scope.own ? TresLimitKind::MaxPerNode : TresLimitKind::GrpRunMins;
  add_of(association, scope, LimitRank::Association, last, scope.limit_factor(),
         {.own = &association}, list);
}

}  // namespace

const BoundLimits::List& BoundLimits::of(const AccountBook& book, const LimitScope& scope) {
  if (by_association_.empty()) by_association_.resize(book.associations.size() + 1);
  std::vector<Known>& known =
      scope.own != nullptr ? by_association_[index_of(scope.own->id)] : by_association_.back();
  const auto found = std::find_if(known.begin(), known.end(), [&](const Known& each) {
    return each.first == scope.first && each.second == scope.second;
  });
  if (found != known.end()) return found->list;
  Known& made = known.emplace_back(Known{scope.first, scope.second, {}});
  const auto add_of_qos = [&](const Qos* qos, LimitRank rank) {
    if (qos != nullptr) add_of(*qos, scope, rank, last_of_qos_, 1, {.qos = qos}, made.list);
  };
  add_of_qos(scope.first, LimitRank::First);
  add_of_qos(scope.second, LimitRank::Second);
  for (const Association* at = scope.own; at != nullptr;
       at = at->parent ? &book.associations[*at->parent] : nullptr) {
    add_of_association(scope, *at, made.list);
  }
  return made.list;
}

}  // namespace rehearse
