// sim/config/node_changes.cpp — more or fewer nodes, or GPUs of another type, everywhere at once.
//
// A node stands in slurm.conf's records and partitions, in gres.conf and topology.conf, and in
// site.yaml where hardware, MIG layouts and failures are told of nodes. A node that goes leaves all
// of them; one that comes stands wherever the last of its group stands.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "sim/config/hostlist.hpp"
#include "sim/config/site_changes.hpp"
#include "sim/config/suggest.hpp"
#include "sim/config/text.hpp"
#include "sim/config/text_scan.hpp"
#include "sim/config/units.hpp"

namespace rehearse {
namespace {

constexpr std::uint64_t kMostNodes = 65536;

using Names = std::set<std::string, std::less<>>;

struct Tables {
  SlurmConf& conf;
  GresConf& gres;
  std::vector<SwitchConf>& topology;
  SiteConf& site;
};

bool names_before(const NodeConf& a, const NodeConf& b) {
  return natural_less(a.name, b.name);
}

NodeConf* find_node(SlurmConf& conf, std::string_view name) {
  const auto at = std::find_if(conf.nodes.begin(), conf.nodes.end(),
                               [&](const NodeConf& node) { return node.name == name; });
  return at == conf.nodes.end() ? nullptr : &*at;
}

/// The nodes that the change names, in natural order; none where one of them does not exist.
std::vector<std::string> group_of(const SiteChange& change, SlurmConf& conf, Diagnostics& found) {
  HostlistResult list = expand_hostlist(change.of);
  if (!list.error.empty() || list.hosts.empty()) {
    found.error(change.where, fmt::format("{} is not a host list", shown(change.of)),
                "a host list is written like node[01-16,20]");
    return {};
  }
  std::sort(list.hosts.begin(), list.hosts.end(), natural_less);
  list.hosts.erase(std::unique(list.hosts.begin(), list.hosts.end()), list.hosts.end());
  for (const std::string& name : list.hosts) {
    if (find_node(conf, name) != nullptr) continue;
    std::vector<std::string_view> names;
    for (const NodeConf& node : conf.nodes) names.push_back(node.name);
    found.error(change.where, fmt::format("there is no node {}", shown(name)),
                did_you_mean(name, names));
    return {};
  }
  return std::move(list.hosts);
}

/// Changes the nodes of each entry of a list of site.yaml that names some; those of which none is
/// left go. `text_of` gives the host list of an entry, which a `:type` may follow.
template <typename Entries, typename TextOf, typename Change>
void change_lists(Entries& entries, const TextOf& text_of, const Change& change) {
  std::erase_if(entries, [&](auto& entry) {
    std::string& text = text_of(entry);
    const std::size_t type = std::min(text.find(':'), text.size());
    HostlistResult list = expand_hostlist(text.substr(0, type));
    if (text.empty() || !list.error.empty()) return false;  // all nodes; or its reader tells
    const std::size_t before = list.hosts.size();
    change(list.hosts);
    if (list.hosts.size() == before) return false;
    if (!list.hosts.empty()) text = compress_hostlist(list.hosts) + text.substr(type);
    return list.hosts.empty();
  });
}

/// `change` adds hosts to a list, or takes some away.
template <typename Change>
void change_site_lists(SiteConf& site, const Change& change) {
  const auto name = [](ConfigEntry& entry) -> std::string& { return entry.name; };
  const auto nodes = [](auto& entry) -> std::string& { return entry.nodes; };
  change_lists(site.gpu.node_hardware, name, change);
  change_lists(site.gpu.mig.layouts, nodes, change);
  change_lists(site.gpu.mig.changes, nodes, change);
  change_lists(site.failures, nodes, change);
}

void drop(std::vector<std::string>& list, const Names& gone) {
  std::erase_if(list, [&](const std::string& name) { return gone.contains(name); });
}

void remove_nodes(const Names& gone, Tables at) {
  at.site.removed_nodes.insert(gone.begin(), gone.end());
  std::erase_if(at.conf.nodes, [&](const NodeConf& node) { return gone.contains(node.name); });
  for (PartitionConf& partition : at.conf.partitions) drop(partition.nodes, gone);
  // Without nodes a line of gres.conf would speak of all of them.
  std::erase_if(at.gres.lines, [&](GresConfLine& line) {
    const bool named = !line.nodes.empty();
    drop(line.nodes, gone);
    return named && line.nodes.empty();
  });
  Names bare;
  for (SwitchConf& leaf : at.topology) {
    const bool named = !leaf.nodes.empty();
    drop(leaf.nodes, gone);
    if (named && leaf.nodes.empty()) bare.insert(leaf.name);
  }
  std::erase_if(at.topology, [&](const SwitchConf& each) { return bare.contains(each.name); });
  for (SwitchConf& each : at.topology) drop(each.switches, bare);
  change_site_lists(at.site, [&](std::vector<std::string>& hosts) { drop(hosts, gone); });
}

void add_beside(std::vector<std::string>& list, const std::string& last,
                const std::vector<std::string>& more) {
  const auto at = std::find(list.begin(), list.end(), last);
  if (at != list.end()) list.insert(at + 1, more.begin(), more.end());
}

void add_nodes(const std::string& last, const std::vector<std::string>& more, Tables at) {
  at.site.added_nodes.insert(more.begin(), more.end());
  const NodeConf model = *find_node(at.conf, last);
  for (const std::string& name : more) {
    NodeConf node = model;
    node.name = name;
    at.conf.nodes.insert(
        std::upper_bound(at.conf.nodes.begin(), at.conf.nodes.end(), node, names_before), node);
  }
  for (PartitionConf& partition : at.conf.partitions) add_beside(partition.nodes, last, more);
  for (GresConfLine& line : at.gres.lines) add_beside(line.nodes, last, more);
  for (SwitchConf& leaf : at.topology) add_beside(leaf.nodes, last, more);
  change_site_lists(at.site,
                    [&](std::vector<std::string>& hosts) { add_beside(hosts, last, more); });
}

/// Names that follow `last`, skipping those that are taken; none if it ends in no number.
std::vector<std::string> following(const std::string& last, std::uint64_t wanted, SlurmConf& conf) {
  const std::size_t digits = last.find_last_not_of("0123456789") + 1;
  const auto number = text::parse_decimal(std::string_view(last).substr(digits));
  std::vector<std::string> names;
  if (!number || *number > kMostNodes * kMostNodes) return names;
  for (std::uint64_t next = *number + 1; names.size() < wanted; ++next) {
    std::string name = fmt::format("{}{:0{}}", last.substr(0, digits), next, last.size() - digits);
    if (find_node(conf, name) == nullptr) names.push_back(std::move(name));
  }
  return names;
}

void set_count(const SiteChange& change, const std::vector<std::string>& group, Tables at,
               Diagnostics& found) {
  const auto count = text::parse_decimal(change.value);
  if (!count || *count > kMostNodes) {
    found.error(change.where,
                fmt::format("Count: {} is not a number of nodes", shown(change.value)),
                fmt::format("a whole number up to {}", kMostNodes));
  } else if (*count <= group.size()) {
    remove_nodes({group.begin() + static_cast<std::ptrdiff_t>(*count), group.end()}, at);
  } else {
    const auto more = following(group.back(), *count - group.size(), at.conf);
    if (more.empty()) {
      found.error(change.where,
                  fmt::format("{} ends in no number: no node can follow it", shown(group.back())));
      return;
    }
    add_nodes(group.back(), more, at);
  }
}

/// `gpu:a100:4(S:0-1)` with another type; other words of a Gres= as they are.
std::string with_type(std::string_view word, const std::string& type) {
  const std::size_t end = std::min(word.find('('), word.size());
  std::vector<text::Piece> parts = text::split_at(word.substr(0, end), ':');
  if (!equals_ignoring_case(parts.front().text, "gpu")) return std::string(word);
  std::string made = fmt::format("gpu:{}", type);
  const bool has_type = parts.size() > 1 && !parse_gres_count(parts[1].text);
  for (std::size_t i = has_type ? 2 : 1; i < parts.size(); ++i) {
    made += fmt::format(":{}", parts[i].text);
  }
  return made + std::string(word.substr(end));
}

/// The words of a Gres=; a comma in parentheses parts nothing.
std::vector<std::string_view> gres_words(std::string_view text) {
  std::vector<std::string_view> words;
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] == '(') ++depth;
    if (i < text.size() && text[i] == ')') --depth;
    if (i < text.size() && (text[i] != ',' || depth > 0)) continue;
    words.push_back(trimmed(text.substr(begin, i - begin)));
    begin = i + 1;
  }
  return words;
}

