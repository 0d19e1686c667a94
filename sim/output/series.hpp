// sim/output/series.hpp — quantities that change at events, kept as exact means over a grid of
// time.
//
// Every value is a step function; its integral is summed in integers at each change, never sampled.
#pragma once

#include <array>
#include <cstdint>

#include "sim/output/result.hpp"

namespace rehearse {

/// What is followed of the whole cluster. GPUs in thousandths, memory in MiB.

enum class Follow : std::uint8_t {
  GpusBusy,
  GpusExisting,
  GpusAvailable,
  CpusBusy,
  CpusExisting,
  CpusAvailable,
  MemoryBusy,
  MemoryExisting,
  MemoryAvailable,
  NodesBusy,
  NodesExisting,
  NodesDown,
  NodesDrained,
  JobsPending,
  JobsRunning,
  GpusWanted,
  NodesPoweredDown,
};
inline constexpr std::size_t kFollowCount = 17;

class SeriesRecorder {
 public:
  /// `period`: of the grid, at least 1 s; cells begin at its multiples since the epoch.
  explicit SeriesRecorder(Seconds period);

  void begin(SlurmTime now);
  /// Sums up to `now`; times never decrease.
  void advance(SlurmTime now);
  /// Changes a value from `now` of the last advance on. A value is never negative.
  void add(Follow what, std::int64_t change) { value_[index(what)] += change; }
  [[nodiscard]] std::int64_t value(Follow what) const { return value_[index(what)]; }
  /// Closes the last cell, which may be shorter, and hands over the grid.
  [[nodiscard]] SeriesGrid finish(SlurmTime now);

 private:
  static constexpr std::size_t index(Follow what) { return static_cast<std::size_t>(what); }
  void close_cell(std::int64_t until);

  std::int64_t period_s_, now_ = 0, cell_begin_ = 0;
  std::array<std::int64_t, kFollowCount> value_{}, in_cell_{}, integral_{};
  SeriesGrid grid_;
};

}  // namespace rehearse
