// sim/sched/limits_selected.cpp — tests after node selection (limits.md §6.4). No allocation.
#include <algorithm>

#include "sim/sched/limits.hpp"

namespace rehearse {
namespace {

constexpr std::size_t kNode = index_of(TresTable::kNode);
/// Time of a job without limit in a partition without DefaultTime: nearly every minute limit fails.
constexpr std::uint64_t kNoTimeGiven = 4294967294;

std::uint64_t at_or_zero(const TresVector& amounts, std::size_t tres) {
  return tres < amounts.size() ? amounts[tres] : 0;
}

}  // namespace

struct Limits::Selected {
  const TresVector& amounts;
  const NodeSet& nodes;
  std::uint64_t minutes = 0;  ///< time limit, with UsageFactorSafe
  std::uint64_t node_count = 1;
  bool ignores_usage = false;  ///< UsageFactor 0
};

/// What a group uses; null parts: nothing.
struct Limits::GroupUse {
  const Usage* usage = nullptr;
  const TresVector* committed_s = nullptr;
  const TresVector* in_use = nullptr;
  const std::vector<std::uint16_t>* node_jobs = nullptr;

  [[nodiscard]] std::uint64_t used_minutes(std::size_t tres) const {
    if (usage == nullptr || tres >= usage->tres_raw.size()) return 0;
    return static_cast<std::uint64_t>(usage->tres_raw[tres] / 60);
  }
  [[nodiscard]] std::uint64_t committed_minutes(std::size_t tres) const {
    return committed_s != nullptr ? at_or_zero(*committed_s, tres) / 60 : 0;
  }
  [[nodiscard]] std::uint64_t running(std::size_t tres) const {
    return in_use != nullptr ? at_or_zero(*in_use, tres) : 0;
  }
  /// Of `nodes`, those that the group uses already.
  [[nodiscard]] std::uint64_t shared(const NodeSet& nodes) const {
    if (node_jobs == nullptr) return 0;
    std::uint64_t count = 0;
    for_each_bit(nodes, [&](std::size_t node) {
      if (node < node_jobs->size() && (*node_jobs)[node] > 0) ++count;
    });
    return count;
  }
};

bool Limits::exceeds(TresLimitKind kind, std::size_t tres, std::uint64_t limit,
                     const Selected& selected, const GroupUse& group) const {
  const std::uint64_t amount = selected.amounts[tres];
  const std::uint64_t time = selected.minutes * amount;
  const std::uint64_t committed = selected.ignores_usage ? 0 : group.committed_minutes(tres);
  switch (kind) {
    case TresLimitKind::GrpMins: {
      const std::uint64_t used = selected.ignores_usage ? 0 : group.used_minutes(tres);
      if (time > 0 && used >= limit) return true;
      return safe_ && (time > limit || (time > 0 && time + committed > limit - used));
    }
    case TresLimitKind::GrpRunMins:
      return time > limit || (time > 0 && time + committed > limit);
    case TresLimitKind::MaxMins:
      return time > limit;
    case TresLimitKind::Max:
      return amount > limit;
    case TresLimitKind::MaxPerNode:
      return amount / selected.node_count > limit;
    case TresLimitKind::MinPerJob:
      return amount < limit;
    case TresLimitKind::Grp:
    case TresLimitKind::MaxPerAccount:
    case TresLimitKind::MaxPerUser: {
      std::uint64_t fresh = amount;
      // Distinct nodes: those that the group uses already come for nothing.
      if (tres == kNode) fresh -= std::min(fresh, group.shared(selected.nodes));
      return fresh > limit || (fresh > 0 && fresh + group.running(tres) > limit);
    }
  }
  return false;
}

std::optional<Reason> Limits::after_selection(const Job& job, PartitionId partition,
                                              const TresVector& selected,
                                              const NodeSet& nodes) const {
  if (!concerns(job, partition, kAfter)) return std::nullopt;
  const LimitScope scope = scope_of(job, partition);
  const Qos* of_job = qos_of(job);
  const auto limit =
      job.time_limit ? job.time_limit : cluster_.partitions[partition].conf.default_time;
  const Selected what{.amounts = selected,
                      .nodes = nodes,
                      .minutes = safe_minutes(limit_minutes(limit).value_or(kNoTimeGiven), of_job),
                      .node_count = std::max<std::uint64_t>(1, selected[kNode]),
                      .ignores_usage = of_job != nullptr && of_job->conf.usage_factor == 0};
  const auto by_qos = scope.first_of_qos(
      [&](const Qos& qos, LimitRank rank) { return after_by_qos(scope, qos, rank, job, what); });
  return by_qos ? by_qos : after_by_association(scope, what);
}

std::optional<Reason> Limits::after_selection(const Job& job, PartitionId partition,
                                              const Allocation& selected,
                                              const NodeSet& nodes) const {
  if (!concerns(job, partition, kAfter)) return std::nullopt;
  std::optional<double> billing;
  return after_selection(job, partition,
                         allocation_vector(job, cluster_.partitions[partition], selected, billing),
                         nodes);
}

std::optional<Reason> Limits::after_failed_selection(const Job& job, PartitionId partition,
                                                     const NodeSet* nodes,
                                                     const EffectiveRequest& request) const {
  if (!concerns(job, partition, kAfter)) return std::nullopt;
  return after_selection(job, partition,
                         estimated_vector(job, cluster_.partitions[partition], nodes, request),
                         NodeSet(cluster_.nodes.size()));
}

std::optional<Reason> Limits::after_by_qos(const LimitScope& scope, const Qos& qos, LimitRank rank,
                                           const Job& job, const Selected& selected) const {
  const auto share_of = [](const std::map<NameId, QosShare>& shares, NameId name) {
    const auto share = shares.find(name);
    if (share == shares.end()) return GroupUse{};
    return GroupUse{.in_use = &share->second.in_use, .node_jobs = &share->second.node_jobs};
  };
  const GroupUse whole{.usage = &qos.usage,
                       .committed_s = &qos.counters.committed_s,
                       .in_use = &qos.counters.in_use,
                       .node_jobs = &qos.counters.node_jobs};
  for (std::size_t k = 0; k < kTresLimitKindCount; ++k) {
    const auto kind = static_cast<TresLimitKind>(k);
    const TresLimits& limits = tres_limits(qos, kind);
    if (limits.empty()) continue;
    const GroupUse group = kind == TresLimitKind::MaxPerAccount
                               ? share_of(qos.by_account, account_of(job))
                           : kind == TresLimitKind::MaxPerUser ? share_of(qos.by_user, user_of(job))
                                                               : whole;
    for (std::size_t t = 0; t < limits.size(); ++t) {
      if (!limits[t] || scope.hidden(rank, kind, t)) continue;
      if (exceeds(kind, t, *limits[t], selected, group)) {
        return limit_reason(LimitOwner::Qos, kind, classes_[t]);
      }
    }
  }
  return std::nullopt;
}

std::optional<Reason> Limits::after_by_association(const LimitScope& scope,
                                                   const Selected& selected) const {
  const double factor = scope.limit_factor();
  for (const Association* at = scope.own; at != nullptr; at = parent_of(*at)) {
    const GroupUse group{.usage = &at->usage,
                         .committed_s = &at->counters.committed_s,
                         .in_use = &at->counters.in_use,
                         .node_jobs = &at->counters.node_jobs};
    // Ancestors: the three group limits only.
    const std::size_t last = static_cast<std::size_t>(at == scope.own ? TresLimitKind::MaxPerNode
                                                                      : TresLimitKind::GrpRunMins);
    for (std::size_t k = 0; k <= last; ++k) {
      const auto kind = static_cast<TresLimitKind>(k);
      const TresLimits& limits = tres_limits(*at, kind);
      const bool scales = kind == TresLimitKind::Grp || kind == TresLimitKind::Max;
      for (std::size_t t = 0; t < limits.size(); ++t) {
        if (!limits[t] || scope.hidden(LimitRank::Association, kind, t)) continue;
        const auto limit = scales ? scaled_limit(*limits[t], factor) : limits[t];
        if (limit && exceeds(kind, t, *limit, selected, group)) {
          return limit_reason(LimitOwner::Association, kind, classes_[t]);
        }
      }
    }
  }
  return std::nullopt;
}

// Running jobs (limits.md §7.1).

std::optional<Reason> Limits::killing_limit(const Job& job, SlurmTime now) const {
  if (safe_ || !job.start || !concerns(job, job.partition, kRunTime)) return std::nullopt;
  const LimitScope scope = scope_of(job, job.partition);
  const auto run_minutes = static_cast<std::uint64_t>(
      std::max<std::int64_t>(0, std::chrono::duration_cast<Minutes>(job.ran_until(now)).count()));
  const auto test = [&](LimitRank rank, LimitOwner owner, const LimitSet& limits,
                        const Usage& usage) -> std::optional<Reason> {
    const GroupUse group{.usage = &usage};
    for (std::size_t t = 0; t < limits.grp_tres_mins.size(); ++t) {
      const auto& limit = limits.grp_tres_mins[t];
      if (!limit || at_or_zero(job.alloc_tres, t) == 0) continue;
      if (scope.hidden(rank, TresLimitKind::GrpMins, t)) continue;
      if (group.used_minutes(t) >= *limit) {
        return limit_reason(owner, TresLimitKind::GrpMins, classes_[t]);
      }
    }
    const bool wall_hidden =
        scope.hidden(rank, [](const Qos& qos) { return qos.limits.grp_wall_min.has_value(); });
    if (limits.grp_wall_min && !wall_hidden &&
        static_cast<std::uint64_t>(usage.grp_wall_s / 60) >= *limits.grp_wall_min) {
      return owner == LimitOwner::Qos ? Reason::QOSGrpWallLimit : Reason::AssocGrpWallLimit;
    }
    for (std::size_t t = 0; t < limits.max_tres_mins_per_job.size(); ++t) {
      const auto& limit = limits.max_tres_mins_per_job[t];
      if (!limit || at_or_zero(job.alloc_tres, t) == 0) continue;
      if (owner == LimitOwner::Association && t == kNode) continue;  // exempt in Slurm
      if (scope.hidden(rank, TresLimitKind::MaxMins, t)) continue;
      if (run_minutes * job.alloc_tres[t] + 1 > *limit) {
        return limit_reason(owner, TresLimitKind::MaxMins, classes_[t]);
      }
    }
    return std::nullopt;
  };
  const auto by_qos = scope.first_of_qos([&](const Qos& qos, LimitRank rank) {
    return test(rank, LimitOwner::Qos, qos.limits, qos.usage);
  });
  if (by_qos) return by_qos;
  // Root is never looked at.
  for (const Association* at = scope.own; at != nullptr && at->parent; at = parent_of(*at)) {
    const auto reason =
        test(LimitRank::Association, LimitOwner::Association, at->limits, at->usage);
    if (reason) return reason;
  }
  return std::nullopt;
}

std::optional<Reason> Limits::run_time_limit(const Job& job, SlurmTime now) const {
  if (!killing_limit(job, now)) return std::nullopt;
  return Reason::TimeLimit;  // the record shows no more than that
}

}  // namespace rehearse
