// workloads/generator/distribution.hpp — how an amount (seconds, jobs, GPUs) is spread: quantiles
// and their inverse.
//
// Every value is drawn by its quantile from one uniform number. So a changed parameter moves the
// values and not which random number belongs to which job (common random numbers), and jobs can be
// correlated by correlating the uniform numbers. Values that enter a job are rounded to integers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace rehearse {

/// The standard normal distribution, and its quantile of `u` in (0, 1).
[[nodiscard]] double normal_cdf(double x);
[[nodiscard]] double normal_quantile(double u);

enum class DistributionForm : std::uint8_t {
  Constant,     ///< value
  Uniform,      ///< least, most
  LogUniform,   ///< least, most; both more than 0
  Exponential,  ///< mean
  Lognormal,    ///< median, sigma of the natural logarithm
  Weibull,      ///< scale, shape
  Gamma,        ///< scale, shape
  HyperGamma,   ///< e to the power of one of two gamma variates (Lublin and Feitelson, 2003, run
               ///< times): scale1, shape1, scale2, shape2, p (of the first), p_size (added to p for
               ///< each node; p stays in [0, 1])
  TwoStage,   ///< sizes (the same, 2003): serial (probability of 1), power_of_two, low, middle,
              ///< high (of the binary logarithm), p (of the lower stage)
  Quantiles,  ///< values at equal steps of probability from 0 to 1; between two of them equal
              ///< ratios, from 0 equal steps
  Values,     ///< values, ascending, each with its weight
  Mixture,    ///< parts, each with its weight
  Count
};

/// A name of site files: `lognormal`.
[[nodiscard]] std::string_view to_text(DistributionForm form);

/// One number of a form: its name in the file, and whether it is of the unit of the amount.
struct DistributionNumber {
  std::string_view name;
  bool is_amount = false;
  double least = 0, most = 0;  ///< the range in which it is accepted
  bool may_be_left_out = false;
};
[[nodiscard]] const std::vector<DistributionNumber>& numbers_of(DistributionForm form);

struct Distribution {
  DistributionForm form = DistributionForm::Constant;
  std::vector<double> numbers{0};  ///< in the order of numbers_of(form)
  std::vector<double> values;      ///< Quantiles (at least 2, ascending), Values
  std::vector<double> weights;     ///< Values, Mixture: positive in sum
  std::vector<Distribution> parts;

  /// The least value that a share of `u` does not exceed; `u` in (0, 1). `size` [nodes] is used by
  /// HyperGamma.
  [[nodiscard]] double quantile(double u, double size = 1) const;
  /// The share of values at or below `x`.
  [[nodiscard]] double cdf(double x, double size = 1) const;
};

[[nodiscard]] Distribution constant_of(double value);
/// The index that `u` falls on where weights are laid end to end; the last one that is not 0 at
/// most.
[[nodiscard]] std::size_t weighted_index(const std::vector<double>& weights, double u);

}  // namespace rehearse
