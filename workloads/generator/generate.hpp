// workloads/generator/generate.hpp — draws the jobs of a generator.
//
// Every user, session and job has a stream of its own, derived from the seed and its place in the
// file, and a job takes the same number of draws whatever they turn into. So the same file and seed
// give the same jobs, and a changed number changes what it names and nothing else.
#pragma once

#include <vector>

#include "workloads/generator/generator_conf.hpp"
#include "workloads/generator/workload_job.hpp"

namespace rehearse {

/// How many sessions were drawn, and how many of them found no time within the span, as their users
/// were still at the ones before.
struct SessionCounts {
  std::size_t drawn = 0, without_time = 0;
};

/// The jobs in order of submission. `counts`: null, or to be filled in. Throws InputError where
/// they are too many for ids of Slurm.
[[nodiscard]] std::vector<WorkloadJob> generate(const GeneratorConf& conf,
                                                SessionCounts* counts = nullptr);

/// The names of a group's users: as given, or name01 … of its count.
[[nodiscard]] std::vector<std::string> users_of(const UserGroup& group);

}  // namespace rehearse
