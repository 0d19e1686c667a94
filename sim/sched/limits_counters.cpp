// sim/sched/limits_counters.cpp — the counters behind the limits (limits.md §3).
//
// An association's job counts for it and all its ancestors; a QOS counts in all, by user and by
// account. Every counter that goes up here comes down here, by the same numbers, but for committed
// run time under priority/basic.
#include <algorithm>

#include "sim/core/check.hpp"
#include "sim/sched/job_tests.hpp"
#include "sim/sched/limits.hpp"

namespace rehearse {
namespace {

void shift(std::uint32_t& counter, std::int64_t by) {
  const std::int64_t after = static_cast<std::int64_t>(counter) + by;
  REHEARSE_CHECK(after >= 0, "a counter at {} would go down by {}", counter, -by);
  counter = static_cast<std::uint32_t>(after);
}

/// A job that is requeued when it is over is not counted again, but its next end is (limits.md §4).
void shift_to_zero(std::uint32_t& counter, std::int64_t by) {
  shift(counter, std::max(by, -static_cast<std::int64_t>(counter)));
}

std::uint64_t seconds_of(const std::optional<Minutes>& limit) {
  return limit_minutes(limit).value_or(kInfiniteMinutes) * 60;
}

/// Adds or takes back what the job holds; of nodes each counts once, however many jobs share it.
template <typename Use>
void hold(Use& use, const Job& job, std::int64_t sign) {
  const TresVector& amounts = job.alloc_tres;
  use.in_use.resize(std::max(use.in_use.size(), amounts.size()));
  for (std::size_t t = 0; t < amounts.size(); ++t) {
    if (id_at<TresIndex>(t) == TresTable::kNode) continue;
    use.in_use[t] += static_cast<std::uint64_t>(sign) * amounts[t];
  }
  use.node_jobs.resize(std::max(use.node_jobs.size(), job.allocated_nodes.size()));
  std::uint64_t& nodes = use.in_use[index_of(TresTable::kNode)];
  for_each_bit(job.allocated_nodes, [&](std::size_t node) {
    std::uint16_t& jobs = use.node_jobs[node];
    if (sign > 0) {
      if (jobs++ == 0) ++nodes;
    } else {
      REHEARSE_CHECK(jobs > 0, "no job is counted on node {}", node);
      if (--jobs == 0) --nodes;
    }
  });
  shift(use.running_jobs, sign);
}

std::uint32_t tasks_of(const Job& job) {
  return std::max<std::uint32_t>(1, static_cast<std::uint32_t>(job.pending_tasks.size()));
}

bool waits_to_age(const Job& job, SlurmTime now) {
  return job.held || job.priority == 0 || (job.begin && *job.begin > now) ||
         job.reason == Reason::Dependency || job.reason == Reason::DependencyNeverSatisfied;
}

}  // namespace

template <typename Use>
void Limits::for_each_ancestor(const Job& job, Use use) {
  std::optional<AssociationId> at = job.association;
  while (at) {
    Association& association = cluster_.accounts.associations[*at];
    use(association.counters);
    at = association.parent;
  }
}

/// Q: the job's QOS and, if it is another one, that of the partition in use.
template <typename Use>
void Limits::for_each_qos(const Job& job, Use use) {
  if (job.qos) use(cluster_.accounts.qos[*job.qos]);
  const std::optional<QosId> other = cluster_.partitions[job.partition].qos;
  if (other && other != job.qos) use(cluster_.accounts.qos[*other]);
}

/// The distinct QOS of the job's other partitions: they count it while it waits.
template <typename Use>
void Limits::for_other_partition_qos(const Job& job, Use use) {
  for (std::size_t i = 0; i < job.partitions.size(); ++i) {
    const std::optional<QosId> qos = cluster_.partitions[job.partitions[i]].qos;
    if (!qos || qos == job.qos || qos == cluster_.partitions[job.partition].qos) continue;
    bool again = false;
    for (std::size_t j = 0; j < i; ++j) {
      again = again || cluster_.partitions[job.partitions[j]].qos == qos;
    }
    if (!again) use(cluster_.accounts.qos[*qos]);
  }
}

void Limits::change_submitted(const Job& job, std::int64_t tasks) {
  for_each_ancestor(job,
                    [&](Counters& counters) { shift_to_zero(counters.submitted_jobs, tasks); });
  for_each_qos(job, [&](Qos& qos) {
    shift_to_zero(qos.counters.submitted_jobs, tasks);
    shift_to_zero(qos.by_user[user_of(job)].submitted_jobs, tasks);
    shift_to_zero(qos.by_account[account_of(job)].submitted_jobs, tasks);
  });
}

void Limits::job_submitted(const Job& job, std::uint32_t tasks) {
  if (!enforced_) return;
  change_submitted(job, tasks);
  for_other_partition_qos(job, [&](Qos& qos) {
    shift_to_zero(qos.counters.submitted_jobs, tasks);
    shift_to_zero(qos.by_user[user_of(job)].submitted_jobs, tasks);
    shift_to_zero(qos.by_account[account_of(job)].submitted_jobs, tasks);
  });
}

void Limits::job_removed(const Job& job, std::uint32_t tasks) {
  if (!enforced_) return;
  const std::int64_t change = -static_cast<std::int64_t>(tasks);
  change_submitted(job, change);
  for_other_partition_qos(job, [&](Qos& qos) {
    shift_to_zero(qos.counters.submitted_jobs, change);
    shift_to_zero(qos.by_user[user_of(job)].submitted_jobs, change);
    shift_to_zero(qos.by_account[account_of(job)].submitted_jobs, change);
  });
  if (job.accrue) change_accruing(job, change);
}

/// Adds run seconds × amount to what is committed, or takes them off, as far as they are there;
/// job.alloc_tres is the amount.
void Limits::commit(const Job& job, std::int64_t seconds) {
  if (seconds == 0) return;
  committing_.clear();
  for (std::size_t t = 0; t < job.alloc_tres.size(); ++t) {
    if (job.alloc_tres[t] == 0) continue;
    committing_.emplace_back(t, static_cast<std::uint64_t>(std::abs(seconds)) * job.alloc_tres[t]);
  }
  const auto add = [&](auto& counters) {
    if (counters.committed_s.size() < job.alloc_tres.size()) {
      counters.committed_s.resize(job.alloc_tres.size());
    }
    for (const auto& [tres, whole] : committing_) {
      std::uint64_t& committed = counters.committed_s[tres];
      committed = seconds < 0 ? committed - std::min(committed, whole) : committed + whole;
    }
  };
  for_each_ancestor(job, add);
  for_each_qos(job, [&](Qos& qos) {
    add(qos.counters);
    if (!has(version_, Change::RunMinutesOfUsersAreEnforced)) return;
    add(qos.by_user[user_of(job)]);
    add(qos.by_account[account_of(job)]);
  });
}

void Limits::job_started(const Job& job) {
  if (!enforced_) return;
  for_each_ancestor(job, [&](Counters& counters) { hold(counters, job, 1); });
  for_each_qos(job, [&](Qos& qos) {
    hold(qos.counters, job, 1);
    hold(qos.by_user[user_of(job)], job, 1);
    hold(qos.by_account[account_of(job)], job, 1);
  });
  for_other_partition_qos(job, [&](Qos& qos) {
    shift_to_zero(qos.counters.submitted_jobs, -1);
    shift_to_zero(qos.by_user[user_of(job)].submitted_jobs, -1);
    shift_to_zero(qos.by_account[account_of(job)].submitted_jobs, -1);
  });
  if (job.accrue) change_accruing(job, -1);

  const double factor = usage_factor_of(qos_of(job));
  const auto scaled = [&](std::uint64_t seconds) {
    return static_cast<std::uint64_t>(static_cast<double>(seconds) * factor);
  };
  const std::uint64_t whole = seconds_of(job.time_limit);
  const std::size_t at = index_of(job.index);
  if (at >= committed_left_s_.size()) committed_left_s_.resize(at + 1, 0);
  committed_left_s_[at] = scaled(whole);
  std::uint64_t committed = committed_left_s_[at];
  const auto planned = unreserved_minutes(job, cluster_);
  if (planned && job.started_by == StartedBy::Backfill) {
    // Started with the limit of its plan, which is changed to its own then.
    counted_down_[job.index] = *planned;
    const std::uint64_t first = std::min(seconds_of(planned), whole);
    const bool is_scaled = has(version_, Change::LimitChangeScaledByUsageFactor);
    committed = scaled(first) + (is_scaled ? scaled(whole - first) : whole - first);
  }
  commit(job, static_cast<std::int64_t>(committed));
}

/// What a job ahead of its end has committed is committed no more; priority/basic takes its whole
/// limit back, whatever the UsageFactor by which it was committed (limits.md §3).
void Limits::job_stopped(const Job& job, bool requeued) {
  if (!enforced_) return;
  for_each_ancestor(job, [&](Counters& counters) { hold(counters, job, -1); });
  for_each_qos(job, [&](Qos& qos) {
    hold(qos.counters, job, -1);
    hold(qos.by_user[user_of(job)], job, -1);
    hold(qos.by_account[account_of(job)], job, -1);
  });
  std::uint64_t& left = committed_left_s_[index_of(job.index)];
  if (cluster_.conf.priority.type == PriorityType::Basic) left = seconds_of(job.time_limit);
  commit(job, -static_cast<std::int64_t>(left));
  left = 0;
  counted_down_.erase(job.index);
  change_submitted(job, -1);
  if (requeued) job_submitted(job, 1);
}

void Limits::job_resized(Job& job, const NodeSet& nodes, TresVector amounts) {
  const std::size_t at = index_of(job.index);
  const auto left = at < committed_left_s_.size() ? committed_left_s_[at] : 0;
  const auto count = [&](std::int64_t sign) {
    if (!enforced_) return;
    for_each_ancestor(job, [&](Counters& counters) { hold(counters, job, sign); });
    for_each_qos(job, [&](Qos& qos) {
      hold(qos.counters, job, sign);
      hold(qos.by_user[user_of(job)], job, sign);
      hold(qos.by_account[account_of(job)], job, sign);
    });
    commit(job, sign * static_cast<std::int64_t>(left));
  };
  count(-1);
  job.allocated_nodes = nodes;
  job.alloc_tres = std::move(amounts);
  count(1);
}

void Limits::tick(SlurmTime now, SlurmTime previous, std::span<Job* const> running) {
  if (!enforced_) return;
  for (const Job* job : running) {
    if (!job->start) continue;
    SlurmTime until = now;
    const auto whole = static_cast<std::int64_t>(seconds_of(job->time_limit));
    until = std::min(until, *job->start + Seconds{whole});
    const SlurmTime since = std::max(previous, *job->start);
    if (until <= since) continue;
    const double factor = usage_factor_of(qos_of(*job));
    const auto spent_until = [&](SlurmTime end) {
      const auto elapsed = static_cast<double>(std::max(end - since, Seconds{0}).count());
      return static_cast<std::uint64_t>(elapsed * factor);
    };
    std::uint64_t& left = committed_left_s_[index_of(job->index)];
    const std::uint64_t spent = std::min(spent_until(until), left);
    left -= spent;
    // What a tick passes beyond the limit of a plan stays committed for good.
    const auto counted = counted_down_.find(job->index);
    const SlurmTime taken_until =
        counted == counted_down_.end() ? until : std::min(until, *job->start + counted->second);
    commit(*job, -static_cast<std::int64_t>(std::min(spent_until(taken_until), spent)));
  }
}

void Limits::time_limit_changed(const Job& job, const std::optional<Minutes>& before) {
  if (!enforced_ || !job.is_running()) return;
  const double factor =
      has(version_, Change::LimitChangeScaledByUsageFactor) ? usage_factor_of(qos_of(job)) : 1.0;
  auto change = static_cast<std::int64_t>(
      static_cast<double>(static_cast<std::int64_t>(seconds_of(job.time_limit)) -
                          static_cast<std::int64_t>(seconds_of(before))) *
      factor);
  std::uint64_t& left = committed_left_s_[index_of(job.index)];
  change = std::max(change, -static_cast<std::int64_t>(left));
  left += static_cast<std::uint64_t>(change);
  counted_down_.erase(job.index);
  commit(job, change);
}

// Age-accrual limits (limits.md §8). Slots are counted by the jobs whose age clock runs; only the
// clock itself (job.accrue) says whether a job holds one.

void Limits::change_accruing(const Job& job, std::int64_t tasks) {
  if (cluster_.conf.priority.accrue_always) return;
  for_each_ancestor(job, [&](Counters& counters) { shift(counters.accruing_jobs, tasks); });
  if (!job.qos) return;
  Qos& qos = cluster_.accounts.qos[*job.qos];  // no partition QOS here
  shift(qos.counters.accruing_jobs, tasks);
  shift(qos.by_user[user_of(job)].accruing_jobs, tasks);
  shift(qos.by_account[account_of(job)].accruing_jobs, tasks);
}

void Limits::clear_accrual(Job& job) {
  // Without limits enforced a hold leaves the clock alone (priority.md §3.1).
  if (!enforced_ || cluster_.conf.priority.accrue_always || !job.accrue) return;
  if (job.is_pending()) {
    change_accruing(
        job, -std::max<std::int64_t>(1, static_cast<std::int64_t>(job.pending_tasks.size())));
  }
  job.accrue.reset();
}

std::optional<std::uint32_t> Limits::accrual_room(const Job& job) const {
  std::optional<std::uint32_t> room;
  const auto look = [&](const std::optional<std::uint32_t>& limit, std::uint32_t used) {
    if (!limit) return;
    const std::uint32_t left = *limit > used ? *limit - used : 0;
    room = room ? std::min(*room, left) : left;
  };
  if (const Qos* qos = qos_of(job)) {
    const auto used = [](const std::map<NameId, QosShare>& shares, NameId name) {
      const auto share = shares.find(name);
      return share != shares.end() ? share->second.accruing_jobs : 0;
    };
    const bool all = has(version_, Change::StrictestAccrualLimit);  // else the first that is set
    look(qos->limits.grp_jobs_accrue, qos->counters.accruing_jobs);
    if (!room || all) {
      look(qos->conf.max_jobs_accrue_per_account, used(qos->by_account, account_of(job)));
    }
    if (!room || all) look(qos->conf.max_jobs_accrue_per_user, used(qos->by_user, user_of(job)));
  }
  const Association* own =
      job.association ? &cluster_.accounts.associations[*job.association] : nullptr;
  for (const Association* at = own; at != nullptr && !room; at = parent_of(*at)) {
    look(at->limits.grp_jobs_accrue, at->counters.accruing_jobs);
    if (!room && at == own) look(own->max_jobs_accrue, own->counters.accruing_jobs);
  }
  return room;
}

void Limits::update_accrual(Job& job, SlurmTime now) {
  if (job.accrue || !job.is_pending()) return;
  if (cluster_.conf.priority.accrue_always) {
    job.accrue = whole_second(job.submit);
    return;
  }
  if (!enforced_) {
    job.accrue = job.begin;  // which may still be unset, or lie in the future
    return;
  }
  if (!job.begin || waits_to_age(job, now)) return;
  const std::uint32_t tasks = tasks_of(job);
  const auto room = accrual_room(job);
  if (room && (*room < tasks || (job.is_array_meta() && tasks > 1))) return;  // it is split first
  job.accrue = room ? now : *job.begin;
  change_accruing(job, tasks);
}

std::uint32_t Limits::tasks_to_age(const Job& job, SlurmTime now) const {
  if (!enforced_ || cluster_.conf.priority.accrue_always || job.accrue || !job.is_pending() ||
      !job.is_array_meta() || waits_to_age(job, now)) {
    return 0;
  }
  const std::uint32_t tasks = tasks_of(job);
  if (tasks == 1 || (!job.begin && job.reason != Reason::JobArrayTaskLimit)) return 0;
  const auto room = accrual_room(job);
  return room ? std::min(*room, tasks) : 0;
}

}  // namespace rehearse
