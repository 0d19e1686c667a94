// sim/study/sweep.cpp — oneTBB's pipeline: points in by number, many at once, outcomes out as they
// come.
#include "sim/study/sweep.hpp"

#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <memory>
#include <utility>

namespace rehearse {

std::size_t default_threads() {
  return static_cast<std::size_t>(std::max(1, tbb::info::default_concurrency()));
}

bool sweep(PointRunner& runner, const PointFlow& flow, std::size_t threads,
           const std::atomic<bool>* interrupted) {
  using Outcome = std::optional<PointOutcome>;
  const auto stopped = [&] {
    return interrupted != nullptr && interrupted->load(std::memory_order_relaxed);
  };
  const auto next = tbb::make_filter<void, StudyPoint>(
      tbb::filter_mode::serial_in_order, [&](tbb::flow_control& control) {
        std::optional<StudyPoint> point;
        if (!stopped()) point = flow.next();
        if (!point) control.stop();
        return point ? *std::move(point) : StudyPoint{};
      });
  const auto run = tbb::make_filter<StudyPoint, Outcome>(
      tbb::filter_mode::parallel,
      [&](const StudyPoint& point) { return runner.run(point, interrupted); });
  const auto keep = tbb::make_filter<Outcome, void>(tbb::filter_mode::serial_out_of_order,
                                                    [&](const Outcome& outcome) {
                                                      if (outcome) flow.keep(*outcome);
                                                    });
  // Of more threads than cores too, where that is asked for.
  const tbb::global_control allowed(tbb::global_control::max_allowed_parallelism, threads);
  tbb::task_arena arena(static_cast<int>(threads));
  arena.execute([&] { tbb::parallel_pipeline(threads, next & run & keep); });
  return !stopped();
}

bool sweep(PointRunner& runner, std::span<const StudyPoint> points,
           const std::function<void(const PointOutcome&)>& keep, std::size_t threads,
           const std::atomic<bool>* interrupted) {
  std::size_t at = 0;
  const PointFlow flow{.next = [&]() -> std::optional<StudyPoint> {
                         return at < points.size() ? std::optional(points[at++]) : std::nullopt;
                       },
                       .keep = keep};
  return sweep(runner, flow, threads, interrupted);
}

}  // namespace rehearse
