// sim/study/comparison/figures.hpp — the figures that two runs are held against each other by, of
// all pairs or of some.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/study/comparison/job_pairs.hpp"
#include "sim/study/comparison/resampling.hpp"

namespace rehearse {

enum class Better : std::uint8_t { Less, More, Neither };

/// What a figure means; the texts stand once, in figures.cpp.
struct FigureInfo {
  std::string_view name, title, units, formula;
  Better better = Better::Less;
  bool where_any = false;  ///< left out where neither side has any of it
  /// A share of a whole: its differences are percentage points.
  [[nodiscard]] bool is_share() const {
    return name.find("utilization") != name.npos || name.find("share") != name.npos;
  }
  /// A share of what existed: a draw of users that ask for more holds all of it.
  [[nodiscard]] bool is_of_capacity() const { return name.find("utilization") != name.npos; }
};

/// The interval of a figure by itself, no higher than what there is, or than `point`, the figure of
/// the run, if that counts a GPU twice.
[[nodiscard]] std::optional<Interval> within_capacity(const FigureInfo& info,
                                                      std::optional<Interval> interval,
                                                      double point);

/// One figure of a comparison. NaN: there is nothing to measure.
struct Figure {
  const FigureInfo* info = nullptr;
  double a = 0, b = 0;
  std::size_t users = 0;  ///< that it rests on
  Sureness sure;
  bool is_judged = true;  ///< false: no side is better by it
  [[nodiscard]] double difference() const { return b - a; }
  /// The difference is significant, and B is the worse.
  [[nodiscard]] bool is_worse() const;
  [[nodiscard]] bool is_better() const;
};

/// Every figure that can be computed of a set of jobs: waits and slowdown of those that started on
/// both sides, the others of all that each side has.
[[nodiscard]] std::span<const FigureInfo> pair_figures();
/// Figures of a whole run, which no draw of users changes: they have no interval.
[[nodiscard]] std::span<const FigureInfo> run_figures();
/// Of either list; also by its other name, `p95_wait` for `wait_p95`. Null: there is none.
[[nodiscard]] const FigureInfo* find_figure(std::string_view name);

/// GPUs and CPUs that existed while jobs arrived, in resource-seconds. 0: not known.
struct WindowCapacity {
  double gpu_s = 0, cpu_s = 0;
};
[[nodiscard]] WindowCapacity capacity_of(const Result& result, const Window& window);

/// What figures of pairs are computed from. The parts stay the caller's.
struct MeasureContext {
  const JobPairs* pairs = nullptr;
  const UserDraws* draws = nullptr;
  const ResamplingOptions* options = nullptr;
  WindowCapacity capacity_a, capacity_b;
};

/// pair_figures() of the jobs at `which` (JobPairs::at), in that order, with what each draw gives;
/// no draws where the figures rest on fewer than users_min users.
[[nodiscard]] std::vector<DrawnFigure> draw_figures(const MeasureContext& context,
                                                    std::span<const std::size_t> which);
/// pair_figures() of the jobs at `which`, in that order; intervals simultaneous over them.
[[nodiscard]] std::vector<Figure> measure(const MeasureContext& context,
                                          std::span<const std::size_t> which);

/// Groups that together have less than this share of the jobs, and of the GPU-hours, are small:
/// what befalls them hangs on a few jobs, and is told apart.
inline constexpr double kSmallShare = 0.05;

/// One group of a scope.
struct GroupRow {
  std::string name;
  std::size_t jobs = 0;     ///< pairs
  std::size_t started = 0;  ///< on both sides
  double gpu_hours = 0;     ///< held on side A
  double p95_a = 0, p95_b = 0;
  double job_share = 0;                  ///< of the pairs of all groups
  std::optional<double> gpu_hour_share;  ///< of all groups; none: no job held a GPU
  bool is_small = false;  ///< of the groups that together have less than kSmallShare of both
  Figure wait;            ///< mean wait
  [[nodiscard]] double added_hours() const {  ///< job-hours of waiting that B adds
    return wait.difference() * static_cast<double>(started) / 3600;
  }
  [[nodiscard]] double weight() const {  ///< the greater of its two shares
    return std::max(job_share, gpu_hour_share.value_or(0));
  }
  /// What B does to its jobs, by how much of the cluster's work they are. NaN: no difference to
  /// tell.
  [[nodiscard]] double harm() const { return wait.difference() * weight(); }
};

/// The groups of a scope, the most hurt first (by difference of mean waits, then by name); those
/// without a difference to tell last. Intervals are simultaneous over the groups.
[[nodiscard]] std::vector<GroupRow> measure_groups(const MeasureContext& context, PairScope scope);

}  // namespace rehearse
