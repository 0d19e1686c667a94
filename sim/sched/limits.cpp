// sim/sched/limits.cpp — the parts that all limit tests share: who is concerned, and by what.
#include "sim/sched/limits.hpp"

#include <algorithm>
#include <string_view>

#include "sim/sched/relative_limits.hpp"

namespace rehearse {
namespace {

bool any(const TresLimits& limits) {
  return !limits.empty();
}

bool any_node(const TresLimits& limits) {
  return !limits.empty() && limits[index_of(TresTable::kNode)].has_value();
}

std::uint8_t shared_after(const LimitSet& limits) {
  return any(limits.grp_tres) || any(limits.grp_tres_mins) || any(limits.grp_tres_run_mins) ||
         any(limits.max_tres_per_job) || any(limits.max_tres_per_node) ||
         any(limits.max_tres_mins_per_job);
}

}  // namespace

Limits::Limits(Cluster& cluster)
    : cluster_(cluster),
      enforced_(cluster.conf.enforce.limits),
      safe_(cluster.conf.enforce.safe),
      version_(cluster.inputs.site.slurm_version),
      billing_(cluster.tres, billing_rule(cluster.conf, cluster.inputs.site.slurm_version)),
      bound_(has(version_, Change::RunMinutesOfUsersAreEnforced) ? TresLimitKind::MaxRunMinsPerUser
                                                                 : TresLimitKind::MaxPerUser) {
  for (std::size_t t = 0; t < cluster_.tres.size(); ++t) {
    const std::string_view name = cluster_.tres.name(id_at<TresIndex>(t));
    classes_.push_back(tres_class(name));
    if (classes_.back() != TresClass::Gres) continue;
    const std::string_view gres = name.substr(name.find('/') + 1);
    const std::size_t colon = std::min(gres.find(':'), gres.size());
    gres_.push_back({std::string(gres.substr(0, colon)),
                     std::string(gres.substr(std::min(colon + 1, gres.size()))), t});
  }
  limits_changed();
}

std::uint8_t Limits::interests_of(const Qos& qos) {
  std::uint8_t interest = 0;
  const QosLimits& limits = qos.limits;
  if (limits.grp_jobs || limits.grp_wall_min || limits.max_wall_min || qos.conf.max_jobs_per_user ||
      qos.conf.max_jobs_per_account) {
    interest |= kBefore;
  }
  if (any_node(limits.grp_tres) || any_node(limits.max_tres_per_job) ||
      any_node(limits.max_tres_per_user) || any_node(limits.max_tres_per_account)) {
    interest |= kCap;
  }
  if (shared_after(limits) || any(limits.max_tres_per_user) || any(limits.max_tres_per_account) ||
      any(limits.min_tres_per_job) || any(limits.max_tres_run_mins_per_user) ||
      any(limits.max_tres_run_mins_per_account)) {
    interest |= kAfter;
  }
  if (any(limits.grp_tres_mins) || limits.grp_wall_min || any(limits.max_tres_mins_per_job)) {
    interest |= kRunTime;
  }
  if (limits.grp_jobs_accrue || qos.conf.max_jobs_accrue_per_user ||
      qos.conf.max_jobs_accrue_per_account) {
    interest |= kAccrue;
  }
  return interest;
}

std::uint8_t Limits::interests_of(const Association& association) {
  std::uint8_t interest = 0;
  const LimitSet& limits = association.limits;
  if (limits.grp_jobs || limits.grp_wall_min || limits.max_wall_min || association.max_jobs) {
    interest |= kBefore;
  }
  if (any_node(limits.grp_tres) || any_node(limits.max_tres_per_job)) interest |= kCap;
  if (shared_after(limits)) interest |= kAfter;
  if (any(limits.grp_tres_mins) || limits.grp_wall_min || any(limits.max_tres_mins_per_job)) {
    interest |= kRunTime;
  }
  if (limits.grp_jobs_accrue || association.max_jobs_accrue) interest |= kAccrue;
  return interest;
}

void Limits::limits_changed() {
  settle_relative_limits(cluster_);
  const AccountBook& book = cluster_.accounts;
  bound_.forget();
  qos_interest_.clear();
  for (const Qos& qos : book.qos) qos_interest_.push_back(interests_of(qos));
  chain_interest_.clear();
  for (const Association& association : book.associations) {
    std::uint8_t interest = 0;
    for (const Association* at = &association; at != nullptr; at = parent_of(*at)) {
      interest |= interests_of(*at);
    }
    chain_interest_.push_back(interest);
  }
}

bool Limits::concerns(const Job& job, PartitionId partition, Interest interest) const {
  if (!enforced_) return false;
  const std::optional<QosId> of_partition = cluster_.partitions[partition].qos;
  std::uint8_t any_interest = 0;
  if (job.qos) any_interest |= qos_interest_[index_of(*job.qos)];
  if (of_partition) any_interest |= qos_interest_[index_of(*of_partition)];
  if (job.association) any_interest |= chain_interest_[index_of(*job.association)];
  return (any_interest & interest) != 0;
}

const Association* Limits::parent_of(const Association& association) const {
  return association.parent ? &cluster_.accounts.associations[*association.parent] : nullptr;
}

const Qos* Limits::qos_of(const Job& job) const {
  return job.qos ? &cluster_.accounts.qos[*job.qos] : nullptr;
}

LimitScope Limits::scope_of(const Job& job, PartitionId partition) const {
  const Qos* of_job = qos_of(job);
  const std::optional<QosId> id = cluster_.partitions[partition].qos;
  const Qos* of_partition = id ? &cluster_.accounts.qos[*id] : nullptr;
  LimitScope scope;
  scope.first = of_partition != nullptr ? of_partition : of_job;
  scope.second = of_partition != nullptr && of_partition != of_job ? of_job : nullptr;
  if (scope.second != nullptr && scope.second->conf.flags.over_part_qos) {
    std::swap(scope.first, scope.second);
  }
  if (job.association) scope.own = &cluster_.accounts.associations[*job.association];
  return scope;
}

NameId Limits::user_of(const Job& job) const {
  return job.association ? cluster_.accounts.associations[*job.association].user : job.spec->user;
}

NameId Limits::account_of(const Job& job) const {
  return job.association ? cluster_.accounts.associations[*job.association].account
                         : job.spec->account;
}

std::uint32_t Limits::min_prio_threshold(const Job& job, PartitionId partition) const {
  if (!enforced_) return 0;
  const LimitScope scope = scope_of(job, partition);
  for (const Qos* qos : {scope.first, scope.second}) {
    if (qos != nullptr && qos->limits.min_prio_threshold.value_or(0) > 0) {
      return *qos->limits.min_prio_threshold;
    }
  }
  return scope.own != nullptr ? scope.own->limits.min_prio_threshold.value_or(0) : 0;
}

}  // namespace rehearse