/// False if the node has no GPU, or GPUs of several types.
bool retype(NodeConf& node, const std::string& type) {
  std::string made;
  std::size_t gpus = 0;
  for (const std::string_view word : gres_words(node.gres)) {
    const std::string_view name = word.substr(0, std::min(word.find_first_of(":("), word.size()));
    if (equals_ignoring_case(name, "gpu")) ++gpus;
    made += fmt::format("{}{}", made.empty() ? "" : ",", with_type(word, type));
  }
  if (gpus != 1) return false;
  node.gres = made;
  return true;
}

/// A line of gres.conf speaks of one type: where it names others too, it becomes two.
void retype_lines(const Names& group, const std::string& type, Tables at) {
  std::vector<GresConfLine> lines;
  for (GresConfLine& line : at.gres.lines) {
    std::vector<std::string> all = line.nodes;
    if (all.empty()) {
      for (const NodeConf& node : at.conf.nodes) all.push_back(node.name);
    }
    std::vector<std::string> others;
    std::vector<std::string> ours;
    for (std::string& name : all) {
      (group.contains(name) ? ours : others).push_back(std::move(name));
    }
    if (line.name != "gpu" || line.type.empty() || ours.empty()) {
      lines.push_back(std::move(line));
      continue;
    }
    if (!others.empty()) {
      lines.push_back(line);
      lines.back().nodes = std::move(others);
    }
    line.nodes = std::move(ours);
    line.type = type;
    lines.push_back(std::move(line));
  }
  at.gres.lines = std::move(lines);
}

