// sim/study/job_check.cpp — jobs that this cluster would never run, found without running any.
#include "sim/study/job_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>

#include "sim/cluster/whole_nodes.hpp"
#include "sim/sched/job_tests.hpp"
#include "sim/sched/limits.hpp"
#include "sim/sched/node_choice.hpp"
#include "sim/sched/policy.hpp"
#include "sim/sched/preempt/quotas.hpp"
#include "sim/study/job_lacks.hpp"

namespace rehearse {
namespace {

class Judge {
 public:
  /// `limits_change`: an admin changes them in the course of the run; `changed`: partitions that
  /// one changes, which are then other ones.
  Judge(Cluster& cluster, bool limits_change, std::set<PartitionId> changed)
      : cluster_(cluster),
        limits_change_(limits_change),
        changed_(std::move(changed)),
        limits_(cluster),
        select_(make_select_plugin(cluster)),
        choice_(cluster, limits_, *select_) {
    if (cluster.inputs.site.policy.has_quotas()) quotas_.emplace(cluster, nothing_runs_);
  }

  /// Why the job would never run; none: it may.
  std::optional<std::string> verdict(const JobSpec& spec) {
    const Key key{spec.request, spec.partitions, spec.account, spec.user,
                  spec.qos,     spec.time_limit, spec.time_min};
    const auto known = verdicts_.find(key);
    if (known != verdicts_.end()) return known->second;
    return verdicts_.emplace(key, judge(spec)).first->second;
  }

