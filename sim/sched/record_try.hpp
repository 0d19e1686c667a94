// sim/sched/record_try.hpp — one record in a backfill cycle, as it is being tried (scheduling.md
// §8.7).
#pragma once

#include <cstdint>
#include <optional>

#include "sim/cluster/cluster.hpp"
#include "sim/sched/certain_amounts.hpp"
#include "sim/sched/cycle_bounds.hpp"
#include "sim/sched/node_choice.hpp"
#include "sim/sched/reservations/view.hpp"

namespace rehearse {

struct RecordTry {
  Job& job;
  PartitionId partition;
  Minutes limit;
  bool now_only = false;
  bool keeps_plan = true;
  NodeCounts counts;
  std::optional<ReservationId> reservation;
  bool magnetic = false;
  LicenseCounts licenses{};              ///< that it would plan
  std::optional<Minutes> own_limit{};    ///< of the job; while it is tried it has the planned one
  CycleBounds::Known* known = nullptr;   ///< of its kind; null: searches tell nothing of others
  std::optional<AfterSelection> told{};  ///< by limits, wherever it is placed
  bool is_kept = false;                  ///< for the next cycle
  bool is_estimated = false;             ///< what that leaves of its memory is not yet final
  bool is_limited = false;               ///< by accounting, as this attempt found
  const Qos* stopping = nullptr;         ///< whose limit it was; null: no QOS's
  bool is_foretold = false;              ///< the selection was what the forecast has
  bool has_started = false;
  bool lacks_cores = false;             ///< on nodes of the present: it is held
  std::optional<Reason> over_before{};  ///< a limit that it is held to only where it could start
  std::optional<Reason> over_limit{};   ///< by which what is known of it was found to hold

  /// With searches for equal records, of this cycle and the last.
  [[nodiscard]] bool is_comparable() const { return known != nullptr; }
  /// Of every allocation, where nobody asks for more than its nodes; else 0.
  [[nodiscard]] std::uint32_t certain_cpus() const { return told ? known->certain->cpus : 0; }
};

/// What the record may have over the interval from an instant on (§8.7 steps 1 to 5).
struct IntervalStep {
  ReservedView reserved;
  NodeSet candidates;
  bool suffices = false;  ///< enough nodes, and licences
  bool is_tried = false;  ///< … whatever features and the like leave of them: a try all the same
  SlurmTime later;        ///< the next instant to try; max(): none
};

}  // namespace rehearse
