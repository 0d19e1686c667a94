// sim/study/tuning/pareto.hpp — which settings no other one beats: dominance, ranks, crowding,
// hypervolume.
//
// Every objective is a cost here: the less the better. A setting that breaks the constraint is
// beaten by all that keep it, and by those that break it less (Deb, Pratap, Agarwal and Meyarivan,
// "A fast and elitist multiobjective genetic algorithm: NSGA-II", 2002, §VI). Ties keep the order
// of the list.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace rehearse {

using Costs = std::vector<double>;

/// What a setting came to. Costs are finite where `violation` is.
struct Fitness {
  Costs costs;
  double violation = 0;  ///< >= 0; 0: keeps the constraint; infinite: could not be run
};

/// No cost is more, and one is less.
[[nodiscard]] bool dominates(std::span<const double> a, std::span<const double> b);
/// The same with the constraint first.
[[nodiscard]] bool beats(const Fitness& a, const Fitness& b);

/// 0 for those that nobody beats, 1 for those that only they beat, and so on.
[[nodiscard]] std::vector<std::size_t> ranks_of(std::span<const Fitness> all);

/// Positions of rank 0 that keep the constraint. Of equal costs the first.
[[nodiscard]] std::vector<std::size_t> front_of(std::span<const Fitness> all);

/// How alone each of `which` is among them: the sum over the costs of the distance between its
/// neighbours, each cost scaled to its range here. The ends of a cost are infinitely alone.
[[nodiscard]] std::vector<double> crowding_of(std::span<const Fitness> all,
                                              std::span<const std::size_t> which);

/// At most `most` of `which`, in their order: the most crowded goes, again and again.
[[nodiscard]] std::vector<std::size_t> spread_of(std::span<const Fitness> all,
                                                 std::vector<std::size_t> which, std::size_t most);

/// The volume of what the points dominate and that dominates `reference` (slices along the last
/// cost: Zitzler, 1999). Points that do not dominate it have no part.
[[nodiscard]] double hypervolume(std::vector<Costs> points, std::span<const double> reference);

}  // namespace rehearse
