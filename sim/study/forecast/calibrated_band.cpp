// sim/study/forecast/calibrated_band.cpp — scores of past bands, and their weighted quantile.
#include "sim/study/forecast/calibrated_band.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace rehearse {
namespace {

constexpr double kLevel = 0.9;  // of each end: 80 % lie between them
constexpr double kMinute = 60;

double scaled(std::int64_t seconds) {
  return std::log1p(static_cast<double>(std::max<std::int64_t>(seconds, 0)) / kMinute);
}

std::int64_t unscaled(double value) {
  return static_cast<std::int64_t>(std::llround(std::expm1(std::max(value, 0.0)) * kMinute));
}

/// The smallest score that `kLevel` of the weight does not exceed.
double quantile_of(std::vector<std::pair<double, double>> scores) {
  std::sort(scores.begin(), scores.end());
  double all = 0;
  for (const auto& [score, weight] : scores) all += weight;
  double below = 0;
  for (const auto& [score, weight] : scores) {
    below += weight;
    if (below >= kLevel * all) return score;
  }
  return scores.back().first;
}

}  // namespace

ForecastBand BandShift::applied(const ForecastBand& band) const {
  return {std::min(band.middle, unscaled(scaled(band.low) - low)), band.middle,
          std::max(band.middle, unscaled(scaled(band.high) + high))};
}

void BandHistory::add(SlurmTime at, const ForecastBand& band, std::optional<SlurmTime> start) {
  past_.push_back({at, band, start});
}

std::optional<BandShift> BandHistory::shift(SlurmTime now) const {
  std::map<SlurmTime, double> jobs;
  for (const Past& each : past_) {
    if (each.at < now) jobs[each.at] += 1;
  }
  if (jobs.size() < kFewest) return std::nullopt;
  std::vector<std::pair<double, double>> lows;
  std::vector<std::pair<double, double>> highs;
  for (const Past& each : past_) {
    if (each.at >= now) continue;
    const bool is_known = each.start && *each.start <= now;
    const double fact = scaled(((is_known ? *each.start : now) - each.at).count());
    const double weight = 1 / jobs.at(each.at);
    lows.emplace_back(scaled(each.band.low) - fact, weight);
    highs.emplace_back(fact - scaled(each.band.high), weight);
  }
  return BandShift{quantile_of(std::move(lows)), quantile_of(std::move(highs))};
}

}  // namespace rehearse
