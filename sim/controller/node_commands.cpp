// sim/controller/node_commands.cpp — reading what is done to nodes and daemons.
#include <algorithm>
#include <array>

#include "sim/config/hostlist.hpp"
#include "sim/config/suggest.hpp"
#include "sim/config/text.hpp"
#include "sim/config/text_scan.hpp"
#include "sim/config/units.hpp"
#include "sim/config/value_lists.hpp"
#include "sim/controller/command_text.hpp"

namespace rehearse {
namespace {

using To = NodeStateChange::To;
struct StateWord {
  std::string_view word;
  To to;
};
constexpr std::array<StateWord, 12> kStates = {{{"down", To::Down},
                                                {"drain", To::Drain},
                                                {"fail", To::Fail},
                                                {"resume", To::Resume},
                                                {"undrain", To::Undrain},
                                                {"idle", To::Resume},
                                                {"noresp", To::NoRespond},
                                                {"power_up", To::PowerUp},
                                                {"power_down", To::PowerDown},
                                                {"power_down_asap", To::PowerDownAsap},
                                                {"power_down_force", To::PowerDownForce},
                                                {"cancel_reboot", To::CancelReboot}}};
constexpr std::string_view kStateHint =
    "DOWN, DRAIN, FAIL, RESUME, UNDRAIN, IDLE, NORESP, POWER_UP or POWER_DOWN";

bool read_key(CommandText& text, const std::string& key, const std::string& value,
              UpdateNodes& update) {
  if (key == "reason") {
    update.change.reason = value;
  } else if (key == "state") {
    const std::string word = to_lower(value);
    const auto known = std::find_if(kStates.begin(), kStates.end(),
                                    [&](const StateWord& each) { return each.word == word; });
    if (known == kStates.end()) {
      text.fail(fmt::format("node state '{}' is not known", shortened(value)),
                std::string(kStateHint));
      return false;
    }
    update.change.to = known->to;
  } else if (key == "weight") {
    update.weight = text::parse_decimal32(value);
    if (!update.weight) {
      text.fail(fmt::format("Weight: '{}' is not a whole number", shortened(value)));
      return false;
    }
  } else if (key == "features" || key == "availablefeatures" || key == "activefeatures" ||
             key == "feature") {
    std::vector<NameId>& features = update.features.emplace();
    for (const std::string_view word : split_list(value)) {
      features.push_back(text.names.intern(word));
    }
  } else if (key == "comment" || key == "extra" || key == "instanceid" || key == "instancetype") {
    // told to people, not to the scheduler
  } else if (key == "gres" || key == "nodeaddr" || key == "nodehostname" || key == "cpubind" ||
             key == "resumeafter") {
    text.not_simulated(fmt::format("{}= of a node", key));
    return false;
  } else {
    constexpr std::array<std::string_view, 5> kKeys = {"State", "Reason", "Weight", "Features",
                                                       "Comment"};
    text.fail(fmt::format("a node has no '{}' that scontrol could change", shortened(key)),
              did_you_mean(key, kKeys));
    return false;
  }
  return true;
}

}  // namespace

std::optional<std::vector<NodeId>> known_nodes(CommandText& text,
                                               const std::vector<std::string>& hosts) {
  std::vector<NodeId> nodes;
  std::size_t lost = 0;
  for (const std::string& host : hosts) {
    const auto name = text.names.find(host);
    if (const auto node = name ? text.cluster.find_node(*name) : std::nullopt) {
      nodes.push_back(*node);
    } else if (text.cluster.has_lost(host)) {
      ++lost;
    } else {
      text.fail(fmt::format("no node is called '{}'", host), "see NodeName in slurm.conf");
      return std::nullopt;
    }
  }
  if (lost > 0) {
    text.found.note(text.line.where,
                    fmt::format("{} of the {} nodes named are taken away by a change: the command "
                                "does without them",
                                lost, hosts.size()));
  }
  return nodes;
}

std::optional<std::vector<NodeId>> nodes_of(CommandText& text, std::string_view list) {
  std::vector<NodeId> nodes;
  if (to_lower(list) == "all") {
    for (const Node& node : text.cluster.nodes) nodes.push_back(node.id);
    return nodes;
  }
  const HostlistResult hosts = expand_hostlist(list);
  if (!hosts.error.empty()) {
    text.fail(hosts.error);
    return std::nullopt;
  }
  if (hosts.hosts.empty()) {
    text.fail("no node is named", "a list such as n[01-04]");
    return std::nullopt;
  }
  return known_nodes(text, hosts.hosts);
}

std::optional<AdminAction> read_node_update(CommandText& text, std::string_view list) {
  UpdateNodes update;
  auto nodes = nodes_of(text, list);
  if (!nodes) return std::nullopt;
  update.nodes = std::move(*nodes);
  bool some = false;
  for (std::size_t i = 2; i < text.words.size(); ++i) {
    const std::string& word = text.words[i];
    const std::size_t equals = word.find('=');
    const std::string key = to_lower(std::string_view(word).substr(0, equals));
    if (key == "nodename") continue;
    if (equals == std::string::npos) {
      return text.fail(fmt::format("'{}' is not KEY=VALUE", shortened(word)),
                       "a reason of several words stands in quotes: Reason=\"gpu 3 fell off\"");
    }
    if (!read_key(text, key, word.substr(equals + 1), update)) return std::nullopt;
    some = true;
  }
  if (!some) return text.fail("nothing to change", "State=DRAIN Reason=…");
  using enum NodeStateChange::To;
  const bool wants_reason =
      update.change.to == Down || update.change.to == Drain || update.change.to == Fail;
  if (wants_reason && update.change.reason.empty()) {
    return text.fail("DOWN, DRAIN and FAIL need a reason", "add Reason=…; scontrol refuses it too");
  }
  return update;
}

std::optional<AdminAction> read_daemon_change(CommandText& text) {
  const std::string& who = text.words[0];
  const std::string what = text.words.size() > 1 ? to_lower(text.words[1]) : "";
  const bool is_daemon = who == "slurmd";
  ChangeDaemons change;
  using DaemonTo = ChangeDaemons::To;
  if (is_daemon && (what == "down" || what == "up")) {
    change.to = what == "down" ? DaemonTo::Silent : DaemonTo::Answering;
  } else if (!is_daemon && (what == "crash" || what == "boot")) {
    change.to = what == "crash" ? DaemonTo::Crashed : DaemonTo::Booted;
  } else if (!is_daemon && (what == "hang" || what == "recover")) {
    change.to = what == "hang" ? DaemonTo::Hung : DaemonTo::Recovered;
  } else {
    return text.fail(
        fmt::format("{} '{}' is not known", who, shortened(what)),
        is_daemon ? "slurmd down NODES, slurmd up NODES"
                  : "node crash NODES, node boot NODES, node hang NODES, node recover NODES");
  }
  if (text.words.size() != 3) {
    return text.fail(fmt::format("{} {} takes one list of nodes", who, what),
                     fmt::format("{} {} n[01-04]", who, what));
  }
  auto nodes = nodes_of(text, text.words[2]);
  if (!nodes) return std::nullopt;
  change.nodes = std::move(*nodes);
  return change;
}

std::optional<AdminAction> read_gpu_cut(CommandText& text) {
  constexpr std::string_view kForm = "mig n[01-04] 0-7 3g.20gb 2*2g.10gb, or … whole";
  if (text.words.size() < 4) {
    return text.fail("mig takes nodes, GPUs and a layout", std::string(kForm));
  }
  CutGpus cut;
  cut.line.where = text.line.where;
  cut.line.nodes = text.words[1];
  cut.line.gpus = text.words[2];
  cut.line.layout.assign(text.words.begin() + 3, text.words.end());
  const auto nodes = nodes_of(text, cut.line.nodes);
  if (!nodes) return std::nullopt;
  constexpr std::uint32_t kMostGpus = 1024;  // of a node (gres.md §1.3)
  const auto gpus = parse_index_list(cut.line.gpus, kMostGpus - 1);
  if (!gpus || gpus->empty()) {
    return text.fail(fmt::format("{} is no list of GPUs", shown(cut.line.gpus)),
                     "indexes of physical GPUs and ranges, as 0-3,6");
  }
  return cut;
}

}  // namespace rehearse
