// sim/study/comparison/populations.hpp — would it hold with other users: both sides are simulated
// anew for populations of users drawn from those of the trace.
//
// The intervals of resampling.hpp weigh the users of two runs, whose queue stays what it was. Here
// each draw is a trace of its own (workloads/user_draws.hpp), and both sides are run on it: the
// queue is the one that those users make.
//
// What is told is a range that the difference for a further such population lies in: the k-th least
// and the k-th greatest of n, which hold it with probability 1 - 2k/(n+1) whatever its distribution
// (order statistics: Hahn and Meeker, Statistical Intervals, 1991, §5.3), as far as draws from
// these users are like other users.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/study/comparison/figures.hpp"
#include "sim/study/comparison/side.hpp"

namespace rehearse {

struct PopulationsRequest {
  SideRequest a, b;  ///< sites or scenarios, no result files
  std::size_t count = 39;
  std::uint64_t seed = 1;   ///< of the first; the others have those that follow it
  std::size_t threads = 1;  ///< populations at once; the answer does not depend on it
};

/// One figure of pair_figures(), by population. NaN: there is nothing to measure in it.
struct PopulationFigure {
  const FigureInfo* info = nullptr;
  std::vector<double> a, b;
};

struct Populations {
  std::size_t asked = 0;
  std::uint64_t seed = 1;
  std::vector<PopulationFigure> figures;
  bool is_complete = true;  ///< false: interrupted, and all of it is to be thrown away
};

/// Runs both sides for each population. `told`: of so many, from any thread, one at a time. Throws
/// InputError.
[[nodiscard]] Populations simulate_populations(const PopulationsRequest& request,
                                               const std::function<void(std::size_t done)>& told,
                                               const std::atomic<bool>* interrupted);

/// What the populations say of one figure.
struct PopulationSummary {
  std::size_t measured = 0;  ///< populations in which both sides have it
  double median_a = 0, median_b = 0, median_difference = 0;
  Interval range;     ///< of b - a
  double covers = 0;  ///< the share of further populations that the range holds, in [0, 1)
  std::size_t b_less = 0, b_more = 0;
};

/// `level`: the share that the range is to hold, in (0, 1); of fewer than 2 / (1 - level) - 1
/// populations it is from the least to the greatest, and holds less. Measured: at least two, else
/// all is 0.
[[nodiscard]] PopulationSummary summary_of(const PopulationFigure& figure, double level);

/// In how many of them B is the better and the worse by the mean wait, for a person.
[[nodiscard]] std::string populations_sentence(const Populations& populations);
/// How they were made, and what the range means; `level` as in summary_of().
[[nodiscard]] std::string populations_note(const Populations& populations, double level);

}  // namespace rehearse
