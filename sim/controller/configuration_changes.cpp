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

/// slurm.conf was read again (lifecycle.md §12.2): what the parts have kept of it as they were
/// made.
void Controller::change(const Reconfigure& again) {
  for (const SlurmConf& file : again.file) {
    const auto over_before = cluster_.conf.over_time_limit_min;
    cluster_.reconfigure(file);
    const SlurmConf& conf = cluster_.conf;
    costs_ = LoopCosts(cluster_.inputs.site.controller, conf.scheduler_parameters);
    background_->change(conf.scheduler_parameters);
    if (conf.scheduler_type == SchedulerType::Backfill) {
      backfill_clock_->change(conf.scheduler_parameters.bf_interval);
    }
    background_due_.reset();
    backfill_due_.reset();
    purges_.change(conf.min_job_age, now());
    const bool reschedules = over_before != conf.over_time_limit_min && history_ == nullptr;
    for (Job* job : charged_) {
      if (reschedules && job->is_running()) schedule_ends(*job);
    }
    observer_.settings_changed(cluster_, now());
  }
  priority_->settings_changed();
  keeper_.reconfigure();
  change(again.partitions);
  weights_.forget();  // as if no selection had considered any node (scheduling.md §5.5)
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
    association.children = std::move(now.children);
    association.place = now.place;
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
