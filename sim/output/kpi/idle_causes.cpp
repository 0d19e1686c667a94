// sim/output/kpi/idle_causes.cpp — sums over the grid, in order of time.
#include "sim/output/kpi/idle_causes.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "sim/output/kpi/pending_time.hpp"

namespace rehearse {
namespace {

constexpr double kHour = 3600;

struct Words {
  std::string_view name, title;
};
constexpr std::array<Words, kGpuHoursCount> kWords{{
    {"busy", "held by jobs"},
    {"unavailable", "nodes down or drained"},
    {"no_demand", "idle: nobody asked for them"},
    {"cpus_gone", "idle: the node's CPUs are all held"},
    {"memory_gone", "idle: the node's memory is all held"},
    {"not_yet_eligible", "idle: wanted by jobs not yet eligible"},
    {"limits", "idle: wanted by jobs that a limit holds"},
    {"reserved", "idle: wanted by jobs whose nodes are not available"},
    {"not_fitting", "idle: fragments that no waiting job fits"},
    {"queued", "idle: kept for jobs ahead in the queue"},
    {"left", "idle: wanted by none but jobs that pend to the end"},
}};

/// A quantity that is constant between instants, as its integral in each cell of the grid.
class CellSums {
 public:
  CellSums(const SeriesGrid& grid, std::int64_t end)
      : time_(grid.time), end_(end), whole_(grid.time.size() + 1), part_(grid.time.size()) {}

  /// `amount` over [from, to): only the two cells at the edges are touched.
  void add(double amount, std::int64_t from, std::int64_t to) {
    if (time_.empty()) return;
    from = std::max(from, time_.front());
    to = std::min(to, end_);
    if (from >= to) return;
    const std::size_t first = cell_of(from);
    const std::size_t last = cell_of(to - 1);
    if (first == last) {
      part_[first] += amount * static_cast<double>(to - from);
      return;
    }
    part_[first] += amount * static_cast<double>(cell_end(first) - from);
    part_[last] += amount * static_cast<double>(to - time_[last]);
    whole_[first + 1] += amount;
    whole_[last] -= amount;
  }

  /// The integral in each cell.
  [[nodiscard]] std::vector<double> finish() const {
    std::vector<double> sums(part_);
    double level = 0;
    for (std::size_t cell = 0; cell < sums.size(); ++cell) {
      level += whole_[cell];
      sums[cell] += std::max(0.0, level) * static_cast<double>(cell_end(cell) - time_[cell]);
    }
    return sums;
  }

 private:
  [[nodiscard]] std::size_t cell_of(std::int64_t at) const {
    const auto next = std::upper_bound(time_.begin(), time_.end(), at);
    return static_cast<std::size_t>(next - time_.begin()) - 1;
  }
  [[nodiscard]] std::int64_t cell_end(std::size_t cell) const {
    return cell + 1 < time_.size() ? time_[cell + 1] : end_;
  }

  const std::vector<std::int64_t>& time_;
  std::int64_t end_;
  std::vector<double> whole_, part_;
};

/// What a node's jobs hold of it, changing over time.
struct Change {
  std::uint32_t node;
  std::int64_t time;
  std::int64_t cpus, memory_mib, gpu_milli;
};

std::vector<Change> changes_of(const Result& result) {
  const HoldingColumns& held = result.holdings;
  const RunColumns& r = result.runs;
  std::vector<Change> changes;
  for (std::size_t i = 0; i < held.size(); ++i) {
    const std::uint32_t row = held.run[i];
    if (r.start[row] == kNoTime) continue;
    const std::int64_t end = r.end[row] == kNoTime ? result.end : r.end[row];
    const Change begin{held.node[i], r.start[row], held.cpus[i],
                       static_cast<std::int64_t>(held.memory_mib[i]), held.gpu_milli[i]};
    changes.push_back(begin);
    changes.push_back({begin.node, end, -begin.cpus, -begin.memory_mib, -begin.gpu_milli});
  }
  std::stable_sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
    return a.node != b.node ? a.node < b.node : a.time < b.time;
  });
  return changes;
}

/// GPUs that are idle on nodes without a free CPU, or without free memory.
void add_stranded(const Result& result, CellSums& no_cpus, CellSums& no_memory) {
  const std::vector<Change> changes = changes_of(result);
  for (std::size_t i = 0; i < changes.size();) {
    const std::uint32_t node = changes[i].node;
    const NodeFacts& facts = result.cluster.nodes[node];
    std::int64_t cpus = 0;
    std::int64_t memory = 0;
    std::int64_t gpus = 0;
    for (; i < changes.size() && changes[i].node == node; ++i) {
      cpus += changes[i].cpus;
      memory += changes[i].memory_mib;
      gpus += changes[i].gpu_milli;
      const bool is_last = i + 1 == changes.size() || changes[i + 1].node != node;
      const std::int64_t until = is_last ? changes[i].time : changes[i + 1].time;
      const double idle = static_cast<double>(std::int64_t{facts.gpu_milli} - gpus) / 1000;
      if (idle <= 0 || until <= changes[i].time) continue;
      if (cpus >= std::int64_t{facts.effective_cpus}) {
        no_cpus.add(idle, changes[i].time, until);
      } else if (memory > 0 && memory >= static_cast<std::int64_t>(facts.memory_mib)) {
        no_memory.add(idle, changes[i].time, until);
      }
    }
  }
}

