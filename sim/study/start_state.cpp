// sim/study/start_state.cpp — who is there at an instant, by what the rows say of before and after.
#include "sim/study/start_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "sim/cluster/whole_nodes.hpp"
#include "sim/sched/billing.hpp"
#include "sim/sched/job_tests.hpp"
#include "sim/sched/priority/past_usage.hpp"
#include "sim/study/load_site.hpp"
#include "sim/study/snapshot_files.hpp"
#include "sim/study/snapshot_partitions.hpp"
#include "workloads/recorded_history.hpp"

namespace rehearse {
namespace {

/// RUNNING for so much longer than its limit is a row that nobody closed.
constexpr Seconds kLongestOverrun{6 * 3600};

/// Each job's by start.
using RunsById = std::map<JobId, std::vector<const ForcedRun*>>;

RunsById runs_by_id(const std::vector<ForcedRun>& runs) {
  RunsById by_id;
  for (const ForcedRun& run : runs) by_id[run.job].push_back(&run);
  return by_id;
}

const ForcedRun* run_at(const RunsById& runs, JobId id, SlurmTime at) {
  const auto found = runs.find(id);
  if (found == runs.end()) return nullptr;
  for (const ForcedRun* run : found->second) {
    if (run->start < at && (!run->end || *run->end > at)) return run;
  }
  return nullptr;
}

/// When a job that has run before came back into the queue, last before `at`; none: it has not.
std::optional<SlurmTime> requeued_at(const RunsById& runs, JobId id, SlurmTime at) {
  const auto found = runs.find(id);
  if (found == runs.end()) return std::nullopt;
  std::optional<SlurmTime> back;
  for (const ForcedRun* run : found->second) {
    if (!run->end || run->resizes) continue;
    if (*run->end > at) break;
    back = run->requeued.value_or(*run->end);
  }
  return back;
}

/// Over, whether it ran or not.
bool is_gone(const std::optional<SlurmTime>& started, const std::optional<SlurmTime>& ended,
             const std::optional<SlurmTime>& cancelled, SlurmTime at) {
  if (ended && *ended <= at) return true;
  return !started && cancelled && *cancelled <= at;
}

class Present {
 public:
  Present(const LoadedSite& site, SlurmTime at, const std::vector<ForcedRun>& runs,
          SnapshotQueue queue)
      : site_(site), runs_(runs_by_id(runs)) {
    state_.queue = std::move(queue);
    state_.at = state_.opening.at = at;
  }

  StartState take() {
    for (const JobSpec& spec : site_.jobs().specs()) {
      if (whole_second(spec.submit) >= state_.at) {
        const auto& from = site_.arrivals_from;
        if (!from || whole_second(spec.submit) >= *from) specs_.push_back(spec);
      } else if (spec.extras && !spec.extras->array.empty()) {
        add_array(spec);
      } else {
        add(spec);
      }
    }
    std::stable_sort(state_.opening.running.begin(), state_.opening.running.end(),
                     [](const OpeningRun& a, const OpeningRun& b) { return a.start < b.start; });
    state_.jobs = TraceJobs(std::move(specs_));
    return std::move(state_);
  }

 private:
  [[nodiscard]] bool is_stale(const JobSpec& spec, const ForcedRun& run) const {
    return !run.end && !state_.queue.has(run.job) && spec.time_limit &&
           *spec.time_limit != kUnlimited &&
           run.start + *spec.time_limit + kLongestOverrun < state_.at;
  }

  /// Counts a job or task as running or pending; false: it is not there.
  bool counts(const JobSpec& spec, JobId id) {
    const ForcedRun* run = run_at(runs_, id, state_.at);
    if (run == nullptr) {
      ++state_.pending;
      return true;
    }
    if (is_stale(spec, *run)) {
      ++state_.stale;
      return false;
    }
    ++state_.running;
    state_.opening.running.push_back({id, run->start, run->partition, run->nodes});
    return true;
  }

  void add(const JobSpec& spec) {
    if (is_gone(spec.recorded_start, spec.recorded_end, spec.cancel_at, state_.at)) return;
    if (!counts(spec, spec.id)) return;
    specs_.push_back(spec);
    const auto back = requeued_at(runs_, spec.id, state_.at);
    if (back) requeue(specs_.back(), *back);
  }

  /// A requeue is a new submission that may begin once its credentials have expired (lifecycle.md
  /// §10): its wait and its age are those since then.
  void requeue(JobSpec& spec, SlurmTime back) const {
    const SlurmTime begin = back + site_.inputs.slurm_conf.cred_expire + Seconds{1};
    spec.submit = std::max(spec.submit, Time{back});
    spec.begin = std::max(spec.begin.value_or(begin), begin);
  }

