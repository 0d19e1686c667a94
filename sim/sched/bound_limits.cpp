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

void add_of_qos(const LimitScope& scope, const Qos& qos, LimitRank rank, BoundLimits::List& list) {
  for (std::size_t k = 0; k < kTresLimitKindCount; ++k) {
    const auto kind = static_cast<TresLimitKind>(k);
    const TresLimits& limits = tres_limits(qos, kind);
    for (std::size_t t = 0; t < limits.size(); ++t) {
      if (!limits[t] || scope.hidden(rank, kind, t)) continue;
      add({.kind = kind, .tres = static_cast<std::uint32_t>(t), .limit = *limits[t], .qos = &qos},
          list);
    }
  }
}

/// Of ancestors the three group limits only.
void add_of_association(const LimitScope& scope, const Association& association,
                        BoundLimits::List& list) {
  const double factor = scope.limit_factor();
  const auto last = static_cast<std::size_t>(&association == scope.own ? TresLimitKind::MaxPerNode
                                                                       : TresLimitKind::GrpRunMins);
  for (std::size_t k = 0; k <= last; ++k) {
    const auto kind = static_cast<TresLimitKind>(k);
    const TresLimits& limits = tres_limits(association, kind);
    const bool scales = kind == TresLimitKind::Grp || kind == TresLimitKind::Max;
    for (std::size_t t = 0; t < limits.size(); ++t) {
      if (!limits[t] || scope.hidden(LimitRank::Association, kind, t)) continue;
      const auto limit = scales ? scaled_limit(*limits[t], factor) : limits[t];
      if (!limit) continue;
      add({.kind = kind,
           .tres = static_cast<std::uint32_t>(t),
           .limit = *limit,
           .own = &association},
          list);
    }
  }
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
  if (scope.first != nullptr) add_of_qos(scope, *scope.first, LimitRank::First, made.list);
  if (scope.second != nullptr) add_of_qos(scope, *scope.second, LimitRank::Second, made.list);
  for (const Association* at = scope.own; at != nullptr;
       at = at->parent ? &book.associations[*at->parent] : nullptr) {
    add_of_association(scope, *at, made.list);
  }
  return made.list;
}

}  // namespace rehearse
