// sim/sched/limits_selected.cpp — tests after node selection (limits.md §6.4). No allocation.
#include <algorithm>

#include "sim/sched/allocated_nodes.hpp"
#include "sim/sched/held_gres.hpp"
#include "sim/sched/limits.hpp"

namespace rehearse {
namespace {

constexpr std::size_t kNode = index_of(TresTable::kNode);
/// Time of a job without limit in a partition without DefaultTime: nearly every minute limit fails.
constexpr std::uint64_t kNoTimeGiven = 4294967294;

std::uint64_t at_or_zero(const TresVector& amounts, std::size_t tres) {
  return tres < amounts.size() ? amounts[tres] : 0;
}

bool is_of_committed(TresLimitKind kind) {
  return kind == TresLimitKind::GrpRunMins || kind == TresLimitKind::MaxRunMinsPerAccount ||
         kind == TresLimitKind::MaxRunMinsPerUser;
}

/// Limits on what an operator set do not bind, but those on committed run time do (limits.md §9).
bool is_lifted(const OperatorSet& by_operator, const BoundLimit& limit) {
  if (is_of_committed(limit.kind)) return false;
  return (by_operator.cpus && limit.tres == index_of(TresTable::kCpu)) ||
         (by_operator.memory && limit.tres == index_of(TresTable::kMem)) ||
         (by_operator.nodes && limit.tres == kNode);
}

/// Whose group limit it is; null: no QOS'.
const Qos* qos_of_group(const BoundLimit& limit) {
  const bool is_group = limit.kind == TresLimitKind::Grp || limit.kind == TresLimitKind::GrpMins ||
                        limit.kind == TresLimitKind::GrpRunMins;
  return is_group ? limit.qos : nullptr;
}

}  // namespace

struct Limits::Selected {
  /// What the allocation counts for in tests. Types of GRES count only where they were asked for,
  /// unless a job takes whole nodes (limits.md §2).
  static TresVector tested(const Limits& limits, const Job& job, PartitionId partition,
                           const Allocation& allocation) {
    const Cluster& cluster = limits.cluster_;
    std::optional<double> billing;
    TresVector amounts =
        limits.allocation_vector(job, cluster.partitions[partition], allocation, billing);
    if (cluster.conf.select_type == SelectType::Linear) {  // all that the nodes have
      EffectiveRequest all;
      all.whole_nodes = true;
      limits.count_gres_of(nodes_of(allocation, cluster.nodes.size()), all, amounts);
    }
    if (allocation.whole_nodes) return amounts;  // select/linear gives no others
    const std::vector<GresRequest>& asked = cluster.request_of(job).gres;
    for (const auto& gres : limits.gres_) amounts[gres.tres] = 0;
    for_each_held_gres(cluster, allocation, [&](NameId name, NameId type, std::uint64_t units) {
      const bool is_asked_for = std::any_of(
          asked.begin(), asked.end(),
          [&](const GresRequest& each) { return each.name == name && each.type == type; });
      limits.add_gres(amounts, name, is_asked_for ? type : kNoName, units);
    });
    return amounts;
  }

