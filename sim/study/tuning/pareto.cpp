// sim/study/tuning/pareto.cpp — comparisons of all with all: a study has thousands, not millions.
#include "sim/study/tuning/pareto.hpp"

#include <algorithm>
#include <limits>

namespace rehearse {
namespace {

constexpr double kAlone = std::numeric_limits<double>::infinity();

/// The volume along the first `dimensions` costs.
double volume(std::vector<Costs> points, std::span<const double> reference,
              std::size_t dimensions) {
  if (points.empty()) return 0;
  const std::size_t last = dimensions - 1;
  std::stable_sort(points.begin(), points.end(),
                   [&](const Costs& a, const Costs& b) { return a[last] < b[last]; });
  if (dimensions == 1) return reference[0] - points.front()[0];
  double sum = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double end = i + 1 < points.size() ? points[i + 1][last] : reference[last];
    const double depth = end - points[i][last];
    if (depth <= 0) continue;
    const auto until = points.begin() + static_cast<std::ptrdiff_t>(i) + 1;
    sum += depth * volume({points.begin(), until}, reference, last);
  }
  return sum;
}

}  // namespace

bool dominates(std::span<const double> a, std::span<const double> b) {
  bool is_less = false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] > b[i]) return false;
    if (a[i] < b[i]) is_less = true;
  }
  return is_less;
}

bool beats(const Fitness& a, const Fitness& b) {
  if (a.violation < b.violation) return true;
  if (a.violation > b.violation || a.violation > 0) return false;
  return dominates(a.costs, b.costs);
}

std::vector<std::size_t> ranks_of(std::span<const Fitness> all) {
  std::vector<std::size_t> rank(all.size());
  std::vector<std::size_t> beaten_by(all.size());
  std::vector<std::vector<std::size_t>> beaten(all.size());
  std::vector<std::size_t> now;
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = 0; j < all.size(); ++j) {
      if (beats(all[i], all[j])) beaten[i].push_back(j);
      if (beats(all[j], all[i])) ++beaten_by[i];
    }
    if (beaten_by[i] == 0) now.push_back(i);
  }
  for (std::size_t r = 0; !now.empty(); ++r) {
    std::vector<std::size_t> next;
    for (const std::size_t i : now) {
      rank[i] = r;
      for (const std::size_t j : beaten[i]) {
        if (--beaten_by[j] == 0) next.push_back(j);
      }
    }
    now = std::move(next);
  }
  return rank;
}

std::vector<std::size_t> front_of(std::span<const Fitness> all) {
  std::vector<std::size_t> front;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].violation > 0) continue;
    bool is_beaten = false;
    for (std::size_t j = 0; j < all.size() && !is_beaten; ++j) {
      is_beaten = beats(all[j], all[i]) ||
                  (j < i && all[j].violation <= 0 && !dominates(all[i].costs, all[j].costs) &&
                   std::equal(all[i].costs.begin(), all[i].costs.end(), all[j].costs.begin(),
                              [](double a, double b) { return !(a < b) && !(b < a); }));
    }
    if (!is_beaten) front.push_back(i);
  }
  return front;
}

std::vector<double> crowding_of(std::span<const Fitness> all, std::span<const std::size_t> which) {
  std::vector<double> alone(which.size());
  if (which.empty()) return alone;
  std::vector<std::size_t> order(which.size());
  for (std::size_t cost = 0; cost < all[which[0]].costs.size(); ++cost) {
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    const auto value = [&](std::size_t i) { return all[which[order[i]]].costs[cost]; };
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return all[which[a]].costs[cost] < all[which[b]].costs[cost];
    });
    const double range = value(order.size() - 1) - value(0);
    alone[order.front()] = alone[order.back()] = kAlone;
    if (!(range > 0) || range == kAlone) continue;
    for (std::size_t i = 1; i + 1 < order.size(); ++i) {
      alone[order[i]] += (value(i + 1) - value(i - 1)) / range;
    }
  }
  return alone;
}

std::vector<std::size_t> spread_of(std::span<const Fitness> all, std::vector<std::size_t> which,
                                   std::size_t most) {
  while (which.size() > most) {
    const std::vector<double> alone = crowding_of(all, which);
    // Of equals the last goes: what was found first stays.
    std::size_t worst = 0;
    for (std::size_t i = 1; i < which.size(); ++i) {
      if (alone[i] <= alone[worst]) worst = i;
    }
    which.erase(which.begin() + static_cast<std::ptrdiff_t>(worst));
  }
  return which;
}

double hypervolume(std::vector<Costs> points, std::span<const double> reference) {
  std::erase_if(points, [&](const Costs& point) {
    for (std::size_t i = 0; i < reference.size(); ++i) {
      if (!(point[i] < reference[i])) return true;
    }
    return false;
  });
  return volume(std::move(points), reference, reference.size());
}

}  // namespace rehearse
