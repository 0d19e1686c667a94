// sim/sched/job_totals.hpp — what a job asks of all its nodes together (--gpus, -n without -N),
// against what is free on them and what running jobs will give back.
//
// Such a job needs no certain number of nodes, nor a certain number of devices on any of them: only
// the sum tells that it cannot start yet. A search asks of many sets of nodes: what each node and
// each leaving job has to give is looked up once for all of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/cluster/cluster.hpp"
#include "sim/sched/departures.hpp"
#include "sim/sched/select/effective_request.hpp"

namespace rehearse {

/// True if the request counts some GRES, or its CPUs, over all nodes.
[[nodiscard]] bool asks_for_totals(const EffectiveRequest& request);

class JobTotals {
 public:
  /// `nodes`: all that are ever asked about; `leaving`: running jobs in the order of their ends.
  /// The cluster and the list must stand as they are as long as questions come.
  JobTotals(const Cluster& cluster, const EffectiveRequest& request, const NodeSet& nodes,
            const std::vector<Departure>& leaving);

  /// How many jobs must leave before as many of the candidates as the request allows together have
  /// all that it counts so; none: they never have. Fewer never do; whether as many suffice is not
  /// said.
  [[nodiscard]] std::optional<std::size_t> ends(const NodeSet& candidates);
  /// False if that is after an instant: for less, where instants come in their order and all of the
  /// candidates may be taken. True tells nothing.
  [[nodiscard]] bool may_suffice_by(SlurmTime at, const NodeSet& candidates);

 private:
  /// Of a job that leaves, on one of its nodes.
  struct Given {
    std::uint32_t job = 0;  ///< its place in the order of ends
    std::uint32_t node = 0;
    std::uint64_t units = 0;
  };
  struct Total {
    std::optional<std::size_t> gres;  ///< number in the request; none: CPUs
    std::uint64_t wanted = 0;
    std::vector<std::uint64_t> free{};  ///< by node
    std::vector<Given> given{};         ///< by the first `listed` jobs
    std::size_t listed = 0;
    std::vector<std::uint64_t> by{};  ///< as `free`, once all that end by by_ have left
    std::size_t given_by = 0;         ///< of `given`: those that are in it
  };
  [[nodiscard]] std::uint64_t free_on(const Node& node, const Total& total) const;
  [[nodiscard]] std::uint64_t held_on(const NodeShare& share, const Total& total) const;
  /// The list with at least one more entry behind the first `count`; false: there is none.
  [[nodiscard]] bool has_more(Total& total, std::size_t count) const {
    return count < total.given.size() || list_more(total, count);
  }
  bool list_more(Total& total, std::size_t count) const;
  template <typename Sum>
  [[nodiscard]] std::optional<std::size_t> ends_of(Total& total, const NodeSet& candidates,
                                                   Sum sum) const;

  const Cluster& cluster_;
  EffectiveRequest request_;
  NodeSet nodes_;
  const std::vector<Departure>& leaving_;
  std::vector<Total> totals_;
  SlurmTime by_ = SlurmTime::min();
};

}  // namespace rehearse
