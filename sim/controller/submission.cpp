// sim/controller/submission.cpp — what slurmctld does with a submission (lifecycle.md §2).
#include <algorithm>
#include <numeric>
#include <set>
#include <string_view>
#include <utility>

#include "sim/cluster/refusals.hpp"
#include "sim/cluster/whole_nodes.hpp"
#include "sim/controller/controller.hpp"
#include "sim/controller/hardware_test.hpp"
#include "sim/sched/job_tests.hpp"
#include "sim/sched/partition_access.hpp"
#include "sim/sched/select/request_rules.hpp"
#include "sim/sched/submission_reason.hpp"

namespace rehearse {
namespace {

constexpr std::string_view kNodesNotAvailable = "Requested node configuration is not available";
constexpr const char* kPartRefused = "Another component of the heterogeneous job was refused";
constexpr std::string_view kInvalidPreferred = "Invalid preferred feature specification";
constexpr std::string_view kNoRoom = "Resource temporarily unavailable";

/// A deadline that is past, or nearer than --time-min; a limit beyond it is taken (lifecycle.md
/// §2).
std::optional<std::string_view> deadline_refusal(const Job& job, SlurmTime now) {
  if (!job.spec->extras || !job.spec->extras->deadline) return std::nullopt;
  const SlurmTime deadline = *job.spec->extras->deadline;
  if (deadline < now) return kBadTimeLimit;
  if (now + job.spec->time_min.value_or(Minutes{0}) > deadline) return kBadTimeMin;
  return std::nullopt;
}

/// Slurm: a deadline and no limit from anywhere, and the job may do with a minute (lifecycle.md
/// §7).
bool lacks_time_min(const Job& job) {
  return job.spec->extras && job.spec->extras->deadline && !job.time_limit && !job.spec->time_min;
}

/// What the request rules of its partitions refuse.
std::optional<std::string> hardware_refusal(SelectPlugin& select, const Cluster& cluster,
                                            const Job& job) {
  for (const PartitionId partition : job.partitions) {
    const RuledRequest& ruled = select.ruled_request(job, cluster.partitions[partition]);
    if (ruled.refusal && ruled.refusal->at_submission) return ruled.refusal->message;
  }
  return std::nullopt;
}

/// Of the first of its partitions that it fits; a later pass may tell otherwise (limits.md §6.2).
std::optional<Reason> limit_at_submission(const Limits& limits, const Job& job) {
  if (job.reason != Reason::None && job.reason != Reason::Priority &&
      job.reason != Reason::Resources && job.reason != Reason::BeginTime) {
    return std::nullopt;
  }
  const auto fits = std::find_if(job.partitions.begin(), job.partitions.end(),
                                 [&](PartitionId id) { return !limits.partition_test(job, id); });
  return fits != job.partitions.end() ? limits.before_selection(job, *fits) : std::nullopt;
}

/// An empty list: it depends on nothing; none: not a text that Slurm takes.
std::optional<DependencyList> dependencies_of(const JobSpec& spec) {
  if (!spec.extras || spec.extras->dependency.empty()) return DependencyList{};
  return parse_dependencies(spec.extras->dependency);
}

bool is_by_task(const DependencyList& list) {
  return std::any_of(list.items.begin(), list.items.end(),
                     [](const auto& item) { return item.kind == DependencyKind::AfterCorr; });
}

/// None: from now on. Of a job that is taken over it is never before its submission.
std::optional<SlurmTime> begin_of(const JobSpec& spec, SlurmTime now, bool is_taken_over) {
  if (spec.begin && *spec.begin > now) return spec.begin;
  if (!is_taken_over) return std::nullopt;
  return std::max(spec.begin.value_or(SlurmTime::min()), whole_second(spec.submit));
}

/// What is asked for, not yet judged; all tasks of an array are pending.
Job job_of(Cluster& cluster, const JobSpec& spec, JobId id) {
  Job job;
  job.spec = &spec;
  job.id = id;
  job.request = settled_request(cluster, spec.request);
  job.run = spec.run;
  job.cancel_at = spec.cancel_at;
  job.time_limit = spec.time_limit;
  job.nice = spec.nice;
  job.held = spec.held;
  if (!spec.extras || spec.extras->array.empty()) return job;
  job.array_job = id;
  job.pending_tasks = PendingTasks::first(spec.extras->array.size());
  return job;
}

}  // namespace

/// The checks of a submission in Slurm's order; the text that sbatch would print, or none.
std::optional<std::string> Controller::admit(Job& job, std::uint32_t tasks) {
  if (const auto refusal = choose_partitions(cluster_, job)) return std::string(*refusal);
  if (const auto refusal = access_refusal(cluster_, job)) return std::string(*refusal);
  if (job.spec->extras && is_too_large_an_array(job.spec->extras->array, cluster_.conf)) {
    return std::string(kInvalidArray);
  }
  if (const auto refusal = deadline_refusal(job, now())) return std::string(*refusal);
  if (auto refusal = limits_.assign(job)) return refusal->message;
  if (has_bad_time_min(job, cluster_)) return std::string(kBadTimeMin);
  job.request_tres = limits_.request_vector(job, cluster_.partitions[job.partition]);
  if (auto refusal = limits_.check_submit(job, tasks)) return refusal->message;
  if (!licenses_exist(cluster_, job)) return std::string(kNoSuchLicense);
  if (auto refusal = hardware_refusal(*select_, cluster_, job)) return refusal;
  const Request& asked = cluster_.request_of(job);
  if (!choice_.feature_names().are_valid(asked.features)) return std::string(kBadFeature);
  if (!choice_.feature_names().are_valid(asked.prefer)) return std::string(kInvalidPreferred);
  if (auto refusal = reservations_.join(job)) return refusal;
  // It is looked at with the features of --prefer alone (scheduling.md §3.1).
  const RecordsRequest request(choice_.preferred(), job, asked.prefer != kNoName);
  HardwareTest hardware(cluster_, limits_, *select_, choice_, reservations_);
  if (!job.held && !hardware.may_serve(job)) return std::string(kNodesNotAvailable);
  if (!hardware.is_tested()) choice_.not_tested(job);
  job.is_uncounted = !hardware.is_tested();
  if (hardware.is_tested() && asked.switches) job.switches_since = now();
  return std::nullopt;
}

void Controller::record_refused(Job candidate) {
  Job& job = cluster_.jobs.add();
  candidate.index = job.index;
  job = std::move(candidate);
  job.begin = now();
  job.run.exit_code = 1;
  if (!job.held) priority_->recompute(job, now());  // the accounts keep it (priority.md §4.3)
  observer_.job_submitted(job, now());
  job.state = JobState::Failed;
  job.start = job.end = now();
  memory_.ended(job.index, now());
  observer_.job_cancelled(job, now());
}

/// Records that slurmctld no longer has: of no use to commands and dependencies (lifecycle.md §1),
/// and no longer referred to where their nodes are clean.
void Controller::purge_records() {
  memory_.purge_each([this](const JobMemory::Ended& ended) {
    Job& job = cluster_.jobs[ended.job];
    if (!job.is_finished() || job.end != ended.at) return true;  // it was requeued
    if (job.completing || !dependencies_.is_purged(job, now())) return false;
    dependencies_.forget(job);
    over_memory_.erase(job.index);
    cluster_.jobs.purge(job.index);
    return true;
  });
}

/// MaxJobCount. sbatch comes again for a while before it gives up; a recorded job was taken.
bool Controller::has_room_for(const JobSpec& spec, std::uint32_t attempt) {
  if (attempt > 0) --retries_due_;
  if (history_ != nullptr) return true;
  const std::size_t tasks =
      spec.extras ? std::max<std::size_t>(spec.extras->array.size(), 1) : std::size_t{1};
  const std::size_t kept = memory_.kept(cluster_.jobs.size(), now());
  purge_records();
  if (kept + tasks < cluster_.conf.max_job_count) return true;
  if (attempt < kMostRetries) {
    ++retries_due_;
    schedule(now_ + Seconds{attempt + 1}, SubmissionRetried{&spec, attempt + 1});
  } else {
    event_order_.add(kNoRoom);
    observer_.job_rejected(spec, kNoRoom, now());
  }
  return false;
}

void Controller::submit(const JobSpec& spec, std::uint32_t attempt) {
  if (!has_room_for(spec, attempt)) return;
  Job candidate = job_of(cluster_, spec, spec.id != JobId{} ? spec.id : JobId{next_job_id_});
  next_job_id_ = std::max(next_job_id_, static_cast<std::uint32_t>(candidate.id) + 1);
  candidate.submit = takeover_.is_on() ? spec.submit : now_;
  candidate.begin = begin_of(spec, now(), takeover_.is_on());
  const auto tasks = std::max(1U, static_cast<std::uint32_t>(candidate.pending_tasks.size()));
  last_activity_ = now_;
  auto refusal = admit(candidate, tasks);
  auto dependencies = dependencies_of(spec);
  if (!refusal) {  // the last check
    const Expansion answer = dependencies_.admission(candidate, dependencies, now());
    if (!answer.refusal.empty()) refusal = answer.refusal;
    if (answer.end) candidate.time_limit = std::chrono::floor<Minutes>(*answer.end - now());
  }
  const auto leader = het_leader(candidate);
  if (leader && *leader == refused_het_) refusal = kPartRefused;
  if (refusal) {
    event_order_.add(*refusal);
    observer_.job_rejected(spec, *refusal, now());
    // Hardware is judged last, when the job has its id: the accounts keep it as FAILED, exit code
    // 1, without nodes (recording `mixed`). Other refusals leave no record.
    if (leader) refuse_components(candidate);
    if (*refusal == kNodesNotAvailable) record_refused(std::move(candidate));
    return;
  }
  if (lacks_time_min(candidate)) {
    specs_.push_back(spec);
    specs_.back().time_min = Minutes{1};
    candidate.spec = &specs_.back();
  }
  Job& job = cluster_.jobs.add();
  candidate.index = job.index;
  job = std::move(candidate);
  register_job(job);
  if (!dependencies->items.empty()) {
    if (is_by_task(*dependencies) && job.is_array_meta()) arrays_to_split_.push_back(job.index);
    dependencies_.add(job, std::move(*dependencies));
  }
  if (spec.extras && spec.extras->direct_priority) {
    job.direct_priority = true;
    job.priority = *spec.extras->direct_priority;
  }
  // One that can never run ends at once, but no sooner than it counts.
  const bool is_over = !job.held && !job.is_array_meta() && dependencies_.end_where_never(job) &&
                       dependencies_.test(job, now()) == Dependencies::Answer::Never;
  if (job.held) {
    job.reason = Reason::JobHeldUser;
  } else {
    // An array first becomes independent in the queue build after its submission (§3).
    const bool is_free = !job.is_array_meta() && !is_over && is_independent(job, now());
    const std::uint32_t tested = std::exchange(job.total_cpus, 0);  // after its first priority
    priority_->recompute(job, now());
    job.total_cpus = tested;
    if (is_free && !leader && job.reason == Reason::None) {
      job.reason = submission_reason(cluster_, job, queue_.pending(),
                                     choice_.configured(job, job.partition), now());
    }
    if (const auto reason = limit_at_submission(limits_, job)) job.reason = *reason;
  }
  limits_.job_submitted(job, tasks);
  observer_.job_submitted(job, now());
  queue_.add(job);
  something_changed();
  if (is_over) end_pending(job, JobState::Cancelled, Reason::DependencyNeverSatisfied);
  // That of components asks for no pass (scheduling.md §1).
  if (!leader) request_queued();
}

/// An array with aftercorr is one record until the next queue build. Each build makes tasks of it
/// records of their own while fewer than correspond_after_task_cnt of these pend (lifecycle.md §9).
void Controller::split_waiting_arrays() {
  for (JobIndex index : std::exchange(arrays_to_split_, {})) {
    const std::uint32_t most = cluster_.conf.scheduler_parameters.correspond_after_task_cnt;
    std::uint32_t apart = 0;  // pending tasks that are
    for (const JobIndex each : dependencies_.records_of(cluster_.jobs[index].array_job)) {
      const Job& job = cluster_.jobs[each];
      if (job.is_pending() && !job.is_array_meta()) ++apart;
    }
    const auto is_left = [&] {
      const Job& rest = cluster_.jobs[index];
      return rest.is_pending() && rest.is_array_meta() && dependencies_.waits(rest);
    };
    while (is_left() && apart < most) {
      const JobIndex next = id_at<JobIndex>(cluster_.jobs.size());
      Job& rest = cluster_.jobs[index];
      const bool is_last = rest.pending_tasks.size() == 1;
      (void)job_keeper_.split_off(rest, rest.pending_tasks.next());
      ++apart;
      if (is_last) break;
      index = next;
    }
    if (is_left()) arrays_to_split_.push_back(index);
  }
}

void Controller::register_job(const Job& job) {
  dependencies_.know(job);
  if (job.cancel_at) schedule(Time{*job.cancel_at}, CancelRequested{job.index});
  if (!job.is_array_meta()) return;
  std::set<SlurmTime> cancels;
  for (const ArrayTask& task : job.spec->extras->array) {
    if (task.cancel_at) cancels.insert(*task.cancel_at);
  }
  for (const SlurmTime at : cancels) schedule(Time{at}, CancelRequested{job.index});
}

}  // namespace rehearse
