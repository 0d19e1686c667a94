// sim/output/summary.cpp — the figures a person looks at first, in 100 columns of ASCII.
#include "sim/output/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "sim/config/slurm_version.hpp"
#include "sim/output/kpi/gpu_kpis.hpp"
#include "sim/output/kpi/pending_time.hpp"
#include "sim/output/result_derived.hpp"
#include "sim/output/text_page.hpp"
#include "sim/output/views/view.hpp"

namespace rehearse {
namespace {

constexpr std::size_t kBar = 30;

/// `42s`, `12m`, `3.4h`, `2.1d`: three figures at most.
std::string span(double seconds) {
  if (std::isnan(seconds)) return "-";
  if (seconds < 100) return fmt::format("{:.0f}s", seconds);
  if (seconds < 6000) return fmt::format("{:.0f}m", seconds / 60);
  if (seconds < 172800) return fmt::format("{:.1f}h", seconds / 3600);
  return fmt::format("{:.1f}d", seconds / 86400);
}

std::string percent(double part) {
  return std::isnan(part) ? "-" : fmt::format("{:.1f} %", part * 100);
}

std::string count(double value) {
  return std::isnan(value) ? "-" : fmt::format("{:.0f}", value);
}

std::string decimal(double value) {
  return std::isnan(value) ? "-" : fmt::format("{:.1f}", value);
}

std::string factor(double value) {
  return std::isnan(value) ? "-" : fmt::format("{:.3f}", value);
}

std::string bar(double part) {
  const double bounded = std::isnan(part) ? 0 : std::clamp(part, 0.0, 1.0);
  const auto full = static_cast<std::size_t>(std::lround(bounded * static_cast<double>(kBar)));
  return "[" + std::string(full, '#') + std::string(kBar - full, '.') + "]";
}

class Writer : private TextPage {
 public:
  Writer(const Result& result, const Kpis& kpis, const SummaryOptions& options)
      : TextPage(options.colours), result_(result), kpis_(kpis), options_(options) {}

  [[nodiscard]] std::string write() {
    head();
    capacity();
    waits("partition", "WAIT BY PARTITION");
    waits("account", "WAIT BY ACCOUNT");
    waits("size", "WAIT BY GPUS");
    speeds();
    reasons();
    left_pending();
    refusals();
    differences();
    fingerprints();
    return take();
  }

 private:
  [[nodiscard]] double all(const char* name) const { return kpis_.overall(name); }

  void head() {
    const TimeZone zone = zone_of(result_);
    line(fmt::format("{:.30}, Slurm {}, times in {}", result_.cluster.cluster_name,
                     result_.cluster.slurm_version, zone.name()));
    line(fmt::format("simulated {} to {} ({})", zone.print(from_epoch_seconds(result_.begin)),
                     zone.print(from_epoch_seconds(result_.end)),
                     span(static_cast<double>(result_.end - result_.begin))));
    if (!result_.complete) line("INTERRUPTED: the figures are of a part");
    line(fmt::format("jobs {}, started {}, never started {}, rejected {}, runs {}, preempted {}",
                     count(all("jobs")), count(all("jobs_started")),
                     count(all("jobs_never_started")), count(all("jobs_rejected")),
                     count(all("runs")), count(all("preemptions"))));
    if (all("jobs_killed") > 0) {
      line(fmt::format(
          "{} jobs were killed for good: preempted and not requeued, or with their node",
          count(all("jobs_killed"))));
    }
    feedback();
    line(fmt::format("throughput {} jobs/h, {} GPU-h/day; started by backfill {}; failed {}",
                     decimal(all("throughput")), decimal(all("gpu_hours_per_day")),
                     percent(all("backfill_share")), percent(all("failure_rate"))));
  }

  /// How submissions answered to ends; nothing of an open replay.
  void feedback() {
    if (!result_.feedback.kept) return;
    line(
        fmt::format("think time: {} jobs came after an end, {} with these; {} earlier (mean {}), "
                    "{} later (mean {})",
                    count(all("feedback_jobs_after_end")), count(all("feedback_jobs_with_batch")),
                    count(all("feedback_jobs_earlier")), span(all("feedback_earlier_mean")),
                    count(all("feedback_jobs_later")), span(all("feedback_later_mean"))));
    if (result_.feedback.held_back > 0) {
      line(fmt::format("think time: {} jobs never came: what their users waited for never ended",
                       result_.feedback.held_back));
    }
  }

