// sim/output/views/shown_priorities.hpp — the priority that a job shows at an instant.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "sim/output/priority_parts.hpp"
#include "sim/output/result.hpp"

namespace rehearse {

/// The partitions that the job waits in, in the order of its list.
[[nodiscard]] std::vector<std::uint32_t> partitions_waited_in(const Result& result,
                                                              std::size_t row);

/// As squeue's %Q and scontrol tell it: of a pending job what sprio adds up, without age where it
/// may not start yet, 0 while it is held; of the others the last. Of several partitions it is that
/// of the one which a loop tries last (priority.md §5).
class ShownPriorities {
 public:
  /// `waits`: waits_at(result, at), which outlives this.
  ShownPriorities(const Result& result, std::int64_t at, const std::vector<std::uint32_t>& waits);
  [[nodiscard]] std::int64_t of(std::size_t row) const;
  /// True if that is 0. Of a pending job by its Reason then: what is held or released later says
  /// nothing of this instant.
  [[nodiscard]] bool is_held(std::size_t row) const;

 private:
  const Result& result_;
  std::int64_t at_;
  const std::vector<std::uint32_t>& waits_;
  std::map<std::uint32_t, double> fair_shares_;  ///< by association
  PartsOverTime over_time_;
};

}  // namespace rehearse
