// sim/study/sweep.cpp — threads that take the next point, run it and hand its outcome in.
//
// Threads and locks of the standard library: ThreadSanitizer sees what they hand to each other,
// which within oneTBB's pipeline it does not.
#include "sim/study/sweep.hpp"

#include <tbb/info.h>

#include <algorithm>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace rehearse {

std::size_t default_threads() {
  return static_cast<std::size_t>(std::max(1, tbb::info::default_concurrency()));
}

bool sweep(PointRunner& runner, const PointFlow& flow, std::size_t threads,
           const std::atomic<bool>* interrupted) {
  std::mutex next_turn, keep_turn;
  std::atomic<bool> ended = false;
  std::exception_ptr failure;  // whose turn it is to keep may look
  const auto stopped = [&] {
    return interrupted != nullptr && interrupted->load(std::memory_order_relaxed);
  };
  const auto take = [&] {
    const std::lock_guard turn(next_turn);
    std::optional<StudyPoint> point;
    if (!ended && !stopped()) point = flow.next();
    if (!point) ended = true;
    return point;
  };
  const auto work = [&] {
    try {
      while (const std::optional<StudyPoint> point = take()) {
        const std::optional<PointOutcome> outcome = runner.run(*point, interrupted);
        if (!outcome) continue;
        const std::lock_guard turn(keep_turn);
        if (failure == nullptr) flow.keep(*outcome);
      }
    } catch (...) {
      ended = true;
      const std::lock_guard turn(keep_turn);
      if (failure == nullptr) failure = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    try {
      while (others.size() + 1 < threads) others.emplace_back(work);
    } catch (const std::system_error&) {
      // The system gives no more: those that there are do it.
    }
    work();
  }
  if (failure != nullptr) std::rethrow_exception(failure);
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
