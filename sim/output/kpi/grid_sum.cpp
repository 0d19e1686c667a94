// sim/output/kpi/grid_sum.cpp — cell by cell, in order of time.
#include "sim/output/kpi/grid_sum.hpp"

#include <algorithm>

namespace rehearse {

double integral_within(const Result& result, std::string_view series, std::int64_t from,
                       std::int64_t to) {
  const SeriesGrid& grid = result.series;
  const Series* const found = grid.find(series);
  double sum = 0;
  for (std::size_t cell = 0; found != nullptr && cell < grid.time.size(); ++cell) {
    const std::int64_t end = cell + 1 < grid.time.size() ? grid.time[cell + 1] : result.end;
    const std::int64_t inside = std::min(end, to) - std::max(grid.time[cell], from);
    if (inside > 0) sum += found->mean[cell] * static_cast<double>(inside);
  }
  return sum;
}

}  // namespace rehearse
