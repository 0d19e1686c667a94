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

  [[nodiscard]] CoreSet free(const Ledger& ledger, const Node& node) const;
};

}  // namespace rehearse
