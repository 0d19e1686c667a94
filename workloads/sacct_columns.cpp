// workloads/sacct_columns.cpp — the field table of sacct, 16.05 to 25.05.
#include "workloads/sacct_columns.hpp"

#include <algorithm>

#include "sim/config/units.hpp"

namespace rehearse {
namespace {

struct Known {
  std::string_view name;
  Column column;
};

constexpr Known kUsed[] = {
    {"JobID", Column::JobId},
    {"JobIDRaw", Column::JobIdRaw},
    {"JobName", Column::JobName},
    {"User", Column::User},
    {"Account", Column::Account},
    {"Partition", Column::Partition},
    {"QOS", Column::Qos},
    {"QOSREQ", Column::QosRequested},
    {"Cluster", Column::Cluster},
    {"Submit", Column::Submit},
    {"Eligible", Column::Eligible},
    {"Start", Column::Start},
    {"End", Column::End},
    {"Elapsed", Column::Elapsed},
    {"ElapsedRaw", Column::ElapsedRaw},
    {"Suspended", Column::Suspended},
    {"Timelimit", Column::TimeLimit},
    {"TimelimitRaw", Column::TimeLimitRaw},
    {"State", Column::State},
    {"ExitCode", Column::ExitCode},
    {"NNodes", Column::NNodes},
    {"ReqNodes", Column::ReqNodes},
    {"AllocNodes", Column::AllocNodes},
    {"NCPUS", Column::NCpus},
    {"ReqCPUS", Column::ReqCpus},
    {"AllocCPUS", Column::AllocCpus},
    {"ReqMem", Column::ReqMem},
    {"ReqTRES", Column::ReqTres},
    {"AllocTRES", Column::AllocTres},
    {"NodeList", Column::NodeList},
    {"Constraints", Column::Constraints},
    {"Reason", Column::Reason},
    {"SubmitLine", Column::SubmitLine},
    {"Reservation", Column::Reservation},
    {"WCKey", Column::WcKey},
    {"Licenses", Column::Licenses},
    {"Flags", Column::Flags},
    {"MaxRSS", Column::MaxRss},
};

constexpr std::string_view kUnused[] = {
    "AdminComment",
    "AllocGRES",
    "AssocID",
    "AveCPU",
    "AveCPUFreq",
    "AveDiskRead",
    "AveDiskWrite",
    "AvePages",
    "AveRSS",
    "AveVMSize",
    "BlockID",
    "Comment",
    "ConsumedEnergy",
    "ConsumedEnergyRaw",
    "Container",
    "CPUTime",
    "CPUTimeRAW",
    "DBIndex",
    "DerivedExitCode",
    "Extra",
    "FailedNode",
    "GID",
    "Group",
    "Layout",
    "MaxDiskRead",
    "MaxDiskReadNode",
    "MaxDiskReadTask",
    "MaxDiskWrite",
    "MaxDiskWriteNode",
    "MaxDiskWriteTask",
    "MaxPages",
    "MaxPagesNode",
    "MaxPagesTask",
    "MaxRSSNode",
    "MaxRSSTask",
    "MaxVMSize",
    "MaxVMSizeNode",
    "MaxVMSizeTask",
    "McsLabel",
    "MinCPU",
    "MinCPUNode",
    "MinCPUTask",
    "NTasks",
    "Planned",
    "PlannedCPU",
    "PlannedCPURAW",
    "Priority",
    "QOSRAW",
    "ReqCPUFreq",
    "ReqCPUFreqGov",
    "ReqCPUFreqMax",
    "ReqCPUFreqMin",
    "ReqGRES",
    "ReqReservation",
    "ReservationId",
    "Reserved",
    "Restarts",
    "ResvCPU",
    "ResvCPURAW",
    "SegmentSize",
    "SLUID",
    "StdErr",
    "StdIn",
    "StdOut",
    "SystemComment",
    "SystemCPU",
    "TotalCPU",
    "TRESUsageInAve",
    "TRESUsageInMax",
    "TRESUsageInMaxNode",
    "TRESUsageInMaxTask",
    "TRESUsageInMin",
    "TRESUsageInMinNode",
    "TRESUsageInMinTask",
    "TRESUsageInTot",
    "TRESUsageOutAve",
    "TRESUsageOutMax",
    "TRESUsageOutMaxNode",
    "TRESUsageOutMaxTask",
    "TRESUsageOutMin",
    "TRESUsageOutMinNode",
    "TRESUsageOutMinTask",
    "TRESUsageOutTot",
    "UID",
    "UserCPU",
    "WCKeyID",
    "WorkDir",
};

}  // namespace

std::optional<Column> column_by_name(std::string_view name) {
  for (const Known& known : kUsed) {
    if (equals_ignoring_case(known.name, name)) return known.column;
  }
  const bool unused = std::any_of(std::begin(kUnused), std::end(kUnused),
                                  [&](auto known) { return equals_ignoring_case(known, name); });
  if (unused) return Column::Other;
  return std::nullopt;
}

}  // namespace rehearse
