// workloads/logged_nodes.hpp — when a recorded slurmctld set nodes DOWN, drained or resumed them.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/controller/admin_command.hpp"
#include "sim/core/time.hpp"

namespace rehearse {

/// `update_node: node NAME state set to STATE`.
struct LoggedNodeUpdate {
  Time at;
  std::string node;
};

/// The node that a line of a slurmctld.log says was updated; empty: it says something else.
[[nodiscard]] std::string_view updated_node(std::string_view said);

/// The node that a line says answers again, or is back in service; empty: as above.
[[nodiscard]] std::string_view returned_node(std::string_view said);

/// `error: Nodes LIST not responding[, setting DOWN]`.
struct SilentNodes {
  std::vector<std::string> nodes;
  bool set_down = false;
};
[[nodiscard]] std::optional<SilentNodes> silent_nodes(std::string_view said);

/// `requeue job JobId=7 due to failure of node n3`: the node; empty: another line.
[[nodiscard]] std::string_view failed_node(std::string_view said);

/// A node is DOWN before its jobs are seen to, and the log says so after them.
class NodeFailures {
 public:
  void note(std::string_view node, Time at);
  /// When the failure began that the log tells of at `told`.
  [[nodiscard]] Time began(std::string_view node, Time told) const;

 private:
  std::map<std::string, Time, std::less<>> first_;  // of a node: its failure's first line
};

/// events.csv has whole seconds, and a recorder writes them when the command is over: a change of a
/// node's state that the log knows is carried out at its instant. Returns how many.
std::size_t sharpen(std::vector<AdminCommandAt>& commands, const IdVector<NodeId, Node>& nodes,
                    const NamePool& names, const std::vector<LoggedNodeUpdate>& logged);

}  // namespace rehearse
