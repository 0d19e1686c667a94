// workloads/generator/distribution.cpp — quantiles in closed form, or by halving.
#include "workloads/generator/distribution.hpp"

#include <algorithm>
#include <array>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <limits>

#include "sim/core/check.hpp"

namespace rehearse {
namespace {

constexpr double kLeastShare = 1e-12;
constexpr std::array<std::string_view, static_cast<std::size_t>(DistributionForm::Count)> kNames{
    "constant", "uniform",     "loguniform", "exponential", "lognormal", "weibull",
    "gamma",    "hyper_gamma", "two_stage",  "quantiles",   "values",    "mixture"};

/// Between two values: equal ratios where both are above 0, else equal steps.
double between(double low, double high, double part) {
  if (low <= 0) return low + (high - low) * part;
  return low * std::pow(high / low, part);
}

double part_between(double low, double high, double x) {
  if (high <= low) return 1;
  if (low <= 0) return (x - low) / (high - low);
  return std::log(x / low) / std::log(high / low);
}

double table_quantile(const std::vector<double>& values, double u) {
  const double at = u * static_cast<double>(values.size() - 1);
  const auto i = std::min(static_cast<std::size_t>(at), values.size() - 2);
  return between(values[i], values[i + 1], at - static_cast<double>(i));
}

double table_cdf(const std::vector<double>& values, double x) {
  if (x < values.front()) return 0;
  const auto above = std::upper_bound(values.begin(), values.end(), x);
  if (above == values.end()) return 1;
  const auto i = static_cast<std::size_t>(above - values.begin()) - 1;
  return (static_cast<double>(i) + part_between(values[i], values[i + 1], x)) /
         static_cast<double>(values.size() - 1);
}

/// p of HyperGamma at a size.
double first_part(const std::vector<double>& n, double size) {
  return std::clamp(n[4] + n[5] * size, 0.0, 1.0);
}

double hyper_gamma_cdf(const std::vector<double>& n, double x, double size) {
  if (x <= 1) return 0;
  const double log = std::log(x);
  const double p = first_part(n, size);
  return p * boost::math::gamma_p(n[1], log / n[0]) +
         (1 - p) * boost::math::gamma_p(n[3], log / n[2]);
}

/// The size before powers of two and serial jobs: binary logarithms in two uniform stages.
double stage_log(const std::vector<double>& n, double u) {
  const double low = n[2];
  const double middle = n[3];
  const double high = n[4];
  const double p = n[5];
  return u < p ? low + (middle - low) * u / p : middle + (high - middle) * (u - p) / (1 - p);
}

double two_stage_quantile(const std::vector<double>& n, double u) {
  if (u < n[0]) return 1;
  const double rest = (u - n[0]) / (1 - n[0]);
  const bool is_power = rest < n[1];
  const double part = is_power ? rest / n[1] : (rest - n[1]) / (1 - n[1]);
  const double log = stage_log(n, std::clamp(part, 0.0, 1.0));
  return std::max(1.0, is_power ? std::exp2(std::round(log)) : std::round(std::exp2(log)));
}

/// Its sizes are drawn in three parts, so that shares are counted.
double two_stage_cdf(const std::vector<double>& n, double x) {
  constexpr int kSteps = 4096;
  int below = 0;
  for (int i = 0; i < kSteps; ++i) below += two_stage_quantile(n, (i + 0.5) / kSteps) <= x ? 1 : 0;
  return static_cast<double>(below) / kSteps;
}

double weight_sum(const std::vector<double>& weights) {
  double sum = 0;
  for (const double weight : weights) sum += weight;
  return sum;
}

/// Of the forms without a closed inverse: halves the range until it is as narrow as doubles allow.
double by_halving(const Distribution& spread, double u, double size) {
  double low = 0;
  double high = 1;
  while (spread.cdf(high, size) < u && high < 1e18) high *= 2;
  for (int i = 0; i < 100 && high - low > 1e-9 * high; ++i) {
    const double middle = low + (high - low) / 2;
    (spread.cdf(middle, size) < u ? low : high) = middle;
  }
  return high;
}

}  // namespace

double normal_cdf(double x) {
  return 0.5 * boost::math::erfc(-x / std::sqrt(2.0));
}

double normal_quantile(double u) {
  return -std::sqrt(2.0) * boost::math::erfc_inv(2 * std::clamp(u, kLeastShare, 1 - kLeastShare));
}

std::string_view to_text(DistributionForm form) {
  return kNames[static_cast<std::size_t>(form)];
}

const std::vector<DistributionNumber>& numbers_of(DistributionForm form) {
  constexpr double kMost = 1e15;
  static const std::array<std::vector<DistributionNumber>,
                          static_cast<std::size_t>(DistributionForm::Count)>
      all{{{{"constant", true, 0, kMost}},
           {{"least", true, 0, kMost}, {"most", true, 0, kMost}},
           {{"least", true, 1e-6, kMost}, {"most", true, 1e-6, kMost}},
           {{"mean", true, 1e-6, kMost}},
           {{"median", true, 1e-6, kMost}, {"sigma", false, 0, 20}},
           {{"scale", true, 1e-6, kMost}, {"shape", false, 0.05, 1000}},
           {{"scale", true, 1e-6, kMost}, {"shape", false, 0.05, 1000}},
           {{"scale1", false, 1e-6, 1000},
            {"shape1", false, 0.05, 10000},
            {"scale2", false, 1e-6, 1000},
            {"shape2", false, 0.05, 10000},
            {"p", false, 0, 1},
            {"p_size", false, -1, 1, true}},
           {{"serial", false, 0, 0.999},
            {"power_of_two", false, 0, 1},
            {"low", false, 0, 40},
            {"middle", false, 0, 40},
            {"high", false, 0, 40},
            {"p", false, 0.001, 0.999}},
           {},
           {},
           {}}};
  return all[static_cast<std::size_t>(form)];
}

double Distribution::quantile(double u, double size) const {
  u = std::clamp(u, kLeastShare, 1 - kLeastShare);
  const std::vector<double>& n = numbers;
  switch (form) {
    case DistributionForm::Constant:
      return n[0];
    case DistributionForm::Uniform:
      return n[0] + (n[1] - n[0]) * u;
    case DistributionForm::LogUniform:
      return between(n[0], n[1], u);
    case DistributionForm::Exponential:
      return -n[0] * std::log1p(-u);
    case DistributionForm::Lognormal:
      return n[0] * std::exp(n[1] * normal_quantile(u));
    case DistributionForm::Weibull:
      return n[0] * std::pow(-std::log1p(-u), 1 / n[1]);
    case DistributionForm::Gamma:
      return n[0] * boost::math::gamma_p_inv(n[1], u);
    case DistributionForm::TwoStage:
      return two_stage_quantile(n, u);
    case DistributionForm::Quantiles:
      return table_quantile(values, u);
    case DistributionForm::Values:
      return values[weighted_index(weights, u)];
    case DistributionForm::HyperGamma:
    case DistributionForm::Mixture:
      return by_halving(*this, u, size);
    case DistributionForm::Count:
      break;
  }
  REHEARSE_CHECK(false, "no such distribution: {}", static_cast<int>(form));
  return 0;
}

double Distribution::cdf(double x, double size) const {
  const std::vector<double>& n = numbers;
  const auto at_least_0 = [](double share) { return std::clamp(share, 0.0, 1.0); };
  switch (form) {
    case DistributionForm::Constant:
      return x >= n[0] ? 1 : 0;
    case DistributionForm::Uniform:
      return x < n[0] ? 0 : n[1] > n[0] ? at_least_0((x - n[0]) / (n[1] - n[0])) : 1;
    case DistributionForm::LogUniform:
      return x < n[0] ? 0 : at_least_0(part_between(n[0], n[1], x));
    case DistributionForm::Exponential:
      return x <= 0 ? 0 : -std::expm1(-x / n[0]);
    case DistributionForm::Lognormal:
      if (n[1] <= 0) return x >= n[0] ? 1 : 0;
      return x <= 0 ? 0 : normal_cdf(std::log(x / n[0]) / n[1]);
    case DistributionForm::Weibull:
      return x <= 0 ? 0 : -std::expm1(-std::pow(x / n[0], n[1]));
    case DistributionForm::Gamma:
      return x <= 0 ? 0 : boost::math::gamma_p(n[1], x / n[0]);
    case DistributionForm::HyperGamma:
      return hyper_gamma_cdf(n, x, size);
    case DistributionForm::TwoStage:
      return two_stage_cdf(n, x);
    case DistributionForm::Quantiles:
      return table_cdf(values, x);
    case DistributionForm::Values: {
      double below = 0;
      for (std::size_t i = 0; i < values.size() && values[i] <= x; ++i) below += weights[i];
      return below / weight_sum(weights);
    }
    case DistributionForm::Mixture: {
      double share = 0;
      for (std::size_t i = 0; i < parts.size(); ++i) share += weights[i] * parts[i].cdf(x, size);
      return share / weight_sum(weights);
    }
    case DistributionForm::Count:
      break;
  }
  REHEARSE_CHECK(false, "no such distribution: {}", static_cast<int>(form));
  return 0;
}

Distribution constant_of(double value) {
  Distribution spread;
  spread.numbers = {value};
  return spread;
}

std::size_t weighted_index(const std::vector<double>& weights, double u) {
  double rest = u * weight_sum(weights);
  std::size_t last = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] <= 0) continue;
    if (rest < weights[i]) return i;
    rest -= weights[i];
    last = i;
  }
  return last;
}

}  // namespace rehearse