  void add_array(const JobSpec& spec) {
    JobSpec copy = spec;
    std::erase_if(copy.extras->array, [&](const ArrayTask& task) {
      return is_gone(task.recorded_start, task.recorded_end, task.cancel_at, state_.at) ||
             !counts(spec, task.id);
    });
    if (!copy.extras->array.empty()) specs_.push_back(std::move(copy));
  }

  const LoadedSite& site_;
  RunsById runs_;
  StartState state_;
  std::vector<JobSpec> specs_;
};

/// The runs before the start as usage: what they asked for stands for what they held. Of a job that
/// ran several times each run counts, and not the time between them.
std::vector<PastRun> past_runs(LoadedSite& site, SlurmTime at, const RunsById& runs) {
  Cluster& cluster = *site.cluster;
  const Limits limits(cluster);
  const Billing billing(cluster.tres,
                        billing_rule(cluster.conf, cluster.inputs.site.slurm_version));
  std::vector<PastRun> past;
  for (const JobSpec& spec : site.jobs().specs()) {
    if (whole_second(spec.submit) >= at) break;
    Job job;
    job.spec = &spec;
    job.request = settled_request(cluster, spec.request);
    const auto named = cluster.find_partition(spec.partitions);
    const auto partition = named ? named : cluster.default_partition;
    if (!partition) continue;
    job.partition = *partition;
    job.partitions = {*partition};
    if (limits.assign(job) || !job.association) continue;
    const TresVector held = limits.request_vector(job, cluster.partitions[*partition]);
    const double factor =
        job.qos ? std::max(0.0, cluster.accounts.qos[*job.qos].conf.usage_factor) : 1;
    const double rate = factor * billing.of(cluster.partitions[*partition], held);
    const auto add = [&](const std::optional<SlurmTime>& start,
                         const std::optional<SlurmTime>& end) {
      if (start && *start < at) past.push_back({*job.association, rate, *start, end.value_or(at)});
    };
    const auto add_runs = [&](JobId id, const std::optional<SlurmTime>& start,
                              const std::optional<SlurmTime>& end) {
      const auto known = runs.find(id);
      if (known == runs.end()) return add(start, end);
      for (const ForcedRun* run : known->second) add(run->start, run->end);
    };
    if (!spec.extras || spec.extras->array.empty()) {
      add_runs(spec.id, spec.recorded_start, spec.recorded_end);
      continue;
    }
    for (const ArrayTask& task : spec.extras->array) {
      add_runs(task.id, task.recorded_start, task.recorded_end);
    }
  }
  return past;
}

/// What the queue says and sacct does not: who is held, and who waits for whom.
void apply_queue(StartState& state) {
  state.jobs.change([&](JobSpec& spec) {
    if (whole_second(spec.submit) >= state.at) return;
    const std::vector<const QueuedJob*> queued = state.queue.waiting(spec.id);
    if (queued.empty()) return;
    const auto is_held = [](const QueuedJob* job) { return job->reason.starts_with("JobHeld"); };
    if (std::all_of(queued.begin(), queued.end(), is_held)) spec.held = true;
    const std::string& dependency = queued.front()->dependency;
    if (dependency.empty()) return;
    if (!spec.extras) spec.extras = std::make_unique<JobExtras>();
    if (spec.extras->dependency.empty()) spec.extras->dependency = dependency;
  });
}

/// Who is there at the start by sacct: jobs and tasks, with their JobIDRaw.
std::vector<std::pair<QueuedTask, JobId>> present(const StartState& state) {
  std::vector<std::pair<QueuedTask, JobId>> all;
  for (const JobSpec& spec : state.jobs.specs()) {
    if (whole_second(spec.submit) >= state.at) continue;
    if (!spec.extras || spec.extras->array.empty()) {
      all.push_back({{spec.id, std::nullopt}, spec.id});
      continue;
    }
    for (const ArrayTask& task : spec.extras->array) {
      all.push_back({{spec.id, task.index}, task.id});
    }
  }
  return all;
}

/// sacct and squeue were asked one after the other, and neither tells of all: what is in one alone.
void tell_alone(const LoadedSite& site, const StartState& state, Diagnostics& found) {
  if (state.queue.empty()) return;
  const SnapshotQueue::Alone alone = state.queue.compare(present(state));
  const SourcePosition where{(site.folder.root / "snapshot" / "squeue.txt").string(), 0, 0};
  const auto first = [](const std::vector<std::string>& all) {
    constexpr std::size_t kShown = 5;
    const std::span shown(all.data(), std::min(kShown, all.size()));
    return fmt::format("{}{}", fmt::join(shown, ", "), all.size() > kShown ? ", …" : "");
  };
  if (!alone.here.empty()) {
    found.warning(
        where,
        fmt::format("{} jobs or tasks of the queue wait or run by no row of sacct ({}): the "
                    "run begins without them",
                    alone.here.size(), first(alone.here)),
        "collect once more, with the script of this release: older ones left out the rest "
        "of arrays at their %N limit");
  }
  if (!alone.there.empty()) {
    found.warning(
        where,
        fmt::format("{} jobs or tasks wait or run by sacct, and are not in this queue ({}): "
                    "they are in the run",
                    alone.there.size(), first(alone.there)),
        "they ended while it was collected, or nobody closed their rows: sacctmgr show "
        "runawayjobs");
  }
}

void tell(const LoadedSite& site, const StartState& state, Diagnostics& found) {
  const SourcePosition where{site.folder.root.string(), 0, 0};
  found.note(where,
             fmt::format("begins at {}: {} jobs run and {} pend then", site.zone.print(state.at),
                         state.running, state.pending),
             "each task of an array is one");
  const std::vector<JobSpec>& specs = site.jobs().specs();
  constexpr Seconds kDay{86400};
  if (specs.empty() || whole_second(specs.back().submit) + kDay < state.at ||
      whole_second(specs.front().submit) >= state.at) {
    found.warning(where,
                  "the start is not within what is recorded: what ran and waited then is not known",
                  "the rows of sacct must go up to it");
  }
  if (state.stale > 0) {
    found.warning(where,
                  fmt::format("{} jobs are RUNNING in sacct hours beyond their time limits: they "
                              "are taken for gone",
                              state.stale),
                  "sacctmgr show runawayjobs");
  }
  if (site.inputs.site.performance.enabled && state.running > 0) {
    found.warning(where,
                  "performance: jobs that run at the start are taken to be at the beginning "
                  "of their work on GPUs");
  }
}

}  // namespace

StartState state_at(const LoadedSite& site, SlurmTime at, const std::vector<ForcedRun>& runs,
                    SnapshotQueue queue) {
  return Present(site, at, runs, std::move(queue)).take();
}

std::optional<SlurmTime> start_instant_of(const LoadedSite& site, const std::string& text,
                                          Diagnostics& found) {
  if (text == kSnapshotWord) return snapshot_instant(site.folder.root, found);
  const auto at = site.zone.read(text.size() == 10 ? text + "T00:00:00" : text);
  if (!at) {
    found.error({"--start-from", 0, 0}, fmt::format("'{}' is not a time", text),
                "snapshot, or 2025-03-01T12:00:00 in the site's zone");
  }
  return at;
}

void begin_at(LoadedSite& site, const std::string& text, Diagnostics& found) {
  const auto at = start_instant_of(site, text, found);
  if (!at || !site.has_jobs) return;
  const bool is_snapshot = text == kSnapshotWord;
  std::vector<ForcedRun> runs;
  if (site.jobs_path && *site.jobs_path != "-") {
    Diagnostics told_before;
    runs = read_recorded_runs(InputStream(*site.jobs_path), site.sacct, *site.cluster, told_before,
                              HistoryUse::Places);
  }
  SnapshotQueue queue;
  if (is_snapshot) queue = read_queue(site.folder.root, site.zone, found);
  StartState state = state_at(site, *at, runs, std::move(queue));
  state.is_snapshot = is_snapshot;
  if (is_snapshot) {
    apply_queue(state);
    tell_changed_partitions(site, found);
    std::vector<AdminCommandAt> nodes = node_commands(site, *at, found);
    site.commands.insert(site.commands.begin(), std::make_move_iterator(nodes.begin()),
                         std::make_move_iterator(nodes.end()));
    std::stable_sort(site.commands.begin(), site.commands.end(),
                     [](const AdminCommandAt& a, const AdminCommandAt& b) { return a.at < b.at; });
  } else {
    const auto& specs = site.jobs().specs();
    const SlurmTime first = specs.empty() ? *at : std::min(*at, whole_second(specs[0].submit));
    charge_past(site.cluster->accounts, past_runs(site, *at, runs_by_id(runs)),
                site.inputs.slurm_conf.priority, first, *at);
  }
  tell(site, state, found);
  tell_alone(site, state, found);
  site.start = std::make_unique<StartState>(std::move(state));
}

}  // namespace rehearse
