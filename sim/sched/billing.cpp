// sim/sched/billing.cpp — what a job's TRES weigh in the billing of its partition.
#include "sim/sched/billing.hpp"

#include <algorithm>
#include <string>

#include "sim/config/text.hpp"

namespace rehearse {

BillingRule billing_rule(const SlurmConf& conf, SlurmVersion version) {
  if (has(version, Change::MaxTresGres)) {
    const auto flags = conf.raw.find("PriorityFlags");
    if (flags != conf.raw.end() && contains_ignoring_case(flags->second.text, "MAX_TRES_GRES")) {
      return BillingRule::MaxTresGres;
    }
  }
  return conf.priority.max_tres ? BillingRule::MaxTres : BillingRule::Sum;
}

Billing::Billing(const TresTable& tres, BillingRule rule) : competes_(tres.size(), false) {
  if (rule == BillingRule::Sum) return;
  for (const TresIndex always : {TresTable::kCpu, TresTable::kMem, TresTable::kNode}) {
    competes_[index_of(always)] = true;
  }
  if (rule == BillingRule::MaxTresGres) return;
  for (std::size_t t = 0; t < tres.size(); ++t) {
    if (tres.name(id_at<TresIndex>(t)).starts_with("gres/")) competes_[t] = true;
  }
}

double Billing::of(const Partition& partition, const TresVector& amounts) const {
  const std::vector<double>& weights = partition.billing_weights;
  if (weights.empty()) return static_cast<double>(amounts[index_of(TresTable::kCpu)]);
  double greatest = 0, sum = 0;
  for (std::size_t t = 0; t < weights.size() && t < amounts.size(); ++t) {
    if (id_at<TresIndex>(t) == TresTable::kBilling) continue;
    const double weighted = static_cast<double>(amounts[t]) * weights[t];
    if (competes_[t]) {
      greatest = std::max(greatest, weighted);
    } else {
      sum += weighted;
    }
  }
  return greatest + sum;
}

std::uint64_t truncated_billing(double billing) {
  return billing > 0 ? static_cast<std::uint64_t>(billing) : 0;
}

}  // namespace rehearse
