// sim/sched/select/prepared_request.hpp — what never changes between attempts of one request in one
// partition.
#pragma once

#include <memory>
#include <vector>

#include "sim/cluster/features.hpp"
#include "sim/sched/select/context.hpp"
#include "sim/sched/select/request_rules.hpp"

namespace rehearse {

struct PreparedRequest {
  RuledRequest ruled;
  NodeSet configured;                 ///< scheduling.md §5.2, by configuration alone
  std::vector<NodeSet> alternatives;  ///< of [a|b]; one set otherwise; tried in order
  std::vector<FeatureExpression::Counted> counts;
  NodeSet required;   ///< -w; empty: none
  bool known = true;  ///< features parse, required nodes exist
};

/// Remembers them by request and partition.
class PreparedRequests {
 public:
  explicit PreparedRequests(const SelectContext& context) : context_(context) {}

  [[nodiscard]] const PreparedRequest& of(RequestId request, PartitionId partition);
  [[nodiscard]] PreparedRequest prepare(const Request& request, const Partition& partition) const;
  /// To be called after nodes or partitions were changed (`scontrol update`).
  void forget() { known_.clear(); }

 private:
  [[nodiscard]] bool is_configured(const Node& node, const PreparedRequest& prepared) const;
  void name_nodes(const Request& request, PreparedRequest& prepared) const;
  [[nodiscard]] bool is_told_by_gres(const PreparedRequest& prepared) const;
  [[nodiscard]] std::uint32_t cpus_left_for_one(const PreparedRequest& prepared) const;
  [[nodiscard]] std::uint32_t cpus_of_each_node(const PreparedRequest& prepared,
                                                const Partition& partition) const;

  void count_cpus(PreparedRequest& prepared, const Partition& partition) const;

  const SelectContext& context_;
  std::vector<std::vector<std::unique_ptr<PreparedRequest>>> known_;  ///< by request, partition
};

}  // namespace rehearse
