// sim/sched/priority/multifactor.hpp — priority/multifactor: the sum, its ticks and its usage.
#pragma once

#include <memory>

#include "sim/sched/policy.hpp"

namespace rehearse {

[[nodiscard]] std::unique_ptr<PriorityPlugin> make_multifactor(Cluster& cluster);

}  // namespace rehearse
