// sim/sched/orders/registry.hpp — from policy.order to a rule, and to the plugin that asks it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/sched/orders/rule.hpp"
#include "sim/sched/policy.hpp"

namespace rehearse {

/// Null: there is no such rule.
[[nodiscard]] OrderRule* find_order_rule(std::string_view name);

/// policy.order names neither a rule nor `slurm`: an error with those there are.
void check_order(const PolicyConf& conf, Diagnostics& found);

/// Priorities by the answers of `rule`, new at every tick of PriorityCalcPeriod. Nice values and
/// usage do not count; what an admin set stays.
[[nodiscard]] std::unique_ptr<PriorityPlugin> make_ordered(const Cluster& cluster, OrderRule& rule);

/// Answers as priorities: 2 .. 2^32 - 16, in the same order.
[[nodiscard]] std::uint32_t order_priority(double answer);

}  // namespace rehearse
