// sim/config/topology_conf.cpp — switches: unique names, and no circles (formats.md §8).
#include "sim/config/topology_conf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "sim/config/conf_record.hpp"
#include "sim/config/hostlist.hpp"
#include "sim/config/suggest.hpp"
#include "sim/config/text.hpp"
#include "sim/config/units.hpp"

namespace rehearse {
namespace {

constexpr std::size_t kMostNames = 4'194'304;  // of nodes and switches, over all lines

class TopologyReader {
 public:
  TopologyReader(const ConfText& text, Diagnostics& found) : text_(text), found_(found) {}

  std::vector<SwitchConf> read() {
    for (const ConfLine& line : text_.lines) {
      if (names_ <= kMostNames) read(line);
    }
    if (names_ > kMostNames) return std::move(switches_);
    check_names();
    check_leaves();
    check_circles();
    return std::move(switches_);
  }

 private:
  void read(const ConfLine& line);
  std::vector<std::string> expand(const ConfPair* pair);
  void check_names();
  void check_leaves();
  void check_circles();
  [[nodiscard]] std::size_t index_of(const std::string& name) const;

  const ConfText& text_;
  Diagnostics& found_;
  std::vector<SwitchConf> switches_;
  std::size_t names_ = 0;  ///< that the lists so far stand for
};

std::vector<std::string> TopologyReader::expand(const ConfPair* pair) {
  if (pair == nullptr) return {};
  HostlistResult list = expand_hostlist(pair->value);
  if (!list.error.empty()) {
    found_.error(text_.position(pair->value_at),
                 fmt::format("{}: {}: {}", pair->key, shown(pair->value), list.error));
  } else if (list.hosts.empty()) {
    found_.error(text_.position(pair->value_at), fmt::format("{}: the list is empty", pair->key));
  }
  names_ += list.hosts.size();
  if (names_ > kMostNames) {
    found_.error(text_.position(pair->value_at),
                 fmt::format("the file names more than {} nodes and switches", kMostNames));
  }
  return std::move(list.hosts);
}

void TopologyReader::read(const ConfLine& line) {
  const ConfPair& head = line.pairs.front();
  const SourcePosition where = text_.position(head.key_at);
  if (equals_ignoring_case(head.key, "BlockName") || equals_ignoring_case(head.key, "BlockSizes")) {
    found_.error(where, "blocks (topology/block) are not simulated",
                 "they came with 23.11; describe switches with SwitchName=");
    return;
  }
  constexpr std::string_view kKeys[] = {"SwitchName", "Nodes", "Switches", "LinkSpeed"};
  ConfRecord record;
  for (const ConfPair& pair : line.pairs) {
    if (std::none_of(std::begin(kKeys), std::end(kKeys),
                     [&](std::string_view key) { return equals_ignoring_case(key, pair.key); })) {
      found_.error(text_.position(pair.key_at),
                   fmt::format("{} is not a key of topology.conf", shown(pair.key)),
                   did_you_mean(pair.key, kKeys));
      continue;
    }
    record.set_own(pair);
  }
  if (!equals_ignoring_case(head.key, "SwitchName")) {
    if (record.own("SwitchName") != nullptr) {
      found_.error(where, "SwitchName must come first on its line");
    }
    return;
  }
  (void)FieldReader(text_, record, found_).number("LinkSpeed", kU32);
  const std::size_t errors = found_.error_count();
  SwitchConf result{head.value, expand(record.own("Nodes")), expand(record.own("Switches")), where};
  if (found_.error_count() == errors && result.nodes.empty() == result.switches.empty()) {
    found_.error(where,
                 fmt::format("switch {} names {} nodes {} switches", shown(result.name),
                             result.nodes.empty() ? "neither" : "both",
                             result.nodes.empty() ? "nor" : "and"),
                 "a leaf has Nodes=, any other switch has Switches=");
  }
  switches_.push_back(std::move(result));
}

void TopologyReader::check_names() {
  for (std::size_t i = 0; i < switches_.size(); ++i) {
    const std::size_t first = index_of(switches_[i].name);
    if (first == i) continue;
    found_.error(switches_[i].where,
                 fmt::format("switch {} is defined twice", shown(switches_[i].name)),
                 fmt::format("the first is at line {}", switches_[first].where.line));
  }
}

std::size_t TopologyReader::index_of(const std::string& name) const {
  const auto at = std::find_if(switches_.begin(), switches_.end(),
                               [&](const SwitchConf& s) { return s.name == name; });
  return static_cast<std::size_t>(at - switches_.begin());
}

/// One finding for each two leaves, however many nodes they share.
void TopologyReader::check_leaves() {
  std::vector<std::pair<std::string_view, std::size_t>> members;
  for (std::size_t i = 0; i < switches_.size(); ++i) {
    for (const std::string& node : switches_[i].nodes) members.emplace_back(node, i);
  }
  std::sort(members.begin(), members.end());
  struct Shared {
    std::string_view first;
    std::size_t nodes = 0;
  };
  std::map<std::pair<std::size_t, std::size_t>, Shared> shared;  // by the later and the earlier
  for (std::size_t i = 1; i < members.size(); ++i) {
    const auto& [node, leaf] = members[i];
    if (node != members[i - 1].first) continue;
    Shared& of_both = shared[{leaf, members[i - 1].second}];
    if (of_both.nodes++ == 0) of_both.first = node;
  }
  for (const auto& [leaves, of_both] : shared) {
    const std::string which =
        of_both.nodes == 1
            ? fmt::format("node {} is", shown(of_both.first))
            : fmt::format("node {} and {} more are", shown(of_both.first), of_both.nodes - 1);
    found_.warning(switches_[leaves.first].where,
                   fmt::format("{} on {} already: slurmctld takes it, and chooses from both", which,
                               shown(switches_[leaves.second].name)),
                   "was it meant? as a rule a node hangs on one leaf switch");
  }
}

/// Leaves are taken off until none is left; what remains goes in circles.
void TopologyReader::check_circles() {
  std::vector<bool> settled(switches_.size());
  for (bool moved = true; moved;) {
    moved = false;
    for (std::size_t i = 0; i < switches_.size(); ++i) {
      if (settled[i]) continue;
      const auto& below = switches_[i].switches;
      settled[i] = std::all_of(below.begin(), below.end(), [&](const std::string& name) {
        const std::size_t at = index_of(name);
        return at == switches_.size() || settled[at];
      });
      moved |= settled[i];
    }
  }
  const auto first = std::find(settled.begin(), settled.end(), false);
  if (first == settled.end()) return;
  const SwitchConf& bad = switches_[static_cast<std::size_t>(first - settled.begin())];
  found_.error(bad.where, fmt::format("switch {} is below itself", shown(bad.name)),
               "switches form a tree");
}

}  // namespace

std::vector<SwitchConf> parse_topology_conf(std::string_view text, const std::string& name,
                                            const std::filesystem::path& directory,
                                            Diagnostics& found) {
  const ConfText lexed = lex_conf(text, name, directory, found);
  return TopologyReader(lexed, found).read();
}

std::vector<SwitchConf> read_topology_conf(const std::filesystem::path& path, Diagnostics& found) {
  std::string text;
  if (!read_text_file(path, text)) {
    found.error({path.string(), 0, 0}, "cannot read the file",
                "TopologyPlugin=topology/tree needs a topology.conf");
    return {};
  }
  return parse_topology_conf(text, path.string(), path.parent_path(), found);
}

}  // namespace rehearse
