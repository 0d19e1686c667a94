// sim/config/slurm_version.hpp — which release of Slurm is emulated, and what it does otherwise
// than 22.05.
//
// The one table of differences. Who decides otherwise from some release on asks
// `has(version, Change::…)`; no release number stands anywhere else, but for the keys of slurm.conf
// (known_keys_*.cpp), which carry theirs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rehearse {

/// A release of Slurm, ordered: 22.05, 23.02, 23.11, 24.05, 24.11, 25.05.
struct SlurmVersion {
  std::uint16_t major = 22, minor = 5;
  friend constexpr auto operator<=>(const SlurmVersion&, const SlurmVersion&) = default;
};

/// "22.05" and its successors, with a maintenance number or without: 22.05.8 behaves as its series.
/// None: not a release this tool knows.
[[nodiscard]] std::optional<SlurmVersion> parse_slurm_version(std::string_view text);
[[nodiscard]] std::string to_text(SlurmVersion version);
/// "22.05, 23.02, …": for hints.
[[nodiscard]] std::string known_slurm_versions();

/// What a later release does otherwise and the simulator with it; the order of the table's rows.
enum class Change : std::uint8_t {
  KeysComeAndGo,  // of known_keys_*.cpp
  CapacityInWholeTasks,
  FavorSmallCountsNoNegativeNodes,
  PlansWithinArrayLimit,
  JobTestCountsStartedTasks,
  DeferBatchIsAWord,
  UnknownDependencyIsRefused,
  NoMemoryIsZero,
  PreemptParametersKey,
  ConsTresByDefault,
  ConsResIsGone,
  MultifactorByDefault,
  TopologyOfBlocks,
  GresSiteFlags,
  SharedGresFitsOneDevice,
  NoSingleSocketForOneCpu,
  UsedSocketsBeforeThePool,
  LimitChangeScaledByUsageFactor,
  RelativeQos,
  AssociationsByLineage,
  GresWithASlash,
  EstimateWeighsAfresh,
  ArrayShowsFirstPlan,
  StartReceivedSpelledRight,
  AllLimitReasonsBlock,
  StrictestAccrualLimit,
  RunMinutesOfUsersAreEnforced,
  PlanIsAtLeastOneSlot,
  PlanEndsRoundedUp,
  FlatTopology,
  StartOfSelectedNodes,
  TimeMinRaisedAgain,
  MaxTresGres,
  PreemptModePriority,
  LicensesWithOr,
};

/// True where `version` behaves as after the change.
[[nodiscard]] bool has(SlurmVersion version, Change change);

/// A row of the table.
struct VersionDifference {
  SlurmVersion since;
  std::string_view what;      ///< since then, against 22.05: one clause
  std::string_view section;   ///< of sim/sched/reference
  bool is_simulated = false;  ///< false: every release is emulated as 22.05, or as `what` says
};

/// The row of a change.
[[nodiscard]] VersionDifference difference_of(Change change);

/// All rows: those that are simulated, in the order of Change, then the others.
[[nodiscard]] std::vector<VersionDifference> version_differences();

/// The rows of `version` and before it: what it does otherwise than 22.05.
[[nodiscard]] std::vector<VersionDifference> differences_in_force(SlurmVersion version);

/// "since 23.11: the default of SelectType is … (scheduling.md §13)".
[[nodiscard]] std::string to_text(const VersionDifference& difference);

}  // namespace rehearse
