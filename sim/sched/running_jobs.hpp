// sim/sched/running_jobs.hpp — running jobs in the order in which backfill expects them to end: of
// the cluster, and of each node.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/cluster/cluster.hpp"
#include "sim/sched/departures.hpp"

namespace rehearse {

/// The order in which jobs that run are expected to end.
[[nodiscard]] bool ends_before(const Job& a, const Job& b);

/// Running and suspended jobs by (end, position in the job list). "End" is start + limit: the
/// controller knows no run times (scheduling.md §7).
class RunningJobs {
 public:
  /// A job on one of its nodes.
  struct Resident {
    const Job* job = nullptr;
    const NodeShare* share = nullptr;
    std::uint32_t slot = 0;  ///< the job's number among those that run
    friend bool operator==(const Resident&, const Resident&) = default;
  };

  /// With its end and its allocation, which stay as they are until it is removed.
  void add(Job& job);
  void remove(Job& job);
  /// One of them was suspended: it runs on, but stands still.
  void stands_still() {
    ++changes_;
    ++suspensions_;
  }

  [[nodiscard]] const std::vector<Job*>& by_end() const { return jobs_; }
  /// The same as an estimate sees them. Good until one of them changes.
  [[nodiscard]] const std::vector<Departure>& departures() const { return departures_; }
  /// Beside by_end(): Resident::slot of each, below slot_count().
  [[nodiscard]] const std::vector<std::uint32_t>& slots() const { return slots_; }
  [[nodiscard]] std::size_t slot_count() const { return jobs_.size() + free_slots_.size(); }
  /// Those of a node, in the same order.
  [[nodiscard]] std::span<const Resident> on(NodeId node) const {
    const std::size_t at = index_of(node);
    return at < nodes_.size() ? std::span(nodes_[at].residents) : std::span<const Resident>();
  }
  /// Another number whenever on() may be another answer, or may stand still.
  [[nodiscard]] std::uint64_t look_of(NodeId node) const {
    const std::size_t at = index_of(node);
    const std::uint64_t look = at < nodes_.size() ? nodes_[at].look : 0;
    return look + suspensions_ * 0x9e3779b97f4a7c15ULL;
  }
  /// Another number whenever who runs, until when, or stands still may be others than before.
  [[nodiscard]] std::uint64_t changes() const { return changes_; }
  [[nodiscard]] std::size_t size() const { return jobs_.size(); }

  /// True if all lists are those of adding each job anew.
  [[nodiscard]] bool adds_up() const;

 private:
  struct OfNode {
    std::vector<Resident> residents;
    std::uint64_t look = 0;  ///< a hash of them
  };
  [[nodiscard]] std::size_t place_of(const Job& job) const;
  void look_again(OfNode& node) const;

  std::vector<Job*> jobs_;
  std::vector<Departure> departures_;  ///< beside jobs_
  std::vector<std::uint32_t> slots_;   ///< beside jobs_
  std::vector<std::uint32_t> free_slots_;
  std::vector<std::uint32_t> added_;  ///< by slot: how many jobs were added before its own
  std::uint32_t adds_ = 0;
  std::vector<OfNode> nodes_;  ///< as many as have been used
  std::uint64_t changes_ = 0, suspensions_ = 0;
};

}  // namespace rehearse
