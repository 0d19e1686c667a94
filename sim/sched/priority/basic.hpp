// sim/sched/priority/basic.hpp — priority/basic: first come, first served.
#pragma once

#include <memory>

#include "sim/sched/policy.hpp"

namespace rehearse {

[[nodiscard]] std::unique_ptr<PriorityPlugin> make_basic();

}  // namespace rehearse
