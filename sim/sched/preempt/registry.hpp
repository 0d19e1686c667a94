// sim/sched/preempt/registry.hpp — the factories of this room; only registry.cpp calls them.
#pragma once

#include "sim/sched/preempt/plugin.hpp"

namespace rehearse {

[[nodiscard]] std::unique_ptr<PreemptPlugin> make_preempt_none(const Cluster& cluster);
[[nodiscard]] std::unique_ptr<PreemptPlugin> make_preempt_qos(const Cluster& cluster);
[[nodiscard]] std::unique_ptr<PreemptPlugin> make_preempt_partition_prio(const Cluster& cluster);

}  // namespace rehearse
