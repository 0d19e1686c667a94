// sim/config/slurm_version.cpp — the table of differences between 22.05 and 25.05: since when,
// what, and where the reference says so.
#include "sim/config/slurm_version.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sim/config/text.hpp"

namespace rehearse {
namespace {

constexpr SlurmVersion k2302{23, 2}, k2311{23, 11}, k2405{24, 5}, k2411{24, 11}, k2505{25, 5};
constexpr std::array kReleases = {SlurmVersion{22, 5}, k2302, k2311, k2405, k2411, k2505};

struct Switched {
  Change change;
  SlurmVersion since;
  std::string_view what, section;
};

// One row a Change, in its order.
constexpr Switched kSwitched[] = {
    {Change::KeysComeAndGo, k2302, "keys and words of slurm.conf exist as that release knows them",
     "formats.md §6.6"},
    {Change::CapacityInWholeTasks, k2302,
     "a node's CPUs are cut to what whole tasks use, for jobs without GRES (as from 23.02.5)",
     "scheduling.md §6.2"},
    {Change::FavorSmallCountsNoNegativeNodes, k2302,
     "PriorityFavorSmall: the node part of a job larger than the machine is 0, not huge",
     "priority.md §3.4"},
    {Change::PlansWithinArrayLimit, k2302,
     "backfill plans no more tasks of an array than its %N leaves", "scheduling.md §8.7"},
    {Change::JobTestCountsStartedTasks, k2302,
     "bf_max_job_test is tested after each started array task too", "scheduling.md §8.2"},
    {Change::DeferBatchIsAWord, k2302,
     "defer_batch is a word of its own; 22.05 finds `defer` in it", "scheduling.md §2.2"},
    {Change::UnknownDependencyIsRefused, k2302,
     "afterok and afternotok of an unknown job are refused at submission, not fulfilled",
     "lifecycle.md §8"},
    {Change::NoMemoryIsZero, k2302, "sacct prints 0 where no memory was recorded, not `16?`",
     "formats.md §10.3"},
    {Change::PreemptParametersKey, k2302,
     "the order of victims is read from PreemptParameters, beside SchedulerParameters",
     "preemption.md §1"},
    {Change::ConsTresByDefault, k2311, "SelectType defaults to select/cons_tres, not select/linear",
     "scheduling.md §13"},
    {Change::ConsResIsGone, k2311, "select/cons_res does not exist", "formats.md §9"},
    {Change::MultifactorByDefault, k2311,
     "PriorityType defaults to priority/multifactor, not priority/basic", "scheduling.md §13"},
    {Change::TopologyOfBlocks, k2311,
     "topology/default and topology/block exist (blocks are not simulated)", "formats.md §6.1"},
    {Change::GresSiteFlags, k2311,
     "SelectTypeParameters accepts ENFORCE_BINDING_GRES and other GRES flags", "gres.md §4.7"},
    {Change::SharedGresFitsOneDevice, k2311,
     "mps and shard beyond what one device holds are refused, not left waiting", "gres.md §2.5"},
    {Change::NoSingleSocketForOneCpu, k2311,
     "enforce-binding with --gpus: a job of one CPU is not kept to one socket", "gres.md §3.1"},
    {Change::UsedSocketsBeforeThePool, k2311,
     "devices of used sockets are taken before those of any socket, not after", "gres.md §4.7"},
    {Change::LimitChangeScaledByUsageFactor, k2311,
     "a changed limit of a running job commits run time scaled by the QOS UsageFactor",
     "limits.md §13"},
    {Change::RelativeQos, k2311,
     "QOS flag Relative: TRES limits are percentages of the cluster, or of the partition",
     "limits.md §13"},
    {Change::AssociationsByLineage, k2311,
     "siblings in the account tree are listed by name from the start, not by age",
     "priority.md §7.3"},
    {Change::GresWithASlash, k2311, "tools print gres/gpu:2, not gres:gpu:2", "outputs.md §1"},
    {Change::EstimateWeighsAfresh, k2311,
     "node weights are recomputed for each estimate, not left from the last selection",
     "scheduling.md §5.5"},
    {Change::ArrayShowsFirstPlan, k2311,
     "squeue --start shows an array's first planned task, not what its last test found",
     "scheduling.md §8.9"},
    {Change::StartReceivedSpelledRight, k2311, "sacct's flag StartRecieved became StartReceived",
     "formats.md §10.2"},
    {Change::AllLimitReasonsBlock, k2405, "every limit reason counts as policy-blocked",
     "limits.md §6.4"},
    {Change::StrictestAccrualLimit, k2405,
     "the most restrictive accrual limit of a QOS counts, not the first that is set",
     "limits.md §8"},
    {Change::RunMinutesOfUsersAreEnforced, k2405,
     "MaxTRESRunMinsPerUser and MaxTRESRunMinsPerAccount are enforced", "limits.md §13"},
    {Change::PlanIsAtLeastOneSlot, k2405,
     "a plan is tested against the others over at least one bf_resolution", "scheduling.md §13"},
    {Change::PlanEndsRoundedUp, k2411, "the end of a plan is rounded up to bf_resolution, not down",
     "scheduling.md §13"},
    {Change::FlatTopology, k2505, "topology/flat exists", "formats.md §6.1"},
    {Change::StartOfSelectedNodes, k2505,
     "a predicted start is the last end on the selected nodes, not that of the whole bunch",
     "scheduling.md §7"},
    {Change::TimeMinRaisedAgain, k2505,
     "a job that backfill started with --time-min gets its limit back as far as plans allow",
     "scheduling.md §8.7"},
    {Change::MaxTresGres, k2505, "PriorityFlags=MAX_TRES_GRES is a flag of its own, not MAX_TRES",
     "priority.md §12"},
    {Change::PreemptModePriority, k2505,
     "PreemptMode has the flag PRIORITY: a victim's priority is lower too", "preemption.md §1"},
    {Change::LicensesWithOr, k2505, "a job may ask for one of several licences (-L a|b)",
     "scheduling.md §10"},
};

constexpr bool in_order() {
  for (std::size_t i = 0; i < std::size(kSwitched); ++i) {
    if (static_cast<std::size_t>(kSwitched[i].change) != i) return false;
  }
  return std::size(kSwitched) == static_cast<std::size_t>(Change::LicensesWithOr) + 1;
}
static_assert(in_order(), "a row for each Change, in its order");

struct NotSimulated {
  SlurmVersion since;
  std::string_view what, section;
};

constexpr NotSimulated kNotSimulated[] = {
    {k2302, "licences are tested inside selection, also without reclaim_licenses",
     "scheduling.md §10"},
    {k2302, "mps and shard may be asked for by task with more tasks than one", "gres.md §2.2"},
    {k2302, "best-effort binding of GPUs uses tasks by GPU", "gres.md §4.7"},
    {k2302, "a batch job is held after MaxBatchRequeue requeues", "lifecycle.md §4"},
    {k2302, "sprio shows multi-partition jobs with a direct priority right", "priority.md §12"},
    {k2302, "nodes in power saving are ordered by Weight too", "lifecycle.md §14"},
    {k2302, "a gres.conf record with Flags=explicit is not handed out by --exclusive",
     "gres.md §1.3"},
    {k2311, "associations are ordered by name from the start (every release is emulated so)",
     "priority.md §7.3"},
    {k2311, "the record of --prefer stands before the plain one", "priority.md §9"},
    {k2311, "time_min_as_soft_limit and extra_constraints", "scheduling.md §13"},
    {k2311, "backfill tests its window against a plan's end", "scheduling.md §13"},
    {k2311, "what ENFORCE_BINDING_GRES, LL_SHARED_GRES and the other GRES flags do",
     "gres.md §4.7"},
    {k2311, "reservations can hold GRES", "gres.md §4.7"},
    {k2405, "priorities by partition are rebuilt when partitions change", "priority.md §12"},
    {k2405, "RestrictedCoresPerGPU, and GPUs by socket in proportion to its cores", "gres.md §4.7"},
    {k2405, "linked devices are taken least linked first (a defect)", "gres.md §4.7"},
    {k2411, "several QOS a job", "limits.md §13"},
    {k2411, "the estimate searches within the interval that backfill asks for", "scheduling.md §7"},
    {k2411, "bf_allow_magnetic_slot, bf_topopt_*, planning of exclusive users",
     "scheduling.md §13"},
    {k2505, "a job of a FLEX or ANY_NODES reservation blocks only other nodes",
     "scheduling.md §13"},
    {k2505, "DefMemPerGPU counts in the requested memory; several types by task", "gres.md §4.7"},
    {k2505, "bf_yield_rpc_cnt, topology.yaml", "scheduling.md §13"},
};

}  // namespace

std::optional<SlurmVersion> parse_slurm_version(std::string_view text) {
  for (const SlurmVersion& version : kReleases) {
    const std::string name = to_text(version);
    if (!text.starts_with(name)) continue;
    const std::string_view rest = text.substr(name.size());
    const bool is_patch = rest.size() > 1 && rest.front() == '.' &&
                          std::all_of(rest.begin() + 1, rest.end(), is_digit);
    if (rest.empty() || is_patch) return version;
  }
  return std::nullopt;
}

std::string to_text(SlurmVersion version) {
  return fmt::format("{}.{:02}", version.major, version.minor);
}

std::string known_slurm_versions() {
  std::string list;
  for (const SlurmVersion& version : kReleases) {
    list += (list.empty() ? "" : ", ") + to_text(version);
  }
  return list;
}

bool has(SlurmVersion version, Change change) {
  return version >= kSwitched[static_cast<std::size_t>(change)].since;
}

VersionDifference difference_of(Change change) {
  const Switched& row = kSwitched[static_cast<std::size_t>(change)];
  return {row.since, row.what, row.section, true};
}

std::vector<VersionDifference> version_differences() {
  std::vector<VersionDifference> rows;
  for (const Switched& row : kSwitched) rows.push_back(difference_of(row.change));
  for (const NotSimulated& row : kNotSimulated) {
    rows.push_back({row.since, row.what, row.section, false});
  }
  return rows;
}

std::vector<VersionDifference> differences_in_force(SlurmVersion version) {
  std::vector<VersionDifference> rows = version_differences();
  std::erase_if(rows, [&](const VersionDifference& row) { return row.since > version; });
  return rows;
}

std::string to_text(const VersionDifference& difference) {
  return fmt::format("since {}: {} ({})", to_text(difference.since), difference.what,
                     difference.section);
}

}  // namespace rehearse
