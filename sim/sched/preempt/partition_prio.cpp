// sim/sched/preempt/partition_prio.cpp — PreemptType=preempt/partition_prio: jobs of a partition
// of a higher PriorityTier take the resources of lower ones (preemption.md §2, §3).
#include <algorithm>

#include "sim/sched/preempt/registry.hpp"

namespace rehearse {
namespace {

class PreemptPartitionPrio final : public PreemptPlugin {
 public:
  explicit PreemptPartitionPrio(const Cluster& cluster) : cluster_(cluster) {}

  [[nodiscard]] bool may_preempt(const PreemptSide& preemptor,
                                 const PreemptSide& victim) const override {
    const PartitionConf& above = conf_of(preemptor.partition);
    const PartitionConf& below = conf_of(victim.partition);
    return below.priority_tier < above.priority_tier && mode_in(below) != PreemptMode::Off;
  }

  [[nodiscard]] bool has_prey(const PreemptSide& preemptor) const override {
    return std::any_of(
        cluster_.partitions.begin(), cluster_.partitions.end(), [&](const Partition& victims) {
          return victims.conf.priority_tier < conf_of(preemptor.partition).priority_tier &&
                 mode_in(victims.conf) != PreemptMode::Off;
        });
  }

  /// Of a higher tier, with a node in common; whatever PreemptMode of the lower.
  [[nodiscard]] bool precedes(const PreemptSide& a, const PreemptSide& b) const override {
    return is_over(cluster_.partitions[a.partition], cluster_.partitions[b.partition]);
  }

  [[nodiscard]] bool precedes_any(const PreemptSide& a) const override {
    return std::any_of(
        cluster_.partitions.begin(), cluster_.partitions.end(),
        [&](const Partition& other) { return is_over(cluster_.partitions[a.partition], other); });
  }

  [[nodiscard]] PreemptMode mode_of(const Job& victim) const override {
    return mode_in(conf_of(victim.partition));
  }

  [[nodiscard]] std::uint64_t rank_of(const Job& victim) const override {
    return preempt_rank(conf_of(victim.partition).priority_tier, victim.allocation.nodes.size());
  }

  [[nodiscard]] Seconds grace_of(const Job& victim) const override {
    return conf_of(victim.partition).grace_time;
  }

 private:
  [[nodiscard]] static bool is_over(const Partition& above, const Partition& below) {
    return below.conf.priority_tier < above.conf.priority_tier &&
           below.nodes.intersects(above.nodes);
  }
  [[nodiscard]] const PartitionConf& conf_of(PartitionId partition) const {
    return cluster_.partitions[partition].conf;
  }
  [[nodiscard]] PreemptMode mode_in(const PartitionConf& partition) const {
    return partition.preempt_mode.value_or(cluster_.conf.preempt_mode);
  }

  const Cluster& cluster_;
};

}  // namespace

std::unique_ptr<PreemptPlugin> make_preempt_partition_prio(const Cluster& cluster) {
  return std::make_unique<PreemptPartitionPrio>(cluster);
}

}  // namespace rehearse
