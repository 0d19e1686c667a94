// sim/sched/limits_partition.cpp — what a partition asks of a job: state, access, nodes, time.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>

#include "sim/config/units.hpp"
#include "sim/sched/limits.hpp"
#include "sim/sched/partition_access.hpp"
#include "sim/sched/priority/classic.hpp"
#include "sim/sched/select/request_rules.hpp"

namespace rehearse {
namespace {

bool names(const std::vector<std::string>& list, const std::string& name) {
  return std::any_of(list.begin(), list.end(),
                     [&](const std::string& one) { return equals_ignoring_case(one, name); });
}

/// Allow wins over Deny if both are given (limits.md §1.3).
bool permits(const std::vector<std::string>& allow, const std::vector<std::string>& deny,
             const std::string& name) {
  return allow.empty() ? !names(deny, name) : names(allow, name);
}

/// Slurm: --spread-job without -N asks for up to as many nodes as it has tasks, or as there are.
std::uint32_t most_nodes_of(const Request& request, std::size_t nodes) {
  if (request.max_nodes || !request.spread || !request.num_tasks) {
    return request.max_nodes.value_or(request.min_nodes);
  }
  const auto all = static_cast<std::uint32_t>(nodes);
  return std::max(request.min_nodes, std::min(*request.num_tasks, all));
}

constexpr const char* kTooManyCpus = "More processors requested than permitted";

/// The text of sbatch for a partition limit that is enforced at submission. Memory that the job
/// does not ask for is held against the limit later than what it asks for.
const char* refusal_text(Reason reason, const Request& request) {
  switch (reason) {
    case Reason::PartitionNodeLimit:
      return "Node count specification invalid";
    case Reason::MaxMemPerLimit:
      return request.memory_mode == MemoryMode::None
                 ? "Requested partition configuration not available now"
                 : "Memory required by task is not available";
    case Reason::PartitionTimeLimit:
      return "Requested time limit is invalid (missing or exceeds some limit)";
    case Reason::AccountNotAllowed:
      return "Invalid account or account/partition combination specified";
    case Reason::QOSNotAllowed:
      return "Invalid qos specification";
    default:
      return "Requested partition configuration not available now";
  }
}

/// False for a range that begins below MinNodes: a pass mends it, a submission can be refused.
bool holds_range(const Partition& partition, const Request& request, QosFlags flags) {
  return flags.partition_min_nodes || !request.max_nodes ||
         request.min_nodes >= partition.conf.min_nodes;
}

/// What a submission looks at after the access of the account and the QOS; a pass looks at memory
/// before that of the QOS (limits.md §1.3).
bool is_after_access(Reason reason) {
  return reason == Reason::QOSNotAllowed || reason == Reason::MaxMemPerLimit ||
         reason == Reason::QOSUsageThreshold;
}

/// That any job may ask for there (limits.md §1.3).
std::uint64_t most_cpus(const Partition& partition) {
  const std::uint64_t each = partition.conf.max_cpus_per_node.value_or(UINT32_MAX);
  return std::min(partition.total_cpus, each * partition.nodes.count());
}

bool asks_too_many_cpus(const Request& request, const Partition& partition) {
  return !request.overcommit && request.min_cpus > most_cpus(partition);
}

}  // namespace

bool Limits::any_goes_by_usage() const {
  return std::any_of(cluster_.accounts.qos.begin(), cluster_.accounts.qos.end(),
                     [](const Qos& qos) {
                       return qos.conf.flags.enforce_usage_threshold && qos.conf.usage_threshold;
                     });
}

bool Limits::admits_account(const Job& job, PartitionId id) const {
  const PartitionConf& conf = cluster_.partitions[id].conf;
  if (conf.allow_accounts.empty() && conf.deny_accounts.empty()) return true;
  return permits(conf.allow_accounts, conf.deny_accounts, cluster_.names.text(account_of(job)));
}

bool Limits::admits_qos(const Job& job, PartitionId id) const {
  const PartitionConf& conf = cluster_.partitions[id].conf;
  if (conf.allow_qos.empty() && conf.deny_qos.empty()) return true;
  const Qos* qos = qos_of(job);
  return permits(conf.allow_qos, conf.deny_qos,
                 cluster_.names.text(qos != nullptr ? qos->name : kNoName));
}

std::string Limits::sentence_of(Reason reason, const Job& job, PartitionId id) const {
  if (reason != Reason::AccountNotAllowed && reason != Reason::QOSNotAllowed) return {};
  const PartitionConf& conf = cluster_.partitions[id].conf;
  const bool of_account = reason == Reason::AccountNotAllowed;
  const Qos* qos = qos_of(job);
  const NameId name = of_account ? account_of(job) : qos != nullptr ? qos->name : kNoName;
  const auto& allowed = of_account ? conf.allow_accounts : conf.allow_qos;
  const auto& denied = of_account ? conf.deny_accounts : conf.deny_qos;
  return fmt::format("Job's {} not permitted to use this partition ({} {} {} {} {})",
                     of_account ? "account" : "QOS", conf.name,
                     allowed.empty() ? "denies" : "allows",
                     fmt::join(allowed.empty() ? denied : allowed, ","),
                     allowed.empty() ? "including" : "not", cluster_.names.text(name));
}

std::optional<Reason> Limits::partition_test(const Job& job, PartitionId id,
                                             TestedTime time) const {
  const Partition& partition = cluster_.partitions[id];
  if (partition.state == PartitionState::Down) return Reason::PartitionDown;
  if (partition.state == PartitionState::Inactive) return Reason::PartitionInactive;
  const PartitionConf& conf = partition.conf;
  if (const auto reason = door_reason(cluster_, job, id)) return reason;

  const Qos* qos = qos_of(job);
  const QosFlags flags = qos != nullptr ? qos->conf.flags : QosFlags{};
  const Request& request = cluster_.request_of(job);
  if (asks_too_many_cpus(request, partition)) return Reason::PartitionConfig;
  const std::uint32_t most_asked = most_nodes_of(request, cluster_.nodes.size());
  if (!flags.partition_max_nodes && most_asked > conf.max_nodes.value_or(UINT32_MAX)) {
    return Reason::PartitionNodeLimit;
  }
  if (request.min_nodes > partition.total[index_of(TresTable::kNode)]) {
    return Reason::PartitionNodeLimit;
  }
  // The submission has raised a minimum to the least MinNodes of the job's partitions as they were
  // then (limits.md §1.3); a maximum below it cannot be.
  const std::uint32_t least = std::max(request.min_nodes, job.least_nodes);
  const std::uint32_t most = request.max_nodes.value_or(UINT32_MAX);
  if (!flags.partition_min_nodes && std::min(least, most) < conf.min_nodes) {
    return Reason::PartitionNodeLimit;
  }
  std::optional<Minutes> limit = job.time_limit;
  if (time == TestedTime::TimeMin && job.spec->time_min) limit = job.spec->time_min;
  if (!flags.partition_time_limit && !job.set_by_operator.time_limit && conf.max_time &&
      *conf.max_time < kUnlimited && limit && *limit > *conf.max_time) {
    return Reason::PartitionTimeLimit;
  }
  if (const auto reason = waits_by_rules(request, partition, cluster_.conf, cluster_.names)) {
    return reason;
  }
  if (!admits_qos(job, id)) return Reason::QOSNotAllowed;
  if (flags.enforce_usage_threshold && qos->conf.usage_threshold) {
    // Slurm compares the weighted term; only where it is 0 the classic factor, from whatever S and
    // U_eff the algorithm in force keeps (limits.md §7.3).
    double share = job.factors.fair_share;
    if (share == 0 && job.association) {
      const Association& own = cluster_.accounts.associations[*job.association];
      share = classic_factor(own.usage_effective, own.shares_norm,
                             cluster_.conf.priority.fair_share_dampening_factor);
    }
    if (share < *qos->conf.usage_threshold) return Reason::QOSUsageThreshold;
  }
  return std::nullopt;
}

/// limits.md §1.3. Of a list those that take no new jobs are passed over, whatever is enforced.
std::optional<SubmitRefusal> Limits::check_partition_limits_at_submit(Job& job) const {
  const Qos* qos = qos_of(job);
  const QosFlags flags = qos != nullptr ? qos->conf.flags : QosFlags{};
  struct Beyond {
    Reason reason;
    const char* words;
  };
  std::optional<Beyond> first, last;
  std::size_t fitting = 0, closed = 0;
  for (const PartitionId id : job.partitions) {
    const Partition& partition = cluster_.partitions[id];
    if (partition.state == PartitionState::Drain || partition.state == PartitionState::Inactive) {
      ++closed;
      continue;
    }
    auto reason = partition_test(job, id);
    if (!reason || is_after_access(*reason)) {
      if (!admits_qos(job, id)) reason = Reason::QOSNotAllowed;
      if (!admits_account(job, id)) reason = Reason::AccountNotAllowed;
    }
    // Slurm: the first test is before the job has the nodes that --spread-job gives it.
    const Request& request = cluster_.request_of(job);
    if (reason == Reason::PartitionNodeLimit && request.spread && !request.max_nodes) {
      reason = Reason::PartitionConfig;
    }
    if (!reason && !holds_range(partition, request, flags)) reason = Reason::PartitionNodeLimit;
    if (!reason || *reason == Reason::PartitionDown) {
      ++fitting;
      continue;
    }
    const bool of_cpus =
        *reason == Reason::PartitionConfig && asks_too_many_cpus(request, partition);
    last = Beyond{*reason, of_cpus ? kTooManyCpus : refusal_text(*reason, request)};
    if (!first) first = last;
  }
  if (closed == job.partitions.size()) {
    return SubmitRefusal{Reason::PartitionInactive,
                         "Required partition not available (inactive or drain)"};
  }
  if (!first) return std::nullopt;
  const EnforcePartLimits enforce = cluster_.conf.enforce_part_limits;
  if (enforce == EnforcePartLimits::All) return SubmitRefusal{first->reason, first->words};
  if (fitting > 0) return std::nullopt;
  if (enforce == EnforcePartLimits::Any) return SubmitRefusal{last->reason, last->words};
  job.reason = Reason::PartitionConfig;
  return std::nullopt;
}

}  // namespace rehearse
