// sim/cluster/refusals.hpp — slurmctld's words that more than one kind of request is refused with.
#pragma once

namespace rehearse {

inline constexpr const char* kBadDependency = "Job dependency problem";
inline constexpr const char* kBadFeature = "Invalid feature specification";
inline constexpr const char* kBadTimeLimit =
    "Requested time limit is invalid (missing or exceeds some limit)";
inline constexpr const char* kBadTimeMin =
    "Invalid time-min specification (exceeds job's time or other limits)";
inline constexpr const char* kDenied = "Access/permission denied";
inline constexpr const char* kInvalidArray = "Invalid job array specification";
inline constexpr const char* kInvalidTime = "Invalid time specified";
inline constexpr const char* kNoSuchLicense = "Invalid license specification";
inline constexpr const char* kNodesBusy = "Requested nodes are busy";
inline constexpr const char* kNotSupported = "Requested operation not supported on this system";
inline constexpr const char* kOverlap = "Requested reservation overlaps with another reservation";

}  // namespace rehearse
