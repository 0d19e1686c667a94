// sim/cluster/reason.hpp — why a job waits or how it ended, in squeue's exact words.
//
// Source: lifecycle.md §15 and limits.md §10 (Slurm 22.05).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sim/config/site_conf.hpp"

namespace rehearse {

// Several to a line; reason.cpp has a word for each, in this order.
// clang-format off
enum class Reason : std::uint16_t {
  None, Priority, Resources, Dependency, DependencyNeverSatisfied, BeginTime, JobHeldUser,
  JobHeldAdmin, JobHoldMaxRequeue, JobArrayTaskLimit, Licenses, Reservation, ReservationDeleted,
  ReqNodeNotAvail, Cleaning, Prolog, PartitionDown, PartitionInactive, PartitionNodeLimit,
  PartitionTimeLimit, PartitionConfig, AccountNotAllowed, QOSNotAllowed, QOSUsageThreshold,
  InvalidAccount, InvalidQOS, AccountingPolicy, BadConstraints, SystemFailure, JobLaunchFailure,
  NonZeroExitCode, TimeLimit, InactiveLimit, NodeDown, OutOfMemory, DeadLine, MaxMemPerLimit,
  SchedDefer, FedJobLock, FrontEndDown, BurstBufferResources, BurstBufferStageIn,
  BurstBufferOperation, PowerNotAvail, PowerReserved, AssocGrpCpuLimit, AssocGrpMemLimit,
  AssocGrpNodeLimit, AssocGrpGRES, AssocGrpBilling, AssocGrpEnergy, AssocGrpLicense, AssocGrpBB,
  AssocGrpUnknown, AssocGrpCPUMinutesLimit, AssocGrpMemMinutes, AssocGrpNodeMinutes,
  AssocGrpGRESMinutes, AssocGrpBillingMinutes, AssocGrpEnergyMinutes, AssocGrpLicenseMinutes,
  AssocGrpBBMinutes, AssocGrpUnknownMinutes, AssocGrpCPURunMinutesLimit, AssocGrpMemRunMinutes,
  AssocGrpNodeRunMinutes, AssocGrpGRESRunMinutes, AssocGrpBillingRunMinutes,
  AssocGrpEnergyRunMinutes, AssocGrpLicenseRunMinutes, AssocGrpBBRunMinutes,
  AssocGrpUnknownRunMinutes, AssocMaxCpuPerJobLimit, AssocMaxMemPerJob, AssocMaxNodePerJobLimit,
  AssocMaxGRESPerJob, AssocMaxBillingPerJob, AssocMaxEnergyPerJob, AssocMaxLicensePerJob,
  AssocMaxBBPerJob, AssocMaxUnknownPerJob, AssocMaxCpuMinutesPerJobLimit,
  AssocMaxMemMinutesPerJob, AssocMaxNodeMinutesPerJob, AssocMaxGRESMinutesPerJob,
  AssocMaxBillingMinutesPerJob, AssocMaxEnergyMinutesPerJob, AssocMaxLicenseMinutesPerJob,
  AssocMaxBBMinutesPerJob, AssocMaxUnknownMinutesPerJob, AssocMaxCpuPerNode, AssocMaxMemPerNode,
  AssocMaxUnknownPerNode, AssocMaxGRESPerNode, AssocMaxBillingPerNode, AssocMaxEnergyPerNode,
  AssocMaxBBPerNode, QOSGrpCpuLimit, QOSGrpMemLimit, QOSGrpNodeLimit, QOSGrpGRES, QOSGrpBilling,
  QOSGrpEnergy, QOSGrpLicense, QOSGrpBB, QOSGrpUnknown, QOSGrpCPUMinutesLimit,
  QOSGrpMemoryMinutes, QOSGrpNodeMinutes, QOSGrpGRESMinutes, QOSGrpBillingMinutes,
  QOSGrpEnergyMinutes, QOSGrpLicenseMinutes, QOSGrpBBMinutes, QOSGrpUnknownMinutes,
  QOSGrpCPURunMinutesLimit, QOSGrpMemoryRunMinutes, QOSGrpNodeRunMinutes, QOSGrpGRESRunMinutes,
  QOSGrpBillingRunMinutes, QOSGrpEnergyRunMinutes, QOSGrpLicenseRunMinutes, QOSGrpBBRunMinutes,
  QOSGrpUnknownRunMinutes, QOSMaxCpuPerJobLimit, QOSMaxMemoryPerJob, QOSMaxNodePerJobLimit,
  QOSMaxGRESPerJob, QOSMaxBillingPerJob, QOSMaxEnergyPerJob, QOSMaxLicensePerJob,
  QOSMaxBBPerJob, QOSMaxUnknownPerJob, QOSMaxCpuMinutesPerJobLimit, QOSMaxMemoryMinutesPerJob,
  QOSMaxNodeMinutesPerJob, QOSMaxGRESMinutesPerJob, QOSMaxBillingMinutesPerJob,
  QOSMaxEnergyMinutesPerJob, QOSMaxLicenseMinutesPerJob, QOSMaxUnknownMinutesPerJob,
  QOSMaxCpuPerNode, QOSMaxMemoryPerNode, QOSMaxUnknownPerNode, QOSMaxGRESPerNode,
  QOSMaxBillingPerNode, QOSMaxEnergyPerNode, QOSMaxBBPerNode, QOSMaxCpuPerUserLimit,
  QOSMaxMemoryPerUser, QOSMaxNodePerUserLimit, QOSMaxGRESPerUser, QOSMaxBillingPerUser,
  QOSMaxEnergyPerUser, QOSMaxLicensePerUser, QOSMaxBBPerUser, QOSMaxUnknownPerUser,
  MaxCpuPerAccount, MaxMemoryPerAccount, MaxNodePerAccount, MaxGRESPerAccount,
  MaxBillingPerAccount, MaxEnergyPerAccount, MaxLicensePerAccount, MaxBBPerAccount,
  MaxUnknownPerAccount, MaxCpuRunMinsPerAccount, MaxMemoryRunMinsPerAccount,
  MaxNodeRunMinsPerAccount, MaxGRESRunMinsPerAccount, MaxBillingRunMinsPerAccount,
  MaxEnergyRunMinsPerAccount, MaxLicenseRunMinsPerAccount, MaxBBRunMinsPerAccount,
  MaxUnknownRunMinsPerAccount, MaxCpuRunMinsPerUser, MaxMemoryRunMinsPerUser,
  MaxNodeRunMinsPerUser, MaxGRESRunMinsPerUser, MaxBillingRunMinsPerUser, MaxEnergyRunMinsPerUser,
  MaxLicenseRunMinsPerUser, MaxBBRunMinsPerUser, MaxUnknownRunMinsPerUser, QOSMinCpuNotSatisfied,
  QOSMinMemory, QOSMinNode, QOSMinGRES,
  QOSMinBilling, QOSMinEnergy, QOSMinLicense, QOSMinBB, QOSMinUnknown, AssocGrpJobsLimit,
  QOSGrpJobsLimit, AssocGrpSubmitJobsLimit, QOSGrpSubmitJobsLimit, AssocGrpWallLimit,
  QOSGrpWallLimit, AssocMaxJobsLimit, QOSMaxJobsPerUserLimit, MaxJobsPerAccount,
  AssocMaxSubmitJobLimit, QOSMaxSubmitJobPerUserLimit, MaxSubmitJobsPerAccount,
  AssocMaxWallDurationPerJobLimit, QOSMaxWallDurationPerJobLimit, AssociationJobLimit,
  AssociationResourceLimit, AssociationTimeLimit, QOSJobLimit, QOSResourceLimit, QOSTimeLimit,
};
// clang-format on

inline constexpr std::size_t kReasonCount = 213;

/// The word that squeue prints.
[[nodiscard]] std::string_view to_text(Reason reason);

/// What jobs show that no node is left to while their partition is under maintenance.
inline constexpr std::string_view kReservedForMaintenance =
    "ReqNodeNotAvail, Reserved for maintenance";

/// True for the reasons that count as "blocked by policy" in 22.05–23.11 (limits.md §6.4).
[[nodiscard]] bool is_policy_blocked(Reason reason);
/// The same in that release: from 24.05 on every reason of a limit counts.
[[nodiscard]] bool is_policy_blocked(Reason reason, SlurmVersion version);

}  // namespace rehearse
