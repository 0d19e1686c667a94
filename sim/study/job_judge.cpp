// sim/study/job_judge.cpp — what slurmctld asks of a job, asked of an empty cluster.
#include "sim/study/job_judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/cluster/licenses.hpp"
#include "sim/cluster/refusals.hpp"
#include "sim/cluster/whole_nodes.hpp"
#include "sim/config/text_scan.hpp"
#include "sim/sched/job_tests.hpp"
#include "sim/sched/partition_access.hpp"
#include "sim/study/job_lacks.hpp"

namespace rehearse {
namespace {

/// What a node or the bill comes to is known once nodes are chosen; usage of minutes decays.
bool is_of_amounts(Reason reason) {
  const std::string_view name = to_text(reason);
  const auto has = [&](std::string_view word) { return name.find(word) != name.npos; };
  return (has("Per") || has("Grp")) && !has("Minutes") && !has("PerNode") && !has("Billing");
}

/// What may end by itself: usage decays.
bool may_pass(Reason reason) {
  return reason == Reason::QOSUsageThreshold;
}

}  // namespace

std::uint32_t tasks_of(const JobSpec& spec) {
  if (!spec.extras) return 1;
  return std::max(1U, static_cast<std::uint32_t>(spec.extras->array.size()));
}

JobJudge::JobJudge(Cluster& cluster, bool limits_change, std::set<PartitionId> changed)
    : cluster_(cluster),
      limits_change_(limits_change),
      changed_(std::move(changed)),
      limits_(cluster),
      select_(make_select_plugin(cluster)),
      choice_(cluster, limits_, *select_) {
  if (cluster.inputs.site.policy.has_quotas()) quotas_.emplace(cluster, nothing_runs_);
}

std::optional<std::string> JobJudge::verdict(const JobSpec& spec) {
  if (spec.extras && is_too_large_an_array(spec.extras->array, cluster_.conf)) {
    const auto most = cluster_.conf.scheduler_parameters.max_array_tasks;
    const std::string tasks = most ? fmt::format(", max_array_tasks={}", *most) : std::string();
    return fmt::format("an array refused at submission: {} (MaxArraySize={}{})", kInvalidArray,
                       cluster_.conf.max_array_size, tasks);
  }
  const Key key{
      spec.request,  spec.partitions, spec.account,
      spec.user,     spec.qos,        spec.time_limit,
      spec.time_min, tasks_of(spec),  spec.extras ? spec.extras->reservation : std::string()};
  const auto known = verdicts_.find(key);
  if (known != verdicts_.end()) return known->second;
  return verdicts_.emplace(key, judge(spec)).first->second;
}

std::optional<std::string> JobJudge::verdict_together(
    const std::vector<const JobSpec*>& components) {
  if (auto few = too_few_nodes(components)) return few;
  if (limits_change_) return std::nullopt;
  std::vector<Job> started;
  started.reserve(components.size());
  std::optional<std::string> why;
  for (const JobSpec* spec : components) {
    Job job = job_of(*spec);
    if (set_partitions(job) || limits_.assign(job)) break;
    job.request_tres = limits_.request_vector(job, cluster_.partitions[job.partition]);
    const auto reason = limits_.after_selection(job, job.partition, job.request_tres,
                                                NodeSet(cluster_.nodes.size()));
    if (reason && is_of_amounts(*reason)) {
      why = fmt::format(
          "partition {}{}: components of a heterogeneous job ask together for more than a limit "
          "allows at all, and pend for ever ({})",
          partition_text(job), qos_text(job), to_text(*reason));
      break;
    }
    job.alloc_tres = job.request_tres;
    job.state = JobState::Running;
    job.time_limit = job.time_limit.value_or(Minutes{1});
    job.allocated_nodes = NodeSet(cluster_.nodes.size());
    limits_.job_submitted(job, 1);
    limits_.job_started(job);
    started.push_back(std::move(job));
  }
  for (const Job& job : started) limits_.job_stopped(job, false);
  return why;
}

std::string JobJudge::lack_of(const JobSpec& spec) {
  Job job = job_of(spec);
  const bool is_served =
      set_partitions(job) ||
      std::any_of(job.partitions.begin(), job.partitions.end(), [&](PartitionId partition) {
        job.partition = partition;
        return choice_.could_ever_run(job, partition);
      });
  return is_served ? std::string() : what_nodes_lack(job, cluster_);
}

std::string JobJudge::request_of(const JobSpec& spec) {
  Job job = job_of(spec);
  if (set_partitions(job)) return {};
  std::string text = format_tres_sacct(
      cluster_.tres, limits_.request_vector(job, cluster_.partitions[job.partition]));
  if (text.starts_with("billing=")) text.erase(0, text.find(',') + 1);
  const Request& request = cluster_.requests[spec.request];
  for (const GresRequest& gres : request.gres) text += gres_text(gres, text);
  if (request.features_wanted() != kNoName) {
    text += fmt::format(", -C {}", cluster_.names.text(request.features_wanted()));
  }
  return text;
}

/// Each component has nodes of its own (scheduling.md §11).
std::optional<std::string> JobJudge::too_few_nodes(const std::vector<const JobSpec*>& components) {
  NodeSet nodes(cluster_.nodes.size());
  std::size_t wanted = 0;
  std::string partitions;
  for (const JobSpec* spec : components) {
    Job job = job_of(*spec);
    if (set_partitions(job)) return std::nullopt;
    for (const PartitionId id : job.partitions) nodes |= cluster_.partitions[id].nodes;
    wanted += std::max<std::size_t>(cluster_.requests[spec->request].min_nodes, 1);
    if (partitions.empty()) partitions = partition_text(job);
  }
  if (wanted <= nodes.count()) return std::nullopt;
  return fmt::format(
      "partition {}: components of a heterogeneous job have nodes of their own, need {} and pend "
      "for ever: there are {}",
      partitions, wanted, nodes.count());
}

std::optional<std::string> JobJudge::judge(const JobSpec& spec) {
  Job job = job_of(spec);
  if (auto unknown = set_partitions(job)) return unknown;
  const auto changes = [this](PartitionId id) { return changed_.contains(id); };
  if (std::any_of(job.partitions.begin(), job.partitions.end(), changes)) {
    const auto refusal = limits_.assign(job);
    return refusal ? std::optional(refusal->message) : std::nullopt;
  }
  if (auto refusal = refused_at_submission(job)) return refusal;
  if (auto shut = shut_out(job)) return shut;
  if (auto over = over_its_quota(job)) return over;
  for (const PartitionId partition : job.partitions) {
    job.partition = partition;
    if (reason_to_wait(job, partition) || !choice_.could_ever_run(job, partition)) continue;
    return limits_change_ ? std::nullopt : over_a_limit_alone(job);
  }
  return fmt::format("partition {}: Requested node configuration is not available",
                     partition_text(job));
}

/// As sbatch says it, where nobody else has submitted (lifecycle.md §2).
std::optional<std::string> JobJudge::refused_at_submission(Job& job) {
  const auto refused = [&](std::string_view text) {
    return fmt::format("partition {}{}: refused at submission: {}", partition_text(job),
                       qos_text(job), text);
  };
  if (const auto refusal = access_refusal(cluster_, job)) return refused(*refusal);
  if (auto refusal = limits_.assign(job)) return refusal->message;
  if (has_bad_time_min(job, cluster_)) {
    return fmt::format(
        "partition {}: --time-min is above the job's limit or the partition's MaxTime, which "
        "sbatch refuses",
        partition_text(job));
  }
  job.request_tres = limits_.request_vector(job, cluster_.partitions[job.partition]);
  if (!limits_change_) {
    if (const auto refusal = limits_.check_submit(job, tasks_of(*job.spec))) {
      return refused(fmt::format("{} ({})", refusal->message, to_text(refusal->reason)));
    }
  }
  if (!licenses_exist(cluster_, job)) return refused(kNoSuchLicense);
  return std::nullopt;
}

/// By all of its partitions, whatever runs there (scheduling.md §3.1 test 2).
std::optional<std::string> JobJudge::shut_out(const Job& job) const {
  std::optional<Reason> first;
  for (const PartitionId partition : job.partitions) {
    const auto reason = reason_to_wait(job, partition);
    if (!reason) return std::nullopt;
    if (!first) first = reason;
  }
  if (!first) return std::nullopt;
  if (*first == Reason::PartitionTimeLimit) {
    return fmt::format("partition {}: asks for more time than MaxTime (PartitionTimeLimit)",
                       partition_text(job));
  }
  const std::string sentence = limits_.sentence_of(*first, job, job.partitions.front());
  return fmt::format("partition {}{}: pends for ever ({}{}{})", partition_text(job), qos_text(job),
                     to_text(*first), sentence.empty() ? "" : ": ", sentence);
}

/// Why the partition never lets it start; backfill takes a job whose --time-min is within MaxTime,
/// whatever it asks for beyond that.
std::optional<Reason> JobJudge::reason_to_wait(const Job& job, PartitionId partition) const {
  const bool by_least =
      job.spec->time_min && cluster_.conf.scheduler_type == SchedulerType::Backfill;
  const auto reason =
      limits_.partition_test(job, partition, by_least ? TestedTime::TimeMin : TestedTime::Limit);
  if (reason && !may_pass(*reason)) return reason;
  if (!limits_.admits_account(job, partition)) return Reason::AccountNotAllowed;
  return std::nullopt;
}

/// Beyond a limit by itself, whoever else runs: it pends for ever, unless limits are changed.
std::optional<std::string> JobJudge::over_a_limit_alone(Job& job) {
  std::optional<Reason> reason;
  for (const PartitionId partition : job.partitions) {
    job.partition = partition;
    job.request_tres = limits_.request_vector(job, cluster_.partitions[partition]);
    reason =
        limits_.after_selection(job, partition, job.request_tres, NodeSet(cluster_.nodes.size()));
    if (!reason || !is_of_amounts(*reason)) return std::nullopt;
  }
  if (!reason) return std::nullopt;
  return fmt::format(
      "partition {}{}: asks for more than a limit allows at all, and pends for "
      "ever ({})",
      partition_text(job), qos_text(job), to_text(*reason));
}

/// What is not preemptible never borrows: beyond the whole quota it never starts.
std::optional<std::string> JobJudge::over_its_quota(Job& job) const {
  if (!quotas_) return std::nullopt;
  job.request_tres = limits_.request_vector(job, cluster_.partitions[job.partition]);
  if (!quotas_->refuses(job)) return std::nullopt;
  return fmt::format(
      "account {}, QOS {}: is not preemptible, and asks for more than the whole quota of its "
      "account (policy.quotas)",
      cluster_.names.text(job.spec->account), cluster_.names.text(job.spec->qos));
}

std::string JobJudge::qos_text(const Job& job) const {
  if (!job.qos) return {};
  return fmt::format(", QOS {}", cluster_.names.text(cluster_.accounts.qos[*job.qos].name));
}

std::string JobJudge::partition_text(const Job& job) const {
  std::string text;
  for (const PartitionId partition : job.partitions) {
    text += text.empty() ? "" : ",";
    text += cluster_.names.text(cluster_.partitions[partition].name);
  }
  return text;
}

Job JobJudge::job_of(const JobSpec& spec) {
  Job job;
  job.spec = &spec;
  job.id = spec.id;
  job.request = settled_request(cluster_, spec.request);
  job.submit = spec.submit;
  job.time_limit = spec.time_limit;
  return job;
}

/// Nothing where `told` has it already, as AccountingStorageTRES names it.
std::string JobJudge::gres_text(const GresRequest& gres, std::string_view told) const {
  const std::string name = fmt::format("gres/{}", cluster_.names.text(gres.name));
  if (told.find(name + "=") != told.npos) return {};
  const std::string type =
      gres.type == kNoName ? "" : fmt::format(":{}", cluster_.names.text(gres.type));
  for (const auto& [count, of] : {std::pair{gres.per_job, ""},
                                  {gres.per_node, " a node"},
                                  {gres.per_socket, " a socket"},
                                  {gres.per_task, " a task"}}) {
    if (count > 0) return fmt::format(",{}{}={}{}", name, type, count, of);
  }
  return {};
}

/// The name that slurm.conf does not have, where sbatch says only that there is one.
std::optional<std::string> JobJudge::set_partitions(Job& job) const {
  const auto refusal = choose_partitions(cluster_, job);
  if (!refusal) return std::nullopt;
  if (job.spec->partitions == kNoName) return "no partition asked for, and there is no default";
  for (const text::Piece& word : text::split_at(cluster_.names.text(job.spec->partitions), ',')) {
    const auto name = cluster_.names.find(word.text);
    if (!name || !cluster_.find_partition(*name)) {
      return fmt::format("partition {} is not in slurm.conf", word.text);
    }
  }
  return std::string(*refusal);
}

}  // namespace rehearse
