// sim/study/calibration/missing_inputs.cpp — the files of a site folder that are not there.
#include "sim/study/calibration/missing_inputs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/output/kpi/idle_causes.hpp"
#include "sim/output/kpi/kpi.hpp"
#include "sim/output/kpi/pending_time.hpp"

namespace rehearse {
namespace {

std::size_t count_specs(const LoadedSite& site, bool (*is)(const JobSpec& spec)) {
  const std::vector<JobSpec>& specs = site.trace.jobs.specs();
  return static_cast<std::size_t>(std::count_if(specs.begin(), specs.end(), is));
}

bool has_no_limit(const JobSpec& spec) {
  return !spec.time_limit;
}
bool was_killed(const JobSpec& spec) {
  return spec.run.outcome == RunOutcome::UntilKilled && !spec.run.is_unknown;
}
bool names_reservation(const JobSpec& spec) {
  return spec.extras && !spec.extras->reservation.empty();
}

}  // namespace

std::vector<MissingInput> missing_inputs(const LoadedSite& site) {
  std::vector<MissingInput> missing;
  const SlurmConf& conf = site.inputs.slurm_conf;
  const SiteFolder& folder = site.folder;
  if (!folder.usage && conf.priority.type == PriorityType::Multifactor &&
      conf.priority.weight_fairshare > 0) {
    missing.push_back({"usage when the jobs begin (usage.txt)",
                       "who goes first by fair-share during the first half-life or two",
                       "sshare -a -l -P, printed on the first day"});
  }
  if (!folder.node_events && !folder.events) {
    missing.push_back({"outages of nodes (node_events.txt or events.csv)",
                       "waits that are longer than simulated while nodes were down or drained",
                       "sacctmgr -P show event start=FIRST-DAY"});
  }
  if (!folder.reservations && !folder.events) {
    const std::size_t jobs = count_specs(site, names_reservation);
    missing.push_back(
        {"reservations (reservations.txt, and events.csv for later ones)",
         fmt::format("waits for reserved nodes; {} jobs name a reservation themselves", jobs),
         "scontrol show reservation; maintenance days from the calendar"});
  }
  if (site.inputs.accounting.associations.empty()) {
    missing.push_back({"accounts and their limits (assoc.dump)",
                       "waits for Assoc* and QOS* limits, and every fair-share",
                       "sacctmgr dump CLUSTER file=assoc.dump"});
  } else if (site.inputs.accounting.qos.empty()) {
    missing.push_back({"QOS definitions (qos.txt)", "waits for QOS* limits, and QOS priorities",
                       "sacctmgr -P show qos"});
  }
  if (const std::size_t jobs = count_specs(site, has_no_limit); jobs > 0) {
    missing.push_back({fmt::format("time limits of {} jobs (column Timelimit)", jobs),
                       "what backfill could start", "sacct --format=ALL"});
  }
  if (const std::size_t jobs = count_specs(site, was_killed); jobs > 0 && !folder.runtimes) {
    missing.push_back(
        {fmt::format("how long {} jobs that were killed at their limit would have run", jobs),
         "nothing, as long as limits stay what they were", "runtimes.csv"});
  }
  return missing;
}

std::vector<MissingInput> other_limits(const WaitGroup& all, const Result& simulated) {
  constexpr double kLonger = 1.25;  // than what a fair baseline may be off by
  constexpr double kMuch = 0.3;
  if (all.simulated[0] <= kLonger * all.recorded[0]) return {};
  std::uint64_t pending = 0;
  std::uint64_t limited = 0;
  std::uint64_t most = 0;
  Reason first = Reason::None;
  for (const auto& [number, time] : pending_time(simulated)) {
    const auto reason = static_cast<Reason>(number);
    pending += time.over;
    // A %N is the user's own, and in the record.
    if (cause_of(reason) != GpuHours::Limits || reason == Reason::JobArrayTaskLimit) continue;
    limited += time.over;
    if (time.over > most) first = reason;
    most = std::max(most, time.over);
  }
  const double share =
      pending > 0 ? static_cast<double>(limited) / static_cast<double>(pending) : 0;
  if (share < kMuch) return {};
  return {{fmt::format("limits as they were: {:.0f} % of the simulated waiting is for limits, most "
                       "of it {}",
                       share * 100, to_text(first)),
           "waits that are longer than recorded: the jobs were not held by limits that stand here "
           "(raised or usage reset since, not enforced, or others' jobs counted)",
           "sacctmgr dump of those days; later changes as sacctmgr modify … in events.csv"}};
}

std::vector<MissingInput> missing_load(const WaitGroup& all, const Result& simulated) {
  constexpr double kMinute = 60;
  if (all.recorded[0] < kMinute || all.simulated[0] * 4 > all.recorded[0]) return {};
  const double busy = compute_kpis(simulated).overall("cpu_utilization_existing");
  return {{fmt::format("jobs: the simulated cluster is {:.0f} % busy, and hardly anyone waits",
                       busy * 100),
           "nearly every recorded wait, if the trace is a part of the cluster's jobs, or begins on "
           "a full cluster",
           "sacct -a of the whole cluster, from before the days that matter; or fewer nodes"}};
}

}  // namespace rehearse
