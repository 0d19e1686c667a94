// sim/sched/priority/partition_terms.cpp — shares of the greatest factor and of a partition's TRES.
#include "sim/sched/priority/partition_terms.hpp"

#include <algorithm>

#include "sim/sched/billing.hpp"
#include "sim/sched/priority/factors.hpp"

namespace rehearse {

PartitionTerms::PartitionTerms(const Cluster& cluster) : cluster_(cluster) {
  settings_changed();
}

void PartitionTerms::settings_changed() {
  weights_.clear();
  for (const TresWeight& weight : cluster_.conf.priority.weight_tres) {
    const auto index = cluster_.tres.find(weight.tres);
    if (!index) continue;  // told when it was read
    weights_.resize(cluster_.tres.size(), 0.0);
    weights_[index_of(*index)] = weight.weight;
  }
  partitions_changed();
}

/// A partition's totals for the TRES factor: licences are the cluster's, billing is its own weights
/// applied to the totals (§3.8).
void PartitionTerms::partitions_changed() {
  totals_.clear();
  const Billing billing(cluster_.tres,
                        billing_rule(cluster_.conf, cluster_.inputs.site.slurm_version));
  for (const Partition& partition : cluster_.partitions) {
    TresVector total = partition.total;
    for (const LicenseConf& license : cluster_.conf.licenses) {
      if (const auto index = cluster_.tres.find("license/" + license.name)) {
        total[index_of(*index)] = license.count;
      }
    }
    total[index_of(TresTable::kBilling)] = truncated_billing(billing.of(partition, total));
    totals_.push_back(std::move(total));
  }
}

double PartitionTerms::of_partition(PartitionId partition) const {
  const PriorityConf& conf = cluster_.conf.priority;
  if (conf.weight_partition == 0) return 0;
  return conf.weight_partition *
         share_of_greatest(cluster_.partitions[partition].conf.priority_job_factor,
                           std::max(1U, cluster_.max_priority_job_factor),
                           conf.no_normal_part ? Scale::Raw : Scale::Ratio);
}

double PartitionTerms::of_tres(const Job& job, PartitionId partition,
                               std::vector<double>* terms) const {
  const bool by_request = job.is_pending() && !job.ranks_by_last_run;
  const TresVector& amounts = by_request ? job.request_tres : job.alloc_tres;
  const TresVector& totals = totals_[index_of(partition)];
  double sum = 0;
  for (std::size_t t = 0; t < weights_.size(); ++t) {
    double factor = 0;
    if (t < amounts.size() && amounts[t] > 0 && weights_[t] != 0) {
      const double amount = static_cast<double>(amounts[t]);
      if (cluster_.conf.priority.no_normal_tres) {
        factor = amount;
      } else if (totals[t] > 0) {
        factor = amount / static_cast<double>(totals[t]);
      }
    }
    const double term = weights_[t] * factor;
    if (terms != nullptr) (*terms)[t] = term;
    sum += term;
  }
  return sum;
}

}  // namespace rehearse
