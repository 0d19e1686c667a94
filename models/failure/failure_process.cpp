// models/failure/failure_process.cpp — draws, and the order in which they come due.
#include "models/failure/failure_process.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sim/config/hostlist.hpp"
#include "sim/config/text.hpp"

namespace rehearse {
namespace {

constexpr std::size_t kKinds = 3;
constexpr double kMicro = 1e6;

/// Whole seconds, at least one: what `log` and `exp` leave in the last bit decides nothing.
Duration rounded(double seconds) {
  constexpr double kMost = 3e9;  // a century
  return Seconds{std::max<std::int64_t>(1, std::llround(std::min(seconds, kMost)))};
}

double seconds_of(Duration span) {
  return static_cast<double>(span.count()) / kMicro;
}

/// Devices of the rule's type on the node.
std::uint32_t devices_of(const SiteConf::FailureRule& rule, const Node& node,
                         const NamePool& names) {
  std::uint32_t count = 0;
  for (const NodeGres& gres : node.gres) {
    if (gres.shares || gres.no_consume) continue;
    for (const GresDevice& device : gres.devices) {
      const bool fits = rule.gpu_type.empty()
                            ? names.text(gres.name) == "gpu"
                            : device.type != kNoName && names.text(device.type) == rule.gpu_type;
      if (fits) count += static_cast<std::uint32_t>(gres.count_only ? device.units : 1);
    }
  }
  return count;
}

NodeFailure::How how_of(const SiteConf::FailureRule& rule) {
  if (rule.how == "down") return NodeFailure::How::Down;
  return rule.how == "drain" ? NodeFailure::How::Drain : NodeFailure::How::Crash;
}

}  // namespace

std::vector<NodeId> nodes_of(const SiteConf::FailureRule& rule, const Cluster& cluster) {
  std::vector<bool> named(cluster.nodes.size(), rule.nodes.empty());
  for (const std::string& host : expand_hostlist(rule.nodes).hosts) {
    const auto name = cluster.names.find(host);
    if (const auto node = name ? cluster.find_node(*name) : std::nullopt) {
      named[index_of(*node)] = true;
    }
  }
  std::vector<NodeId> nodes;
  const bool any = rule.gpu_type.empty() && !rule.each_gpu;
  for (const Node& node : cluster.nodes) {
    if (!named[index_of(node.id)]) continue;
    if (any || devices_of(rule, node, cluster.names) > 0) nodes.push_back(node.id);
  }
  return nodes;
}

void check_failure_rules(const Cluster& cluster, Diagnostics& found) {
  for (const SiteConf::FailureRule& rule : cluster.inputs.site.failures) {
    const HostlistResult hosts = expand_hostlist(rule.nodes);
    if (!rule.nodes.empty() && !hosts.error.empty()) {
      found.error(rule.where, fmt::format("failures: nodes: {}", hosts.error));
      continue;
    }
    const auto unknown =
        std::find_if(hosts.hosts.begin(), hosts.hosts.end(), [&](const auto& host) {
          const auto name = cluster.names.find(host);
          return !name || !cluster.find_node(*name);
        });
    if (unknown != hosts.hosts.end()) {
      found.error(rule.where, fmt::format("failures: there is no node {}", shown(*unknown)),
                  "a host list expression of NodeName lines: n[01-16]; without nodes, all");
    } else if (nodes_of(rule, cluster).empty()) {
      found.error(rule.where, "failures: no node of the cluster is meant by this rule",
                  "nodes: n[01-04], gpu_type: as Gres= spells it");
    }
  }
}

FailureProcess::FailureProcess(const Cluster& cluster, Time start)
    : rules_(cluster.inputs.site.failures), open_(cluster.nodes.size() * kKinds, 0) {
  for (std::size_t rule = 0; rule < rules_.size(); ++rule) {
    for (const NodeId node : nodes_of(rules_[rule], cluster)) {
      const std::uint32_t count =
          rules_[rule].each_gpu ? devices_of(rules_[rule], cluster.nodes[node], cluster.names) : 1;
      for (std::uint32_t device = 0; device < count; ++device) {
        const std::uint64_t index = (std::uint64_t{index_of(node)} << 16U) + device;
        entities_.push_back({rule, node,
                             Rng{cluster.inputs.site.seed, fmt::format("failure/{}", rule), index},
                             false});
      }
    }
  }
  for (std::size_t i = 0; i < entities_.size(); ++i) {
    due_.push({start + draw_life(entities_[i]), i});
  }
}

Duration FailureProcess::draw_life(Entity& entity) const {
  const SiteConf::FailureRule& rule = rules_[entity.rule];
  const double scale = seconds_of(rule.mtbf) / std::tgamma(1.0 + 1.0 / rule.shape);
  const double u = 1.0 - entity.rng.uniform();  // in (0, 1]
  return rounded(scale * std::pow(-std::log(u), 1.0 / rule.shape));
}

Duration FailureProcess::draw_repair(Entity& entity) const {
  const SiteConf::FailureRule& rule = rules_[entity.rule];
  const double radius = std::sqrt(-2.0 * std::log(1.0 - entity.rng.uniform()));
  const double normal = radius * std::cos(2.0 * std::numbers::pi * entity.rng.uniform());
  return rounded(seconds_of(rule.repair_median) * std::exp(rule.repair_sigma * normal));
}

std::optional<NodeFailure> FailureProcess::next() {
  while (!due_.empty()) {
    const Due due = due_.top();
    due_.pop();
    Entity& entity = entities_[due.entity];
    const SiteConf::FailureRule& rule = rules_[entity.rule];
    const NodeFailure::How how = how_of(rule);
    std::uint32_t& open = open_[index_of(entity.node) * kKinds + static_cast<std::size_t>(how)];
    entity.broken = !entity.broken;
    due_.push({due.at + (entity.broken ? draw_repair(entity) : draw_life(entity)), due.entity});
    const bool seen = entity.broken ? open++ == 0 : --open == 0;
    if (!seen) continue;  // the node is out of service for another failure already
    return NodeFailure{due.at, entity.node, how, !entity.broken,
                       rule.reason.empty() ? "failure" : rule.reason};
  }
  return std::nullopt;
}

}  // namespace rehearse
