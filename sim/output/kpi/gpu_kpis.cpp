// sim/output/kpi/gpu_kpis.cpp — figures of GPUs as hardware; sums in integers, divided once.
#include "sim/output/kpi/gpu_kpis.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <vector>

#include "sim/output/kpi/run_time.hpp"

namespace rehearse {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
constexpr double kMilliwattSecondsOfKwh = 3.6e9;

double ratio(double part, double whole) {
  return whole > 0 ? part / whole : kNothing;
}

template <typename T>
double sum(const std::vector<T>& values) {
  return static_cast<double>(std::accumulate(values.begin(), values.end(), std::uint64_t{0}));
}

/// Of each run: held SM-thousandths × s, those whose work was lost, and what it drew [mW s].
struct RunUse {
  std::uint64_t compute = 0, lost = 0, energy = 0;
};

RunUse use_of(const Result& result, std::size_t row) {
  const RunColumns& runs = result.runs;
  const GpuRunColumns& gpus = result.gpu.runs;
  if (runs.start[row] == kNoTime || row >= gpus.size()) return {};
  const auto held = static_cast<std::uint64_t>(seconds_within(result, row));
  const std::uint64_t ran = held - std::min<std::uint64_t>(held, runs.suspended_s[row]);
  const std::uint64_t kept = was_lost(runs.state[row]) ? runs.kept_s[row] : held;
  return {gpus.compute_milli[row] * held, gpus.compute_milli[row] * (held - std::min(held, kept)),
          gpus.idle_mw[row] * held + gpus.load_mw[row] * ran};
}

/// Seconds that each node was switched off.
std::vector<std::int64_t> seconds_off(const Result& result) {
  const NodeEventColumns& events = result.node_events;
  std::vector<std::int64_t> off(result.cluster.nodes.size(), 0);
  std::vector<std::int64_t> since(result.cluster.nodes.size(), kNoTime);
  const auto close = [&](std::size_t node, std::int64_t until) {
    if (since[node] != kNoTime) off[node] += until - since[node];
    since[node] = kNoTime;
  };
  for (std::size_t row = 0; row < events.size(); ++row) {
    const std::size_t node = events.node[row];
    close(node, events.time[row]);
    if ((events.state[row] & kNodePoweredDown) != 0) since[node] = events.time[row];
  }
  for (std::size_t node = 0; node < off.size(); ++node) close(node, result.end);
  return off;
}

/// [mW s] at rest, of all GPUs while their nodes are on.
std::uint64_t energy_at_rest(const Result& result) {
  const std::vector<std::int64_t> off = seconds_off(result);
  const GpuNodeColumns& nodes = result.gpu.nodes;
  std::uint64_t energy = 0;
  for (std::size_t row = 0; row < nodes.size(); ++row) {
    const std::int64_t on = result.end - result.begin - off[nodes.node[row]];
    energy += nodes.idle_mw[row] * static_cast<std::uint64_t>(std::max<std::int64_t>(on, 0));
  }
  return energy;
}

class GpuFigures {
 public:
  GpuFigures(const Result& result, Kpis& kpis) : result_(result), kpis_(kpis) {
    for (std::size_t row = 0; row < result.runs.size(); ++row) {
      const RunUse use = use_of(result, row);
      compute_ += use.compute;
      lost_ += use.lost;
      energy_ += use.energy;
      idle_of_runs_ += use.energy > 0 ? idle_of(row) : 0;
      by_account_[result.runs.account[row]] += use.energy;
    }
  }

  void occupancy() {
    const GpuNodeColumns& nodes = result_.gpu.nodes;
    const double physical = sum(nodes.physical_milli);
    const auto period = static_cast<double>(result_.end - result_.begin);
    all("gpu_compute_occupancy", ratio(static_cast<double>(compute_), physical * period));
    if (result_.gpu.has_mig) {
      all("gpu_compute_unreachable", ratio(physical * period - offered(), physical * period));
    }
  }

  void fragments() {
    const GpuSampleColumns& samples = result_.gpu.samples;
    std::uint64_t free = 0, stranded = 0;
    for (std::size_t row = 0; row < samples.size(); ++row) {
      if (samples.wanted[row] == 0) continue;
      free += samples.free_milli[row];
      stranded += samples.stranded_milli[row];
    }
    all("gpu_fragmentation", ratio(sum(samples.fragmented_milli), sum(samples.free_milli)));
    all("gpu_stranded", ratio(static_cast<double>(stranded), static_cast<double>(free)));
  }

