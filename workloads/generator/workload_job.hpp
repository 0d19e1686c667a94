// workloads/generator/workload_job.hpp — a job as generators see it: the same for one that was
// traced and one that was drawn.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/cluster/request.hpp"
#include "sim/config/time_zone.hpp"
#include "sim/core/name_pool.hpp"
#include "workloads/generator/generator_conf.hpp"
#include "workloads/trace_jobs.hpp"

namespace rehearse {

/// One run: of the job, or of one task of an array.
struct DrawnRun {
  std::int64_t seconds = 0;  ///< it runs; of CancelledPending: it waits at most
  JobEnd end = JobEnd::Completed;
};

struct WorkloadJob {
  std::string user, account, partition, qos, name;
  std::uint64_t nodes = 1, cpus = 1, memory_mib = 0;
  std::string gres;  ///< of the whole job: `gpu:a100=2,shard=1`
  SlurmTime submit;
  std::optional<std::int64_t> limit;  ///< [min]
  std::vector<DrawnRun> runs;         ///< one, or more of an array
  std::uint64_t throttle = 0;         ///< tasks of the array at once; 0: no limit
  std::optional<std::size_t> after;   ///< the job that it depends on, by its place in the list
  std::string dependency;             ///< afterok
  bool is_array = false;

  /// Devices called gpu, of any type; of each task.
  [[nodiscard]] std::uint64_t gpus() const;
};

/// What a trace's jobs asked and did, in its order. Options beyond size and GRES (features,
/// exclusive, dependencies) are left out.
[[nodiscard]] std::vector<WorkloadJob> workload_of(const TraceJobs& jobs, const NamePool& names,
                                                   const RequestTable& requests);

/// The rows that `sacct -a -X -P` would print, local to `zone`. No start was recorded: each job
/// starts at its submission.
[[nodiscard]] std::string sacct_text_of(const std::vector<WorkloadJob>& jobs, const TimeZone& zone,
                                        std::uint64_t first_id);

/// The accounts and users of the jobs as `sacctmgr dump` writes them: one share each, every QOS.
[[nodiscard]] std::string associations_of(const std::vector<WorkloadJob>& jobs,
                                          const std::string& cluster);

}  // namespace rehearse
