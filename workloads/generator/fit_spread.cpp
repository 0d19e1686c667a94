// workloads/generator/fit_spread.cpp — formulas tried from the simplest on; else the sample's own
// quantiles.
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "workloads/generator/fit.hpp"

namespace rehearse {
namespace {

constexpr std::size_t kFewValues = 12, kLeastForFormula = 30, kMostPoints = 65;
constexpr double kMeanTolerance = 0.1;

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Kolmogorov-Smirnov distance of a sorted sample and a formula; a step of the sample counts with
/// both its ends.
double distance(const std::vector<double>& sorted, const Distribution& spread) {
  const auto n = static_cast<double>(sorted.size());
  double most = 0;
  for (std::size_t i = 0; i < sorted.size();) {
    std::size_t next = i;
    while (next < sorted.size() && sorted[next] <= sorted[i]) ++next;
    // Values are whole: the formula's share of one is that up to half a unit more.
    const double below = spread.cdf(std::max(0.0, sorted[i] - 0.5));
    const double up_to = spread.cdf(sorted[i] + 0.5);
    most = std::max({most, std::abs(static_cast<double>(i) / n - below),
                     std::abs(static_cast<double>(next) / n - up_to)});
    i = next;
  }
  return most;
}

double model_mean(const Distribution& spread) {
  constexpr int kSteps = 2000;
  double sum = 0;
  for (int i = 0; i < kSteps; ++i) sum += spread.quantile((i + 0.5) / kSteps);
  return sum / kSteps;
}

Distribution lognormal_of(const std::vector<double>& logs) {
  const double mean = mean_of(logs);
  double squares = 0;
  for (const double log : logs) squares += (log - mean) * (log - mean);
  Distribution spread;
  spread.form = DistributionForm::Lognormal;
  spread.numbers = {std::exp(mean), std::sqrt(squares / static_cast<double>(logs.size()))};
  return spread;
}

/// Maximum likelihood: the shape k where sum(x^k ln x) / sum(x^k) - 1/k is the mean of ln x.
Distribution weibull_of(const std::vector<double>& logs) {
  const double mean = mean_of(logs);
  const double largest = *std::max_element(logs.begin(), logs.end());
  const auto excess = [&](double shape) {
    double weights = 0;
    double weighted = 0;
    for (const double log : logs) {
      const double weight = std::exp(shape * (log - largest));
      weights += weight;
      weighted += weight * log;
    }
    return weighted / weights - 1 / shape - mean;
  };
  double low = 0.06;
  double high = 50;
  for (int i = 0; i < 60; ++i) {
    const double middle = std::sqrt(low * high);
    (excess(middle) < 0 ? low : high) = middle;
  }
  double sum = 0;
  for (const double log : logs) sum += std::exp(high * (log - largest));
  Distribution spread;
  spread.form = DistributionForm::Weibull;
  spread.numbers = {std::exp(largest + std::log(sum / static_cast<double>(logs.size())) / high),
                    high};
  return spread;
}

/// Two lognormals by expectation maximization, begun at the halves of the sorted sample.
Distribution mixture_of(const std::vector<double>& sorted_logs) {
  const std::size_t half = sorted_logs.size() / 2;
  const std::vector<double> lower(sorted_logs.begin(),
                                  sorted_logs.begin() + static_cast<std::ptrdiff_t>(half));
  const std::vector<double> upper(sorted_logs.begin() + static_cast<std::ptrdiff_t>(half),
                                  sorted_logs.end());
  double mean[2]{mean_of(lower), mean_of(upper)};
  double sigma[2]{};
  double weight[2]{0.5, 0.5};
  const double least = 0.05;  // narrower ones are single values, not a spread
  sigma[0] = std::max(least, lognormal_of(lower).numbers[1]);
  sigma[1] = std::max(least, lognormal_of(upper).numbers[1]);
  for (int round = 0; round < 60; ++round) {
    double sums[2]{};
    double firsts[2]{};
    double seconds[2]{};
    for (const double log : sorted_logs) {
      double part[2]{};
      for (int k = 0; k < 2; ++k) {
        const double z = (log - mean[k]) / sigma[k];
        part[k] = weight[k] / sigma[k] * std::exp(-z * z / 2) + 1e-300;
      }
      for (int k = 0; k < 2; ++k) {
        const double share = part[k] / (part[0] + part[1]);
        sums[k] += share;
        firsts[k] += share * log;
        seconds[k] += share * log * log;
      }
    }
    for (int k = 0; k < 2; ++k) {
      if (sums[k] < 1) continue;
      mean[k] = firsts[k] / sums[k];
      sigma[k] =
          std::max(least, std::sqrt(std::max(0.0, seconds[k] / sums[k] - mean[k] * mean[k])));
      weight[k] = sums[k] / static_cast<double>(sorted_logs.size());
    }
  }
  Distribution spread;
  spread.form = DistributionForm::Mixture;
  for (int k = 0; k < 2; ++k) {
    Distribution part;
    part.form = DistributionForm::Lognormal;
    part.numbers = {std::exp(mean[k]), sigma[k]};
    spread.parts.push_back(part);
    spread.weights.push_back(weight[k]);
  }
  return spread;
}

Distribution values_of(const std::map<double, std::size_t>& counts) {
  Distribution spread;
  spread.form = DistributionForm::Values;
  for (const auto& [value, count] : counts) {
    spread.values.push_back(value);
    spread.weights.push_back(static_cast<double>(count));
  }
  return spread;
}

/// The sample's quantiles. The last is drawn in until the uppermost step has the mean of what it
/// stands for: one largest value would else make the tail, and with it the load, too heavy.
Distribution table_of(const std::vector<double>& sorted) {
  const std::size_t points = std::clamp(sorted.size() / 4 + 1, std::size_t{9}, kMostPoints);
  Distribution spread;
  spread.form = DistributionForm::Quantiles;
  const auto last = static_cast<double>(sorted.size() - 1);
  for (std::size_t i = 0; i < points; ++i) {
    const double at = last * static_cast<double>(i) / static_cast<double>(points - 1);
    spread.values.push_back(sorted[static_cast<std::size_t>(std::llround(at))]);
  }
  const double floor = spread.values[points - 2];
  const auto first = static_cast<std::size_t>(
      std::llround(last * static_cast<double>(points - 2) / static_cast<double>(points - 1)));
  const std::vector<double> tail(sorted.begin() + static_cast<std::ptrdiff_t>(first), sorted.end());
  const double wanted = mean_of(tail);
  double low = floor;
  double high = sorted.back();
  for (int i = 0; i < 60 && floor > 0; ++i) {
    const double top = low + (high - low) / 2;
    const double mean = top > floor * (1 + 1e-9) ? (top - floor) / std::log(top / floor) : floor;
    (mean < wanted ? low : high) = top;
  }
  if (floor > 0) spread.values.back() = std::max(high, floor);
  return spread;
}

}  // namespace

Distribution fit_spread(std::vector<double> sample, double distance_most) {
  std::sort(sample.begin(), sample.end());
  std::map<double, std::size_t> counts;
  for (const double value : sample) {
    if (counts.size() <= kFewValues) ++counts[value];
  }
  if (counts.size() == 1) return constant_of(sample.front());
  if (counts.size() <= kFewValues) return values_of(counts);
  if (sample.front() <= 0 || sample.size() < kLeastForFormula) return table_of(sample);
  std::vector<double> logs;
  for (const double value : sample) logs.push_back(std::log(value));
  const double mean = mean_of(sample);
  for (const Distribution& spread : {lognormal_of(logs), weibull_of(logs), mixture_of(logs)}) {
    if (distance(sample, spread) <= distance_most &&
        std::abs(model_mean(spread) - mean) <= kMeanTolerance * mean) {
      return spread;
    }
  }
  return table_of(sample);
}

std::vector<double> normal_scores(const std::vector<double>& sample) {
  std::vector<std::size_t> order(sample.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return sample[a] != sample[b] ? sample[a] < sample[b] : a < b;
  });
  std::vector<double> scores(sample.size());
  for (std::size_t i = 0; i < order.size();) {
    std::size_t next = i;
    while (next < order.size() && sample[order[next]] <= sample[order[i]]) ++next;
    const double rank = static_cast<double>(i + next) / 2;
    const double score = normal_quantile(rank / static_cast<double>(order.size()));
    for (; i < next; ++i) scores[order[i]] = score;
  }
  return scores;
}

double correlation_of(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() < 3 || a.size() != b.size()) return 0;
  const double mean_a = mean_of(a);
  const double mean_b = mean_of(b);
  double ab = 0;
  double aa = 0;
  double bb = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ab += (a[i] - mean_a) * (b[i] - mean_b);
    aa += (a[i] - mean_a) * (a[i] - mean_a);
    bb += (b[i] - mean_b) * (b[i] - mean_b);
  }
  return aa > 0 && bb > 0 ? ab / std::sqrt(aa * bb) : 0;
}

}  // namespace rehearse