  void energy() {
    // Held GPUs draw their idle watts as part of what their runs draw.
    const std::uint64_t rest = energy_at_rest(result_);
    const double idle = static_cast<double>(rest - std::min(rest, idle_of_runs_));
    const double runs = static_cast<double>(energy_);
    energy_kwh_ = (idle + runs) / kMilliwattSecondsOfKwh;
    all("gpu_energy", energy_kwh_);
    all("gpu_energy_idle", idle / kMilliwattSecondsOfKwh);
    for (const auto& [account, drawn] : by_account_) {
      kpis_.values.push_back({"account", text_of(result_.names.account, account), "gpu_energy",
                              static_cast<double>(drawn) / kMilliwattSecondsOfKwh});
    }
    if (result_.gpu.price_kwh > 0) all("gpu_energy_cost", energy_kwh_ * result_.gpu.price_kwh);
  }

  void cost() {
    const Series* existing = result_.series.find("gpus_existing");
    if (result_.gpu.price_gpu_hour <= 0 || existing == nullptr) return;
    constexpr double kMilliSecondsOfHour = 3.6e6;
    // Instances of MIG are devices, too; the price is that of a GPU, and so is the useful hour.
    const bool has_mig = result_.gpu.has_mig;
    const double paid = has_mig ? sum(result_.gpu.nodes.physical_milli) *
                                      static_cast<double>(result_.end - result_.begin)
                                : static_cast<double>(existing->integral);
    const double hours = paid / kMilliSecondsOfHour;
    const double useful = has_mig
                              ? static_cast<double>(compute_ - lost_) / kMilliSecondsOfHour
                              : kpis_.overall("gpu_hours_busy") - kpis_.overall("gpu_hours_lost");
    all("cost_useful_gpu_hour",
        ratio(hours * result_.gpu.price_gpu_hour + energy_kwh_ * result_.gpu.price_kwh, useful));
  }

  void recuts() {
    const GpuRecutColumns& rows = result_.gpu.recuts;
    if (rows.size() == 0) return;
    double draining = 0, cutting = 0;  // sums of whole numbers
    for (std::size_t row = 0; row < rows.size(); ++row) {
      draining += static_cast<double>(rows.idle[row] - rows.due[row]);
      cutting += static_cast<double>(rows.done[row] - rows.idle[row]);
    }
    constexpr double kHour = 3600;
    all("gpu_recuts", static_cast<double>(rows.size()));
    all("gpu_recut_hours", cutting / kHour);
    all("gpu_recut_wait_hours", draining / kHour);
  }

 private:
  /// What devices offer by SMs [1e-3 GPU s]: it changes where GPUs are cut anew.
  [[nodiscard]] double offered() const {
    const auto all_the_time = static_cast<double>(result_.end - result_.begin);
    double sum_of_all = sum(result_.gpu.nodes.offered_milli) * all_the_time;
    const GpuRecutColumns& rows = result_.gpu.recuts;
    for (std::size_t row = 0; row < rows.size(); ++row) {
      sum_of_all += (static_cast<double>(rows.offered_after[row]) - rows.offered_before[row]) *
                    static_cast<double>(result_.end - rows.done[row]);
    }
    return sum_of_all;
  }
  [[nodiscard]] std::uint64_t idle_of(std::size_t row) const {
    return result_.gpu.runs.idle_mw[row] * static_cast<std::uint64_t>(seconds_within(result_, row));
  }
  void all(const char* name, double value) { kpis_.values.push_back({"all", "", name, value}); }

  const Result& result_;
  Kpis& kpis_;
  std::uint64_t compute_ = 0, lost_ = 0, energy_ = 0, idle_of_runs_ = 0;
  std::map<std::uint32_t, std::uint64_t> by_account_;
  double energy_kwh_ = 0;
};

}  // namespace

void add_gpu_kpis(const Result& result, Kpis& kpis) {
  if (!result.gpu.kept) return;
  GpuFigures figures(result, kpis);
  figures.occupancy();
  figures.fragments();
  figures.recuts();
  if (result.gpu.knows_watts) figures.energy();
  figures.cost();
}

bool counts_instances(const Result& result) {
  if (!result.gpu.has_mig) return false;
  std::uint64_t counted = 0;
  for (const std::uint32_t node : result.gpu.nodes.node) {
    counted += result.cluster.nodes[node].gpu_milli;
  }
  return static_cast<double>(counted) > sum(result.gpu.nodes.physical_milli);
}

double sms_held(const Result& result, std::int64_t from, std::int64_t to) {
  const RunColumns& runs = result.runs;
  std::uint64_t held = 0;
  for (std::size_t row = 0; row < result.gpu.runs.size() && row < runs.size(); ++row) {
    if (runs.start[row] == kNoTime) continue;
    const std::int64_t end = runs.end[row] == kNoTime ? result.end : runs.end[row];
    const std::int64_t inside = std::min(end, to) - std::max(runs.start[row], from);
    if (inside > 0) {
      held += result.gpu.runs.compute_milli[row] * static_cast<std::uint64_t>(inside);
    }
  }
  const double physical = sum(result.gpu.nodes.physical_milli);
  return ratio(static_cast<double>(held), physical * static_cast<double>(to - from));
}

}  // namespace rehearse