  /// What the emulated release does otherwise than 22.05: nothing where that is it.
  void differences() {
    const auto version = parse_slurm_version(result_.cluster.slurm_version);
    const auto all = differences_in_force(version.value_or(SlurmVersion{}));
    if (all.empty()) return;
    const auto simulated = std::count_if(
        all.begin(), all.end(), [](const VersionDifference& one) { return one.is_simulated; });
    line(
        fmt::format("Slurm {} against 22.05: {} known differences, {} simulated; rehearse check "
                    "SITE lists them",
                    result_.cluster.slurm_version, all.size(), simulated));
  }

  void capacity() {
    title("UTILIZATION");
    const auto one = [&](const char* what, const std::string& head) {
      const double existing = all((head + "_existing").c_str());
      const double available = all((head + "_available").c_str());
      if (std::isnan(existing)) return;
      line(fmt::format("  {:<7}{} {:>7} of existing, {:>7} of available", what, bar(existing),
                       percent(existing), percent(available)));
    };
    one("GPU", "gpu_utilization");
    one("CPU", "cpu_utilization");
    one("memory", "memory_utilization");
    while_jobs_arrived();
    line(fmt::format("  GPU-hours: busy {}, idle {}, unavailable {}, lost {}",
                     decimal(all("gpu_hours_busy")), decimal(all("gpu_hours_idle")),
                     decimal(all("gpu_hours_unavailable")), decimal(all("gpu_hours_lost"))));
    gpus();
    if (const double down = all("node_hours_powered_down"); down > 0) {
      line(fmt::format("  power saving: nodes were switched off for {} node-hours", decimal(down)));
    }
  }

  /// Of a run that goes on long after the last submission: the last jobs thin its figures.
  void while_jobs_arrived() {
    constexpr double kMostOfIt = 0.95;
    const double hours = all("arrival_hours");
    const double whole = static_cast<double>(result_.end - result_.begin) / 3600;
    if (std::isnan(hours) || hours >= kMostOfIt * whole) return;
    std::string text;
    for (const auto& [what, name] : {std::pair{"GPU", "gpu_utilization_arrivals"},
                                     {"CPU", "cpu_utilization_arrivals"},
                                     {"memory", "memory_utilization_arrivals"}}) {
      if (std::isnan(all(name))) continue;
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", what, percent(all(name)));
    }
    line(fmt::format("  while jobs arrived ({} of the {}): {} of existing;", span(hours * 3600),
                     span(whole * 3600), text));
    line(fmt::format("    {} jobs/h, {} GPU-h/day", decimal(all("throughput_arrivals")),
                     decimal(all("gpu_hours_per_day_arrivals"))));
  }

  /// What is known of the GPUs beside who held them; nothing where nothing is.
  void gpus() {
    const GpuRecord& gpu = result_.gpu;
    if (!gpu.kept) return;
    if (!gpu.has_mig && gpu.instances > 0) {
      line(fmt::format("  {} of the GPUs are MIG instances, and each counts as a whole one: which",
                       gpu.instances));
      line("    GPU has which of them is not told (site.yaml: mig.layouts)");
    }
    if (gpu.has_mig) {
      line(counts_instances(result_)
               ? "  a GPU is here what Slurm calls one: each MIG instance counts as a whole"
               : "  MIG instances count by their SMs, as layouts change in the run (mig.changes)");
      line(fmt::format("  SMs    {} {:>7} held, {} of no MIG instance",
                       bar(all("gpu_compute_occupancy")), percent(all("gpu_compute_occupancy")),
                       percent(all("gpu_compute_unreachable"))));
    }
    if (!std::isnan(all("gpu_fragmentation"))) {
      line(fmt::format("  free GPUs: {} unfit for a typical job, {} for every job that waited",
                       percent(all("gpu_fragmentation")), percent(all("gpu_stranded"))));
    }
    if (gpu.knows_watts) {
      line(fmt::format("  energy of GPUs, assumed: {:.0f} kWh, {:.0f} of it while idle",
                       all("gpu_energy"), all("gpu_energy_idle")));
    }
    if (!std::isnan(all("cost_useful_gpu_hour"))) {
      line(fmt::format("  a useful GPU-hour cost {:.2f} {:.20}{}", all("cost_useful_gpu_hour"),
                       gpu.currency, gpu.has_mig ? ", by the SMs held" : ""));
    }
  }

