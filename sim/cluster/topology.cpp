// sim/cluster/topology.cpp — levels, parents and node sets of switches.
#include "sim/cluster/topology.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "sim/config/hostlist.hpp"

namespace rehearse {
namespace {

constexpr std::size_t kMostUnknown = 1000;  // nodes that an error names

class TopologyBuilder {
 public:
  TopologyBuilder(const std::vector<SwitchConf>& conf, const IdVector<NodeId, Node>& nodes,
                  const NamePool& names, Diagnostics& found)
      : conf_(conf), nodes_(nodes), names_(names), found_(found) {}

  Topology build() {
    for (const Node& node : nodes_) node_by_name_.emplace(names_.text(node.name), node.id);
    topology_.switches.resize(conf_.size());
    for (std::size_t i = 0; i < conf_.size(); ++i) {
      topology_.switches[i].name = conf_[i].name;
      topology_.switches[i].nodes.resize(nodes_.size());
      if (!by_name_.emplace(conf_[i].name, i).second) {
        found_.error(conf_[i].where, fmt::format("switch {} is defined twice", conf_[i].name));
      }
      add_nodes(i);
    }
    done_.assign(conf_.size(), State::New);
    for (std::size_t i = 0; i < conf_.size(); ++i) visit(i);
    return std::move(topology_);
  }

 private:
  enum class State : std::uint8_t { New, Open, Done };

  void add_nodes(std::size_t at) {
    std::vector<std::string> unknown;  // as many as can be read
    std::size_t more = 0;
    for (const std::string& name : conf_[at].nodes) {
      const auto node = node_by_name_.find(name);
      if (node != node_by_name_.end()) {
        topology_.switches[at].nodes.set(index_of(node->second));
      } else if (unknown.size() < kMostUnknown) {
        unknown.push_back(name);
      } else {
        ++more;
      }
    }
    if (unknown.empty()) return;
    found_.warning(conf_[at].where,
                   fmt::format("switch {} names {} that slurm.conf has not, {}{}: slurmctld tells "
                               "it, and goes on without",
                               conf_[at].name, unknown.size() + more == 1 ? "a node" : "nodes",
                               compress_hostlist(unknown),
                               more == 0 ? std::string() : fmt::format(" and {} more", more)),
                   "take them out, or give them NodeName lines");
  }

  void visit(std::size_t at) {
    if (done_[at] == State::Done) return;
    if (done_[at] == State::Open) {
      found_.error(conf_[at].where, fmt::format("switch {} is below itself", conf_[at].name));
      return;
    }
    done_[at] = State::Open;
    Switch& own = topology_.switches[at];
    for (const std::string& name : conf_[at].switches) {
      const auto child = by_name_.find(name);
      if (child == by_name_.end()) {
        found_.error(conf_[at].where,
                     fmt::format("switch {} names the unknown switch {}", conf_[at].name, name));
        continue;
      }
      visit(child->second);
      Switch& below = topology_.switches[child->second];
      below.parent = static_cast<std::int32_t>(at);
      own.level = std::max(own.level, below.level + 1);
      own.nodes |= below.nodes;
    }
    done_[at] = State::Done;
  }

  const std::vector<SwitchConf>& conf_;
  const IdVector<NodeId, Node>& nodes_;
  const NamePool& names_;
  Diagnostics& found_;
  Topology topology_;
  std::map<std::string, NodeId> node_by_name_;
  std::map<std::string, std::size_t> by_name_;
  std::vector<State> done_;
};

}  // namespace

std::uint32_t Topology::distance(std::size_t a, std::size_t b) const {
  std::uint32_t hops = 0;
  while (a != b) {
    const bool lift_a = switches[a].level <= switches[b].level;
    const std::int32_t up = switches[lift_a ? a : b].parent;
    if (up < 0) return UINT32_MAX / 4;  // nothing joins them
    (lift_a ? a : b) = static_cast<std::size_t>(up);
    ++hops;
  }
  return hops;
}

Topology make_topology(const std::vector<SwitchConf>& conf, const IdVector<NodeId, Node>& nodes,
                       const NamePool& names, Diagnostics& found) {
  return TopologyBuilder{conf, nodes, names, found}.build();
}

}  // namespace rehearse
