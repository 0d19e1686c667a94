// sim/sched/select/core_view.hpp — which cores a step of a placement test may use (scheduling.md
// §6.3).
#pragma once

#include <optional>
#include <vector>

#include "sim/cluster/ledger.hpp"
#include "sim/cluster/node.hpp"

namespace rehearse {

/// Cores free in one step: all, those held by nobody, or those not held by some partitions or row.
struct CoreView {
  enum class Kind { All, Unheld, Beside };
  Kind kind = Kind::Unheld;
  std::vector<PartitionId> avoided;  ///< Beside: whose cores are not free
  PartitionId own{};                 ///< Beside: whose `row` is not free either
  std::optional<std::size_t> row;
  std::size_t overlaid =
      0;  ///< of the first of `avoided` a job that takes whole nodes has the cores

  [[nodiscard]] CoreSet free(const Ledger& ledger, const Node& node) const;
  /// Of a share those cores that no job of an overlaid partition holds.
  [[nodiscard]] CoreSet beside_overlaid(const Ledger& ledger, const NodeShare& share) const;
  /// Whether a job that takes whole nodes may have the node: no core is avoided but overlaid ones.
  [[nodiscard]] bool is_whole(const Ledger& ledger, const Node& node) const;
};

}  // namespace rehearse
