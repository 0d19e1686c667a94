// sim/sched/reservations/view.hpp — what reservations leave to one job over one interval
// (scheduling.md §9). Both loops and backfill's search ask here and nowhere else.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/cluster/cluster.hpp"
#include "sim/cluster/licenses.hpp"

namespace rehearse {

struct ReservedQuestion {
  const Job& job;
  PartitionId partition{};
  std::optional<ReservationId> reservation;  ///< that the record is for
  SlurmTime now;
  SlurmTime start;        ///< of the interval
  Minutes limit{0};       ///< its length; kUnlimited: a year
  bool may_move = false;  ///< backfill: a conflict moves the start to the reservation's end
};

enum class ReservedVerdict : std::uint8_t {
  Free,           ///< `nodes` may be used
  NotStarted,     ///< the job's reservation begins later, or has no nodes
  Invalid,        ///< the job's reservation is over, gone or not for it
  Maintenance,    ///< all that the job could have is under maintenance
  NodesTaken,     ///< nodes that it requires are reserved
  LicensesTaken,  ///< its licences are not free, nor reserved ones given back
};

struct ReservedView {
  ReservedVerdict verdict = ReservedVerdict::Free;
  SlurmTime start;         ///< moved to where the conflict is over
  NodeSet nodes;           ///< as far as reservations go
  CoresByNode taken;       ///< cores that the job may not have
  NodeSet preferred;       ///< FLEX: first these; of no size where nothing is
  bool is_bound = false;   ///< a member: it can never have other nodes than `nodes`
  bool overlaps = false;   ///< some reservation took something away
  bool holds = false;      ///< its reservation is over for good: priority 0
  LicenseCounts licenses;  ///< kept from it; told with reclaim_licenses, and for `-L a|b`
};

[[nodiscard]] ReservedView reserved_view(const Cluster& cluster, const ReservedQuestion& question);

/// When reservations come to keep from the job what they leave to it now, by time alone: when the
/// next one begins before the end of a start at that moment. None: no other is to come.
[[nodiscard]] std::optional<SlurmTime> next_conflict(const Cluster& cluster,
                                                     const ReservedQuestion& question);

/// The earliest end of a reservation at or after `start`, raised to a multiple of `resolution`,
/// and a second (scheduling.md §8.7 step 4). One that floats has none.
[[nodiscard]] std::optional<SlurmTime> next_reservation_end(const Cluster& cluster, SlurmTime start,
                                                            Seconds resolution);

/// True if every licence that the job asks for is free beside what other reservations keep over
/// the interval (scheduling.md §10).
[[nodiscard]] bool licenses_free(const Cluster& cluster, const ReservedQuestion& question);
/// Licences that other reservations keep over the interval, by position.
[[nodiscard]] LicenseCounts reserved_licenses(const Cluster& cluster,
                                              const ReservedQuestion& question);

/// How long before its end the job wants to be warned by `--signal=KIND:…@time`; none: not by that
/// kind. R: it may use reserved nodes that can be given back as fast (MaxStartDelay, scheduling.md
/// §9). B: its batch script is warned (lifecycle.md §6).
[[nodiscard]] std::optional<Seconds> warned_before(const Job& job, char kind);

/// True if a job may be considered for the reservation now (lifecycle.md §3 item 5).
[[nodiscard]] bool usable_now(const Reservation& reservation, SlurmTime now);

}  // namespace rehearse