  /// Why components that each might run never start together; none: they may.
  std::optional<std::string> verdict_together(const std::vector<const JobSpec*>& components) {
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

  /// What its nodes lack, of a job that the nodes of its partitions could never serve.
  std::string lack_of(const JobSpec& spec) {
    Job job = job_of(spec);
    const bool is_served =
        set_partitions(job) ||
        std::any_of(job.partitions.begin(), job.partitions.end(), [&](PartitionId partition) {
          job.partition = partition;
          return choice_.could_ever_run(job, partition);
        });
    return is_served ? std::string() : what_nodes_lack(job, cluster_);
  }

  /// What it asks for, as ReqTRES of sacct, and what is not counted there.
  std::string request_of(const JobSpec& spec) {
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

 private:
  /// Each component has nodes of its own (scheduling.md §11).
  std::optional<std::string> too_few_nodes(const std::vector<const JobSpec*>& components) {
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

  using Key = std::tuple<RequestId, NameId, NameId, NameId, NameId, std::optional<Minutes>,
                         std::optional<Minutes>>;

  std::optional<std::string> judge(const JobSpec& spec) {
    Job job = job_of(spec);
    if (auto unknown = set_partitions(job)) return unknown;
    if (auto refusal = limits_.assign(job)) return refusal->message;
    const auto changes = [this](PartitionId id) { return changed_.contains(id); };
    if (std::any_of(job.partitions.begin(), job.partitions.end(), changes)) return std::nullopt;
    if (has_bad_time_min(job, cluster_)) {
      return fmt::format(
          "partition {}: --time-min is above the job's limit or the partition's MaxTime, which "
          "sbatch refuses",
          partition_text(job));
    }
    if (auto over = over_every_limit(job)) return over;
    if (auto over = over_its_quota(job)) return over;
    for (const PartitionId partition : job.partitions) {
      job.partition = partition;
      if (!choice_.could_ever_run(job, partition)) continue;
      return limits_change_ ? std::nullopt : over_a_limit_alone(job);
    }
    return fmt::format("partition {}: Requested node configuration is not available",
                       partition_text(job));
  }

  /// Beyond a limit by itself, whoever else runs: it pends for ever, unless limits are changed.
  std::optional<std::string> over_a_limit_alone(Job& job) {
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

  /// What a node or the bill comes to is known once nodes are chosen; usage of minutes decays.
  static bool is_of_amounts(Reason reason) {
    const std::string_view name = to_text(reason);
    const auto has = [&](std::string_view word) { return name.find(word) != name.npos; };
    return (has("Per") || has("Grp")) && !has("Minutes") && !has("PerNode") && !has("Billing");
  }

  [[nodiscard]] std::string qos_text(const Job& job) const {
    if (!job.qos) return {};
    return fmt::format(", QOS {}", cluster_.names.text(cluster_.accounts.qos[*job.qos].name));
  }

  Job job_of(const JobSpec& spec) {
    Job job;
    job.spec = &spec;
    job.id = spec.id;
    job.request = settled_request(cluster_, spec.request);
    job.submit = spec.submit;
    job.time_limit = spec.time_limit;
    return job;
  }

  /// Nothing where `told` has it already, as AccountingStorageTRES names it.
  [[nodiscard]] std::string gres_text(const GresRequest& gres, std::string_view told) const {
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

  std::optional<std::string> set_partitions(Job& job) const {
    if (job.spec->partitions == kNoName) {
      if (!cluster_.default_partition) return "no partition asked for, and there is no default";
      job.partitions = {*cluster_.default_partition};
    } else {
      std::string_view rest = cluster_.names.text(job.spec->partitions);
      while (!rest.empty()) {
        const std::size_t comma = std::min(rest.find(','), rest.size());
        const std::string_view word = rest.substr(0, comma);
        const auto name = cluster_.names.find(word);
        const auto partition = name ? cluster_.find_partition(*name) : std::nullopt;
        if (!partition) return fmt::format("partition {} is not in slurm.conf", word);
        job.partitions.push_back(*partition);
        rest.remove_prefix(std::min(comma + 1, rest.size()));
      }
    }
    if (job.partitions.empty()) return "no partition asked for, and there is no default";
    job.partition = job.partitions.front();
    const auto& usual = cluster_.partitions[job.partition].conf.default_time;
    if (!job.time_limit && usual) job.time_limit = usual;
    return std::nullopt;
  }

  /// Backfill takes a job whose --time-min is within MaxTime, whatever it asks for beyond that; a
  /// QOS with PartitionTimeLimit lifts MaxTime.
  [[nodiscard]] std::optional<std::string> over_every_limit(const Job& job) const {
    if (job.qos && cluster_.accounts.qos[*job.qos].conf.flags.partition_time_limit) return {};
    const auto& least = job.spec->time_min;
    const bool by_least = least && cluster_.conf.scheduler_type == SchedulerType::Backfill;
    const std::optional<Minutes> asked = by_least ? std::optional(*least) : job.time_limit;
    const bool over =
        std::all_of(job.partitions.begin(), job.partitions.end(), [&](PartitionId partition) {
          const auto& most = cluster_.partitions[partition].conf.max_time;
          return most && asked && *asked > *most;
        });
    if (!over) return std::nullopt;
    return fmt::format("partition {}: asks for more time than MaxTime (PartitionTimeLimit)",
                       partition_text(job));
  }

  /// What is not preemptible never borrows: beyond the whole quota it never starts.
  [[nodiscard]] std::optional<std::string> over_its_quota(Job& job) const {
    if (!quotas_) return std::nullopt;
    job.request_tres = limits_.request_vector(job, cluster_.partitions[job.partition]);
    if (!quotas_->refuses(job)) return std::nullopt;
    return fmt::format(
        "account {}, QOS {}: is not preemptible, and asks for more than the whole quota of its "
        "account (policy.quotas)",
        cluster_.names.text(job.spec->account), cluster_.names.text(job.spec->qos));
  }

  [[nodiscard]] std::string partition_text(const Job& job) const {
    std::string text;
    for (const PartitionId partition : job.partitions) {
      text += text.empty() ? "" : ",";
      text += cluster_.names.text(cluster_.partitions[partition].name);
    }
    return text;
  }

  Cluster& cluster_;
  bool limits_change_;
  std::set<PartitionId> changed_;
  Limits limits_;
  std::unique_ptr<SelectPlugin> select_;
  NodeChoice choice_;
  RunningJobs nothing_runs_;
  std::optional<Quotas> quotas_;
  std::map<Key, std::optional<std::string>> verdicts_;
};

/// Jobs that commands make others: what they were submitted with does not tell whether they run.
class ChangedJobs {
 public:
  explicit ChangedJobs(const std::vector<AdminCommandAt>& commands) {
    for (const AdminCommandAt& command : commands) {
      const auto* change = std::get_if<UpdateJobs>(&command.action);
      if (change == nullptr || !is_of_verdict(*change)) continue;
      for (const JobTarget& target : change->targets) {
        if (target.name == kNoName) {
          ids_.insert(target.id);
        } else {
          names_.insert(target.name);
        }
      }
    }
  }
  [[nodiscard]] bool hold(const JobSpec& spec) const {
    return ids_.contains(spec.id) || names_.contains(spec.name);
  }

 private:
  static bool is_of_verdict(const UpdateJobs& change) {
    return change.partitions || change.qos || change.account || change.time_limit ||
           change.time_min || change.request;
  }
  std::set<JobId> ids_;
  std::set<NameId> names_;
};

std::set<PartitionId> changed_partitions(const std::vector<AdminCommandAt>& commands) {
  std::set<PartitionId> changed;
  for (const AdminCommandAt& command : commands) {
    const auto* change = std::get_if<UpdatePartition>(&command.action);
    if (change != nullptr) changed.insert(change->partition);
  }
  return changed;
}

/// When it was recorded; of an array any task.
bool has_run(const JobSpec& spec) {
  if (spec.recorded_start) return true;
  return spec.extras &&
         std::any_of(spec.extras->array.begin(), spec.extras->array.end(),
                     [](const ArrayTask& task) { return bool{task.recorded_start}; });
}

}  // namespace

std::vector<ImpossibleJobs> find_impossible_jobs(LoadedSite& site) {
  Judge judge(*site.cluster,
              std::any_of(site.commands.begin(), site.commands.end(),
                          [](const AdminCommandAt& command) {
                            return std::holds_alternative<ChangeAccounts>(command.action);
                          }),
              changed_partitions(site.commands));
  std::map<std::string, ImpossibleJobs> by_reason;
  const auto tell = [&](const JobSpec& spec, const std::string& why, bool of_its_own) {
    ImpossibleJobs& group = by_reason[why];
    if (group.jobs == 0 || spec.source_row < group.first_line) {
      group.first_line = spec.source_row;
      group.first_id = static_cast<std::uint32_t>(spec.id);
      group.first_asks = judge.request_of(spec);
      group.first_lacks = of_its_own ? judge.lack_of(spec) : std::string();
    }
    group.why = why;
    ++group.jobs;
    if (has_run(spec)) ++group.ran;
  };
  const ChangedJobs changed(site.commands);
  std::map<JobId, std::vector<const JobSpec*>> components;  // of whom each might run
  std::set<JobId> impossible;                               // heterogeneous jobs
  for (const JobSpec& spec : site.trace.jobs.specs()) {
    if (changed.hold(spec)) continue;
    const JobId leader = spec.extras ? spec.extras->het_leader : JobId{};
    const auto why = judge.verdict(spec);
    if (why) tell(spec, *why, true);
    if (leader == JobId{}) continue;
    if (why) impossible.insert(leader);
    components[leader].push_back(&spec);
  }
  for (const auto& [leader, specs] : components) {
    if (impossible.contains(leader)) continue;
    const auto why = judge.verdict_together(specs);
    if (!why) continue;
    for (const JobSpec* spec : specs) tell(*spec, *why, false);
  }
  std::vector<ImpossibleJobs> groups;
  for (auto& [why, group] : by_reason) groups.push_back(std::move(group));
  std::stable_sort(groups.begin(), groups.end(),
                   [](const auto& a, const auto& b) { return a.first_line < b.first_line; });
  return groups;
}

}  // namespace rehearse
