// sim/controller/configuration_changes.cpp — partitions, limits and shares changed while it runs.
#include <algorithm>

#include "sim/controller/controller.hpp"
#include "sim/controller/core_tables.hpp"

namespace rehearse {

/// Caches of what nodes and partitions offer are void.
void Controller::configuration_changed() {
  select_->configuration_changed();
  weights_.configuration_changed();
  choice_.forget();
  estimator_.forget();
  priority_->partitions_changed();
  gang_.partitions_changed();
  queue_.all_changed();
}

void Controller::change(std::span<const UpdatePartition> updates) {
  Diagnostics told;  // when the command was read
  for (const UpdatePartition& update : updates) {
    cluster_.change_partition(update.partition, update.record, told);
  }
  limits_.limits_changed();  // a QOS may be a share of a partition
  for (const JobIndex index : queue_.pending()) {
    Job& job = cluster_.jobs[index];
    if (!job.is_pending()) continue;
    std::stable_sort(job.partitions.begin(), job.partitions.end(),
                     [this](PartitionId a, PartitionId b) {
                       return cluster_.partitions[a].conf.priority_tier >
                              cluster_.partitions[b].conf.priority_tier;
                     });
  }
  enter_cores_anew(cluster_);
  mark_devices_anew(cluster_);
  cluster_.ledger.partitions_changed();
  configuration_changed();
}

/// The book keeps its usage and counters; what sacctmgr sets is taken from a new one, in which
/// inheritance has been resolved again.
void Controller::change(const ChangeAccounts& change) {
  Diagnostics told;
  AccountBook fresh = make_account_book(change.accounting, cluster_.tres, cluster_.names, told);
  AccountBook& book = cluster_.accounts;
  for (Association& association : book.associations) {
    Association& now = fresh.associations[association.id];
    association.shares = now.shares;
    association.limits = std::move(now.limits);
    association.max_jobs = now.max_jobs;
    association.max_jobs_accrue = now.max_jobs_accrue;
    association.max_submit_jobs = now.max_submit_jobs;
    association.priority = now.priority;
    association.qos = std::move(now.qos);
    association.default_qos = now.default_qos;
  }
  for (Qos& qos : book.qos) {
    Qos& now = fresh.qos[qos.id];
    qos.conf = std::move(now.conf);
    qos.limits = std::move(now.limits);
    qos.preempts = std::move(now.preempts);
  }
  book.max_association_priority = fresh.max_association_priority;
  book.max_qos_priority = fresh.max_qos_priority;
  limits_.limits_changed();
  for (const JobIndex index : queue_.pending()) {
    Job& job = cluster_.jobs[index];
    const bool was_invalid = job.is_pending() && job.reason == Reason::InvalidQOS;
    if (was_invalid && !limits_.invalid(job)) set_reason(job, Reason::None);
  }
  priority_->shares_changed();
  preemption_.accounts_changed();
  estimator_.forget();
  queue_.all_changed();
}

}  // namespace rehearse
