// sim/cluster/tres.hpp — Slurm's trackable resources: their table, and amounts of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/cluster/ids.hpp"

namespace rehearse {

/// Amounts by TresIndex, in base units: CPUs, MiB, nodes, devices.
using TresVector = std::vector<std::uint64_t>;
/// Limits by TresIndex; none: not set. Empty vector: no limit at all.
using TresLimits = std::vector<std::optional<std::uint64_t>>;

/// The eight that always exist, then those of AccountingStorageTRES in the order first seen
/// (limits.md §2). "TRES order" is the order of this table.
class TresTable {
 public:
  static constexpr TresIndex kCpu{0}, kMem{1}, kEnergy{2}, kNode{3}, kBilling{4}, kFsDisk{5},
      kVmem{6}, kPages{7};

  explicit TresTable(const std::vector<std::string>& accounting_storage_tres);

  /// The TRES of that name, case-insensitive; none: it is not tracked.
  [[nodiscard]] std::optional<TresIndex> find(std::string_view name) const;
  [[nodiscard]] const std::string& name(TresIndex tres) const { return names_[index_of(tres)]; }
  [[nodiscard]] std::size_t size() const { return names_.size(); }
  [[nodiscard]] TresVector zero() const { return TresVector(names_.size(), 0); }

 private:
  std::vector<std::string> names_;
};

/// `billing=8,cpu=8,gres/gpu=2,mem=64G,node=1`: zero entries left out, sorted as sacct sorts.
[[nodiscard]] std::string format_tres_sacct(const TresTable& table, const TresVector& amounts);
/// `cpu=8,mem=64G,node=1,billing=8,gres/gpu=2`: in TRES order, as scontrol and squeue print.
[[nodiscard]] std::string format_tres_scontrol(const TresTable& table, const TresVector& amounts);

}  // namespace rehearse
