// sim/sched/limits_before.cpp — tests before node selection, and the cap on nodes (limits.md §6.2,
// §6.3).
#include <algorithm>

#include "sim/sched/limits.hpp"

namespace rehearse {
namespace {

const std::optional<std::uint32_t>& grp_wall(const Qos& qos) {
  return qos.limits.grp_wall_min;
}
const std::optional<std::uint32_t>& max_wall(const Qos& qos) {
  return qos.limits.max_wall_min;
}

/// Group wall time used, in whole minutes.
std::uint64_t wall_minutes(const Usage& usage) {
  return usage.grp_wall_s > 0 ? static_cast<std::uint64_t>(usage.grp_wall_s / 60) : 0;
}

/// The job's limit, or the smaller of the limits at hand where it has none.
std::uint64_t tested_minutes(const Job& job, const std::optional<std::uint32_t>& a,
                             const std::optional<std::uint32_t>& b) {
  if (const auto own = limit_minutes(job.time_limit)) return *own;
  return std::min(a.value_or(UINT32_MAX), b.value_or(UINT32_MAX));
}

std::uint32_t running_of(const std::map<NameId, QosShare>& shares, NameId name) {
  const auto share = shares.find(name);
  return share != shares.end() ? share->second.running_jobs : 0;
}

bool is_used_up(std::uint64_t used, std::uint64_t minutes, std::uint32_t limit, bool safe) {
  return used >= limit || (safe && used + minutes > limit);
}

}  // namespace

std::optional<Reason> Limits::before_selection(const Job& job, PartitionId partition) const {
  if (!concerns(job, partition, kBefore)) return std::nullopt;
  const LimitScope scope = scope_of(job, partition);
  const auto by_qos = scope.first_of_qos(
      [&](const Qos& qos, LimitRank rank) { return before_by_qos(job, scope, qos, rank); });
  return by_qos ? by_qos : before_by_association(job, scope);
}

std::optional<Reason> Limits::before_by_qos(const Job& job, const LimitScope& scope, const Qos& qos,
                                            LimitRank rank) const {
  const LimitSet& limits = qos.limits;
  const auto binds = [&](auto get) {
    return get(qos).has_value() &&
           !scope.hidden(rank, [&](const Qos& q) { return get(q).has_value(); });
  };
  if (binds([](const Qos& q) { return q.limits.grp_jobs; }) &&
      qos.counters.running_jobs >= *limits.grp_jobs) {
    return Reason::QOSGrpJobsLimit;
  }
  const bool tests_time = !job.set_by_operator.time_limit;
  const bool tests_grp_wall = tests_time && binds(grp_wall);
  const bool tests_max_wall = tests_time && binds(max_wall);
  const std::optional<std::uint32_t> none;
  std::uint64_t minutes = tested_minutes(job, tests_grp_wall ? limits.grp_wall_min : none,
                                         tests_max_wall ? limits.max_wall_min : none);
  minutes = safe_minutes(minutes, qos_of(job));
  if (tests_grp_wall && is_used_up(wall_minutes(qos.usage), minutes, *limits.grp_wall_min, safe_)) {
    return Reason::QOSGrpWallLimit;
  }
  if (binds([](const Qos& q) { return q.conf.max_jobs_per_account; }) &&
      running_of(qos.by_account, account_of(job)) >= *qos.conf.max_jobs_per_account) {
    return Reason::MaxJobsPerAccount;
  }
  if (binds([](const Qos& q) { return q.conf.max_jobs_per_user; }) &&
      running_of(qos.by_user, user_of(job)) >= *qos.conf.max_jobs_per_user) {
    return Reason::QOSMaxJobsPerUserLimit;
  }
  if (tests_max_wall) {
    // Slurm multiplies a second time where the QOS has both limits.
    if (tests_grp_wall) minutes = safe_minutes(minutes, qos_of(job));
    if (minutes > *limits.max_wall_min) return Reason::QOSMaxWallDurationPerJobLimit;
  }
  return std::nullopt;
}

std::optional<Reason> Limits::before_by_association(const Job& job, const LimitScope& scope) const {
  const auto hidden = [&](auto is_set) { return scope.hidden(LimitRank::Association, is_set); };
  const bool grp_jobs_binds = !hidden([](const Qos& q) { return q.limits.grp_jobs.has_value(); });
  const bool tests_time = !job.set_by_operator.time_limit;
  const bool grp_wall_binds =
      tests_time && !hidden([](const Qos& q) { return grp_wall(q).has_value(); });
  const bool max_wall_binds =
      tests_time && !hidden([](const Qos& q) { return max_wall(q).has_value(); });
  const bool max_jobs_binds =
      !hidden([](const Qos& q) { return q.conf.max_jobs_per_user || q.conf.max_jobs_per_account; });
  const std::optional<std::uint32_t> none;
  for (const Association* at = scope.own; at != nullptr; at = parent_of(*at)) {
    const LimitSet& limits = at->limits;
    if (grp_jobs_binds && limits.grp_jobs && at->counters.running_jobs >= *limits.grp_jobs) {
      return Reason::AssocGrpJobsLimit;
    }
    const bool own = at == scope.own;
    const auto& walls = own && max_wall_binds ? limits.max_wall_min : none;
    const std::uint64_t minutes = safe_minutes(
        tested_minutes(job, grp_wall_binds ? limits.grp_wall_min : none, walls), qos_of(job));
    if (grp_wall_binds && limits.grp_wall_min &&
        is_used_up(wall_minutes(at->usage), minutes, *limits.grp_wall_min, safe_)) {
      return Reason::AssocGrpWallLimit;
    }
    if (own && max_jobs_binds && at->max_jobs && at->counters.running_jobs >= *at->max_jobs) {
      return Reason::AssocMaxJobsLimit;
    }
    if (walls && minutes > *walls) return Reason::AssocMaxWallDurationPerJobLimit;
  }
  return std::nullopt;
}

std::optional<Reason> Limits::cap_nodes(const Job& job, PartitionId partition,
                                        std::uint32_t min_nodes, std::uint32_t& max_nodes) const {
  if (!concerns(job, partition, kCap)) return std::nullopt;
  constexpr std::size_t kNode = index_of(TresTable::kNode);
  const LimitScope scope = scope_of(job, partition);
  std::optional<std::uint64_t> cap;
  Reason reason = Reason::None;
  const auto lower = [&](const std::optional<std::uint64_t>& limit, LimitOwner owner,
                         TresLimitKind kind) {
    if (!limit || (cap && *limit >= *cap)) return false;
    cap = limit;
    reason = limit_reason(owner, kind, TresClass::Node);
    return true;
  };
  const auto of = [](const TresLimits& limits) {
    return limits.empty() ? std::nullopt : limits[kNode];
  };
  bool max_is_set = false;
  for (const TresLimitKind kind : {TresLimitKind::MaxPerAccount, TresLimitKind::Max,
                                   TresLimitKind::MaxPerUser, TresLimitKind::Grp}) {
    const auto limit =
        scope.first_of_qos([&](const Qos& qos, LimitRank) { return of(tres_limits(qos, kind)); });
    if (limit && kind != TresLimitKind::Grp) max_is_set = true;
    lower(limit, LimitOwner::Qos, kind);
  }
  const bool grp_binds = !scope.hidden(LimitRank::Association, TresLimitKind::Grp, kNode);
  const double factor = scope.limit_factor();
  const auto scaled = [&](const TresLimits& limits) {
    const auto limit = of(limits);
    return limit ? scaled_limit(*limit, factor) : limit;
  };
  for (const Association* at = scope.own; at != nullptr; at = parent_of(*at)) {
    const bool ends_walk = grp_binds && lower(scaled(at->limits.grp_tres), LimitOwner::Association,
                                              TresLimitKind::Grp);
    if (at == scope.own && !max_is_set) {
      lower(scaled(at->limits.max_tres_per_job), LimitOwner::Association, TresLimitKind::Max);
    }
    if (ends_walk) break;
  }
  if (!cap) return std::nullopt;
  if (*cap < min_nodes) return reason;
  max_nodes = static_cast<std::uint32_t>(std::min<std::uint64_t>(max_nodes, *cap));
  return std::nullopt;
}

}  // namespace rehearse
