// workloads/generator/fit_limit.cpp — do limits follow the run time by a factor, or a few round
// numbers by rank?
#include <algorithm>
#include <cmath>
#include <map>

#include "workloads/generator/fit.hpp"

namespace rehearse {
namespace {

constexpr double kExplained = 0.95;
constexpr std::size_t kMostRound = 40;
constexpr double kMinute = 60;

/// The distinct limits, ascending, with their counts; of very many the commonest, and the others
/// with the next of these.
std::map<double, std::size_t> popular(const std::vector<LimitSample>& sample) {
  std::map<double, std::size_t> all;
  for (const LimitSample& each : sample) ++all[each.limit];
  if (all.size() <= kMostRound) return all;
  std::vector<std::pair<std::size_t, double>> common;
  for (const auto& [limit, count] : all) common.emplace_back(count, limit);
  std::sort(common.rbegin(), common.rend());
  common.resize(kMostRound - 1);
  common.emplace_back(0, all.rbegin()->first);  // nothing is above it
  std::map<double, std::size_t> kept;
  for (const auto& [count, limit] : common) kept[limit] = 0;
  for (const auto& [limit, count] : all) kept.lower_bound(limit)->second += count;
  return kept;
}

/// The share of limits that are the least popular one at or above the run time times `factor`.
double explained(const std::vector<LimitSample>& sample, const std::map<double, std::size_t>& round,
                 double factor) {
  std::size_t hits = 0;
  for (const LimitSample& each : sample) {
    const auto at = round.lower_bound(std::ceil(each.run * factor / kMinute));
    if (at != round.end() && at->first >= each.limit && at->first <= each.limit) ++hits;
  }
  return static_cast<double>(hits) / static_cast<double>(sample.size());
}

}  // namespace

AskedLimit fit_limit(const std::vector<LimitSample>& sample) {
  AskedLimit limit;
  if (sample.empty()) return limit;
  const std::map<double, std::size_t> round = popular(sample);
  if (round.size() > 1) {
    double best = 0;
    double best_factor = 0;
    for (const double factor : {1.0, 1.1, 1.2, 1.25, 1.5, 2.0, 3.0, 4.0, 5.0, 10.0}) {
      const double share = explained(sample, round, factor);
      if (share <= best) continue;
      best = share;
      best_factor = factor;
    }
    if (best >= kExplained) {
      limit.factor = constant_of(best_factor);
      for (const auto& [minutes, count] : round) {
        limit.round_to.push_back(static_cast<std::int64_t>(minutes));
      }
      return limit;
    }
  }
  Distribution values;
  values.form = DistributionForm::Values;
  std::vector<double> runs;
  std::vector<double> limits;
  for (const auto& [minutes, count] : round) {
    values.values.push_back(minutes * kMinute);
    values.weights.push_back(static_cast<double>(count));
  }
  for (const LimitSample& each : sample) {
    runs.push_back(each.run);
    limits.push_back(each.limit);
  }
  limit.values = round.size() == 1 ? constant_of(values.values.front()) : values;
  limit.correlation =
      std::clamp(correlation_of(normal_scores(runs), normal_scores(limits)), -0.99, 0.99);
  return limit;
}

}  // namespace rehearse
