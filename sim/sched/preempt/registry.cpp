// sim/sched/preempt/registry.cpp — from PreemptType= to a plugin.
#include "sim/sched/preempt/registry.hpp"

#include <algorithm>

namespace rehearse {

std::unique_ptr<PreemptPlugin> make_preempt_plugin(const Cluster& cluster) {
  switch (cluster.conf.preempt_type) {
    case PreemptType::Qos:
      return make_preempt_qos(cluster);
    case PreemptType::PartitionPrio:
      return make_preempt_partition_prio(cluster);
    case PreemptType::None:
      break;
  }
  return make_preempt_none(cluster);
}

std::uint64_t preempt_rank(std::uint32_t first, std::size_t nodes) {
  constexpr std::uint64_t kMost = UINT16_MAX;
  return (std::min<std::uint64_t>(first, kMost) << 16U) + std::min<std::uint64_t>(nodes, kMost);
}

}  // namespace rehearse