std::vector<double> integrals(const Result& result, std::string_view name) {
  const SeriesGrid& grid = result.series;
  const Series* const series = grid.find(name);
  std::vector<double> sums(grid.time.size());
  for (std::size_t cell = 0; series != nullptr && cell < sums.size(); ++cell) {
    const std::int64_t end = cell + 1 < sums.size() ? grid.time[cell + 1] : result.end;
    sums[cell] = series->mean[cell] * static_cast<double>(end - grid.time[cell]);
  }
  return sums;
}

}  // namespace

GpuHours cause_of(Reason reason) {
  switch (reason) {
    case Reason::None:
    case Reason::Priority:
    case Reason::SchedDefer:
    case Reason::Cleaning:
    case Reason::Prolog:
      return GpuHours::Queued;
    case Reason::Resources:
    case Reason::BadConstraints:
    case Reason::PartitionConfig:
    case Reason::NodeDown:
      return GpuHours::NotFitting;
    case Reason::Reservation:
    case Reason::ReservationDeleted:
    case Reason::ReqNodeNotAvail:
      return GpuHours::Reserved;
    case Reason::Dependency:
    case Reason::DependencyNeverSatisfied:
    case Reason::BeginTime:
    case Reason::JobHeldUser:
    case Reason::JobHeldAdmin:
    case Reason::JobHoldMaxRequeue:
    case Reason::JobLaunchFailure:
      return GpuHours::NotYetEligible;
    default:  // limits of associations, QOS, partitions and arrays, and licences
      return GpuHours::Limits;
  }
}

std::string_view title_of(GpuHours what) {
  return kWords[static_cast<std::size_t>(what)].title;
}
std::string_view name_of(GpuHours what) {
  return kWords[static_cast<std::size_t>(what)].name;
}

GpuHoursByCause gpu_hours_by_cause(const Result& result) {
  return gpu_hours_by_cause(result, std::numeric_limits<std::int64_t>::min(),
                            std::numeric_limits<std::int64_t>::max());
}

GpuHoursByCause gpu_hours_by_cause(const Result& result, std::int64_t from, std::int64_t to) {
  const auto at = [](GpuHours what) { return static_cast<std::size_t>(what); };
  GpuHoursByCause hours{};
  const std::vector<double> existing = integrals(result, "gpus_existing");
  const std::vector<double> available = integrals(result, "gpus_available");
  const std::vector<double> busy = integrals(result, "gpus_busy");
  CellSums no_cpus(result.series, result.end);
  CellSums no_memory(result.series, result.end);
  add_stranded(result, no_cpus, no_memory);
  const std::vector<double> stranded_cpus = no_cpus.finish();
  const std::vector<double> stranded_memory = no_memory.finish();
  std::vector<CellSums> by_cause(kGpuHoursCount, CellSums(result.series, result.end));
  const WaitColumns& waits = result.waits;
  const std::vector<std::uint32_t> left = jobs_left(result);
  for (std::size_t i = 0; i < waits.size(); ++i) {
    const double gpus = static_cast<double>(result.runs.requested_gpus[waits.run[i]]);
    if (gpus <= 0) continue;
    const std::size_t cause = at(cause_of(static_cast<Reason>(waits.reason[i])));
    by_cause[cause].add(gpus * (waits.tasks[i] - left[i]), waits.begin[i], waits.end[i]);
    by_cause[at(GpuHours::Left)].add(gpus * left[i], waits.begin[i], waits.end[i]);
  }
  std::vector<std::vector<double>> wanted;
  for (const CellSums& sums : by_cause) wanted.push_back(sums.finish());
  const std::vector<std::int64_t>& time = result.series.time;
  for (std::size_t cell = 0; cell < busy.size(); ++cell) {
    const std::int64_t end = cell + 1 < busy.size() ? time[cell + 1] : result.end;
    const std::int64_t inside = std::min(end, to) - std::max(time[cell], from);
    if (inside <= 0) continue;
    const double part = static_cast<double>(inside) / static_cast<double>(end - time[cell]);
    hours[at(GpuHours::Busy)] += part * busy[cell];
    hours[at(GpuHours::Unavailable)] += part * std::max(0.0, existing[cell] - available[cell]);
    const double idle = std::max(0.0, available[cell] - busy[cell]);
    const double to_the_end = wanted[at(GpuHours::Left)][cell];
    double asked = -to_the_end;
    for (const auto& cause : wanted) asked += cause[cell];
    const double demand = std::min(idle, asked);
    const double by_those_left = std::min(idle - demand, to_the_end);
    hours[at(GpuHours::Left)] += part * by_those_left;
    hours[at(GpuHours::NoDemand)] += part * (idle - demand - by_those_left);
    const double cpus = std::min(demand, stranded_cpus[cell]);
    const double memory = std::min(demand - cpus, stranded_memory[cell]);
    hours[at(GpuHours::CpusGone)] += part * cpus;
    hours[at(GpuHours::MemoryGone)] += part * memory;
    if (asked <= 0) continue;
    for (std::size_t cause = 0; cause < at(GpuHours::Left); ++cause) {
      hours[cause] += part * (demand - cpus - memory) * (wanted[cause][cell] / asked);
    }
  }
  for (double& each : hours) each /= kHour;
  return hours;
}

}  // namespace rehearse
