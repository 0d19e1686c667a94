// sim/study/sizing/node_kind.cpp — every reading of a name that fits some node; one must be left.
#include "sim/study/sizing/node_kind.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "sim/config/hostlist.hpp"
#include "sim/config/suggest.hpp"
#include "sim/config/units.hpp"

namespace rehearse {
namespace {

constexpr std::size_t kNamed = 12;

using Hosts = std::vector<std::string>;
using ByName = std::map<std::string, Hosts>;

/// The types of a node's GPUs; of those without a type an empty name.
std::set<std::string> gpu_types(const NodeConf& node, const GresConf& gres) {
  std::set<std::string> types;
  Diagnostics ignored;  // told when the site was loaded
  for (const GresSpec& spec : parse_gres_spec(node.gres, node.gres_where, ignored)) {
    if (!equals_ignoring_case(spec.name, "gpu")) continue;
    if (!spec.type.empty()) {
      types.insert(spec.type);
      continue;
    }
    std::set<std::string> told;
    for (const GresConfLine& line : gres.lines) {
      const bool is_of_node = line.nodes.empty() || std::find(line.nodes.begin(), line.nodes.end(),
                                                              node.name) != line.nodes.end();
      if (equals_ignoring_case(line.name, "gpu") && is_of_node && !line.type.empty()) {
        told.insert(line.type);
      }
    }
    if (told.empty()) told.insert("");
    types.merge(told);
  }
  return types;
}

/// A FUTURE node is a line without a machine: there is none to be sized.
bool is_there(const NodeConf& node) {
  return !equals_ignoring_case(node.state, "FUTURE");
}

/// What there is to be named.
struct Kinds {
  Hosts with_gpu;
  ByName by_type, by_feature;  ///< in natural order of nodes
  std::vector<Hosts> lines;    ///< nodes of one NodeName line
};

Kinds kinds_of(const SlurmConf& conf, const GresConf& gres) {
  Kinds kinds;
  std::map<std::pair<std::string, std::uint64_t>, Hosts> lines;
  for (const NodeConf& node : conf.nodes) {
    if (!is_there(node)) continue;
    const std::set<std::string> types = gpu_types(node, gres);
    if (!types.empty()) kinds.with_gpu.push_back(node.name);
    for (const std::string& type : types) {
      if (!type.empty()) kinds.by_type[type].push_back(node.name);
    }
    for (const std::string& feature : node.features) {
      kinds.by_feature[feature].push_back(node.name);
    }
    lines[{node.where.file, node.where.line}].push_back(node.name);
  }
  for (auto& [where, hosts] : lines) kinds.lines.push_back(std::move(hosts));
  return kinds;
}

std::string list_of(std::string_view title, const std::vector<std::string>& items) {
  if (items.empty()) return {};
  const std::size_t shown = std::min(items.size(), kNamed);
  const auto end = items.begin() + static_cast<std::ptrdiff_t>(shown);
  return fmt::format("{} {}{}; ", title, fmt::join(items.begin(), end, ", "),
                     shown < items.size() ? " ..." : "");
}

std::string all_text(const Kinds& kinds) {
  std::vector<std::string> types;
  std::vector<std::string> features;
  std::vector<std::string> lines;
  if (!kinds.with_gpu.empty()) types.push_back(fmt::format("gpu ({})", kinds.with_gpu.size()));
  for (const auto& [type, hosts] : kinds.by_type) {
    types.push_back(fmt::format("gpu:{} ({})", type, hosts.size()));
  }
  for (const auto& [feature, hosts] : kinds.by_feature) {
    features.push_back(fmt::format("{} ({})", feature, hosts.size()));
  }
  for (const Hosts& hosts : kinds.lines) lines.push_back(compress_hostlist(hosts));
  std::string text =
      list_of("GPUs", types) + list_of("features", features) + list_of("nodes", lines);
  if (text.size() > 2) text.resize(text.size() - 2);
  return "there are: " + text;
}

struct Reading {
  std::string text;
  Hosts hosts;
};

void add_named(const ByName& all, std::string_view name, std::string_view text,
               std::vector<Reading>& readings) {
  for (const auto& [each, hosts] : all) {
    if (equals_ignoring_case(each, name)) {
      readings.push_back({fmt::format("{}{}", text, each), hosts});
    }
  }
}

/// The nodes of a host list, where all of them exist.
std::optional<Hosts> listed(std::string_view name, const SlurmConf& conf) {
  HostlistResult list = expand_hostlist(name);
  if (!list.error.empty() || list.hosts.empty()) return std::nullopt;
  const std::set<std::string> wanted(list.hosts.begin(), list.hosts.end());
  Hosts hosts;
  for (const NodeConf& node : conf.nodes) {
    if (is_there(node) && wanted.contains(node.name)) hosts.push_back(node.name);
  }
  return hosts.size() == wanted.size() ? std::optional(std::move(hosts)) : std::nullopt;
}

std::vector<Reading> readings_of(std::string_view name, const SlurmConf& conf, const Kinds& kinds) {
  constexpr std::string_view kGpu = "gpu:";
  constexpr std::string_view kFeature = "feature:";
  std::vector<Reading> readings;
  if (name.starts_with(kGpu)) {
    add_named(kinds.by_type, name.substr(kGpu.size()), "nodes with gpu:", readings);
  } else if (name.starts_with(kFeature)) {
    add_named(kinds.by_feature, name.substr(kFeature.size()), "nodes with feature:", readings);
  } else {
    if (name == "gpu" && !kinds.with_gpu.empty()) {
      readings.push_back({"nodes with a GPU", kinds.with_gpu});
    }
    add_named(kinds.by_type, name, "nodes with gpu:", readings);
    add_named(kinds.by_feature, name, "nodes with feature:", readings);
    if (auto hosts = listed(name, conf)) {
      readings.push_back({fmt::format("nodes {}", name), *std::move(hosts)});
    }
  }
  return readings;
}

/// Nodes that are not alike cannot all grow: more of them are like the last.
std::string doubt_of(const Hosts& hosts, const SlurmConf& conf) {
  using Shape = std::tuple<std::uint32_t, std::uint64_t, std::string, std::vector<std::string>>;
  const std::set<std::string_view> wanted(hosts.begin(), hosts.end());
  std::set<Shape> shapes;
  for (const NodeConf& node : conf.nodes) {
    if (!wanted.contains(node.name)) continue;
    shapes.insert({node.cpus, node.real_memory_mib, node.gres, node.features});
  }
  if (shapes.size() < 2) return {};
  return fmt::format(
      "these nodes are of {} shapes: more of them are like the last, {}, and the last go first",
      shapes.size(), hosts.back());
}

}  // namespace

NodeKind find_node_kind(std::string_view name, const SlurmConf& conf, const GresConf& gres) {
  const Kinds kinds = kinds_of(conf, gres);
  const std::vector<Reading> readings = readings_of(name, conf, kinds);
  if (readings.empty()) {
    std::vector<std::string_view> names{"gpu"};
    for (const auto& [type, hosts] : kinds.by_type) names.push_back(type);
    for (const auto& [feature, hosts] : kinds.by_feature) names.push_back(feature);
    const std::string meant = did_you_mean(name, names);
    throw NodeKindError{fmt::format("no nodes are '{}'", name),
                        meant.empty() ? all_text(kinds) : meant + " " + all_text(kinds)};
  }
  for (const Reading& each : readings) {
    if (each.hosts == readings.front().hosts) continue;
    throw NodeKindError{fmt::format("'{}' is {} ({}) and {} ({})", name, readings.front().text,
                                    readings.front().hosts.size(), each.text, each.hosts.size()),
                        "write gpu:TYPE, feature:NAME or a host list; " + all_text(kinds)};
  }
  return {readings.front().hosts, readings.front().text, doubt_of(readings.front().hosts, conf)};
}

}  // namespace rehearse
