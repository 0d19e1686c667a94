// sim/study/tuning/survival.cpp — all signs of few units, some signs of many.
#include "sim/study/tuning/survival.hpp"

#include <algorithm>
#include <array>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>

#include "sim/core/rng.hpp"

namespace rehearse {
namespace {

constexpr std::array<std::string_view, 4> kFates{"dominates", "trades", "unsure", "fails"};
constexpr std::size_t kAllSignsUpTo = 12;  // units: 2^11 sign vectors but for the sign of all
constexpr std::size_t kSomeSigns = 4096;

struct Column {
  std::vector<std::size_t> units;  // that have a difference
  std::vector<double> residuals;   // of those
  double mean = 0, se = 0;
};

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

/// Standard error of the mean.
double error_of(const std::vector<double>& values, double mean) {
  double sum = 0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  const auto n = static_cast<double>(values.size());
  return std::sqrt(sum / (n - 1) / n);
}

Column column_of(const std::vector<double>& differences) {
  Column column;
  for (std::size_t i = 0; i < differences.size(); ++i) {
    if (!std::isfinite(differences[i])) continue;
    column.units.push_back(i);
    column.residuals.push_back(differences[i]);
  }
  if (column.units.size() < kUnitsLeast) return column;
  column.mean = mean_of(column.residuals);
  column.se = error_of(column.residuals, column.mean);
  for (double& value : column.residuals) value -= column.mean;
  return column;
}

/// |t| of the residuals with these signs.
double t_of(const Column& column, const std::vector<bool>& minus) {
  if (column.units.size() < kUnitsLeast || !(column.se > 0)) return 0;
  std::vector<double> values(column.residuals);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (minus[column.units[i]]) values[i] = -values[i];
  }
  const double mean = mean_of(values);
  const double se = error_of(values, mean);
  if (se > 0) return std::abs(mean) / se;
  return std::abs(mean) > 0 ? std::numeric_limits<double>::infinity() : 0;
}

/// The sign of all together changes no |t|: the first unit keeps its own.
std::vector<std::vector<bool>> signs_of(std::size_t units) {
  std::vector<std::vector<bool>> all;
  const bool every = units <= kAllSignsUpTo;
  const std::size_t count = every ? std::size_t{1} << (units - 1) : kSomeSigns;
  Rng rng(1, "tune/signs");
  for (std::size_t n = 0; n < count; ++n) {
    auto& minus = all.emplace_back(units);
    for (std::size_t i = 1; i < units; ++i) {
      minus[i] = every ? (n >> (i - 1) & 1U) != 0 : rng.between(0, 1) == 1;
    }
  }
  return all;
}

double largest_t(const std::vector<Column>& columns, std::size_t units, double level) {
  std::vector<double> largest;
  for (const std::vector<bool>& minus : signs_of(units)) {
    double most = 0;
    for (const Column& column : columns) most = std::max(most, t_of(column, minus));
    largest.push_back(most);
  }
  std::sort(largest.begin(), largest.end());
  const auto at = static_cast<std::size_t>(std::ceil(level * static_cast<double>(largest.size())));
  return largest[std::clamp<std::size_t>(at, 1, largest.size()) - 1];
}

}  // namespace

std::vector<std::optional<Interval>> intervals_of(std::span<const std::vector<double>> columns,
                                                  double level) {
  std::vector<std::optional<Interval>> intervals(columns.size());
  if (columns.empty() || columns.front().size() < kUnitsLeast) return intervals;
  std::vector<Column> table;
  for (const auto& differences : columns) table.push_back(column_of(differences));
  const double together = largest_t(table, columns.front().size(), level);
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (table[i].units.size() < kUnitsLeast) continue;
    const boost::math::students_t student(static_cast<double>(table[i].units.size() - 1));
    const double c = std::max(together, boost::math::quantile(student, (1 + level) / 2));
    const double half = table[i].se > 0 ? c * table[i].se : 0;
    intervals[i] = Interval{table[i].mean - half, table[i].mean + half};
  }
  return intervals;
}

std::string_view to_text(Fate fate) {
  return kFates[static_cast<std::size_t>(fate)];
}

Fate fate_of(std::span<const CostChange> changes) {
  bool is_better = false;  // surely
  bool is_mean_better = false;
  bool is_mean_worse = false;
  bool is_promise_broken = false;
  for (const CostChange& change : changes) {
    if (change.interval && change.interval->high < 0) is_better = true;
    if (change.held_out < 0) is_mean_better = true;
    if (change.held_out > 0) is_mean_worse = true;
    const bool is_worse = change.interval && change.interval->low > 0;
    if (is_worse && !(change.training > 0)) is_promise_broken = true;
  }
  if (is_promise_broken || (is_mean_worse && !is_mean_better)) return Fate::Fails;
  if (!is_better) return Fate::Unsure;
  return is_mean_worse ? Fate::Trades : Fate::Dominates;
}

}  // namespace rehearse
