// sim/sched/memory_left.cpp — the other requests of a job, once a test has left one behind.
#include "sim/sched/memory_left.hpp"

#include <algorithm>

#include "sim/sched/select/request_rules.hpp"

namespace rehearse {

using Kind = LeftMemory::Kind;

bool MemoryLeft::has_default(const Partition& partition) const {
  const std::uint64_t everywhere = cluster_.conf.def_mem_per_gpu_mib.value_or(0);
  return partition.conf.def_mem_per_gpu_mib.value_or(everywhere) > 0;
}

/// Where all partitions or none have DefMemPerGPU no test goes by what another left.
bool MemoryLeft::partitions_differ() const {
  const auto has = [this](const Partition& partition) { return has_default(partition); };
  const auto& all = cluster_.partitions;
  return std::any_of(all.begin(), all.end(), has) && !std::all_of(all.begin(), all.end(), has);
}

bool MemoryLeft::may_leave(const Request& request) const {
  return !request.gres.empty() && request.memory_mode == MemoryMode::None;
}

bool MemoryLeft::is_concerned(const Job& job) const {
  const Request& request = cluster_.request_of(job);
  return may_leave(request) &&
         (left_memory(request).kind == Kind::AsSubmitted || partitions_differ());
}

const EffectiveRequest& MemoryLeft::ruled(const Job& job, PartitionId partition) const {
  return select_.ruled_request(job, cluster_.partitions[partition]).request;
}

namespace {

std::uint64_t per_gpu_mib(const EffectiveRequest& request) {
  std::uint64_t most = 0;
  for (const EffectiveGres& gres : request.gres) most = std::max(most, gres.mem_per_gres_mib);
  return most;
}

}  // namespace

void MemoryLeft::tested(Job& job, PartitionId partition) {
  const std::uint64_t mib = per_gpu_mib(ruled(job, partition));
  if (mib > 0) {
    // Where every test goes by such a default there is nothing to tell apart any more.
    leave(job, partitions_differ() ? LeftMemory{Kind::PerGpu, mib} : LeftMemory{});
  } else {
    leave(job, {Kind::AsSubmitted, 0});
  }
}

void MemoryLeft::estimated(Job& job, PartitionId partition) {
  const Kind before = left_memory(cluster_.request_of(job)).kind;
  if (per_gpu_mib(ruled(job, partition)) > 0 || (before != Kind::PerGpu && before != Kind::All)) {
    tested(job, partition);
  } else {
    leave(job, {Kind::All, 0});
  }
}

void MemoryLeft::foretold(Job& job, PartitionId partition) {
  const std::uint64_t mib = per_gpu_mib(ruled(job, partition));
  if (mib > 0) {
    tested(job, partition);
  } else if (left_memory(cluster_.request_of(job)).kind == Kind::PerGpu) {
    leave(job, {Kind::All, 0});
  }
}

void MemoryLeft::not_tested(Job& job) {
  const auto& all = cluster_.partitions;
  const bool any = std::any_of(all.begin(), all.end(),
                               [this](const Partition& each) { return has_default(each); });
  if (any && may_leave(cluster_.request_of(job))) leave(job, {Kind::AsSubmitted, 0});
}

void MemoryLeft::turn(Job& job) {
  const Kind kind = left_memory(cluster_.request_of(job)).kind;
  const bool is_all = kind == Kind::All || kind == Kind::PerGpu;
  leave(job, {is_all ? Kind::AsSubmitted : Kind::All, 0});
}

void MemoryLeft::leave(Job& job, const LeftMemory& left) {
  const std::uint64_t memory = as_memory_mib(left);
  if (cluster_.request_of(job).memory_mib == memory) return;
  const auto key = std::pair(job.request, memory);
  auto other = others_.find(key);
  if (other == others_.end()) {
    Request request = cluster_.request_of(job);
    request.memory_mib = memory;
    other = others_.emplace(key, cluster_.requests.intern(request)).first;
  }
  job.request = other->second;
  ++changes_;
}

}  // namespace rehearse
