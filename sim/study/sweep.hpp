// sim/study/sweep.hpp — many points over all cores: one simulation a thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>

#include "sim/study/point.hpp"

namespace rehearse {

/// As many as this process may use.
[[nodiscard]] std::size_t default_threads();

/// Where points come from and outcomes go to. Neither is ever called by two threads at once, but
/// the one may be while the other is.
struct PointFlow {
  std::function<std::optional<StudyPoint>()> next;  ///< none: no more; may wait
  std::function<void(const PointOutcome&)> keep;    ///< in the order in which points end
};

/// Runs every point. What a point comes to does not depend on `threads` nor on its neighbours.
/// False: interrupted, and the points that were running are not kept. What `next` and `keep` throw
/// ends it and is thrown on.
[[nodiscard]] bool sweep(PointRunner& runner, const PointFlow& flow, std::size_t threads,
                         const std::atomic<bool>* interrupted);

/// The same of a list of points.
[[nodiscard]] bool sweep(PointRunner& runner, std::span<const StudyPoint> points,
                         const std::function<void(const PointOutcome&)>& keep, std::size_t threads,
                         const std::atomic<bool>* interrupted);

}  // namespace rehearse
