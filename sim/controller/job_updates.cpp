// sim/controller/job_updates.cpp — `scontrol update JobId=…`: what may be changed when, and what
// else that changes (lifecycle.md §10.1, priority.md §4).
#include <algorithm>

#include "sim/cluster/licenses.hpp"
#include "sim/cluster/refusals.hpp"
#include "sim/cluster/whole_nodes.hpp"
#include "sim/controller/controller.hpp"
#include "sim/controller/request_change.hpp"
#include "sim/sched/job_tests.hpp"
#include "sim/sched/partition_access.hpp"
#include "sim/sched/select/request_rules.hpp"

namespace rehearse {
namespace {

constexpr const char* kFinished = "Job has already finished";
constexpr const char* kNotPending = "Job is no longer pending execution";
constexpr const char* kStillPending = "Job is pending execution";
constexpr const char* kNotItsNodes = "Invalid node name specified";
constexpr const char* kHeld = "Job is in held state, pending scheduler release";
constexpr const char* kCircular = "Circular job dependency";
constexpr const char* kBadNodeCount = "Node count specification invalid";
constexpr const char* kNoArray = "Job is not a job array";

/// True for a change that only a pending job takes.
bool wants_pending(const UpdateJobs& change) {
  return change.begin || change.partitions || change.qos || change.account || change.dependency ||
         change.request;
}

/// True for one that a suspended job does not take either.
bool wants_unsuspended(const UpdateJobs& change) {
  return change.time_min || change.deadline || change.reservation;
}

Minutes longer(Minutes limit, Minutes by) {
  return limit == kUnlimited || by == kUnlimited ? kUnlimited : limit + by;
}

/// What `TimeLimit=`, `TimeLimit=+` or `TimeLimit=-` makes of a limit.
Minutes changed_limit(Minutes old, const UpdateJobs& change) {
  const Minutes given = *change.time_limit;
  if (change.limit_sign == UpdateJobs::Sign::Add) return longer(old, given);
  if (change.limit_sign == UpdateJobs::Sign::Subtract && old != kUnlimited) return old - given;
  return given;
}

/// The number of NumNodes= where a running job is asked for nothing else that only a pending one
/// takes.
std::optional<std::uint32_t> nodes_to_keep(const Cluster& cluster, const Job& job,
                                           const UpdateJobs& change) {
  if (!job.has_started() || !change.request) return std::nullopt;
  if (!change.request->min_nodes || change.request->max_nodes) return std::nullopt;
  UpdateJobs rest = change;
  RequestChange& request = *rest.request;
  request.min_nodes.reset();
  Request same = cluster.request_of(job);
  apply(request, same);
  rest.request.reset();
  if (same != cluster.request_of(job) || wants_pending(rest)) return std::nullopt;
  return change.request->min_nodes;
}

/// The one change of a request that a running job takes.
bool changes_licenses_alone(const Cluster& cluster, const Job& job, const UpdateJobs& change) {
  if (!job.is_running() || !change.request || !change.request->licenses) return false;
  UpdateJobs rest = change;
  rest.request->licenses.reset();
  rest.request->any_license.reset();
  Request same = cluster.request_of(job);
  apply(*rest.request, same);
  rest.request.reset();
  return same == cluster.request_of(job) && !wants_pending(rest);
}

std::vector<NameId> first_nodes(const Cluster& cluster, const Job& job, std::uint32_t count) {
  std::vector<NameId> names;
  for (std::size_t i = 0; i < std::min<std::size_t>(count, job.allocation.nodes.size()); ++i) {
    names.push_back(cluster.nodes[job.allocation.nodes[i].node].name);
  }
  return names;
}

}  // namespace

JobSpec& JobKeeper::amend(Job& job) {
  c_.specs_.push_back(*job.spec);
  JobSpec& own = c_.specs_.back();
  if (!own.extras) own.extras = std::make_unique<JobExtras>();
  job.spec = &own;
  return own;
}

JobKeeper::Refusal JobKeeper::check(const Job& job, const UpdateJobs& change) const {
  if (job.is_finished()) return kFinished;
  const auto fewer = nodes_to_keep(c_.cluster_, job, change);
  if (!job.is_pending() && wants_pending(change) && !fewer &&
      !changes_licenses_alone(c_.cluster_, job, change)) {
    return kNotPending;
  }
  if (!job.is_pending() && !job.is_running() && wants_unsuspended(change)) return kNotPending;
  if (fewer && *fewer > job.allocation.nodes.size()) return kNotSupported;
  if (change.request && change.request->core_spec && !c_.cluster_.conf.allow_spec_resources) {
    return kDenied;
  }
  if (change.end && job.is_pending()) return kStillPending;
  if (change.keep_nodes && job.has_started() && nodes_to_give(job, *change.keep_nodes).empty()) {
    return kNotItsNodes;
  }
  if (change.array_throttle && job.array_job == JobId{}) return kNoArray;
  if (change.priority && *change.priority > 0 && job.is_pending() && job.held) return kHeld;
  const Minutes limit = job.time_limit.value_or(
      effective_limit(job, c_.cluster_.partitions[job.partition], c_.cluster_));
  if (change.time_limit && change.limit_sign == UpdateJobs::Sign::Subtract &&
      *change.time_limit >= limit) {
    return kBadTimeLimit;
  }
  if (change.time_min || change.time_limit) {
    const Minutes least = change.time_min.value_or(job.spec->time_min.value_or(Minutes{0}));
    if (least > (change.time_limit ? changed_limit(limit, change) : limit)) return kBadTimeMin;
  }
  if (change.deadline) {
    const Minutes least = change.time_min.value_or(job.spec->time_min.value_or(Minutes{0}));
    if (*change.deadline < c_.now() + least) return kBadTimeLimit;
  }
  return std::nullopt;
}

JobKeeper::Refusal JobKeeper::update(Job& job, const UpdateJobs& change) {
  if (auto refusal = check(job, change)) return refusal;
  if (job.is_running() && change.reservation) {
    if (auto refusal = join_running(job, *change.reservation)) return refusal;
  } else if (change.partitions || change.qos || change.account || change.reservation) {
    if (auto refusal = move(job, change)) return refusal;
  }
  if (const auto fewer = nodes_to_keep(c_.cluster_, job, change)) {
    if (auto refusal = keep_nodes(job, first_nodes(c_.cluster_, job, *fewer))) return refusal;
  } else if (change.request) {
    const bool runs = job.is_running();
    const Request before = c_.cluster_.request_of(job);
    auto refusal =
        runs ? exchange_licenses(job, *change.request) : change_request(job, *change.request);
    if (refusal) return refusal;
    mark_lifted(*change.request, before, job.set_by_operator);
  }
  if (change.dependency) {
    if (auto refusal = change_dependency(job, *change.dependency)) return refusal;
  }
  if (change.keep_nodes) {
    if (auto refusal = keep_nodes(job, *change.keep_nodes)) return refusal;
  }
  if (change.time_limit) change_limit(job, change);
  if (change.end) move_end(job, std::max(*change.end, c_.now()));
  change_times(job, change);
  change_rest(job, change);
  change_priority(job, change);
  if (job.is_pending() && job.priority != 0) c_.priority_->recompute(job, c_.now());
  c_.queue_.changed(job);
  c_.observer_.job_changed(job, c_.now());
  return std::nullopt;
}

/// Partitions, account, QOS and reservation together: as if it were submitted with them, but for
/// the limits on submissions, which do not bind an operator [S]. It begins to age anew.
JobKeeper::Refusal JobKeeper::move(Job& job, const UpdateJobs& change) {
  Job moved = job;
  moved.set_by_operator.qos |= change.qos.has_value();
  JobSpec spec = *job.spec;
  if (change.partitions) spec.partitions = *change.partitions;
  if (change.qos) spec.qos = *change.qos;
  if (change.account) spec.account = *change.account;
  if (change.reservation) {
    if (!spec.extras) spec.extras = std::make_unique<JobExtras>();
    spec.extras->reservation = *change.reservation;
  }
  moved.spec = &spec;
  moved.partition_priority.clear();
  if (change.partitions) {
    moved.partitions.clear();
    if (const auto refusal = choose_partitions(c_.cluster_, moved)) return std::string(*refusal);
  }
  if (auto refusal = c_.limits_.assign(moved)) return refusal->message;
  moved.reservations.clear();
  moved.reservation.reset();
  if (auto refusal = c_.reservations_.join(moved)) return refusal;
  moved.request_tres = c_.limits_.request_vector(moved, c_.cluster_.partitions[moved.partition]);

  const auto tasks =
      std::max<std::uint32_t>(1, static_cast<std::uint32_t>(job.pending_tasks.size()));
  c_.limits_.clear_accrual(job);
  moved.accrue = job.accrue;
  c_.limits_.job_removed(job, tasks);
  c_.specs_.push_back(std::move(spec));
  moved.spec = &c_.specs_.back();
  job = std::move(moved);
  c_.limits_.job_submitted(job, tasks);
  if (job.reason == Reason::InvalidQOS || job.reason == Reason::InvalidAccount ||
      job.reason == Reason::PartitionConfig) {
    c_.set_reason(job, Reason::None);
  }
  return std::nullopt;
}

/// It keeps its nodes, wherever those of the reservation are, and ends with it (lifecycle.md §13).
JobKeeper::Refusal JobKeeper::join_running(Job& job, const std::string& name) {
  Job joined = job;
  joined.reservations.clear();
  amend(joined).extras->reservation = name;
  if (auto refusal = c_.reservations_.join(joined)) return refusal;
  job.spec = joined.spec;
  job.reservations = joined.reservations;
  job.reservation.reset();
  if (!job.reservations.empty()) job.reservation = job.reservations.front();
  c_.reservations_.schedule_scan();
  return std::nullopt;
}

/// What an update that is refused for its number of nodes leaves behind.
void JobKeeper::keep_raised_cpus(Job& job, const RequestChange& change) {
  Request request = c_.cluster_.request_of(job);
  if (!raises_cpus(change, request)) return;
  request.min_cpus = *change.min_nodes;
  job.request = c_.cluster_.requests.intern(request);
  c_.queue_.changed(job);
  c_.observer_.job_changed(job, c_.now());
}

/// Whether nodes can ever serve it is for the next pass to find.
JobKeeper::Refusal JobKeeper::change_request(Job& job, const RequestChange& change) {
  Request request = c_.cluster_.request_of(job);
  job.set_by_operator.cpus |= raises_cpus(change, request);
  if (exceeds_its_most(change, request)) {
    keep_raised_cpus(job, change);
    return kBadNodeCount;
  }
  apply(change, request);
  settle_whole_nodes(request, c_.cluster_.conf);
  const RequestId before = job.request;
  job.request = c_.cluster_.requests.intern(request);
  if (change.licenses && !licenses_exist(c_.cluster_, job)) {
    job.request = before;
    return kNoSuchLicense;
  }
  job.license_choice = 0;
  for (const PartitionId partition : job.partitions) {
    const RuledRequest& ruled = c_.select_->ruled_request(job, c_.cluster_.partitions[partition]);
    if (!ruled.refusal || !ruled.refusal->at_submission) continue;
    job.request = before;
    return ruled.refusal->message;
  }
  job.request_tres = c_.limits_.request_vector(job, c_.cluster_.partitions[job.partition]);
  if (job.reason == Reason::BadConstraints) {  // it was held for what it asked
    job.held = false;
    c_.set_reason(job, Reason::None);
    c_.priority_->recompute(job, c_.now());
  }
  return std::nullopt;
}

/// A running job holds them from now on, free or not; for limits it stays what it began with.
JobKeeper::Refusal JobKeeper::exchange_licenses(Job& job, const RequestChange& change) {
  Request request = c_.cluster_.request_of(job);
  apply(change, request);
  const RequestId before = job.request;
  give_back_licenses(c_.cluster_, job);
  job.request = c_.cluster_.requests.intern(request);
  const bool exist = licenses_exist(c_.cluster_, job);
  if (!exist) job.request = before;
  if (exist) job.license_choice = 0;
  take_licenses(c_.cluster_, job);
  return exist ? std::nullopt : Refusal(kNoSuchLicense);
}

JobKeeper::Refusal JobKeeper::change_dependency(Job& job, const std::string& text) {
  std::optional<DependencyList> list;
  if (!text.empty()) {
    list = parse_dependencies(text);
    if (!list) return kBadDependency;
    if (c_.dependencies_.is_circular(job, *list)) return kCircular;
    const Expansion expansion = c_.dependencies_.expansion(*list, c_.now());
    if (!expansion.refusal.empty()) return std::string(expansion.refusal);
    if (expansion.end) job.time_limit = std::chrono::floor<Minutes>(*expansion.end - c_.now());
  }
  amend(job).extras->dependency = text;
  c_.dependencies_.remove(job);
  if (list) {
    c_.dependencies_.add(job, std::move(*list));
    c_.limits_.clear_accrual(job);
  }
  if (job.reason == Reason::Dependency || job.reason == Reason::DependencyNeverSatisfied) {
    c_.set_reason(job, Reason::None);
  }
  return std::nullopt;
}

/// Raised or lowered, a running job's planned end moves with it; one that is over already ends at
/// the next scan (lifecycle.md §6).
void JobKeeper::change_limit(Job& job, const UpdateJobs& change) {
  const std::optional<Minutes> before = job.time_limit;
  const Minutes old =
      before.value_or(effective_limit(job, c_.cluster_.partitions[job.partition], c_.cluster_));
  const Minutes limit = changed_limit(old, change);
  amend(job).time_limit = limit;
  job.time_limit = limit;
  job.limit_filled = false;
  job.set_by_operator.time_limit = true;
  if (!job.has_started()) return;

  c_.limits_.time_limit_changed(job, before);
  const Seconds was = old == kUnlimited ? Seconds{kUnlimitedRun} : Seconds{old};
  const Seconds is = limit == kUnlimited ? Seconds{kUnlimitedRun} : Seconds{limit};
  move_end(job, std::max(*job.end - was + is, c_.now()));
}

void JobKeeper::move_end(Job& job, SlurmTime end) {
  c_.running_.remove(job);
  job.end = end;
  c_.running_.add(job);
  if (job.is_running() && c_.history_ == nullptr) c_.schedule_ends(job);
}

/// What the job has beside `keep`; nothing where it would have to get nodes, or lose none.
std::vector<NodeId> JobKeeper::nodes_to_give(const Job& job,
                                             const std::vector<NameId>& keep) const {
  std::vector<NodeId> gone;
  std::size_t kept = 0;
  for (const NodeShare& share : job.allocation.nodes) {
    const NameId name = c_.cluster_.nodes[share.node].name;
    if (std::find(keep.begin(), keep.end(), name) == keep.end()) {
      gone.push_back(share.node);
    } else {
      ++kept;
    }
  }
  if (kept == 0 || kept < keep.size()) gone.clear();
  return gone;
}

/// NodeList=: a job that waits asks for these nodes; one that runs gives the others back.
JobKeeper::Refusal JobKeeper::keep_nodes(Job& job, const std::vector<NameId>& keep) {
  if (job.is_pending()) {
    RequestChange change;
    change.required_nodes = keep;
    return change_request(job, change);
  }
  const std::vector<NodeId> gone = nodes_to_give(job, keep);
  if (c_.history_ == nullptr && !gone.empty()) c_.shrink(job, gone);
  return std::nullopt;
}

void JobKeeper::change_priority(Job& job, const UpdateJobs& change) {
  if (change.priority && *change.priority == 0) {
    (void)hold(job, JobAction::Hold);
  } else if (change.priority) {
    job.direct_priority = true;
    job.nice = 0;
    job.priority = *change.priority;
    std::fill(job.partition_priority.begin(), job.partition_priority.end(), job.priority);
  }
  if (change.nice && !job.direct_priority) job.nice = *change.nice;
}

void JobKeeper::change_times(Job& job, const UpdateJobs& change) {
  if (change.time_min == Minutes{0}) {  // none from now on
    amend(job).time_min.reset();
  } else if (change.time_min) {
    amend(job).time_min = change.time_min;
  }
  if (change.deadline) amend(job).extras->deadline = change.deadline;
  if (change.begin) {
    c_.limits_.clear_accrual(job);
    job.begin = std::max(*change.begin, c_.now());
  }
  if (change.reset_accrue_time && job.accrue) job.accrue = c_.now();
}

void JobKeeper::change_rest(Job& job, const UpdateJobs& change) {
  if (change.array_throttle) amend(job).extras->array_max_running = *change.array_throttle;
  if (change.requeue) amend(job).requeue = change.requeue;
  if (change.wckey) {
    amend(job).extras->wckey =
        *change.wckey == kNoName ? "" : c_.cluster_.names.text(*change.wckey);
  }
  if (change.name) {
    const NameId before = job.spec->name;
    amend(job).name = *change.name;
    c_.dependencies_.renamed(job, before);
  }
}

}  // namespace rehearse
