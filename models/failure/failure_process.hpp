// models/failure/failure_process.hpp — when nodes break and when they are repaired, by chance.
//
// Times to failure are Weibull (shape 1: exponential), repairs lognormal. Each rule has a stream
// for each node (or device), so that a further rule or node shifts nobody else's draws. Everything
// is new at the start: a Weibull with shape above 1 fails later at first than in its long run.
#pragma once

#include <cstdint>
#include <optional>
#include <queue>
#include <string>
#include <vector>

#include "sim/cluster/cluster.hpp"
#include "sim/config/site_conf.hpp"
#include "sim/core/rng.hpp"

namespace rehearse {

/// A node fails, or the last of its failures of that kind is repaired.
struct NodeFailure {
  enum class How : std::uint8_t { Crash, Down, Drain };
  Time at;
  NodeId node{};
  How how = How::Crash;
  bool repaired = false;
  std::string reason;
};

class FailureProcess {
 public:
  /// Rules of site.yaml over the cluster's nodes, from `start` on. Rules that name no node of the
  /// cluster are findings of check_failure_rules.
  FailureProcess(const Cluster& cluster, Time start);

  /// The next event; times never decrease. None: there are no rules.
  [[nodiscard]] std::optional<NodeFailure> next();

 private:
  struct Entity {
    std::size_t rule = 0;
    NodeId node{};
    Rng rng;
    bool broken = false;
  };
  struct Due {
    Time at;
    std::size_t entity = 0;
    friend bool operator>(const Due& a, const Due& b) {
      return std::pair(a.at, a.entity) > std::pair(b.at, b.entity);
    }
  };
  [[nodiscard]] Duration draw_life(Entity& entity) const;
  [[nodiscard]] Duration draw_repair(Entity& entity) const;

  std::vector<SiteConf::FailureRule> rules_;
  std::vector<Entity> entities_;
  std::priority_queue<Due, std::vector<Due>, std::greater<>> due_;
  std::vector<std::uint32_t> open_;  ///< by node and kind: failures not repaired
};

/// The nodes that a rule is about, ascending.
[[nodiscard]] std::vector<NodeId> nodes_of(const SiteConf::FailureRule& rule,
                                           const Cluster& cluster);
/// Rules whose nodes do not exist.
void check_failure_rules(const Cluster& cluster, Diagnostics& found);

}  // namespace rehearse
