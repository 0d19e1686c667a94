// sim/study/job_check.hpp — jobs that this cluster would never run, found without running any.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/study/load_site.hpp"

namespace rehearse {

/// Jobs that share a fate.
struct ImpossibleJobs {
  std::string why;               ///< what sbatch or squeue would say
  std::uint64_t jobs = 0;        ///< tasks of arrays each
  std::uint64_t ran = 0;         ///< of them, when they were recorded
  std::uint64_t first_line = 0;  ///< of the trace
  std::uint32_t first_id = 0;    ///< of a component its leader's
  std::string first_lacks;       ///< what_nodes_lack(); empty: nothing that amounts tell
  std::string first_asks;        ///< `cpu=4,mem=1T,node=1`; empty where its partition is not known
};

/// Judges every job of the site: what sbatch refuses where nobody else has submitted (unknown
/// partition, account or QOS, AllowGroups, DenyOnLimit, EnforcePartLimits); what its partitions
/// never let start (AllowAccounts, AllowQos, MaxTime, MaxNodes); more than any set of their nodes
/// has under any MIG layout of the run, or than a limit allows at all. Limits that depend on who
/// else runs are not judged, nor are jobs of which commands change what they ask for. By first
/// line.
[[nodiscard]] std::vector<ImpossibleJobs> find_impossible_jobs(LoadedSite& site);

/// Of those that may run, jobs that ask for what the MIG layouts of the beginning do not have and a
/// later one has: slurmctld refuses them where they come too early or too late.
[[nodiscard]] std::uint64_t count_jobs_of_later_layouts(LoadedSite& site);

}  // namespace rehearse
