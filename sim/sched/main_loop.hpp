// sim/sched/main_loop.hpp — one pass of the main scheduler (scheduling.md §4).
//
// Records in queue order; a job that waits for resources fails its partition and takes all of that
// partition's nodes away for the rest of the pass. Everything is forgotten at its end.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "sim/sched/actions.hpp"
#include "sim/sched/node_choice.hpp"
#include "sim/sched/pending_queue.hpp"

namespace rehearse {

enum class PassDepth : std::uint8_t { Partial, Full };

struct PassResult {
  std::uint32_t queued = 0;  ///< records in the queue
  std::uint32_t tested = 0;  ///< records past the depth counter
  std::uint32_t selections = 0;
  std::uint32_t started = 0;
  bool some_are_young =
      false;  ///< and block nobody yet (bf_min_age_reserve): they will by time alone
  bool some_may_preempt = false;  ///< their victims' exempt time, and their own wait, run out
  /// Some job has records for several partitions: it keeps what the last one that was looked at
  /// left.
  bool some_have_several = false;
  /// From then on a pass over the same state may decide otherwise; none: never.
  std::optional<SlurmTime> stands_until;
};

class MainLoop {
 public:
  MainLoop(Cluster& cluster, Limits& limits, NodeChoice& choice, PendingQueue& queue,
           SchedulerActions& actions)
      : cluster_(cluster), limits_(limits), choice_(choice), queue_(queue), actions_(actions) {}

  /// `most_records`: after so many the time of the pass is over (max_sched_time). `completing`: the
  /// partitions of these nodes are left alone (reduce_completing_frag).
  PassResult run(SlurmTime now, PassDepth depth, std::uint32_t most_records = UINT32_MAX,
                 const NodeSet* completing = nullptr);

  /// Records of the present pass past the depth counter, so far.
  [[nodiscard]] std::uint32_t tested() const { return result_.tested; }

 private:
  enum class Verdict : std::uint8_t { Next, EndPass, AnotherTask };

  void run_records(SlurmTime now, PassDepth depth, std::uint32_t most_records,
                   const NodeSet* completing);
  void reject_array(const Job& job, const QueueRecord& record);
  bool passes_array_tests(Job& job, const QueueRecord& record);
  Verdict consider(const QueueRecord& record, Job& job, SlurmTime now, Job*& rest);
  /// The tests before node selection (limits.md §6.2).
  bool is_over_limit(const QueueRecord& record, Job& job);
  Verdict judge(const QueueRecord& record, Job& job, const Selection& selection, SlurmTime now);
  void block(const QueueRecord& record, const Job& job, SlurmTime now);
  /// No job behind this one has the nodes that it names.
  bool withhold_required(const Job& job);
  void fail_partition(PartitionId partition);
  // sim/sched/main_loop_reservations.cpp
  [[nodiscard]] std::size_t nodes_elsewhere(QueueRecord record, const Job& job,
                                            SlurmTime now) const;
  [[nodiscard]] bool has_room_in_reservation(const QueueRecord& record, const Job& job,
                                             SlurmTime now) const;
  [[nodiscard]] bool is_counted(const QueueRecord& record, const Job& job, SlurmTime now) const;
  [[nodiscard]] ReservedQuestion reserved_question(const QueueRecord& record, const Job& job,
                                                   SlurmTime now) const;
  bool passes_reservations(const QueueRecord& record, Job& job, ReservedView& view);
  void note_stands_until(SlurmTime at);
  void note_time(const ReservedQuestion& question);
  void set_aside(ReservationId reservation);
  void hold_what_was_not_taken_back();
  void fail_reservation(ReservationId reservation);

  Cluster& cluster_;
  Limits& limits_;
  NodeChoice& choice_;
  PendingQueue& queue_;
  SchedulerActions& actions_;
  // Of the present pass.
  NodeSet available_;
  std::vector<char> failed_;          // by partition
  std::optional<ArrayKey> rejected_;  ///< the array that was last
  JobIndex rejected_task_{};          ///< of it
  std::set<ReservationId> failed_reservations_;
  std::vector<JobIndex> held_by_magnets_;  ///< until another record of theirs comes
  PassResult result_;
};

}  // namespace rehearse