  /// Groups of a scope, the largest users of GPUs first; sizes stay in their order.
  [[nodiscard]] std::vector<std::string> groups(const char* scope) const {
    std::vector<std::pair<double, std::string>> found;
    for (const Kpi& kpi : kpis_.values) {
      if (kpi.scope == scope && kpi.name == "gpu_hours_busy") {
        found.emplace_back(kpi.value, kpi.group);
      }
    }
    if (std::string_view(scope) != "size") {
      std::stable_sort(found.begin(), found.end(),
                       [](const auto& a, const auto& b) { return a.first > b.first; });
    }
    std::vector<std::string> names;
    for (auto& [hours, name] : found) names.push_back(std::move(name));
    return names;
  }

  void waits(const char* scope, const std::string& heading) {
    const std::vector<std::string> names = groups(scope);
    if (names.empty()) return;
    title(heading);
    line(fmt::format("  {:<24}{:>9}{:>9}{:>8}{:>8}{:>8}{:>8}{:>8}{:>11}", "", "jobs", "started",
                     "mean", "P50", "P90", "P95", "P99", "GPU-h"));
    const std::size_t shown = std::min(names.size(), options_.groups);
    for (std::size_t i = 0; i < shown; ++i) row(scope, names[i]);
    if (shown < names.size()) line(fmt::format("  ... and {} more", names.size() - shown));
    if (std::string_view(scope) == "partition" && names.size() > 1) row("all", "");
  }

  void row(const char* scope, const std::string& group) {
    const auto value = [&](const char* name) {
      const Kpi* kpi = kpis_.find(scope, group, name);
      return kpi != nullptr ? kpi->value : std::nan("");
    };
    line(fmt::format("  {:<24.24}{:>9}{:>9}{:>8}{:>8}{:>8}{:>8}{:>8}{:>11}",
                     group.empty() ? "(all)" : group, count(value("jobs")),
                     count(value("jobs_started")), span(value("wait_mean")),
                     span(value("wait_p50")), span(value("wait_p90")), span(value("wait_p95")),
                     span(value("wait_p99")), decimal(value("gpu_hours_busy"))));
  }

  /// Only where site.yaml has `performance`.
  void speeds() {
    if (!result_.speeds.kept || result_.speeds.size() == 0) return;
    title("RUNS ON GPUS: TIME AGAINST THE RECORD'S DEVICE WITHOUT NEIGHBOURS");
    line(fmt::format("  {:<24}{:>9}{:>8}{:>8}{:>22}", "", "runs", "mean", "P95",
                     "GPU-h lost to others"));
    std::vector<std::string> names;
    for (const Kpi& kpi : kpis_.values) {
      if (kpi.scope == "class" && kpi.name == "gpu_runs") names.push_back(kpi.group);
    }
    names.emplace_back();
    for (const std::string& name : names) {
      const auto value = [&](const char* figure) {
        const Kpi* kpi = kpis_.find(name.empty() ? "all" : "class", name, figure);
        return kpi != nullptr ? kpi->value : std::nan("");
      };
      line(fmt::format("  {:<24.24}{:>9}{:>8}{:>8}{:>22}", name.empty() ? "(all)" : name,
                       count(value("gpu_runs")), factor(value("slow_down_mean")),
                       factor(value("slow_down_p95")),
                       decimal(value("gpu_hours_lost_to_sharing"))));
    }
    const auto lacked = std::count(result_.speeds.lacked_memory.begin(),
                                   result_.speeds.lacked_memory.end(), std::uint8_t{1});
    if (lacked > 0) line(fmt::format("  {} runs failed as a device had no memory left", lacked));
  }

