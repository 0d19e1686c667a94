// sim/output/views/pending_row.hpp — why a row waits at an instant, and when it is to start.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "sim/output/result.hpp"

namespace rehearse {

/// The Reason of row `row`, or the description that hides it. `wait`: its row of waits at that
/// instant (waits_at), or kNoRow for the last that is known.
[[nodiscard]] std::string reason_at(const Result& result, std::size_t row, std::uint32_t wait);

/// Held since its reservation was deleted: RESV_DEL_HOLD hides PENDING (lifecycle.md §1).
[[nodiscard]] bool lost_its_reservation(const Result& result, std::size_t row, std::uint32_t wait);

/// For each planned job id its row of plans at `at`.
[[nodiscard]] std::map<std::uint32_t, std::size_t> plans_at(const PlanColumns& plans,
                                                            std::int64_t at);

/// The row of plans that a run's row stands under: that of its job, or of the array whose waiting
/// tasks are told together, of which one is planned.
[[nodiscard]] std::optional<std::size_t> plan_of(const RunColumns& runs, std::size_t row,
                                                 const std::map<std::uint32_t, std::size_t>& plans);

/// When the job of a row may start at the earliest, where that is what it waits for at `at`.
[[nodiscard]] std::optional<std::int64_t> begin_to_come(const Result& result, std::size_t row,
                                                        std::uint32_t wait, std::int64_t at);

}  // namespace rehearse