void set_gpu_type(const SiteChange& change, const std::vector<std::string>& group, Tables at,
                  Diagnostics& found) {
  const auto is_letter = [](char c) {
    return is_digit(c) || (lower(c) >= 'a' && lower(c) <= 'z') || c == '_' || c == '-' || c == '.';
  };
  if (change.value.empty() || !std::all_of(change.value.begin(), change.value.end(), is_letter)) {
    found.error(change.where, fmt::format("GpuType: {} is not a type", shown(change.value)),
                "write a word such as h100");
    return;
  }
  for (const std::string& name : group) {
    if (retype(*find_node(at.conf, name), change.value)) continue;
    found.error(change.where,
                fmt::format("{} has not one kind of GPU to change: Gres={}", name,
                            shown(find_node(at.conf, name)->gres)),
                "name nodes with one gpu entry, or write NodeName=…:Gres=…");
    return;
  }
  retype_lines({group.begin(), group.end()}, change.value, at);
}

}  // namespace

void change_nodes(const SiteChanges& changes, SlurmConf& conf, GresConf& gres,
                  std::vector<SwitchConf>& topology, SiteConf& site, Diagnostics& found) {
  const Tables at{conf, gres, topology, site};
  for (const SiteChange& change : changes.others) {
    if (change.kind != SiteChange::Kind::Nodes) continue;
    const std::vector<std::string> group = group_of(change, conf, found);
    if (group.empty()) continue;
    if (equals_ignoring_case(change.key, "Count")) {
      set_count(change, group, at, found);
    } else if (equals_ignoring_case(change.key, "GpuType")) {
      set_gpu_type(change, group, at, found);
    } else {
      found.error(change.where, fmt::format("Nodes= has no {} to set", shown(change.key)),
                  "Count or GpuType; anything else is NodeName=…:KEY=VALUE");
    }
  }
}

}  // namespace rehearse
