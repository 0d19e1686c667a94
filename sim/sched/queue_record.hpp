// sim/sched/queue_record.hpp — one of the records that both loops go through (scheduling.md §3.1).
#pragma once

#include <cstdint>
#include <optional>
#include <tuple>

#include "sim/cluster/cluster.hpp"

namespace rehearse {

struct QueueRecord {
  std::uint32_t tier = 0;      ///< that it ranks by; so the next two
  std::uint32_t rank = 0;      ///< its priority, or with bf_hetjob_prio its group's
  bool reserved = false;       ///< it is for a reservation, or one of its group is
  std::uint32_t priority = 0;  ///< its own
  SlurmTime submit;
  std::uint32_t order_id = 0;  ///< job id; of a task the array's id
  std::uint32_t group = 0;     ///< the same; with bf_hetjob_prio that of its group's first
  std::uint32_t task = 0;      ///< task index; of a meta record UINT32_MAX
  JobIndex job{};
  PartitionId partition{};
  std::optional<ReservationId> reservation;  ///< asked for, or magnetic
  bool magnetic = false;                     ///< the reservation was not asked for
  bool prefers = false;                      ///< it goes by the features of --prefer
  bool is_component = false;                 ///< of a heterogeneous job
  bool of_backfill = false;  ///< its --time-min alone keeps to MaxTime: no record of the main loop
  SlurmTime reservation_start;
  std::uint32_t place = 0;  ///< among the records of its job, as they are made
  friend bool operator==(const QueueRecord&, const QueueRecord&) = default;
};

/// What both loops remember of an array that they have rejected: its other tasks with this
/// partition and reservation are not tried (scheduling.md §4.2, §8.5).
using ArrayKey = std::tuple<JobId, PartitionId, std::optional<ReservationId>>;
[[nodiscard]] inline ArrayKey array_key(const Job& job, const QueueRecord& record) {
  return {job.array_job, record.partition, record.reservation};
}

/// Of a job in one of its partitions, without a reservation (scheduling.md §3.1).
[[nodiscard]] QueueRecord plain_record(const Cluster& cluster, const Job& job,
                                       PartitionId partition);

/// scheduling.md §3.2, rules 2 to 8: the first difference decides. Records of one job that tie go
/// as they were made.
[[nodiscard]] bool ranks_before(const QueueRecord& a, const QueueRecord& b);

}  // namespace rehearse
