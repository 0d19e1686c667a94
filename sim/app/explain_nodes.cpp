// sim/app/explain_nodes.cpp — why nodes were not to be had while a job waited for them.
#include <fmt/format.h>

#include <array>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "sim/app/explain_print.hpp"
#include "sim/config/hostlist.hpp"

namespace rehearse {
namespace {

constexpr std::string_view kUnavailable = "UnavailableNodes:";

/// The nodes that squeue names, else those of the partitions that the job asks for.
std::set<std::string> nodes_meant(const Result& result, const ExplainedRun& run,
                                  const ReasonSpan& span) {
  std::set<std::string> names;
  const auto add = [&](std::string_view list) {
    for (std::string& host : expand_hostlist(list).hosts) names.insert(std::move(host));
  };
  if (const std::size_t at = span.text.find(kUnavailable); at != std::string::npos) {
    add(std::string_view(span.text).substr(at + kUnavailable.size()));
    return names;
  }
  const std::string asked =
      "," + text_of(result.names.partition_list, result.runs.requested_partitions[run.row]) + ",";
  for (const PartitionFacts& each : result.cluster.partitions) {
    if (asked.find("," + each.name + ",") != std::string::npos) add(each.node_list);
  }
  return names;
}

/// `drained (broken fan)`; empty: nothing keeps the node from jobs.
std::string state_words(const Result& result, std::size_t event) {
  constexpr std::array<std::pair<NodeFlag, const char*>, 5> kWords{{{kNodeDown, "down"},
                                                                    {kNodeDrain, "drained"},
                                                                    {kNodeFail, "failing"},
                                                                    {kNodeMaint, "maintenance"},
                                                                    {kNodeNoRespond, "silent"}}};
  const NodeEventColumns& events = result.node_events;
  std::string text;
  for (const auto& [flag, word] : kWords) {
    if ((events.state[event] & flag) != 0) text += (text.empty() ? "" : ", ") + std::string(word);
  }
  const std::string& reason = text_of(result.names.text, events.text[event]);
  return text.empty() || reason.empty() ? text : text + " (" + reason + ")";
}

}  // namespace

bool says_unavailable(const ReasonSpan& span) {
  return span.reason == Reason::ReqNodeNotAvail ||
         span.text.starts_with("Nodes required for job are DOWN");
}

std::vector<std::string> unavailable_nodes(const Result& result, const ExplainedRun& run,
                                           Reason reason) {
  const NodeEventColumns& events = result.node_events;
  std::map<std::string, std::vector<std::string>> nodes;  // by their state
  std::vector<std::size_t> last(result.cluster.nodes.size(), events.size());
  std::set<std::pair<std::size_t, std::size_t>> told;  // node and event
  std::size_t next = 0;
  for (const ReasonSpan& span : run.spans) {  // by time, as the events are
    for (; next < events.size() && events.time[next] <= span.begin; ++next)
      last[events.node[next]] = next;
    if (span.reason != reason || !says_unavailable(span)) continue;
    const std::set<std::string> meant = nodes_meant(result, run, span);
    for (std::size_t node = 0; node < last.size(); ++node) {
      const std::string& name = result.cluster.nodes[node].name;
      if (last[node] == events.size() || !meant.contains(name)) continue;
      if (!told.emplace(node, last[node]).second) continue;
      if (const std::string why = state_words(result, last[node]); !why.empty())
        nodes[why].push_back(name);
    }
  }
  std::vector<std::string> lines;
  for (auto& [why, names] : nodes) {
    const std::set<std::string> once(names.begin(), names.end());
    lines.push_back(fmt::format("{}: {}", compress_hostlist({once.begin(), once.end()}), why));
  }
  return lines;
}

}  // namespace rehearse
