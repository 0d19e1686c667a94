// sim/sched/preempt/registry.hpp — the factories of this room; only registry.cpp calls them, and
// Preemption that of quotas.
#pragma once

#include "sim/sched/preempt/plugin.hpp"

namespace rehearse {

class Quotas;

[[nodiscard]] std::unique_ptr<PreemptPlugin> make_preempt_none(const Cluster& cluster);
[[nodiscard]] std::unique_ptr<PreemptPlugin> make_preempt_qos(const Cluster& cluster);
[[nodiscard]] std::unique_ptr<PreemptPlugin> make_preempt_partition_prio(const Cluster& cluster);

[[nodiscard]] std::unique_ptr<PreemptPlugin> make_preempt_quota(const Cluster& cluster,
                                                                const Quotas& quotas);

}  // namespace rehearse
