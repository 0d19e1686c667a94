// sim/output/views/sinfo.cpp — partitions and the states of their nodes at an instant (outputs.md
// §2).
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "sim/config/hostlist.hpp"
#include "sim/output/views/node_state.hpp"
#include "sim/output/views/node_use.hpp"
#include "sim/output/views/view.hpp"

namespace rehearse {
namespace {

std::string time_limit(const PartitionFacts& partition) {
  if (partition.max_time_min == kLimitUnlimited) return "infinite";
  return squeue_time(std::int64_t{partition.max_time_min} * 60);
}

std::string job_size(const PartitionFacts& partition) {
  const std::uint32_t least = std::max(1U, partition.min_nodes);
  if (partition.max_nodes == kLimitUnlimited) return fmt::format("{}-infinite", least);
  if (partition.max_nodes == least) return fmt::format("{}", least);
  return fmt::format("{}-{}", least, partition.max_nodes);
}

}  // namespace

View sinfo_view(const Result& result, const ViewOptions& options) {
  const std::int64_t at = options.at.value_or(result.end);
  const std::vector<NodeUseAt> uses = node_uses_at(result, at, UseDetail::Totals);
  const auto& nodes = result.cluster.nodes;
  std::map<std::string, std::size_t> node_by_name;
  for (std::size_t i = 0; i < nodes.size(); ++i) node_by_name.emplace(nodes[i].name, i);

  std::size_t width = 9;
  for (const PartitionFacts& partition : result.cluster.partitions) {
    width = std::max(width, partition.name.size() + (partition.is_default ? 1 : 0));
  }
  ViewTable table;
  table.columns = {{"PARTITION", width, true}, {"AVAIL", 5}, {"TIMELIMIT", 10}};
  if (options.long_form) {
    for (const ViewColumn& column : {ViewColumn{"JOB_SIZE", 10}, ViewColumn{"ROOT", 4},
                                     ViewColumn{"OVERSUBS", 8}, ViewColumn{"GROUPS", 10}}) {
      table.columns.push_back(column);
    }
  }
  table.columns.push_back({"NODES", 6});
  table.columns.push_back({"STATE", options.long_form ? std::size_t{11} : std::size_t{6}});
  table.columns.push_back({"NODELIST", 0});
  for (const PartitionFacts& partition : result.cluster.partitions) {
    // By Slurm's number of the state, descending; then by its word.
    std::map<std::pair<int, std::string>, std::vector<std::string>> groups;
    for (const std::string& name : expand_hostlist(partition.node_list).hosts) {
      const auto known = node_by_name.find(name);
      if (known == node_by_name.end()) continue;
      const std::size_t node = known->second;
      const NodeUseAt& use = uses[node];
      if ((use.flags & kNodeFuture) != 0) continue;  // no more than `sinfo` without --future
      const NodeStateText state =
          node_state(use.flags, use.cpus, nodes[node].effective_cpus, use.completing);
      groups[{-state.number, options.long_form ? state.whole : state.code}].push_back(name);
    }
    if (groups.empty()) groups[{0, "n/a"}] = {};
    for (const auto& [state, hosts] : groups) {
      std::vector<std::string> fields{partition.name + (partition.is_default ? "*" : ""),
                                      partition.state, time_limit(partition)};
      if (options.long_form) {
        fields.insert(fields.end(), {job_size(partition), partition.root_only ? "yes" : "no",
                                     partition.over_subscribe, "all"});
      }
      fields.push_back(fmt::format("{}", hosts.size()));
      fields.push_back(state.second);
      fields.push_back(compress_hostlist(hosts));
      table.rows.push_back(std::move(fields));
    }
  }
  View view = table.view(&ViewTable::as_squeue, options);
  view.text = heading(result, options) + view.text;
  if (!result.completing.kept) view.note = "nodes that are completing are shown as the others";
  return view;
}

}  // namespace rehearse
