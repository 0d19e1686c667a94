// sim/controller/refusals.hpp — slurmctld's words where both a submission and an update are
// refused.
#pragma once

namespace rehearse {

inline constexpr const char* kBadDependency = "Job dependency problem";
inline constexpr const char* kBadTimeMin =
    "Invalid time-min specification (exceeds job's time or other limits)";
inline constexpr const char* kNotSupported = "Requested operation not supported on this system";

}  // namespace rehearse
