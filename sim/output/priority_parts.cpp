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
std::uint32_t holder_of(const ClusterFacts& cluster, bool fair_tree, std::uint32_t association) {
  if (fair_tree) return association;
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

/// Of all parts but age and fair-share.
std::int64_t fixed_sum(const PriorityParts& parts) {
  return parts.assoc + parts.job_size + parts.partition + parts.qos + parts.tres - parts.nice;
}

/// Of the last recalculation: what is kept of it, but where that is the least there is, or 0 of a
/// job that was held in the end.
std::int64_t sum_then(const RunColumns& r, std::size_t row, const PriorityParts& parts) {
  if (r.priority[row] > 1) return std::int64_t{r.priority[row]};
  const std::int64_t sum =
      std::int64_t{r.factor_age[row]} + r.factor_fair_share[row] + fixed_sum(parts);
  return r.priority[row] == 0 ? sum : std::min<std::int64_t>(sum, 1);
}

}  // namespace

std::int64_t last_tick(const Result& result, std::int64_t at) {
  const std::vector<std::int64_t>& kept = result.fair_share.time;
  const auto after = std::upper_bound(kept.begin(), kept.end(), at);
  if (after == kept.begin()) return at;
  // The first tick behind a change of the period is one of the ticks before.
  std::int64_t tick = *(after - 1);
  std::int64_t period = settings_at(result, tick).tick_s;
  for (const std::int64_t end : result.former_settings.end) {
    if (period == 0) return at;
    if (end <= tick) continue;
    const std::int64_t next = tick + (end - tick + period - 1) / period * period;
    if (next > at) break;
    tick = next;
    period = settings_at(result, tick).tick_s;
  }
  return period == 0 ? at : at - (at - tick) % period;
}

PriorityFacts settings_at(const Result& result, std::int64_t at) {
  const FormerSettingColumns& former = result.former_settings;
  const auto row = static_cast<std::size_t>(
      std::upper_bound(former.end.begin(), former.end.end(), at) - former.end.begin());
  PriorityFacts facts = result.cluster.priority;
  if (row == former.size()) return facts;
  facts.weight_age = former.weight_age[row];
  facts.weight_assoc = former.weight_assoc[row];
  facts.weight_fairshare = former.weight_fairshare[row];
  facts.weight_job_size = former.weight_job_size[row];
  facts.weight_partition = former.weight_partition[row];
  facts.weight_qos = former.weight_qos[row];
  facts.max_priority_job_factor = former.max_job_factor[row];
  facts.weight_tres = text_of(result.names.text, former.weight_tres[row]);
  facts.max_age_s = former.max_age_s[row];
  facts.tick_s = former.tick_s[row];
  facts.fair_tree = former.fair_tree[row] != 0;
  facts.calculate_running = former.calculate_running[row] != 0;
  facts.incr_only = former.incr_only[row] != 0;
  facts.accrue_always = former.accrue_always[row] != 0;
  return facts;
}

std::map<std::uint32_t, double> fair_shares_at(const Result& result, std::int64_t at) {
  std::map<std::uint32_t, double> factors;
  const FairShareColumns& kept = result.fair_share;
  for (std::size_t i = 0; i < kept.size() && kept.time[i] <= at; ++i) {
    factors[kept.association[i]] = kept.fair_share[i];
  }
  std::map<std::uint32_t, double> of_jobs;
  const bool fair_tree = settings_at(result, at).fair_tree;
  for (const auto& [association, factor] : factors) {
    const auto holder = factors.find(holder_of(result.cluster, fair_tree, association));
    if (holder != factors.end()) of_jobs[association] = holder->second;
  }
  return of_jobs;
}