  void reasons() {
    std::vector<const Kpi*> hours;
    for (const Kpi& kpi : kpis_.values) {
      if (kpi.scope == "reason" && kpi.name == "pending_hours" && kpi.value > 0) {
        hours.push_back(&kpi);
      }
    }
    if (hours.empty()) return;
    std::stable_sort(hours.begin(), hours.end(),
                     [](const Kpi* a, const Kpi* b) { return a->value > b->value; });
    title("WHY JOBS WAITED (job-hours pending)");
    for (std::size_t i = 0; i < std::min<std::size_t>(hours.size(), 8); ++i) {
      const double share = kpis_.find("reason", hours[i]->group, "pending_share")->value;
      line(fmt::format("  {:<32.32}{:>12.1f} {:>8} {}", hours[i]->group, hours[i]->value,
                       percent(share), bar(share)));
    }
  }

  /// What never got its turn, by the Reason that it pended for at last.
  void left_pending() {
    struct Group {
      std::size_t jobs = 0;
      std::uint32_t first = 0;
    };
    std::map<std::uint16_t, Group> groups;
    std::size_t jobs = 0;
    double hours = 0;
    for (const Kpi& kpi : kpis_.values) {
      if (kpi.name == "pending_hours_left") hours += kpi.value;
    }
    const RunColumns& runs = result_.runs;
    for (std::size_t row = 0; row < runs.size(); ++row) {
      if (!pends_at_the_end(runs, row)) continue;
      Group& group = groups[runs.reason[row]];
      if (group.jobs == 0) group.first = runs.job_id[row];
      group.jobs += runs.tasks[row];
      jobs += runs.tasks[row];
    }
    if (groups.empty()) return;
    std::vector<std::pair<std::uint16_t, Group>> sorted(groups.begin(), groups.end());
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto& a, const auto& b) { return a.second.jobs > b.second.jobs; });
    title(fmt::format("STILL PENDING AT THE END ({} jobs, by their last Reason)", jobs));
    for (const auto& [reason, group] : sorted) {
      line(fmt::format("{:>8}  {} (first: job {})", group.jobs,
                       to_text(static_cast<Reason>(reason)), group.first));
    }
    line(
        fmt::format("  they pended for {:.1f} job-hours, which are not in the table above", hours));
    std::int64_t last_end = result_.begin;
    for (std::size_t row = 0; row < runs.size(); ++row) {
      if (runs.end[row] != kNoTime) last_end = std::max(last_end, runs.end[row]);
    }
    const double waited = static_cast<double>(result_.end - last_end) / 3600;
    if (result_.complete && waited > 1) {
      line(fmt::format(
          "  the run goes on for {:.1f} h behind the last end, in case something starts them: its "
          "throughput and utilization are of that time too",
          waited));
    }
  }

  /// What was refused at its submission, by what sbatch would have said.
  void refusals() {
    const RejectionColumns& refused = result_.rejections;
    if (refused.size() == 0) return;
    struct Group {
      std::size_t submissions = 0;
      std::uint32_t first = 0;
    };
    std::map<std::uint32_t, Group> groups;
    for (std::size_t i = 0; i < refused.size(); ++i) {
      Group& group = groups[refused.message[i]];
      if (group.submissions++ == 0) group.first = refused.job_id[i];
    }
    const std::size_t without = refused_without_a_row(result_).size();
    title(fmt::format("SUBMISSIONS REFUSED ({} of the jobs above, {} that never were jobs)",
                      refused.size() - without, without));
    for (const auto& [message, group] : groups) {
      line(fmt::format("{:>8}  {} (first: job {})", group.submissions,
                       text_of(result_.names.text, message), group.first));
    }
  }

  void fingerprints() {
    line("");
    // They are of whole runs: where a run was stopped depends on the machine.
    if (!result_.complete) return line("no fingerprints: the run was interrupted");
    line(fmt::format("schedule fingerprint  {:016x}", result_.loops.schedule_fingerprint));
    line(fmt::format("event fingerprint     {:016x}", result_.loops.event_fingerprint));
  }

  const Result& result_;
  const Kpis& kpis_;
  const SummaryOptions& options_;
};

}  // namespace

std::string summary_text(const Result& result, const Kpis& kpis, const SummaryOptions& options) {
  return Writer(result, kpis, options).write();
}

}  // namespace rehearse
