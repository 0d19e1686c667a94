// sim/sched/gang.hpp — gang scheduling: which of the started jobs run in this time slice
// (preemption.md §8).
//
// Each partition keeps a list of its jobs. Those of the active row run, and no two of them hold the
// same core, or (where CPUs are counted) more CPUs than a node has; jobs of higher tiers cast
// shadows, which count as held. The rest stands still.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/cluster/cluster.hpp"
#include "sim/sched/preempt/preemption.hpp"

namespace rehearse {

/// What gang scheduling wants done to a job. A job that lost its cores to a higher tier meets the
/// PreemptMode of its partition; one that only waits for its turn is always suspended.
enum class GangAction : std::uint8_t { Suspend, Resume, Cancel, Requeue };

struct GangOrder {
  JobIndex job{};
  GangAction action = GangAction::Suspend;
  friend bool operator==(const GangOrder&, const GangOrder&) = default;
};

class Gang {
 public:
  /// Does nothing unless PreemptMode has GANG. `preemption` tells what a job meets that loses its
  /// cores to a higher tier; null: what its partition or the cluster says.
  explicit Gang(const Cluster& cluster, const Preemption* preemption = nullptr);

  /// A job has started, or was resumed by an admin: it runs where the active row has room, else it
  /// stands still. Orders are to be carried out in their order.
  [[nodiscard]] std::vector<GangOrder> add(const Job& job);
  /// A job has left its nodes, or was suspended by an admin.
  [[nodiscard]] std::vector<GangOrder> remove(const Job& job);
  /// To be called after tiers of partitions were changed.
  void partitions_changed();
  /// A time slice is over.
  [[nodiscard]] std::vector<GangOrder> end_slice();
  /// True if some job would not be in the active row of its partition.
  [[nodiscard]] bool has_waiting() const;

 private:
  enum class Row : std::uint8_t { None, Active, Filler };
  /// Of a node: cores, in node-level modes one bit; or, where they are counted, CPUs.
  struct Held {
    CoreSet cores;
    std::uint32_t cpus = 0;
  };
  struct Entry {
    JobIndex job{};
    std::vector<std::pair<NodeId, Held>> held;
    Row row = Row::None;
    bool is_stopped = false;
  };
  struct List {
    PartitionId partition{};
    std::uint32_t tier = 0;
    std::vector<Entry> jobs;
    std::size_t placed = 0;  ///< jobs and shadows in the active row when it was last built
  };

  [[nodiscard]] bool fits(const Entry& entry) const;
  void occupy(const Entry& entry);
  std::size_t cast_shadows(const List& onto);
  [[nodiscard]] std::size_t shadows(const List& onto) const;
  void update(List& list, std::vector<GangOrder>& orders);
  void update_all(std::vector<GangOrder>& orders);
  void displace(const List& list, Entry& entry, std::vector<GangOrder>& orders) const;
  void cycle(List& list, std::vector<GangOrder>& orders);
  [[nodiscard]] Entry entry_of(const Job& job) const;
  [[nodiscard]] List* list_of(const Job& job);

  const Cluster& cluster_;
  const Preemption* preemption_;
  std::vector<List> lists_;  // by tier, highest first, then in order of slurm.conf
  std::vector<Held> taken_;  // by node: of the row that is being built
};

}  // namespace rehearse
