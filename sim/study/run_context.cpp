// sim/study/run_context.cpp — what holds for a run of a site beside its files: its recording's
// loops, changes by --set, jobs that were there before it.
#include <string>
#include <vector>

#include "sim/study/load_site.hpp"
#include "workloads/import_report.hpp"
#include "workloads/logged_slices.hpp"
#include "workloads/recorded_tables.hpp"

namespace rehearse {

RecordedClock recorded_clock(const LoadedSite& site) {
  RecordedClock clock;
  clock.backfill = site.backfill_began;
  const PriorityConf& priority = site.inputs.slurm_conf.priority;
  if (priority.no_fair_tree || priority.depth_oblivious) {
    for (const SlurmTime at : read_share_questions(site.folder.root / "samples")) {
      clock.share_questions.push_back(Time{at} + kTableDelay);
    }
  }
  if (site.log) {
    clock.first_tick = site.log->loops_began;
    clock.limit_scans = site.log->limit_scans;
    for (const LoggedInstant& each : site.log->overdue) clock.overdue[each.id].push_back(each.at);
    clock.main_passes = site.log->main_passes;
    clock.long_turns = site.log->long_turns;
    clock.cycles = site.log->cycles;
    clock.slices = site.log->slices;
    if (clock.slices.empty()) {
      clock.slices = slices_of(site.log->gang_turns, site.inputs.slurm_conf.scheduler_time_slice);
    }
    clock.answers = site.log->answers;
    clock.silences = site.log->silences;
    clock.clean_ups = clean_up_times(*site.log);
    clock.first_runs = first_runs(site.jobs(), *site.log);
    if (!clock.main_passes.empty()) clock.first_starts = first_starts(site.jobs());
  }
  return clock;
}

std::vector<std::string> replayed_words(const LoadedSite& site) {
  std::vector<std::string> words;
  if (site.start) return words;  // it begins where no recorded loop did
  if (!site.backfill_began.empty()) words.emplace_back("bf_interval");
  if (site.log && !site.log->cycles.empty()) {
    words.emplace_back("bf_yield_interval");
    words.emplace_back("bf_yield_sleep");
  }
  if (site.log && !site.log->main_passes.empty()) {
    words.emplace_back("sched_interval");
    words.emplace_back("sched_min_interval");
  }
  return words;
}

RunContext context_of(const LoadedSite& site) {
  const ImportReport& report = site.report();
  return {site.changes, report[Explained::RunningAtWindowStart].count,
          report[Explained::WaitingAtWindowStart].count, replayed_words(site)};
}

}  // namespace rehearse
