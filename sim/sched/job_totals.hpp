// sim/sched/job_totals.hpp — what a job asks of all its nodes together (--gpus, -n without -N),
// against what is free on them and what running jobs will give back.
//
// Such a job needs no certain number of nodes, nor a certain number of devices on any of them: only
// the sum tells that it cannot start yet. A search asks of many sets of nodes: what each node has
// free is looked up once for all of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/cluster/cluster.hpp"
#include "sim/sched/departures.hpp"
#include "sim/sched/leaving_units.hpp"
#include "sim/sched/select/effective_request.hpp"

namespace rehearse {

/// True if the request counts some GRES, or its CPUs, over all nodes.
[[nodiscard]] bool asks_for_totals(const EffectiveRequest& request);

class JobTotals {
 public:
  /// `nodes`: all that are ever asked about; `leaving`: running jobs in the order of their ends;
  /// `units`: theirs. All must stand as they are as long as questions come.
  JobTotals(const Cluster& cluster, const EffectiveRequest& request, const NodeSet& nodes,
            const std::vector<Departure>& leaving, LeavingUnits& units);

  /// How many jobs must leave before as many of the candidates as the request allows together have
  /// all that it counts so; none: they never have. Fewer never do; whether as many suffice is not
  /// said.
  [[nodiscard]] std::optional<std::size_t> ends(const NodeSet& candidates);
  /// False if that is after an instant: for less, where instants come in their order and all of the
  /// candidates may be taken. True tells nothing.
  [[nodiscard]] bool may_suffice_by(SlurmTime at, const NodeSet& candidates);

 private:
  using Given = LeavingUnits::Given;
  struct Total {
    std::uint64_t wanted = 0;
    LeavingUnits::Row* given = nullptr;
    std::vector<std::uint64_t> free{};  ///< by node
    std::vector<std::uint64_t> each{};  ///< by node: that a unit given there counts for
    std::vector<std::uint64_t> by{};    ///< as `free`, once all that end by by_ have left
    std::size_t given_by = 0;           ///< of `given`: those that are in it
  };

  template <typename Sum>
  [[nodiscard]] static std::optional<std::size_t> ends_of(const Total& total,
                                                          const NodeSet& candidates, Sum sum);

  const std::vector<Departure>& leaving_;
  std::size_t most_nodes_;
  std::vector<Total> totals_;
  SlurmTime by_ = SlurmTime::min();
};

}  // namespace rehearse
