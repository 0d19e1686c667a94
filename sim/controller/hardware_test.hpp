// sim/controller/hardware_test.hpp — whether any nodes could ever serve what is submitted
// (limits.md §1.3).
#pragma once

#include <cstdint>

#include "sim/cluster/cluster.hpp"
#include "sim/controller/reservation_keeper.hpp"
#include "sim/sched/limits.hpp"
#include "sim/sched/node_choice.hpp"
#include "sim/sched/policy.hpp"

namespace rehearse {

/// Of one submission.
class HardwareTest {
 public:
  HardwareTest(const Cluster& cluster, const Limits& limits, const SelectPlugin& select,
               NodeChoice& choice, ReservationKeeper& reservations)
      : cluster_(cluster),
        limits_(limits),
        select_(select),
        choice_(choice),
        reservations_(reservations) {}

  /// False: it is refused. The tests that are made leave behind what tests do (NodeChoice::tested).
  [[nodiscard]] bool may_serve(Job& job);
  /// True if may_serve() has tested the nodes of any partition.
  [[nodiscard]] bool is_tested() const { return is_tested_; }

 private:
  enum class Answer : std::uint8_t {
    Serves,
    Waits,  ///< it cannot, but a job for which it is the last of a list is taken
    Refuses,
  };
  [[nodiscard]] Answer alone(Job& job, PartitionId id);
  [[nodiscard]] Answer of_list(Job& job, PartitionId id);
  [[nodiscard]] Answer tested(Job& job, PartitionId id);
  [[nodiscard]] bool lets_in(const Job& job, PartitionId id) const;
  [[nodiscard]] bool has_nodes(const Job& job, PartitionId id, std::size_t least) const;

  const Cluster& cluster_;
  const Limits& limits_;
  const SelectPlugin& select_;
  NodeChoice& choice_;
  ReservationKeeper& reservations_;
  bool is_tested_ = false;
};

}  // namespace rehearse
