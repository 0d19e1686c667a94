// sim/sched/memory_left.cpp — the other request of a job, once a test has left it behind.
#include "sim/sched/memory_left.hpp"

#include <algorithm>

#include "sim/sched/select/request_rules.hpp"

namespace rehearse {

/// Where all partitions or none have DefMemPerGPU no test goes by what another left.
bool MemoryLeft::partitions_differ() const {
  const std::uint64_t everywhere = cluster_.conf.def_mem_per_gpu_mib.value_or(0);
  const auto has_default = [&](const Partition& partition) {
    return partition.conf.def_mem_per_gpu_mib.value_or(everywhere) > 0;
  };
  const auto& all = cluster_.partitions;
  return std::any_of(all.begin(), all.end(), has_default) &&
         !std::all_of(all.begin(), all.end(), has_default);
}

bool MemoryLeft::is_concerned(const Job& job) const {
  const Request& request = cluster_.request_of(job);
  return !request.gres.empty() && request.memory_mode == MemoryMode::None && partitions_differ();
}

void MemoryLeft::tested(Job& job, PartitionId partition) {
  const Request& request = cluster_.request_of(job);
  const RuledRequest& ruled = select_.ruled_request(job, cluster_.partitions[partition]);
  const bool by_gpu = std::any_of(ruled.request.gres.begin(), ruled.request.gres.end(),
                                  [](const auto& gres) { return gres.mem_per_gres_mib > 0; });
  if (by_gpu != (request.memory_mib == kNothingLeft)) turn(job);
}

void MemoryLeft::turn(Job& job) {
  auto other = other_.find(job.request);
  if (other == other_.end()) {
    Request left = cluster_.request_of(job);
    left.memory_mib = left.memory_mib == kNothingLeft ? 0 : kNothingLeft;
    other = other_.emplace(job.request, cluster_.requests.intern(left)).first;
  }
  job.request = other->second;
  ++changes_;
}

}  // namespace rehearse
