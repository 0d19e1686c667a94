// sim/controller/hung_nodes.hpp — nodes on which nothing can be killed (lifecycle.md §5): a file
// system or a driver does not answer, and programs ignore SIGKILL.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>

#include "sim/cluster/job.hpp"
#include "sim/core/time.hpp"

namespace rehearse {

class Controller;

class HungNodes {
 public:
  explicit HungNodes(Controller& controller) : c_(controller) {}

  /// `node hang`
  void hang(NodeId node) { nodes_.insert(node); }
  /// `node recover`, or a boot: what could not be killed is gone.
  void recover(NodeId node);

  /// The clean-up of an ended run is due. False: processes of it live on; its other nodes are free,
  /// and the clean-up is due again when slurmd gives up, or when the node recovers.
  [[nodiscard]] bool lets_go(Job& job);

 private:
  [[nodiscard]] bool is_hung(const NodeShare& share) const { return nodes_.contains(share.node); }
  void give_up(const Job& job);

  Controller& c_;
  std::set<NodeId> nodes_;
  using Run = std::pair<JobIndex, std::uint64_t>;  ///< job and run number
  std::map<Run, Time> given_up_at_;                ///< of runs that are waited for
};

}  // namespace rehearse
