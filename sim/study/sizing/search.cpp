// sim/study/sizing/search.cpp — both criteria at once, each by bisection, over shared trials.
#include "sim/study/sizing/search.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "sim/core/check.hpp"

namespace rehearse {
namespace {

constexpr std::size_t kAtOnce = 16;  // of every count: what is asked for together is in memory

using Meets = bool (*)(const CountVerdict&);
bool meets_by_run(const CountVerdict& verdict) {
  return verdict.by_run;
}
bool meets_by_draws(const CountVerdict& verdict) {
  return verdict.by_draws.value_or(false);
}

std::optional<std::uint32_t> smallest(const CountSearch& search, Meets meets) {
  for (const auto& [count, verdict] : search.tried) {
    if (meets(verdict)) return count;
  }
  return std::nullopt;
}

/// The next count to try: between the smallest that meets and the largest tried below it, which
/// does not; then the one above.
std::optional<std::uint32_t> next(const CountSearch& search, const CountBounds& bounds,
                                  Meets meets) {
  const auto high = smallest(search, meets);
  if (!high) return std::nullopt;
  const auto at = search.tried.find(*high);
  if (at != search.tried.begin()) {
    const std::uint32_t low = std::prev(at)->first;
    if (*high - low > 1) return low + (*high - low) / 2;
  }
  if (*high < bounds.max && !search.tried.contains(*high + 1)) return *high + 1;
  return std::nullopt;
}

bool try_all(CountSearch& search, const std::vector<std::uint32_t>& counts, const AskCounts& ask) {
  const auto verdicts = ask(counts);
  if (!verdicts) return false;
  REHEARSE_CHECK(verdicts->size() == counts.size(), "{} verdicts of {} counts", verdicts->size(),
                 counts.size());
  for (std::size_t i = 0; i < counts.size(); ++i) search.tried[counts[i]] = (*verdicts)[i];
  return true;
}

/// The counts to try first: the bounds, and today's.
std::vector<std::uint32_t> first_counts(const CountBounds& bounds) {
  std::set<std::uint32_t> first{bounds.min, bounds.max};
  if (bounds.today && *bounds.today >= bounds.min && *bounds.today <= bounds.max) {
    first.insert(*bounds.today);
  }
  return {first.rbegin(), first.rend()};
}

std::vector<std::uint32_t> more_counts(const CountSearch& search, const CountBounds& bounds) {
  std::set<std::uint32_t> more;
  if (bounds.every) {
    for (std::uint32_t count = bounds.max; count >= bounds.min && more.size() < kAtOnce; --count) {
      if (!search.tried.contains(count)) more.insert(count);
    }
  } else {
    for (const Meets meets : {meets_by_run, meets_by_draws}) {
      if (const auto count = next(search, bounds, meets)) more.insert(*count);
    }
  }
  return {more.rbegin(), more.rend()};
}

}  // namespace

bool CountSearch::has_draws() const {
  return std::any_of(tried.begin(), tried.end(),
                     [](const auto& each) { return each.second.by_draws.has_value(); });
}

std::vector<std::uint32_t> CountSearch::misses_above() const {
  std::vector<std::uint32_t> misses;
  const auto found = answer();
  if (!found) return misses;
  const Meets meets = has_draws() ? meets_by_draws : meets_by_run;
  for (auto at = tried.upper_bound(*found); at != tried.end(); ++at) {
    if (!meets(at->second)) misses.push_back(at->first);
  }
  return misses;
}

CountSearch search_counts(const CountBounds& bounds, const AskCounts& ask) {
  REHEARSE_CHECK(bounds.min >= 1 && bounds.min <= bounds.max, "bounds {} .. {}", bounds.min,
                 bounds.max);
  CountSearch search;
  std::vector<std::uint32_t> counts = first_counts(bounds);
  while (!counts.empty() && search.is_complete) {
    search.is_complete = try_all(search, counts, ask);
    counts = more_counts(search, bounds);
  }
  search.by_run = smallest(search, meets_by_run);
  search.by_draws = smallest(search, meets_by_draws);
  return search;
}

std::optional<std::size_t> knee_of(const std::vector<std::pair<double, double>>& points) {
  if (points.size() < 3) return std::nullopt;
  const auto [x0, y0] = points.front();
  const auto [x1, y1] = points.back();
  const double width = x1 - x0;
  const double height = y0 - y1;
  if (!(width > 0) || !(height > 0)) return std::nullopt;  // more does not pay at all
  std::optional<std::size_t> knee;
  double farthest = 0;
  for (std::size_t i = 1; i + 1 < points.size(); ++i) {
    // Scaled, the chord runs from (0, 1) to (1, 0): the distance grows with 1 − x − y.
    const double below = 1 - (points[i].first - x0) / width - (points[i].second - y1) / height;
    if (below <= farthest) continue;
    farthest = below;
    knee = i;
  }
  return knee;
}

}  // namespace rehearse
