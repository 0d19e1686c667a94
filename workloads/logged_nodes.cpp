// workloads/logged_nodes.cpp — names between two pieces of a line.
#include "workloads/logged_nodes.hpp"

#include <utility>

#include "sim/config/hostlist.hpp"
#include "workloads/logged_instant.hpp"

namespace rehearse {
namespace {

/// What stands between both, without a blank; empty: not such a line.
std::string_view between(std::string_view text, std::string_view before, std::string_view after) {
  if (!text.starts_with(before)) return {};
  text.remove_prefix(before.size());
  const std::string_view name = text.substr(0, text.find(' '));
  return text.substr(name.size()).starts_with(after) ? name : std::string_view{};
}

}  // namespace

std::string_view updated_node(std::string_view said) {
  return between(said, "update_node: node ", " state set to ");
}

std::string_view returned_node(std::string_view said) {
  constexpr std::string_view kResponds = " now responding";
  if (said.ends_with(kResponds)) return between(said, "Node ", kResponds);
  for (const std::string_view before : {"node_did_resp: node ", "node "}) {
    const std::string_view name = between(said, before, " returned to service");
    if (!name.empty()) return name;
  }
  return {};
}

std::optional<SilentNodes> silent_nodes(std::string_view said) {
  constexpr std::string_view kNodes = "error: Nodes ", kSilent = " not responding",
                             kDown = ", setting DOWN";
  SilentNodes silent;
  silent.set_down = said.ends_with(kDown);
  if (silent.set_down) said.remove_suffix(kDown.size());
  if (!said.starts_with(kNodes) || !said.ends_with(kSilent)) return std::nullopt;
  said.remove_prefix(kNodes.size());
  if (said.size() < kSilent.size()) return std::nullopt;
  said.remove_suffix(kSilent.size());
  HostlistResult list = expand_hostlist(said);
  if (!list.error.empty()) return std::nullopt;
  silent.nodes = std::move(list.hosts);
  return silent;
}

std::string_view failed_node(std::string_view said) {
  constexpr std::string_view kFailure = " due to failure of node ";
  const std::size_t at = said.find(kFailure);
  return at == std::string_view::npos ? std::string_view{} : said.substr(at + kFailure.size());
}

constexpr Seconds kOneFailure{60};  // of the accelerated clock, for all of a node's jobs

void NodeFailures::note(std::string_view node, Time at) {
  const auto [known, is_new] = first_.try_emplace(std::string(node), at);
  if (!is_new && at - known->second > kOneFailure) known->second = at;
}

Time NodeFailures::began(std::string_view node, Time told) const {
  const auto known = first_.find(node);
  const bool is_it = known != first_.end() && told - known->second <= kOneFailure;
  return is_it ? known->second : told;
}

std::size_t sharpen(std::vector<AdminCommandAt>& commands, const IdVector<NodeId, Node>& nodes,
                    const NamePool& names, const std::vector<LoggedNodeUpdate>& logged) {
  std::size_t sharpened = 0;
  LoggedInstants<LoggedNodeUpdate> instants(logged);
  for (AdminCommandAt& command : commands) {
    const auto* update = std::get_if<UpdateNodes>(&command.action);
    if (update == nullptr || update->nodes.empty()) continue;
    if (update->change.to == NodeStateChange::To::None) continue;
    const std::string& name = names.text(nodes[update->nodes.front()].name);
    const LoggedNodeUpdate* line =
        instants.take(command.at, [&](const LoggedNodeUpdate& each) { return each.node == name; });
    if (line == nullptr) continue;
    command.at = line->at;
    ++sharpened;
  }
  put_in_order(commands);
  return sharpened;
}

}  // namespace rehearse
