// sim/sched/pending_queue.hpp — who is considered, and in which order (scheduling.md §3).
//
// One record per (job, partition). The sorted records of eligible jobs are kept from build to
// build; what can become eligible by the mere passing of time is asked again at each build.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sim/cluster/cluster.hpp"
#include "sim/sched/actions.hpp"
#include "sim/sched/limits.hpp"
#include "sim/sched/preempt/preemption.hpp"
#include "sim/sched/preemption_order.hpp"
#include "sim/sched/queue_record.hpp"

namespace rehearse {

/// What components of a heterogeneous job rank by with bf_hetjob_prio.
struct GroupRank {
  SlurmTime submit = SlurmTime::max();  ///< of the first component
  std::uint32_t tier = 0, rank = 0;
  bool reserved = false;  ///< one of them is for a reservation
};

class PendingQueue {
 public:
  /// `preemption`: null where nobody is to be preempted.
  PendingQueue(Cluster& cluster, Limits& limits, SchedulerActions& actions,
               const Preemption* preemption = nullptr)
      : cluster_(cluster), limits_(limits), actions_(actions), preemption_(preemption) {}

  /// A job became pending (submission, requeue, rest of an array).
  void add(const Job& job);
  /// A pending job changed in priority, partitions, hold or limits.
  void changed(const Job& job);
  /// A pass holds a job of its records, which go at the next build.
  void held(const Job& job) { held_.push_back(job.index); }
  /// A job is pending no more: it is dropped at the next build.
  void left() { some_left_ = true; }
  /// Partitions, limits or reservations were changed.
  void all_changed() {
    dirty_ = true;
    by_preemption_.forget();
  }
  /// How many requests tests have replaced so far: partitions may answer others otherwise.
  void requests_replaced(std::uint64_t count) {
    if (std::exchange(requests_replaced_, count) != count) dirty_ = true;
  }
  /// Every priority may be another (a tick), and the usage that tests go by.
  void all_reprioritized() { reprioritized_ = true; }

  /// Builds the queue as both loops do: ages, tests, sorts. Valid until the next call of a member.
  /// `of_backfill`: components then rank by their group, in the main loop too (§3.2).
  [[nodiscard]] std::span<const QueueRecord> build(SlurmTime now, bool of_backfill = false);

  /// The record's job; of an array, a task of which has started since from another record, what is
  /// left of it (scheduling.md §4.2 item 1).
  [[nodiscard]] Job& job_of(const QueueRecord& record) const;

  /// True if nothing has happened that makes the next build another than the last one.
  [[nodiscard]] bool is_settled() const {
    return !dirty_ && !reprioritized_ && !some_left_ && fresh_.empty() && held_.empty();
  }
  /// From when on a build may differ from the last one, at `now`, without any event: a begin time
  /// or a dependency's delay comes due; none: never.
  [[nodiscard]] std::optional<SlurmTime> turns_by_time(SlurmTime now) const;
  /// Pending jobs, eligible or not.
  [[nodiscard]] std::size_t pending_count() const { return pending_.size(); }
  [[nodiscard]] const std::vector<JobIndex>& pending() const { return pending_; }

  /// Who may begin to age does (priority.md §3.1), by the first lines of a build.
  void let_age(SlurmTime now);

 private:
  void split_for_age(Job& array, SlurmTime now);
  void drop_departed();
  bool collect(Job& job, SlurmTime now, std::vector<QueueRecord>& records);
  void collect_settled(SlurmTime now);
  void reprioritize();
  void order_by_quota(const Quotas& quotas);  // sim/sched/quota_order.cpp
  void add_records(const Job& job, QueueRecord record, std::vector<QueueRecord>& records) const;
  void rank_with_group(Job& job, std::vector<QueueRecord>& records, std::size_t from);

  Cluster& cluster_;
  Limits& limits_;
  SchedulerActions& actions_;
  const Preemption* preemption_;
  std::vector<JobIndex> pending_;     // in order of the job list
  std::vector<JobIndex> unaged_;      // pending, accrual not begun
  std::vector<JobIndex> fresh_;       // to be tested at the next build
  std::vector<JobIndex> volatile_;    // to be tested at every build
  std::vector<QueueRecord> records_;  // of settled jobs, sorted
  std::uint64_t requests_replaced_ = 0;
  std::vector<QueueRecord> merged_;
  PreemptionOrder by_preemption_;
  std::map<JobIndex, GroupRank> groups_;  // of components, as the last cycle of backfill found them
  bool of_backfill_ = false;
  bool dirty_ = false;
  bool reprioritized_ = false;
  bool some_left_ = false;
  bool some_have_two_reasons_ = false;  // one partition's, and then that of a test in another
  std::vector<JobIndex> held_;          // by a pass, since the last build
};

}  // namespace rehearse
