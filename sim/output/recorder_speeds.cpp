// sim/output/recorder_speeds.cpp — how runs on GPUs went, row by row, and what follows for /jobs.
#include <cmath>
#include <limits>

#include "sim/output/recorder.hpp"
#include "sim/output/result_derived.hpp"

namespace rehearse {

void Recorder::run_paced(const Job& job, const PacedRun& run) {
  SpeedColumns& speeds = result_.speeds;
  const auto code = [&](std::string_view text) {
    return static_cast<std::uint32_t>(result_.names.text.intern(text));
  };
  speeds.run.push_back(open_of(job).row);
  speeds.job_class.push_back(code(run.job_class));
  speeds.device.push_back(code(run.device));
  speeds.reference_us.push_back(run.pace.reference.count());
  speeds.by_device_us.push_back(run.pace.by_device.count());
  speeds.by_neighbours_us.push_back(run.pace.by_neighbours.count());
  speeds.most_neighbours.push_back(run.most_neighbours);
  speeds.lacked_memory.push_back(run.lacked_memory ? 1 : 0);
}

double SpeedColumns::slow_down(std::size_t row) const {
  const auto work = static_cast<double>(reference_us[row]);
  if (work <= 0) return std::numeric_limits<double>::quiet_NaN();
  return (work + static_cast<double>(by_device_us[row] + by_neighbours_us[row])) / work;
}

void add_speed_columns(const Result& result, std::vector<DerivedColumn>& columns) {
  const SpeedColumns& speeds = result.speeds;
  if (!speeds.kept) return;
  constexpr double kMicroseconds = 1e6;
  std::vector<double> slow_down(result.runs.size(), std::numeric_limits<double>::quiet_NaN());
  std::vector<double> by_device = slow_down, by_neighbours = slow_down;
  for (std::size_t row = 0; row < speeds.size(); ++row) {
    const std::uint32_t run = speeds.run[row];
    slow_down[run] = speeds.slow_down(row);
    by_device[run] = static_cast<double>(speeds.by_device_us[row]) / kMicroseconds;
    by_neighbours[run] = static_cast<double>(speeds.by_neighbours_us[row]) / kMicroseconds;
  }
  columns.push_back({"slow_down", "1", "run time against that of its record, as of /speeds",
                     std::move(slow_down), false});
  columns.push_back(
      {"lost_to_device", "s", "what its device took longer", std::move(by_device), false});
  columns.push_back({"lost_to_neighbours", "s", "what others on its devices took",
                     std::move(by_neighbours), false});
}

}  // namespace rehearse
