// sim/sched/limit_reason.hpp — which reason tells that a TRES limit stands in the way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sim/cluster/reason.hpp"

namespace rehearse {

/// Limits by TRES, in the order in which they are tested after node selection (limits.md §6.4).
enum class TresLimitKind : std::uint8_t {
  GrpMins,
  Grp,
  GrpRunMins,
  MaxMins,
  Max,
  MaxPerNode,
  MinPerJob,
  MaxPerAccount,
  MaxPerUser,
  MaxRunMinsPerAccount,  // this and the next from 24.05 on
  MaxRunMinsPerUser,
};
inline constexpr std::size_t kTresLimitKindCount = 11;

/// The columns of limits.md §10.
enum class TresClass : std::uint8_t {
  Cpu,
  Mem,
  Node,
  Gres,
  Billing,
  Energy,
  License,
  BurstBuffer,
  Other,
};
inline constexpr std::size_t kTresClassCount = 9;

enum class LimitOwner : std::uint8_t { Association, Qos };

/// The class of a TRES by its name in the table.
[[nodiscard]] TresClass tres_class(std::string_view name);

/// None where that owner has no such limit.
[[nodiscard]] Reason limit_reason(LimitOwner owner, TresLimitKind kind, TresClass tres);

}  // namespace rehearse