  /// What it counts for as a plan: of whole nodes, too, the GRES that were asked for (limits.md
  /// §6.4).
  static TresVector planned(const Limits& limits, const Job& job, PartitionId partition,
                            const Allocation& allocation) {
    TresVector amounts = tested(limits, job, partition, allocation);
    if (allocation.whole_nodes) {
      const auto nodes = static_cast<std::uint32_t>(allocation.nodes.size());
      limits.count_gres_as_asked(job, nodes, amounts);
    }
    return amounts;
  }

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

bool Limits::exceeds(const BoundLimit& bound, const Selected& selected,
                     const GroupUse& group) const {
  const std::size_t tres = bound.tres;
  const std::uint64_t limit = bound.limit;
  const std::uint64_t amount = selected.amounts[tres];
  const std::uint64_t time = selected.minutes * amount;
  const std::uint64_t committed = selected.ignores_usage ? 0 : group.committed_minutes(tres);
  switch (bound.kind) {
    case TresLimitKind::GrpMins: {
      const std::uint64_t used = selected.ignores_usage ? 0 : group.used_minutes(tres);
      if (time > 0 && used >= limit) return true;
      return safe_ && (time > limit || (time > 0 && time + committed > limit - used));
    }
    case TresLimitKind::GrpRunMins:
    case TresLimitKind::MaxRunMinsPerAccount:
    case TresLimitKind::MaxRunMinsPerUser:
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

const BoundLimit* Limits::first_exceeded(const Job& job, PartitionId partition,
                                         const TresVector& selected, const NodeSet& nodes) const {
  if (!concerns(job, partition, kAfter)) return nullptr;
  const LimitScope scope = scope_of(job, partition);
  const Qos* of_job = qos_of(job);
  const auto limit =
      job.time_limit ? job.time_limit : cluster_.partitions[partition].conf.default_time;
  const Selected what{.amounts = selected,
                      .nodes = nodes,
                      .minutes = safe_minutes(limit_minutes(limit).value_or(kNoTimeGiven), of_job),
                      .node_count = std::max<std::uint64_t>(1, selected[kNode]),
                      .ignores_usage = of_job != nullptr && of_job->conf.usage_factor == 0};
  for (const BoundLimit& each : bound_.of(cluster_.accounts, scope).limits) {
    if (is_lifted(job.set_by_operator, each)) continue;
    if (exceeds(each, what, use_of(each, job))) return &each;
  }
  return nullptr;
}

std::optional<Reason> Limits::after_selection(const Job& job, PartitionId partition,
                                              const TresVector& selected,
                                              const NodeSet& nodes) const {
  const BoundLimit* over = first_exceeded(job, partition, selected, nodes);
  if (over == nullptr) return std::nullopt;
  return limit_reason(over->owner(), over->kind, classes_[over->tres]);
}

const Qos* Limits::stopping_qos(const Job& job, PartitionId partition, const Allocation& selected,
                                const NodeSet& nodes) const {
  const LimitScope scope = scope_of(job, partition);
  const Qos* stopping = nullptr;
  const auto before = scope.first_of_qos([&](const Qos& qos, LimitRank rank) {
    stopping = &qos;
    return before_by_qos(job, scope, qos, rank);
  });
  const bool is_of_all = before == Reason::QOSGrpJobsLimit || before == Reason::QOSGrpWallLimit;
  if (before) return is_of_all ? stopping : nullptr;
  if (before_by_association(job, scope)) return nullptr;
  const BoundLimit* over =
      first_exceeded(job, partition, Selected::tested(*this, job, partition, selected), nodes);
  return over != nullptr ? qos_of_group(*over) : nullptr;
}

std::optional<Reason> Limits::after_selection(const Job& job, PartitionId partition,
                                              const Allocation& selected,
                                              const NodeSet& nodes) const {
  if (!concerns(job, partition, kAfter)) return std::nullopt;
  return after_selection(job, partition, Selected::tested(*this, job, partition, selected), nodes);
}

std::optional<Reason> Limits::after_planning(const Job& job, PartitionId partition,
                                             const Allocation& planned) const {
  if (!concerns(job, partition, kAfter)) return std::nullopt;
  // Nodes that the group uses already are not told apart: none comes for nothing.
  return after_selection(job, partition, Selected::planned(*this, job, partition, planned),
                         NodeSet(cluster_.nodes.size()));
}

std::optional<LimitStop> Limits::after_failed_selection(const Job& job, PartitionId partition,
                                                        const NodeSet* nodes,
                                                        const EffectiveRequest& request) const {
  if (!concerns(job, partition, kAfter)) return std::nullopt;
  const BoundLimit* over = first_exceeded(
      job, partition, estimated_vector(job, cluster_.partitions[partition], nodes, request),
      NodeSet(cluster_.nodes.size()));
  if (over == nullptr) return std::nullopt;
  return LimitStop{limit_reason(over->owner(), over->kind, classes_[over->tres]),
                   qos_of_group(*over)};
}

/// Of whom the limit counts what they use: of all under its owner, or of one user or account.
Limits::GroupUse Limits::use_of(const BoundLimit& limit, const Job& job) const {
  const auto share_of = [](const std::map<NameId, QosShare>& shares, NameId name) {
    const auto share = shares.find(name);
    if (share == shares.end()) return GroupUse{};
    return GroupUse{.committed_s = &share->second.committed_s,
                    .in_use = &share->second.in_use,
                    .node_jobs = &share->second.node_jobs};
  };
  const auto whole = [](const auto& owner) {
    return GroupUse{.usage = &owner.usage,
                    .committed_s = &owner.counters.committed_s,
                    .in_use = &owner.counters.in_use,
                    .node_jobs = &owner.counters.node_jobs};
  };
  if (limit.qos == nullptr) return whole(*limit.own);
  switch (limit.kind) {
    case TresLimitKind::MaxPerAccount:
    case TresLimitKind::MaxRunMinsPerAccount:
      return share_of(limit.qos->by_account, account_of(job));
    case TresLimitKind::MaxPerUser:
    case TresLimitKind::MaxRunMinsPerUser:
      return share_of(limit.qos->by_user, user_of(job));
    default:
      return whole(*limit.qos);
  }
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
