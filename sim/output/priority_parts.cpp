// sim/output/priority_parts.cpp — what changes between ticks is put anew, the rest is kept.
#include "sim/output/priority_parts.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "sim/config/text.hpp"
#include "sim/config/text_scan.hpp"

namespace rehearse {
namespace {

std::int64_t age_part(const PriorityFacts& priority, std::int64_t accrue, std::int64_t at) {
  if (accrue == kNoTime || at <= accrue || priority.max_age_s <= 0) return 0;
  const double age =
      std::min(1.0, static_cast<double>(at - accrue) / static_cast<double>(priority.max_age_s));
  return std::llrint(age * priority.weight_age);
}

/// Whose factor jobs of an association have: under classic shares one with `parent` has that of the
/// account whose shares it takes (priority.md §8).
std::uint32_t holder_of(const ClusterFacts& cluster, std::uint32_t association) {
  if (cluster.priority.fair_tree) return association;
  const auto& all = cluster.associations;
  while (association < all.size() && all[association].shares < 0 &&
         all[association].parent != kNoRow) {
    association = all[association].parent;
  }
  return association;
}

/// The terms of PriorityWeightTRES, `cpu=75,mem=154`.
std::int64_t tres_part(std::string_view terms) {
  std::int64_t sum = 0;
  for (const std::string_view term : split_list(terms)) {
    sum += text::parse_decimal32(term.substr(term.find('=') + 1)).value_or(0);
  }
  return sum;
}

/// Of the last recalculation: what is kept of it, but where that is the least there is.
std::int64_t sum_then(const RunColumns& r, std::size_t row, const PriorityParts& parts) {
  if (r.priority[row] != 1) return std::int64_t{r.priority[row]};
  const std::int64_t sum = std::int64_t{r.factor_age[row]} + r.factor_fair_share[row] +
                           parts.assoc + parts.job_size + parts.partition + parts.qos + parts.tres -
                           parts.nice;
  return std::min<std::int64_t>(sum, 1);
}

}  // namespace

std::map<std::uint32_t, double> fair_shares_at(const Result& result, std::int64_t at) {
  std::map<std::uint32_t, double> factors;
  const FairShareColumns& kept = result.fair_share;
  for (std::size_t i = 0; i < kept.size() && kept.time[i] <= at; ++i) {
    factors[kept.association[i]] = kept.fair_share[i];
  }
  std::map<std::uint32_t, double> of_jobs;
  for (const auto& [association, factor] : factors) {
    const auto holder = factors.find(holder_of(result.cluster, association));
    if (holder != factors.end()) of_jobs[association] = holder->second;
  }
  return of_jobs;
}

FairShareOverTime::FairShareOverTime(const Result& result, std::uint32_t association) {
  const FairShareColumns& kept = result.fair_share;
  const std::uint32_t holder = holder_of(result.cluster, association);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (kept.association[i] == holder) {
      samples_.emplace_back(kept.time[i], kept.fair_share[i]);
    }
  }
}

double FairShareOverTime::at(std::int64_t at) const {
  const auto after =
      std::upper_bound(samples_.begin(), samples_.end(), at,
                       [](std::int64_t time, const auto& sample) { return time < sample.first; });
  return after == samples_.begin() ? std::nan("") : (after - 1)->second;
}

PriorityParts priority_parts(const Result& result, std::size_t row, std::int64_t at,
                             double fair_share) {
  const RunColumns& r = result.runs;
  const PriorityFacts& priority = result.cluster.priority;
  PriorityParts parts;
  parts.age = age_part(priority, r.accrue[row], at);
  // Age only grows, by recalculations: of a job that started, never beyond its last one.
  if (r.start[row] != kNoTime) parts.age = std::min<std::int64_t>(parts.age, r.factor_age[row]);
  parts.fair_share = std::isnan(fair_share) ? std::int64_t{r.factor_fair_share[row]}
                                            : std::llrint(fair_share * priority.weight_fairshare);
  parts.assoc = r.factor_assoc[row];
  parts.job_size = r.factor_job_size[row];
  parts.partition = r.factor_partition[row];
  parts.qos = r.factor_qos[row];
  parts.nice = r.factor_nice[row];
  parts.tres = tres_part(text_of(result.names.text, r.factor_tres[row]));
  parts.sum = sum_then(r, row, parts) - r.factor_age[row] - r.factor_fair_share[row] + parts.age +
              parts.fair_share;
  parts.total = r.priority[row] == 0 ? 0 : floored_priority(parts.sum);
  return parts;
}

std::int64_t printed_priority(std::int64_t stored, const PrioritySum& sum, bool incr_only) {
  if (!incr_only || sum.parts == 0) return stored;
  return floored_priority(sum.parts - sum.nice);
}

std::int64_t floored_priority(std::int64_t sum) {
  return std::max<std::int64_t>(sum, 1);
}

}  // namespace rehearse
