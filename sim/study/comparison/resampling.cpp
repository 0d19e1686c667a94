// sim/study/comparison/resampling.cpp — draws of users, and intervals from what they give.
#include "sim/study/comparison/resampling.hpp"

#include <algorithm>
#include <cmath>

#include "sim/core/check.hpp"
#include "sim/core/rng.hpp"
#include "sim/output/kpi/kpi.hpp"

namespace rehearse {
namespace {

std::optional<Interval> by_quantiles(const std::vector<double>& drawn, double level) {
  std::vector<double> sorted;
  for (const double value : drawn) {
    if (std::isfinite(value)) sorted.push_back(value);
  }
  if (sorted.empty()) return std::nullopt;
  std::sort(sorted.begin(), sorted.end());
  const double tail = (1 - level) / 2;
  return Interval{quantile(sorted, tail), quantile(sorted, 1 - tail)};
}

/// The standard error of a difference; the factor is that of a variance of few users.
double standard_error(const DrawnFigure& figure) {
  double sum = 0;
  double squares = 0;
  std::size_t count = 0;
  for (std::size_t i = 0; i < figure.drawn_a.size(); ++i) {
    const double difference = figure.drawn_b[i] - figure.drawn_a[i];
    if (!std::isfinite(difference)) continue;
    ++count;
    sum += difference;
  }
  if (count < 2) return 0;
  const double mean = sum / static_cast<double>(count);
  for (std::size_t i = 0; i < figure.drawn_a.size(); ++i) {
    const double difference = figure.drawn_b[i] - figure.drawn_a[i];
    if (std::isfinite(difference)) squares += (difference - mean) * (difference - mean);
  }
  const auto users = static_cast<double>(figure.users);
  const double small = users > 1 ? std::sqrt(users / (users - 1)) : 1;
  return small * std::sqrt(squares / static_cast<double>(count - 1));
}

bool can_be_judged(const DrawnFigure& figure, const ResamplingOptions& options) {
  return figure.users >= options.users_min && std::isfinite(figure.a) && std::isfinite(figure.b) &&
         !figure.drawn_a.empty();
}

/// The factor by which every standard error is multiplied.
double simultaneous_factor(std::span<const DrawnFigure> table, const std::vector<double>& errors,
                           const ResamplingOptions& options) {
  std::vector<double> largest;
  for (std::size_t draw = 0; draw < options.draws; ++draw) {
    double most = 0;
    for (std::size_t i = 0; i < table.size(); ++i) {
      if (errors[i] <= 0 || draw >= table[i].drawn_a.size()) continue;
      const double drawn = table[i].drawn_b[draw] - table[i].drawn_a[draw];
      if (!std::isfinite(drawn)) continue;
      most = std::max(most, std::abs(drawn - (table[i].b - table[i].a)) / errors[i]);
    }
    largest.push_back(most);
  }
  std::sort(largest.begin(), largest.end());
  return quantile(largest, options.level);
}

}  // namespace

UserDraws::UserDraws(std::size_t users, const ResamplingOptions& options)
    : users_(users), draws_(options.draws), weights_(users * options.draws) {
  for (std::size_t draw = 0; draw < draws_ && users > 0; ++draw) {
    Rng rng(options.seed, "compare/users", draw);
    for (std::size_t i = 0; i < users; ++i) {
      const auto user =
          static_cast<std::size_t>(rng.between(0, static_cast<std::int64_t>(users) - 1));
      ++weights_[draw * users + user];
    }
  }
}

std::vector<Sureness> judge(std::span<const DrawnFigure> table, const ResamplingOptions& options) {
  std::vector<double> errors(table.size());
  for (std::size_t i = 0; i < table.size(); ++i) {
    REHEARSE_CHECK(table[i].drawn_a.size() == table[i].drawn_b.size(), "unpaired draws");
    if (can_be_judged(table[i], options)) errors[i] = standard_error(table[i]);
  }
  const double factor = simultaneous_factor(table, errors, options);
  std::vector<Sureness> answers(table.size());
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (!can_be_judged(table[i], options)) continue;
    const double difference = table[i].b - table[i].a;
    answers[i].a = by_quantiles(table[i].drawn_a, options.level);
    answers[i].b = by_quantiles(table[i].drawn_b, options.level);
    answers[i].difference =
        Interval{difference - factor * errors[i], difference + factor * errors[i]};
  }
  return answers;
}

}  // namespace rehearse
