// sim/study/report/time_bins.cpp — cells of the grid gathered by the bin in which they begin.
#include "sim/study/report/time_bins.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sim/output/views/view.hpp"

namespace rehearse {
namespace {

constexpr std::int64_t kHour = 3600;
constexpr std::int64_t kDay = 24 * kHour;

std::int64_t floor_to(std::int64_t at, std::int64_t period, std::int64_t offset) {
  const std::int64_t from = at - offset;
  return offset + (from - ((from % period) + period) % period);
}

}  // namespace

TimeBins time_bins(const Result& result, const Window& shown, std::size_t most) {
  constexpr std::array<std::int64_t, 15> kPeriods{
      300,        600,  900,      1800,     kHour,    2 * kHour, 3 * kHour, 6 * kHour,
      12 * kHour, kDay, 2 * kDay, 3 * kDay, 7 * kDay, 14 * kDay, 28 * kDay};
  TimeBins bins;
  if (shown.length() == 0) return bins;
  const std::int64_t east = zone_of(result).offset_at(from_epoch_seconds(shown.from)).count();
  for (const std::int64_t period : kPeriods) {
    bins.period_s = std::max(period, result.series.period_s);
    bins.offset_s = period >= 2 * kHour ? -east : 0;
    bins.begin = floor_to(shown.from, bins.period_s, bins.offset_s);
    bins.count =
        static_cast<std::size_t>((shown.to - bins.begin + bins.period_s - 1) / bins.period_s);
    if (bins.count <= most) break;
  }
  return bins;
}

std::vector<double> means_over(const Result& result, std::string_view series,
                               const TimeBins& bins) {
  const SeriesGrid& grid = result.series;
  const Series* const found = grid.find(series);
  if (found == nullptr || bins.count == 0) return {};
  std::vector<double> sums(bins.count);
  std::vector<double> lengths(bins.count);
  for (std::size_t cell = 0; cell < grid.time.size(); ++cell) {
    const std::int64_t end = cell + 1 < grid.time.size() ? grid.time[cell + 1] : result.end;
    const std::int64_t begin = std::max(grid.time[cell], result.begin);
    if (end <= begin || begin < bins.begin || begin >= bins.time(bins.count)) continue;
    const auto bin = static_cast<std::size_t>((begin - bins.begin) / bins.period_s);
    const auto length = static_cast<double>(end - begin);
    sums[bin] += found->mean[cell] * length;
    lengths[bin] += length;
  }
  for (std::size_t bin = 0; bin < bins.count; ++bin) {
    if (lengths[bin] > 0) sums[bin] /= lengths[bin];
  }
  return sums;
}

std::string period_words(std::int64_t period_s) {
  if (period_s < kHour) return fmt::format("{} min", period_s / 60);
  if (period_s < kDay) return fmt::format("{} h", period_s / kHour);
  return fmt::format("{} d", period_s / kDay);
}

}  // namespace rehearse
