// sim/output/kpi/idle_causes.cpp — sums over the grid, and the idle part of them by cause.
#include "sim/output/kpi/idle_causes.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include "sim/output/kpi/idle_sweep.hpp"

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

/// The causes by their parts: GPUs that are cut anew in the course of the run (MIG), and cells at
/// the edges, make what is idle by the series a little other than what is idle node by node.
void share_idle(double idle_s, const GpuHoursByCause& found, GpuHoursByCause& into) {
  const double sum = std::accumulate(found.begin(), found.end(), 0.0);
  if (sum <= 0) {
    into[static_cast<std::size_t>(GpuHours::NoDemand)] += idle_s;
    return;
  }
  for (std::size_t cause = 0; cause < found.size(); ++cause) {
    into[cause] += idle_s * (found[cause] / sum);
  }
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
  GpuHoursByCause hours{};
  double& busy_s = hours[static_cast<std::size_t>(GpuHours::Busy)];
  double& unavailable_s = hours[static_cast<std::size_t>(GpuHours::Unavailable)];
  double idle_s = 0;
  const std::vector<double> existing = integrals(result, "gpus_existing");
  const std::vector<double> available = integrals(result, "gpus_available");
  const std::vector<double> busy = integrals(result, "gpus_busy");
  const std::vector<std::int64_t>& time = result.series.time;
  for (std::size_t cell = 0; cell < busy.size(); ++cell) {
    const std::int64_t end = cell + 1 < busy.size() ? time[cell + 1] : result.end;
    const std::int64_t inside = std::min(end, to) - std::max(time[cell], from);
    if (inside <= 0) continue;
    const double part = static_cast<double>(inside) / static_cast<double>(end - time[cell]);
    busy_s += part * busy[cell];
    unavailable_s += part * std::max(0.0, existing[cell] - available[cell]);
    idle_s += part * std::max(0.0, available[cell] - busy[cell]);
  }
  if (idle_s > 0) share_idle(idle_s, idle_gpu_seconds(result, from, to), hours);
  for (double& each : hours) each /= kHour;
  return hours;
}

}  // namespace rehearse
