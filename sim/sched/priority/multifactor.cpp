// sim/sched/priority/multifactor.cpp — priority/multifactor: the sum, its ticks and its usage.
//
// The terms are added in Slurm's order, in doubles, and cut once at the end (priority.md §2); a
// factor with weight 0 is not computed. Ticks do their work in the order of §4.1.
#include "sim/sched/priority/multifactor.hpp"

#include <algorithm>
#include <optional>
#include <tuple>
#include <vector>

#include "sim/sched/orders/registry.hpp"
#include "sim/sched/partition_access.hpp"
#include "sim/sched/priority/basic.hpp"
#include "sim/sched/priority/classic.hpp"
#include "sim/sched/priority/factors.hpp"
#include "sim/sched/priority/fair_tree.hpp"
#include "sim/sched/priority/partition_terms.hpp"
#include "sim/sched/priority/usage.hpp"

namespace rehearse {
namespace {

TimeZone zone_of(const SiteConf& site) {
  return TimeZone::find(site.time_zone)
      .value_or(TimeZone::utc());  // a bad name is told by the reader
}

class Multifactor final : public PriorityPlugin {
 public:
  explicit Multifactor(Cluster& cluster);

  [[nodiscard]] std::optional<Seconds> tick_period() const override;
  void tick(SlurmTime now, std::span<Job* const> running,
            std::span<const JobIndex> pending) override;
  void recompute(Job& job, SlurmTime now) override;
  void job_ended(const Job& job, SlurmTime now) override;
  void shares_changed() override;
  void partitions_changed() override { terms_.partitions_changed(); }
  void settings_changed() override;
  void settle_shares() override {
    if (classic_) classic_->settle_all();
  }
  [[nodiscard]] std::vector<ShareFactors> shown_shares(const AccountBook& book) const override {
    return classic_ ? classic_->shown() : kept_shares(book);
  }

 private:
  void take_settings();
  void classic_pass(SlurmTime now, std::span<Job* const> running,
                    std::span<const JobIndex> pending);
  void set_factors(Job& job, SlurmTime now);
  [[nodiscard]] double fair_share(const Job& job);
  [[nodiscard]] double size(const Job& job) const;
  void set_partition_priorities(Job& job);

