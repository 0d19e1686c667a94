// sim/controller/job_command.hpp — what is typed about jobs: which ones, and what is to happen to
// them.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/cluster/ids.hpp"
#include "sim/cluster/job.hpp"
#include "sim/cluster/request.hpp"
#include "sim/config/site_conf.hpp"
#include "sim/core/time.hpp"

namespace rehearse {

/// `123`, `123_4`, `123_[1-3,7]`, `123+1`; `jobname=NAME`.
struct JobTarget {
  JobId id{};
  NameId name = kNoName;                   ///< not by id: all jobs of that name
  std::vector<std::uint32_t> tasks;        ///< empty: a job, or a whole array
  std::optional<std::uint32_t> component;  ///< of a heterogeneous job; none: all of it
};

/// `scancel`: by ids, by what the jobs are, or both.
struct CancelJobs {
  std::vector<JobTarget> targets;            ///< empty: by the filters alone
  std::vector<JobState> states;              ///< any of them; empty: all
  std::optional<std::vector<NodeId>> nodes;  ///< runs on one of them; none: wherever it runs
  NameId user = kNoName, account = kNoName, partition = kNoName, name = kNoName, qos = kNoName,
         reservation = kNoName, wckey = kNoName;
};

enum class JobAction : std::uint8_t {
  Hold,
  UserHold,
  Release,
  Requeue,
  RequeueHold,
  SpecialExit,  ///< requeuehold with State=SpecialExit
  Suspend,
  Resume,
  Top,
};

/// `scontrol hold|uhold|release|requeue|requeuehold|suspend|resume|top ID…`
struct ActOnJobs {
  JobAction action = JobAction::Hold;
  std::vector<JobTarget> targets;
};

/// What an update changes of a request; what is not set stays.
struct RequestChange {
  std::optional<std::uint32_t> min_nodes, max_nodes, min_cpus, max_cpus, num_tasks, pn_min_cpus,
      switches, cpus_per_gpu;
  std::optional<std::uint16_t> cpus_per_task, ntasks_per_node, core_spec;
  std::optional<MemoryMode> memory_mode;
  std::uint64_t memory_mib = 0;  ///< with memory_mode
  std::optional<std::uint64_t> tmp_disk_mib;
  std::optional<Seconds> switches_wait;
  std::optional<bool> contiguous, oversubscribe;
  std::optional<NameId> features, prefer;
  std::optional<std::vector<NameId>> required_nodes, excluded_nodes;
  std::optional<std::vector<LicenseRequest>> licenses;
  std::optional<bool> any_license;
  std::optional<std::vector<GresRequest>> gres;
};

/// `scontrol update JobId=… KEY=VALUE …`; what is not set stays.
struct UpdateJobs {
  enum class Sign : std::uint8_t { Set, Add, Subtract };
  std::vector<JobTarget> targets;
  std::optional<Minutes> time_limit, time_min;  ///< kUnlimited: without end
  Sign limit_sign = Sign::Set;
  std::optional<std::uint32_t> priority;  ///< 0: hold
  std::optional<std::int32_t> nice;
  std::optional<SlurmTime> begin;
  std::optional<SlurmTime> deadline;
  std::optional<SlurmTime> end;                   ///< of a running job, whatever its limit
  std::optional<std::vector<NameId>> keep_nodes;  ///< a running job keeps these of its nodes
  std::optional<NameId> partitions, qos, account, name, wckey;  ///< kNoName: the default one
  std::optional<std::string> dependency, reservation;           ///< empty: none any more
  std::optional<std::uint32_t> array_throttle;
  std::optional<bool> requeue;
  bool reset_accrue_time = false;
  std::optional<RequestChange> request;
};

/// The jobs that commands of `lines` act on by id: what a trace tells of them is in part the
/// commands' doing.
[[nodiscard]] std::vector<JobId> jobs_acted_on(const std::vector<AdminCommand>& lines);

/// A word that `scontrol update JobId=… KEY=VALUE` gave a job: a trace may show it as if it had
/// been submitted so.
struct UpdatedWord {
  JobId job{};
  std::string key;  ///< lower case
  std::string value;

  auto operator<=>(const UpdatedWord&) const = default;
};

/// Those of `lines` that name whole jobs, in order.
[[nodiscard]] std::vector<UpdatedWord> updated_words(const std::vector<AdminCommand>& lines);

}  // namespace rehearse
