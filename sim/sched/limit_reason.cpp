// sim/sched/limit_reason.cpp — the table of limits.md §10: limit × kind of TRES → reason.
#include "sim/sched/limit_reason.hpp"

#include <array>
#include <string_view>

namespace rehearse {
namespace {

using R = Reason;
using ReasonRow = std::array<Reason, kTresClassCount>;
using ReasonRows = std::array<ReasonRow, kTresLimitKindCount>;

// Columns: cpu, mem, node, gres, billing, energy, license, bb, other. None: no such limit.
// QOS MaxTRESMins of bb is told as the association's; so it is in Slurm.
constexpr std::array<ReasonRows, 2> kTable{{
    // of associations
    ReasonRows{{
        /* GrpTRESMins */ {
            R::AssocGrpCPUMinutesLimit, R::AssocGrpMemMinutes, R::AssocGrpNodeMinutes,
            R::AssocGrpGRESMinutes, R::AssocGrpBillingMinutes, R::AssocGrpEnergyMinutes,
            R::AssocGrpLicenseMinutes, R::AssocGrpBBMinutes, R::AssocGrpUnknownMinutes},
        /* GrpTRES */
        {R::AssocGrpCpuLimit, R::AssocGrpMemLimit, R::AssocGrpNodeLimit, R::AssocGrpGRES,
         R::AssocGrpBilling, R::AssocGrpEnergy, R::AssocGrpLicense, R::AssocGrpBB,
         R::AssocGrpUnknown},
        /* GrpTRESRunMins */
        {R::AssocGrpCPURunMinutesLimit, R::AssocGrpMemRunMinutes, R::AssocGrpNodeRunMinutes,
         R::AssocGrpGRESRunMinutes, R::AssocGrpBillingRunMinutes, R::AssocGrpEnergyRunMinutes,
         R::AssocGrpLicenseRunMinutes, R::AssocGrpBBRunMinutes, R::AssocGrpUnknownRunMinutes},
        /* MaxTRESMins */
        {R::AssocMaxCpuMinutesPerJobLimit, R::AssocMaxMemMinutesPerJob,
         R::AssocMaxNodeMinutesPerJob, R::AssocMaxGRESMinutesPerJob,
         R::AssocMaxBillingMinutesPerJob, R::AssocMaxEnergyMinutesPerJob,
         R::AssocMaxLicenseMinutesPerJob, R::AssocMaxBBMinutesPerJob,
         R::AssocMaxUnknownMinutesPerJob},
        /* MaxTRES */
        {R::AssocMaxCpuPerJobLimit, R::AssocMaxMemPerJob, R::AssocMaxNodePerJobLimit,
         R::AssocMaxGRESPerJob, R::AssocMaxBillingPerJob, R::AssocMaxEnergyPerJob,
         R::AssocMaxLicensePerJob, R::AssocMaxBBPerJob, R::AssocMaxUnknownPerJob},
        /* MaxTRESPerNode */
        {R::AssocMaxCpuPerNode, R::AssocMaxMemPerNode, R::AssocMaxUnknownPerNode,
         R::AssocMaxGRESPerNode, R::AssocMaxBillingPerNode, R::AssocMaxEnergyPerNode,
         R::AssocMaxUnknownPerNode, R::AssocMaxBBPerNode, R::AssocMaxUnknownPerNode},
        /* MinTRES */
        {R::None, R::None, R::None, R::None, R::None, R::None, R::None, R::None, R::None},
        /* MaxTRESPerAccount */
        {R::None, R::None, R::None, R::None, R::None, R::None, R::None, R::None, R::None},
        /* MaxTRESPerUser */
        {R::None, R::None, R::None, R::None, R::None, R::None, R::None, R::None, R::None},
        /* MaxTRESRunMinsPerAccount */
        {R::None, R::None, R::None, R::None, R::None, R::None, R::None, R::None, R::None},
        /* MaxTRESRunMinsPerUser */
        {R::None, R::None, R::None, R::None, R::None, R::None, R::None, R::None, R::None},
    }},
    // of QOS
    ReasonRows{{
        /* GrpTRESMins */ {R::QOSGrpCPUMinutesLimit, R::QOSGrpMemoryMinutes, R::QOSGrpNodeMinutes,
                           R::QOSGrpGRESMinutes, R::QOSGrpBillingMinutes, R::QOSGrpEnergyMinutes,
                           R::QOSGrpLicenseMinutes, R::QOSGrpBBMinutes, R::QOSGrpUnknownMinutes},
        /* GrpTRES */
        {R::QOSGrpCpuLimit, R::QOSGrpMemLimit, R::QOSGrpNodeLimit, R::QOSGrpGRES, R::QOSGrpBilling,
         R::QOSGrpEnergy, R::QOSGrpLicense, R::QOSGrpBB, R::QOSGrpUnknown},
        /* GrpTRESRunMins */
        {R::QOSGrpCPURunMinutesLimit, R::QOSGrpMemoryRunMinutes, R::QOSGrpNodeRunMinutes,
         R::QOSGrpGRESRunMinutes, R::QOSGrpBillingRunMinutes, R::QOSGrpEnergyRunMinutes,
         R::QOSGrpLicenseRunMinutes, R::QOSGrpBBRunMinutes, R::QOSGrpUnknownRunMinutes},
        /* MaxTRESMins */
        {R::QOSMaxCpuMinutesPerJobLimit, R::QOSMaxMemoryMinutesPerJob, R::QOSMaxNodeMinutesPerJob,
         R::QOSMaxGRESMinutesPerJob, R::QOSMaxBillingMinutesPerJob, R::QOSMaxEnergyMinutesPerJob,
         R::QOSMaxLicenseMinutesPerJob, R::AssocMaxBBMinutesPerJob, R::QOSMaxUnknownMinutesPerJob},
        /* MaxTRES */
        {R::QOSMaxCpuPerJobLimit, R::QOSMaxMemoryPerJob, R::QOSMaxNodePerJobLimit,
         R::QOSMaxGRESPerJob, R::QOSMaxBillingPerJob, R::QOSMaxEnergyPerJob, R::QOSMaxLicensePerJob,
         R::QOSMaxBBPerJob, R::QOSMaxUnknownPerJob},
        /* MaxTRESPerNode */
        {R::QOSMaxCpuPerNode, R::QOSMaxMemoryPerNode, R::QOSMaxUnknownPerNode, R::QOSMaxGRESPerNode,
         R::QOSMaxBillingPerNode, R::QOSMaxEnergyPerNode, R::QOSMaxUnknownPerNode,
         R::QOSMaxBBPerNode, R::QOSMaxUnknownPerNode},
        /* MinTRES */
        {R::QOSMinCpuNotSatisfied, R::QOSMinMemory, R::QOSMinNode, R::QOSMinGRES, R::QOSMinBilling,
         R::QOSMinEnergy, R::QOSMinLicense, R::QOSMinBB, R::QOSMinUnknown},
        /* MaxTRESPerAccount */
        {R::MaxCpuPerAccount, R::MaxMemoryPerAccount, R::MaxNodePerAccount, R::MaxGRESPerAccount,
         R::MaxBillingPerAccount, R::MaxEnergyPerAccount, R::MaxLicensePerAccount,
         R::MaxBBPerAccount, R::MaxUnknownPerAccount},
        /* MaxTRESPerUser */
        {R::QOSMaxCpuPerUserLimit, R::QOSMaxMemoryPerUser, R::QOSMaxNodePerUserLimit,
         R::QOSMaxGRESPerUser, R::QOSMaxBillingPerUser, R::QOSMaxEnergyPerUser,
         R::QOSMaxLicensePerUser, R::QOSMaxBBPerUser, R::QOSMaxUnknownPerUser},
        /* MaxTRESRunMinsPerAccount */
        {R::MaxCpuRunMinsPerAccount, R::MaxMemoryRunMinsPerAccount, R::MaxNodeRunMinsPerAccount,
         R::MaxGRESRunMinsPerAccount, R::MaxBillingRunMinsPerAccount, R::MaxEnergyRunMinsPerAccount,
         R::MaxLicenseRunMinsPerAccount, R::MaxBBRunMinsPerAccount, R::MaxUnknownRunMinsPerAccount},
        /* MaxTRESRunMinsPerUser */
        {R::MaxCpuRunMinsPerUser, R::MaxMemoryRunMinsPerUser, R::MaxNodeRunMinsPerUser,
         R::MaxGRESRunMinsPerUser, R::MaxBillingRunMinsPerUser, R::MaxEnergyRunMinsPerUser,
         R::MaxLicenseRunMinsPerUser, R::MaxBBRunMinsPerUser, R::MaxUnknownRunMinsPerUser},
    }},
}};

}  // namespace

TresClass tres_class(std::string_view name) {
  if (name == "cpu") return TresClass::Cpu;
  if (name == "mem") return TresClass::Mem;
  if (name == "node") return TresClass::Node;
  if (name == "billing") return TresClass::Billing;
  if (name == "energy") return TresClass::Energy;
  if (name.starts_with("gres/")) return TresClass::Gres;
  if (name.starts_with("license/")) return TresClass::License;
  if (name.starts_with("bb/")) return TresClass::BurstBuffer;
  return TresClass::Other;
}

Reason limit_reason(LimitOwner owner, TresLimitKind kind, TresClass tres) {
  return kTable[static_cast<std::size_t>(owner)][static_cast<std::size_t>(kind)]
               [static_cast<std::size_t>(tres)];
}

}  // namespace rehearse
