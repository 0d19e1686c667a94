// sim/sched/cycle_bounds.hpp — what can be no more in a backfill cycle, whatever it goes on to
// plan.
//
// A map only loses nodes, and what runs only grows. Once too few nodes are left for a request, at
// whatever time, it is so for all equal requests behind, and for longer ones: they need no search.
// Nodes are counted, never placed: a placement may fail on many nodes and succeed on a few of them.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "sim/sched/limits.hpp"
#include "sim/sched/nodes_in_time.hpp"
#include "sim/sched/plan.hpp"
#include "sim/sched/plan_walk.hpp"
#include "sim/sched/policy.hpp"

namespace rehearse {

/// What one kind of request needs of a map.
struct RoomQuestion {
  const NodeSet& usable;  ///< nodes that would do
  std::size_t least = 1;  ///< of them
  Seconds length{0};
  Seconds resolution{0};  ///< of the map (bf_resolution)
};

/// False if no job of this kind can be planned on the map, nor start now: at no time up to `latest`
/// are as many nodes free of plans and of those running jobs that they wait for. True tells
/// nothing. `last_end`: of a running job, if there is one.
[[nodiscard]] bool may_have_room(const Plan& map, const RoomQuestion& question, NodesInTime in_time,
                                 SlurmTime latest, std::optional<SlurmTime> last_end,
                                 PlanWalk& walk);

/// What a cycle has found out so far, by kind of request; what no cycle changes stays known.
class CycleBounds {
 public:
  struct Kind {
    RequestId request{};
    PartitionId partition{};
    std::uint32_t min_nodes = 0, max_nodes = 0;
    friend auto operator<=>(const Kind&, const Kind&) = default;
  };
  struct Known {
    Minutes no_room = Minutes::max();   ///< jobs as long as this or longer find none on the map
    Minutes no_start = Minutes::max();  ///< … cannot start now
    std::uint64_t cycle = 0;            ///< of these two
    std::optional<CertainCpus> certain;
    std::optional<CertainAmounts> amounts;  ///< none: not yet asked for
    /// Whether a search of this length, on these nodes, comes by enough of them; good for one state
    /// of the map.
    struct Counted {
      std::uint64_t map = 0;
      Minutes limit{0};
      NodeSet usable;
      bool is_counted = false;
    };
    Counted counted{};
  };

  /// `configuration`: changes with what the certain CPUs of a kind depend on.
  void begin_cycle(std::uint64_t configuration) {
    if (std::exchange(configuration_, configuration) != configuration) known_.clear();
    ++cycle_;
  }
  /// Good until the next cycle. `ask`: the certain CPUs of a kind that is new.
  template <typename Ask>
  Known& of(const Kind& kind, Ask&& ask) {
    const auto [found, is_new] = known_.try_emplace(kind);
    Known& known = found->second;
    if (is_new) known.certain = ask();
    if (std::exchange(known.cycle, cycle_) != cycle_) {
      known.no_room = known.no_start = Minutes::max();
    }
    return known;
  }

 private:
  std::map<Kind, Known> known_;
  std::uint64_t cycle_ = 0, configuration_ = 0;
};

/// The last record that must be searched, as long as it is one that could start now.
struct MayStart {
  CycleBounds::Known* known = nullptr;  ///< null: it is none
  Minutes limit{0};
  std::uint32_t least = 1;
  NodeSet nodes;  ///< free of jobs, and of plans over its limit
};

}  // namespace rehearse
