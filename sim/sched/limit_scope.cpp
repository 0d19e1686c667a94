// sim/sched/limit_scope.cpp — whose limits bind a job, and which of them hides which.
#include "sim/sched/limit_scope.hpp"

namespace rehearse {
namespace {

const TresLimits kNone;

const TresLimits* shared_limits(const LimitSet& limits, TresLimitKind kind) {
  switch (kind) {
    case TresLimitKind::GrpMins:
      return &limits.grp_tres_mins;
    case TresLimitKind::Grp:
      return &limits.grp_tres;
    case TresLimitKind::GrpRunMins:
      return &limits.grp_tres_run_mins;
    case TresLimitKind::MaxMins:
      return &limits.max_tres_mins_per_job;
    case TresLimitKind::Max:
      return &limits.max_tres_per_job;
    case TresLimitKind::MaxPerNode:
      return &limits.max_tres_per_node;
    case TresLimitKind::MinPerJob:
    case TresLimitKind::MaxPerAccount:
    case TresLimitKind::MaxPerUser:
    case TresLimitKind::MaxRunMinsPerAccount:
    case TresLimitKind::MaxRunMinsPerUser:
      return nullptr;
  }
  return nullptr;
}

}  // namespace

const TresLimits& tres_limits(const Qos& qos, TresLimitKind kind) {
  if (kind == TresLimitKind::MinPerJob) return qos.limits.min_tres_per_job;
  if (kind == TresLimitKind::MaxPerAccount) return qos.limits.max_tres_per_account;
  if (kind == TresLimitKind::MaxPerUser) return qos.limits.max_tres_per_user;
  if (kind == TresLimitKind::MaxRunMinsPerAccount) return qos.limits.max_tres_run_mins_per_account;
  if (kind == TresLimitKind::MaxRunMinsPerUser) return qos.limits.max_tres_run_mins_per_user;
  return *shared_limits(qos.limits, kind);
}

const TresLimits& tres_limits(const Association& association, TresLimitKind kind) {
  const TresLimits* limits = shared_limits(association.limits, kind);
  return limits != nullptr ? *limits : kNone;
}

bool LimitScope::hidden(LimitRank rank, TresLimitKind kind, std::size_t tres) const {
  return hidden(rank, [&](const Qos& qos) {
    const TresLimits& limits = tres_limits(qos, kind);
    return !limits.empty() && limits[tres].has_value();
  });
}

bool LimitScope::is_strict() const {
  if (first == nullptr) return true;
  return first->conf.flags.deny_on_limit || (second != nullptr && second->conf.flags.deny_on_limit);
}

double LimitScope::limit_factor() const {
  for (const Qos* qos : {first, second}) {
    if (qos == nullptr || !qos->conf.limit_factor) continue;
    return *qos->conf.limit_factor > 0 ? *qos->conf.limit_factor : 1;
  }
  return 1;
}

std::optional<std::uint64_t> scaled_limit(std::uint64_t limit, double factor) {
  if (factor == 1) return limit;
  const double scaled = static_cast<double>(limit) * factor;
  if (scaled >= 18446744073709551615.0) return std::nullopt;
  return static_cast<std::uint64_t>(scaled);
}

std::optional<std::uint64_t> limit_minutes(const std::optional<Minutes>& limit) {
  if (!limit) return std::nullopt;
  return *limit >= kUnlimited ? kInfiniteMinutes : static_cast<std::uint64_t>(limit->count());
}

double usage_factor_of(const Qos* job_qos) {
  return job_qos != nullptr && job_qos->conf.usage_factor >= 0 ? job_qos->conf.usage_factor : 1;
}

std::uint64_t safe_minutes(std::uint64_t minutes, const Qos* job_qos) {
  if (job_qos == nullptr || !job_qos->conf.flags.usage_factor_safe) return minutes;
  const double scaled = static_cast<double>(minutes) * usage_factor_of(job_qos);
  return scaled >= 4294967295.0 ? kInfiniteMinutes : static_cast<std::uint64_t>(scaled);
}

}  // namespace rehearse