FairShareOverTime::FairShareOverTime(const Result& result, std::uint32_t association) {
  const FairShareColumns& kept = result.fair_share;
  const std::uint32_t holder =
      holder_of(result.cluster, result.cluster.priority.fair_tree, association);
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

PartsOverTime::PartsOverTime(const Result& result) : result_(result) {
  const PartsColumns& kept = result.priority_parts;
  for (std::uint32_t i = 0; i < kept.size(); ++i) rows_.emplace_back(kept.run[i], i);
  std::sort(rows_.begin(), rows_.end());
}

/// An interval of the row or of one from which it was split, whose earlier parts are also its own.
bool PartsOverTime::kept_at(PriorityParts& parts, const PriorityAsked& asked,
                            std::uint32_t partition) const {
  const RunColumns& r = result_.runs;
  const PartsColumns& kept = result_.priority_parts;
  for (auto row = static_cast<std::uint32_t>(asked.row); row != kNoRow; row = r.split_from[row]) {
    auto found = std::lower_bound(rows_.begin(), rows_.end(), std::pair{row, 0U});
    for (; found != rows_.end() && found->first == row; ++found) {
      const std::uint32_t i = found->second;
      if (kept.partition[i] != partition || asked.at < kept.begin[i]) continue;
      if (kept.end[i] != kNoTime && asked.at >= kept.end[i]) continue;
      parts.assoc = kept.assoc[i];
      parts.job_size = kept.job_size[i];
      parts.partition = kept.in_partition[i];
      parts.qos = kept.qos[i];
      parts.nice = kept.nice[i];
      parts.tres_terms = kept.tres[i];
      return true;
    }
  }
  // A task that started in that partition has its parts in its row.
  for (std::uint32_t row = r.split_from[asked.row]; row != kNoRow; row = r.split_from[row]) {
    if (r.partition[asked.row] == partition) return false;
    if (r.partition[row] != partition) continue;
    parts.partition = r.factor_partition[row];
    parts.tres_terms = r.factor_tres[row];
    return true;
  }
  return false;
}

PriorityParts PartsOverTime::parts(const PriorityAsked& asked) const {
  const RunColumns& r = result_.runs;
  const std::size_t row = asked.row;
  const std::int64_t tick = last_tick(result_, asked.at);
  const PriorityFacts priority = settings_at(result_, tick);
  PriorityParts parts;
  parts.assoc = r.factor_assoc[row];
  parts.job_size = r.factor_job_size[row];
  parts.partition = r.factor_partition[row];
  parts.qos = r.factor_qos[row];
  parts.nice = r.factor_nice[row];
  parts.tres_terms = r.factor_tres[row];
  parts.tres = tres_part(text_of(result_.names.text, parts.tres_terms));
  // What the number has beside the sum of its parts: all of it where it was set by hand.
  const std::int64_t beside =
      sum_then(r, row, parts) - r.factor_age[row] - r.factor_fair_share[row] - fixed_sum(parts);
  const std::uint32_t partition = asked.partition.value_or(r.partition[row]);
  if (kept_at(parts, asked, partition)) {
    parts.tres = tres_part(text_of(result_.names.text, parts.tres_terms));
  } else if (partition != r.partition[row]) {
    parts.partition = partition_part(priority, result_.cluster.partitions[partition]);
  }
  parts.age = age_part(priority, r.accrue[row], tick);
  // Age only grows, by recalculations: of a job that started, never beyond its last one.
  if (r.start[row] != kNoTime && !priority.calculate_running) {
    parts.age = std::min<std::int64_t>(parts.age, r.factor_age[row]);
  }
  parts.fair_share = std::isnan(asked.fair_share)
                         ? std::int64_t{r.factor_fair_share[row]}
                         : std::llrint(asked.fair_share * priority.weight_fairshare);
  parts.sum = beside + fixed_sum(parts) + parts.age + parts.fair_share;
  parts.total = r.priority[row] == 0 ? 0 : floored_priority(parts.sum);
  return parts;
}

std::int64_t partition_part(const PriorityFacts& priority, const PartitionFacts& partition) {
  const double most = std::max(1U, priority.max_priority_job_factor);
  return std::llrint(priority.weight_partition * (partition.priority_job_factor / most));
}

std::int64_t printed_priority(std::int64_t stored, const PrioritySum& sum, bool incr_only) {
  if (!incr_only || sum.parts == 0) return stored;
  return floored_priority(sum.parts - sum.nice);
}

std::int64_t floored_priority(std::int64_t sum) {
  return std::max<std::int64_t>(sum, 1);
}

}  // namespace rehearse
