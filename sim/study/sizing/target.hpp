// sim/study/sizing/target.hpp — what a size must meet: a condition on one run, and in what share of
// the draws of its users it holds.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/output/kpi/kpi.hpp"
#include "sim/study/comparison/condition.hpp"

namespace rehearse {

/// A condition of the language of `--fail-if` (condition.hpp) on the figures of one run.
struct SizeTarget {
  std::string text;
  ConditionNode condition;
  std::vector<FigureQuery> figures;  ///< each once, in the order of the text
};

/// Throws ConditionError: it does not read, names no figure, or speaks of a comparison.
[[nodiscard]] SizeTarget read_target(std::string_view text);

/// One figure of a run.
struct TargetFigure {
  double value = 0;              ///< NaN: there is nothing to measure
  std::optional<Interval> band;  ///< none: a figure of the whole run, or of too few users
  std::size_t users = 0;         ///< that it rests on; 0: a figure of the whole run
};

/// What a run comes to.
struct TargetAnswer {
  std::vector<TargetFigure> figures;  ///< by SizeTarget::figures
  bool holds = false;                 ///< of the run as it is
  std::optional<double> share;        ///< of the draws in which it holds; none: too few users
  std::size_t cannot_run = 0;         ///< jobs that the target speaks of and that never started
};

/// A job that never started misses the target, in every draw that has its user. Jobs of `context`
/// must be pairs of a run with itself. Throws ConditionError where no job is of a name.
[[nodiscard]] TargetAnswer measure_target(const SizeTarget& target, const MeasureContext& context,
                                          const Kpis& kpis);

}  // namespace rehearse
