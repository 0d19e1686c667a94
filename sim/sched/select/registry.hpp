// sim/sched/select/registry.hpp — the select plugins by name.
#pragma once

#include <memory>

#include "sim/sched/policy.hpp"
#include "sim/sched/select/context.hpp"

namespace rehearse {

[[nodiscard]] std::unique_ptr<SelectPlugin> make_cons_tres(const SelectContext& context);

}  // namespace rehearse
