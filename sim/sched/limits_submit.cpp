// sim/sched/limits_submit.cpp — checks of a submission, and the time limit they supply (limits.md
// §5).
//
// "Strict" tests refuse only with DenyOnLimit (or without any QOS); the four submit counts always
// do. A job without a time limit takes one from the limits on the way.
#include <algorithm>

#include "sim/sched/limits.hpp"

namespace rehearse {
namespace {

constexpr const char* kViolates =
    "Job violates accounting/QOS policy (job submit limit, user's size and/or time limits)";

std::uint32_t submitted_of(const std::map<NameId, QosShare>& shares, NameId name) {
  const auto share = shares.find(name);
  return share != shares.end() ? share->second.submitted_jobs : 0;
}

}  // namespace

/// One partition's run through the checks.
struct Limits::SubmitCheck {
  const Limits& limits;
  Job& job;
  LimitScope scope;
  TresVector request;
  std::uint32_t tasks;
  bool strict;
  bool by_policy;  ///< the time limit was not given: limits supply and lower it

  std::optional<Reason> run();
  std::optional<Reason> by_qos(const Qos& qos, LimitRank rank);
  std::optional<Reason> by_association(const Association& association);
  std::optional<Reason> size(const TresLimits& of, TresLimitKind kind, LimitOwner owner,
                             LimitRank rank, double factor = 1) const;
  std::optional<Reason> group_and_user(const Qos& qos, LimitRank rank) const;
  std::optional<Reason> minutes(const TresLimits& of, TresLimitKind kind, LimitOwner owner,
                                LimitRank rank);
  std::optional<Reason> group_minutes(const Association& at, TresLimitKind kind);
  /// A group limit on time counts of the nearest association that has one (§5).
  template <typename IsSet>
  [[nodiscard]] bool is_set_below(const Association& above, IsSet is_set) const {
    for (const Association* at = scope.own; at != &above; at = limits.parent_of(*at)) {
      if (is_set(*at)) return true;
    }
    return false;
  }
  std::optional<Reason> time(std::uint64_t limit, Reason reason, LimitOwner owner);
  [[nodiscard]] bool counts_exceed(std::uint32_t submitted, std::uint32_t limit) const {
    return std::uint64_t{submitted} + tasks > limit;
  }
};

/// Refuses a given time limit, or supplies and lowers one that was not given (§5.1).
std::optional<Reason> Limits::SubmitCheck::time(std::uint64_t limit, Reason reason,
                                                LimitOwner owner) {
  const auto given = limit_minutes(job.time_limit);
  if (by_policy) {
    const bool may_lower = owner == LimitOwner::Qos || strict;
    if (!given || (may_lower && *given > limit)) {
      const auto capped = std::min<std::uint64_t>(limit, UINT32_MAX >> 1U);
      job.time_limit = Minutes{static_cast<std::int64_t>(capped)};
      job.limit_filled = true;
    }
    return std::nullopt;
  }
  if (strict && given && *given > limit) return reason;
  return std::nullopt;
}

/// The job alone against limits on its size.
std::optional<Reason> Limits::SubmitCheck::size(const TresLimits& of, TresLimitKind kind,
                                                LimitOwner owner, LimitRank rank,
                                                double factor) const {
  if (!strict) return std::nullopt;
  const std::uint64_t nodes = std::max<std::uint64_t>(1, request[index_of(TresTable::kNode)]);
  for (std::size_t t = 0; t < of.size(); ++t) {
    if (!of[t] || scope.hidden(rank, kind, t)) continue;
    const auto limit = scaled_limit(*of[t], factor);
    if (!limit) continue;
    const std::uint64_t amount =
        kind == TresLimitKind::MaxPerNode ? request[t] / nodes : request[t];
    const bool violated = kind == TresLimitKind::MinPerJob ? amount < *limit : amount > *limit;
    if (violated) return limit_reason(owner, kind, limits.classes_[t]);
  }
  return std::nullopt;
}

/// MaxTRESPerUser and GrpTRES are one test here: where Q1 sets either, Q2 is asked for neither
/// (§4).
std::optional<Reason> Limits::SubmitCheck::group_and_user(const Qos& qos, LimitRank rank) const {
  if (!strict) return std::nullopt;
  for (std::size_t t = 0; t < request.size(); ++t) {
    if (scope.hidden(rank, TresLimitKind::MaxPerUser, t) ||
        scope.hidden(rank, TresLimitKind::Grp, t)) {
      continue;
    }
    for (const TresLimitKind kind : {TresLimitKind::MaxPerUser, TresLimitKind::Grp}) {
      const TresLimits& of = tres_limits(qos, kind);
      if (!of.empty() && of[t] && request[t] > *of[t]) {
        return limit_reason(LimitOwner::Qos, kind, limits.classes_[t]);
      }
    }
  }
  return std::nullopt;
}

/// TRES minutes as a limit on time: limit / request.
std::optional<Reason> Limits::SubmitCheck::minutes(const TresLimits& of, TresLimitKind kind,
                                                   LimitOwner owner, LimitRank rank) {
  if (!strict) return std::nullopt;
  for (std::size_t t = 0; t < of.size(); ++t) {
    if (!of[t] || request[t] == 0 || scope.hidden(rank, kind, t)) continue;
    const Reason reason = limit_reason(owner, kind, limits.classes_[t]);
    if (const auto refused = time(*of[t] / request[t], reason, owner)) return refused;
  }
  return std::nullopt;
}

std::optional<Reason> Limits::SubmitCheck::group_minutes(const Association& at,
                                                         TresLimitKind kind) {
  TresLimits of = tres_limits(at, kind);
  for (std::size_t t = 0; t < of.size(); ++t) {
    const bool hidden = is_set_below(at, [&](const Association& below) {
      const TresLimits& others = tres_limits(below, kind);
      return !others.empty() && others[t].has_value();
    });
    if (hidden) of[t].reset();
  }
  return minutes(of, kind, LimitOwner::Association, LimitRank::Association);
}

std::optional<Reason> Limits::SubmitCheck::by_qos(const Qos& qos, LimitRank rank) {
  const auto binds = [&](auto get) {
    return get(qos).has_value() &&
           !scope.hidden(rank, [&](const Qos& other) { return get(other).has_value(); });
  };
  const auto size_of = [&](TresLimitKind kind) {
    return size(tres_limits(qos, kind), kind, LimitOwner::Qos, rank);
  };
  const auto minutes_of = [&](TresLimitKind kind) {
    return minutes(tres_limits(qos, kind), kind, LimitOwner::Qos, rank);
  };
  if (const auto r = size_of(TresLimitKind::MaxPerAccount)) return r;
  if (const auto r = group_and_user(qos, rank)) return r;
  if (binds([](const Qos& q) { return q.limits.grp_submit_jobs; }) &&
      counts_exceed(qos.counters.submitted_jobs, *qos.limits.grp_submit_jobs)) {
    return Reason::QOSGrpSubmitJobsLimit;
  }
  if (const auto r = minutes_of(TresLimitKind::MaxMins)) return r;
  if (const auto r = minutes_of(TresLimitKind::GrpMins)) return r;
  if (const auto r = minutes_of(TresLimitKind::GrpRunMins)) return r;
  if (has(limits.version_, Change::RunMinutesOfUsersAreEnforced)) {
    if (const auto r = minutes_of(TresLimitKind::MaxRunMinsPerAccount)) return r;
    if (const auto r = minutes_of(TresLimitKind::MaxRunMinsPerUser)) return r;
  }
  if (binds([](const Qos& q) { return q.limits.max_wall_min; })) {
    const auto r =
        time(*qos.limits.max_wall_min, Reason::QOSMaxWallDurationPerJobLimit, LimitOwner::Qos);
    if (r) return r;
  }
  if (binds([](const Qos& q) { return q.limits.grp_wall_min; })) {
    const auto r = time(*qos.limits.grp_wall_min, Reason::QOSGrpWallLimit, LimitOwner::Qos);
    if (r) return r;
  }
  if (const auto r = size_of(TresLimitKind::Max)) return r;
  if (const auto r = size_of(TresLimitKind::MaxPerNode)) return r;
  if (binds([](const Qos& q) { return q.conf.max_submit_jobs_per_account; }) &&
      counts_exceed(submitted_of(qos.by_account, limits.account_of(job)),
                    *qos.conf.max_submit_jobs_per_account)) {
    return Reason::MaxSubmitJobsPerAccount;
  }
  if (binds([](const Qos& q) { return q.conf.max_submit_jobs_per_user; }) &&
      counts_exceed(submitted_of(qos.by_user, limits.user_of(job)),
                    *qos.conf.max_submit_jobs_per_user)) {
    return Reason::QOSMaxSubmitJobPerUserLimit;
  }
  return size_of(TresLimitKind::MinPerJob);
}

std::optional<Reason> Limits::SubmitCheck::by_association(const Association& at) {
  constexpr LimitRank kRank = LimitRank::Association;
  constexpr LimitOwner kOwner = LimitOwner::Association;
  const bool own = &at == scope.own;
  const auto hidden = [&](auto is_set) { return scope.hidden(kRank, is_set); };
  const double factor = scope.limit_factor();
  if (const auto r = size(at.limits.grp_tres, TresLimitKind::Grp, kOwner, kRank, factor)) return r;
  if (at.limits.grp_submit_jobs &&
      !hidden([](const Qos& q) { return q.limits.grp_submit_jobs.has_value(); }) &&
      counts_exceed(at.counters.submitted_jobs, *at.limits.grp_submit_jobs)) {
    return Reason::AssocGrpSubmitJobsLimit;
  }
  if (const auto r = group_minutes(at, TresLimitKind::GrpMins)) return r;
  if (const auto r = group_minutes(at, TresLimitKind::GrpRunMins)) return r;
  if (at.limits.grp_wall_min &&
      !is_set_below(at, [](const Association& a) { return a.limits.grp_wall_min.has_value(); }) &&
      !hidden([](const Qos& q) { return q.limits.grp_wall_min.has_value(); })) {
    if (const auto r = time(*at.limits.grp_wall_min, Reason::AssocGrpWallLimit, kOwner)) return r;
  }
  if (!own) return std::nullopt;

  if (const auto r = size(at.limits.max_tres_per_job, TresLimitKind::Max, kOwner, kRank, factor)) {
    return r;
  }
  if (const auto r = size(at.limits.max_tres_per_node, TresLimitKind::MaxPerNode, kOwner, kRank)) {
    return r;
  }
  if (at.max_submit_jobs && !hidden([](const Qos& q) {
        return q.conf.max_submit_jobs_per_user || q.conf.max_submit_jobs_per_account;
      }) &&
      counts_exceed(at.counters.submitted_jobs, *at.max_submit_jobs)) {
    return Reason::AssocMaxSubmitJobLimit;
  }
  if (const auto r =
          minutes(at.limits.max_tres_mins_per_job, TresLimitKind::MaxMins, kOwner, kRank)) {
    return r;
  }
  if (at.limits.max_wall_min &&
      !hidden([](const Qos& q) { return q.limits.max_wall_min.has_value(); })) {
    return time(*at.limits.max_wall_min, Reason::AssocMaxWallDurationPerJobLimit, kOwner);
  }
  return std::nullopt;
}

std::optional<Reason> Limits::SubmitCheck::run() {
  const auto refused =
      scope.first_of_qos([this](const Qos& qos, LimitRank rank) { return by_qos(qos, rank); });
  if (refused) return refused;
  for (const Association* at = scope.own; at != nullptr; at = limits.parent_of(*at)) {
    if (const auto reason = by_association(*at)) return reason;
  }
  return std::nullopt;
}

std::optional<SubmitRefusal> Limits::check_submit(Job& job, std::uint32_t tasks) const {
  if (auto refusal = check_partition_limits_at_submit(job)) return refusal;
  if (!enforced_) return std::nullopt;
  const bool by_policy = !job.time_limit.has_value();
  for (const PartitionId partition : job.partitions) {
    const LimitScope scope = scope_of(job, partition);
    SubmitCheck check{*this,    job,
                      scope,    request_vector(job, cluster_.partitions[partition]),
                      tasks,    scope.is_strict(),
                      by_policy};
    if (const auto reason = check.run()) return SubmitRefusal{*reason, kViolates};
  }
  // A limit that policy supplied may lie above MaxTime: the job then pends (§5.1).
  if (by_policy && job.time_limit) return check_partition_limits_at_submit(job);
  return std::nullopt;
}

}  // namespace rehearse