  Cluster& cluster_;
  PriorityConf conf_;  ///< as the formulas take it
  SlurmVersion version_;
  UsageKeeper usage_;
  std::optional<FairTree> fair_tree_;
  std::optional<ClassicShares> classic_;
  PartitionTerms terms_;
};

Multifactor::Multifactor(Cluster& cluster)
    : cluster_(cluster),
      version_(cluster.inputs.site.slurm_version),
      usage_(cluster.accounts, cluster.partitions, cluster.conf, zone_of(cluster.inputs.site),
             cluster.tres.size()),
      terms_(cluster) {
  take_settings();
  shares_changed();
}

void Multifactor::take_settings() {
  conf_ = cluster_.conf.priority;
  if (conf_.max_age >= Seconds{kUnlimited}) conf_.max_age = kUnlimitedMaxAge;
  if (!cluster_.conf.has_accounting) conf_.weight_age = conf_.weight_fairshare = 0;  // §1.1
}

void Multifactor::settings_changed() {
  const auto formula = [this] {
    return std::tuple(conf_.no_fair_tree, conf_.depth_oblivious, conf_.fair_share_dampening_factor);
  };
  const auto before = formula();
  take_settings();
  if (formula() != before) {
    classic_.reset();
    fair_tree_.reset();
    shares_changed();
  }
  usage_.settings_changed(conf_);
  terms_.settings_changed();
}

void Multifactor::shares_changed() {
  if (conf_.no_fair_tree || conf_.depth_oblivious) {
    classic_.emplace(cluster_.accounts,
                     ClassicShares::Options{.depth_oblivious = conf_.depth_oblivious,
                                            .damping = conf_.fair_share_dampening_factor});
  } else {
    fair_tree_.emplace(cluster_.accounts);
  }
}

/// Without a database Slurm computes no usage and runs no periodic thread.
std::optional<Seconds> Multifactor::tick_period() const {
  if (!cluster_.conf.has_accounting) return std::nullopt;
  return conf_.calc_period;
}

void Multifactor::tick(SlurmTime now, std::span<Job* const> running,
                       std::span<const JobIndex> pending) {
  if (!cluster_.conf.has_accounting) return;
  usage_.reset_if_due(now);
  if (classic_) {
    classic_->update_accounts();
    usage_.decay(now);
    classic_pass(now, running, pending);
  } else {
    usage_.decay(now);
    for (const Job* job : running) usage_.charge(*job, now);
    fair_tree_->update();
  }
  usage_.close_tick(now);
}

/// Slurm's one pass over the job list: it charges a running job and settles the user of a pending
/// one, or with CALCULATE_RUNNING of both, so that a user's value depends on who stands before in
/// the list (§4.1).
void Multifactor::classic_pass(SlurmTime now, std::span<Job* const> running,
                               std::span<const JobIndex> pending) {
  auto next = running.begin();
  const auto charge_before = [&](std::optional<JobIndex> limit) {
    for (; next != running.end() && (!limit || (*next)->index < *limit); ++next) {
      usage_.charge(**next, now);
      if (conf_.calculate_running && (*next)->association) classic_->settle(*(*next)->association);
    }
  };
  for (const JobIndex index : pending) {
    const Job& job = cluster_.jobs[index];
    if (!job.is_pending() || job.priority == 0 || !job.association) continue;
    charge_before(index);
    classic_->settle(*job.association);
  }
  charge_before(std::nullopt);
}

void Multifactor::job_ended(const Job& job, SlurmTime now) {
  if (cluster_.conf.has_accounting) usage_.charge_end(job, now);
}

double Multifactor::fair_share(const Job& job) {
  if (!job.association || !cluster_.conf.has_accounting) return 0;
  if (!classic_) return cluster_.accounts.associations[*job.association].fair_share;
  classic_->settle(*job.association);
  return classic_->job_factor(*job.association);
}

double Multifactor::size(const Job& job) const {
  const Request& request = cluster_.request_of(job);
  JobSize size;
  size.nodes = request.min_nodes;
  if (!request.max_nodes) size.nodes = std::max(size.nodes, job.least_nodes);
  size.cpus = job.total_cpus != 0 ? job.total_cpus : request.max_cpus.value_or(request.min_cpus);
  size.all_nodes = cluster_.nodes.size();
  size.all_cpus = cluster_.total_cpus;
  const auto limit =
      job.time_limit ? job.time_limit : cluster_.partitions[job.partition].conf.max_time;
  size.time_limit_min = limit && *limit < kUnlimited ? static_cast<std::uint64_t>(limit->count())
                                                     : std::uint64_t{4294967295};
  return size_factor(size, conf_, version_);
}

void Multifactor::set_factors(Job& job, SlurmTime now) {
  const AccountBook& book = cluster_.accounts;
  PriorityFactors& factors = job.factors;
  const auto scale = [](bool raw) { return raw ? Scale::Raw : Scale::Ratio; };
  factors.age = factors.assoc = factors.fair_share = factors.job_size = factors.qos = 0;
  if (conf_.weight_age != 0) {
    factors.age = conf_.weight_age * age_factor(job.accrue, now, conf_.max_age);
  }
  if (conf_.weight_assoc != 0 && job.association) {
    factors.assoc = conf_.weight_assoc *
                    share_of_greatest(book.associations[*job.association].priority,
                                      book.max_association_priority, scale(conf_.no_normal_assoc));
  }
  if (conf_.weight_fairshare != 0) factors.fair_share = conf_.weight_fairshare * fair_share(job);
  if (conf_.weight_job_size != 0) factors.job_size = conf_.weight_job_size * size(job);
  if (conf_.weight_qos != 0 && job.qos) {
    factors.qos =
        conf_.weight_qos * share_of_greatest(book.qos[*job.qos].conf.priority,
                                             book.max_qos_priority, scale(conf_.no_normal_qos));
  }
  factors.site = 0;  // PrioritySiteFactorPlugin=none
  factors.nice = job.nice;
}

void Multifactor::recompute(Job& job, SlurmTime now) {
  if (job.held || job.direct_priority) {
    // A directly set number stays and shows no factors (§4.2).
    job.factors = {};
    if (job.held) job.priority = 0;
    if (job.partitions.size() > 1) {
      job.partition_priority.assign(job.partitions.size(), job.priority);
    }
    return;
  }
  set_factors(job, now);
  PriorityFactors& factors = job.factors;
  factors.partition = terms_.of_partition(job.partition);
  if (terms_.weigh_tres()) factors.tres.resize(terms_.tres_count());
  double sum = factors.age + factors.assoc + factors.fair_share + factors.job_size +
               factors.partition + factors.qos;
  sum += !terms_.weigh_tres() ? 0.0 : terms_.of_tres(job, job.partition, &factors.tres);
  sum += static_cast<double>(factors.site);
  sum -= static_cast<double>(factors.nice);
  const std::uint32_t fresh = stored_priority(sum);
  // Ticks hand the controller their own time: what is recomputed at that second is the tick's.
  const bool at_tick = usage_.last_tick() == now;
  if (!conf_.incr_only || !at_tick || fresh > job.priority) job.priority = fresh;
  if (job.partitions.size() > 1) set_partition_priorities(job);
}

/// One number a partition: the others' sum, then that partition's term (§2, §5). INCR_ONLY binds
/// these in every recalculation, but for the first.
void Multifactor::set_partition_priorities(Job& job) {
  const PriorityFactors& factors = job.factors;
  const bool keeps_greater =
      conf_.incr_only && job.partition_priority.size() == job.partitions.size();
  job.partition_priority.resize(job.partitions.size(), 0);
  for (std::size_t i = 0; i < job.partitions.size(); ++i) {
    double sum = factors.age + factors.assoc + factors.fair_share + factors.job_size + factors.qos;
    if (terms_.weigh_tres()) sum += terms_.of_tres(job, job.partitions[i], nullptr);
    sum += static_cast<double>(factors.site);
    sum -= static_cast<double>(factors.nice);
    sum += terms_.of_partition(job.partitions[i]);
    const std::uint32_t fresh = stored_priority(sum);
    std::uint32_t& stored = job.partition_priority[i];
    stored = keeps_greater ? std::max(stored, fresh) : fresh;
  }
}

}  // namespace

std::unique_ptr<PriorityPlugin> make_multifactor(Cluster& cluster) {
  return std::make_unique<Multifactor>(cluster);
}

std::unique_ptr<PriorityPlugin> make_priority_plugin(Cluster& cluster) {
  OrderRule* rule = find_order_rule(cluster.inputs.site.policy.order);
  if (rule != nullptr) return make_ordered(cluster, *rule);
  if (cluster.conf.priority.type == PriorityType::Basic) return make_basic();
  return make_multifactor(cluster);
}

}  // namespace rehearse
