// sim/study/job_judge.hpp — whether this cluster could ever run a job, told by what slurmctld asks
// of it: at its submission, before it looks for nodes, and of nodes that nobody uses.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "sim/sched/limits.hpp"
#include "sim/sched/node_choice.hpp"
#include "sim/sched/policy.hpp"
#include "sim/sched/preempt/quotas.hpp"

namespace rehearse {

/// Those of an array, else one.
[[nodiscard]] std::uint32_t tasks_of(const JobSpec& spec);

class JobJudge {
 public:
  /// `limits_change`: an admin changes them in the course of the run; `changed`: partitions that
  /// one changes, which are then other ones.
  JobJudge(Cluster& cluster, bool limits_change, std::set<PartitionId> changed);

  /// Why the job would never run; none: it may.
  [[nodiscard]] std::optional<std::string> verdict(const JobSpec& spec);
  /// Why components that each might run never start together; none: they may.
  [[nodiscard]] std::optional<std::string> verdict_together(
      const std::vector<const JobSpec*>& components);
  /// What its nodes lack, of a job that the nodes of its partitions could never serve.
  [[nodiscard]] std::string lack_of(const JobSpec& spec);
  /// What it asks for, as ReqTRES of sacct, and what is not counted there.
  [[nodiscard]] std::string request_of(const JobSpec& spec);

 private:
  /// Of an array also the number of its tasks, which count for submit limits; the reservation, as
  /// ReqResv asks for one.
  using Key = std::tuple<RequestId, NameId, NameId, NameId, NameId, std::optional<Minutes>,
                         std::optional<Minutes>, std::uint32_t, std::string>;

  [[nodiscard]] std::optional<std::string> judge(const JobSpec& spec);
  [[nodiscard]] std::optional<std::string> refused_at_submission(Job& job);
  [[nodiscard]] std::optional<std::string> shut_out(const Job& job) const;
  [[nodiscard]] std::optional<std::string> over_a_limit_alone(Job& job);
  [[nodiscard]] std::optional<std::string> over_its_quota(Job& job) const;
  [[nodiscard]] std::optional<std::string> too_few_nodes(
      const std::vector<const JobSpec*>& components);

  [[nodiscard]] Job job_of(const JobSpec& spec);
  [[nodiscard]] std::optional<std::string> set_partitions(Job& job) const;
  [[nodiscard]] std::optional<Reason> reason_to_wait(const Job& job, PartitionId partition) const;
  [[nodiscard]] std::string partition_text(const Job& job) const;
  [[nodiscard]] std::string qos_text(const Job& job) const;
  [[nodiscard]] std::string gres_text(const GresRequest& gres, std::string_view told) const;

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

}  // namespace rehearse
