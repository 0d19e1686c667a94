// sim/output/series.cpp — integrals of step functions, cell by cell.
#include "sim/output/series.hpp"

#include "sim/core/check.hpp"

namespace rehearse {
namespace {

struct Description {
  const char* name;
  const char* units;
  const char* long_name;
  double scale;  ///< of one base unit
};

constexpr std::array<Description, kFollowCount> kDescriptions{{
    {"gpus_busy", "1", "GPUs held by jobs; a share of an mps or shard device counts in part", 1e-3},
    {"gpus_existing", "1", "GPUs of all nodes, whatever their state", 1e-3},
    {"gpus_available", "1",
     "GPUs of nodes that take jobs but those that MIG withholds, and busy GPUs of those that do "
     "not",
     1e-3},
    {"cpus_busy", "1", "CPUs charged to jobs", 1},
    {"cpus_existing", "1", "CPUs of all nodes without specialised cores", 1},
    {"cpus_available", "1", "CPUs of nodes that take jobs, and busy CPUs of those that do not", 1},
    {"memory_busy", "MiB", "host memory held by jobs", 1},
    {"memory_existing", "MiB", "host memory of all nodes", 1},
    {"memory_available", "MiB", "memory of nodes that take jobs, and held memory of the others", 1},
    {"nodes_busy", "1", "nodes with at least one job", 1},
    {"nodes_existing", "1", "nodes", 1},
    {"nodes_down", "1", "nodes that are down, failing or do not respond", 1},
    {"nodes_drained", "1", "nodes that are drained or draining, and not down", 1},
    {"jobs_pending", "1", "jobs in the queue; each task of an array is one", 1},
    {"jobs_running", "1", "running jobs", 1},
    {"gpus_wanted", "1", "GPUs that pending jobs ask for", 1e-3},
    {"nodes_powered_down", "1", "nodes that power saving has switched off", 1},
}};

}  // namespace

const Series* SeriesGrid::find(std::string_view name) const {
  for (const Series& one : series) {
    if (one.name == name) return &one;
  }
  return nullptr;
}

SeriesRecorder::SeriesRecorder(Seconds period) : period_s_(period.count()) {
  REHEARSE_CHECK(period_s_ >= 1, "a grid of {} s", period_s_);
  grid_.period_s = period_s_;
  for (const Description& each : kDescriptions) {
    grid_.series.push_back({each.name, each.units, each.long_name, {}, 0});
  }
}

void SeriesRecorder::begin(SlurmTime now) {
  now_ = cell_begin_ = epoch_seconds(now);
}

void SeriesRecorder::close_cell(std::int64_t until) {
  const auto length = static_cast<double>(until - cell_begin_);
  grid_.time.push_back(cell_begin_);
  for (std::size_t i = 0; i < kFollowCount; ++i) {
    grid_.series[i].mean.push_back(static_cast<double>(in_cell_[i]) * kDescriptions[i].scale /
                                   length);
    in_cell_[i] = 0;
  }
  cell_begin_ = until;
}

void SeriesRecorder::advance(SlurmTime now) {
  const std::int64_t target = epoch_seconds(now);
  REHEARSE_CHECK(target >= now_, "time runs backwards: {} after {}", target, now_);
  while (now_ < target) {
    const std::int64_t cell_end = (cell_begin_ / period_s_ + 1) * period_s_;
    const std::int64_t until = target < cell_end ? target : cell_end;
    for (std::size_t i = 0; i < kFollowCount; ++i) {
      const std::int64_t area = value_[i] * (until - now_);
      in_cell_[i] += area;
      integral_[i] += area;
    }
    now_ = until;
    if (until == cell_end) close_cell(until);
  }
}

SeriesGrid SeriesRecorder::finish(SlurmTime now) {
  advance(now);
  if (now_ > cell_begin_) close_cell(now_);
  for (std::size_t i = 0; i < kFollowCount; ++i) {
    REHEARSE_CHECK(integral_[i] >= 0, "{} sums to {}", kDescriptions[i].name, integral_[i]);
    grid_.series[i].integral = static_cast<std::uint64_t>(integral_[i]);
  }
  return std::move(grid_);
}

}  // namespace rehearse
