// sim/sched/select/prepared_request.cpp — rules, features and the filters that use cannot change.
#include "sim/sched/select/prepared_request.hpp"

#include <algorithm>

namespace rehearse {

const PreparedRequest& PreparedRequests::of(RequestId request, PartitionId partition) {
  if (index_of(request) >= known_.size()) known_.resize(context_.requests.size());
  auto& by_partition = known_[index_of(request)];
  if (index_of(partition) >= by_partition.size()) by_partition.resize(context_.partitions.size());
  std::unique_ptr<PreparedRequest>& known = by_partition[index_of(partition)];
  if (known == nullptr) {
    known = std::make_unique<PreparedRequest>(
        prepare(context_.requests[request], context_.partitions[partition]));
  }
  return *known;
}

NodeSet PreparedRequests::with_feature(std::string_view feature) const {
  NodeSet nodes(context_.nodes.size());
  const auto name = context_.names.find(feature);
  if (!name) return nodes;
  for (const Node& node : context_.nodes) {
    if (std::find(node.features.begin(), node.features.end(), *name) != node.features.end()) {
      nodes.set(index_of(node.id));
    }
  }
  return nodes;
}

bool PreparedRequests::is_configured(const Node& node, const PreparedRequest& prepared) const {
  const EffectiveRequest& request = prepared.ruled.request;
  if (node.cpus < request.pn_min_cpus || node.tmp_disk_mib < request.tmp_disk_mib) return false;
  if (node.sockets < request.sockets_per_node || node.cores_per_socket < request.cores_per_socket ||
      node.threads_per_core < request.threads_per_core) {
    return false;
  }
  return request.configured_mib <= node.real_memory_mib;
}

void PreparedRequests::name_nodes(const Request& request, PreparedRequest& prepared) const {
  if (!request.required_nodes.empty()) prepared.required.resize(context_.nodes.size());
  for (const NameId name : request.required_nodes) {
    bool found = false;
    for (const Node& node : context_.nodes) {
      if (node.name != name) continue;
      prepared.required.set(index_of(node.id));
      found = true;
    }
    prepared.known = prepared.known && found;
  }
  for (const Node& node : context_.nodes) {
    const auto& excluded = request.excluded_nodes;
    if (std::find(excluded.begin(), excluded.end(), node.name) != excluded.end()) {
      prepared.configured.reset(index_of(node.id));
    }
  }
}

/// The least that a placement finds with any of its nodes (measure_cpus). A counted term is placed
/// without the tasks of the job.
std::uint32_t PreparedRequests::cpus_of_each_node(const PreparedRequest& prepared,
                                                  const Partition& partition) const {
  const EffectiveRequest& request = prepared.ruled.request;
  const bool is_linear = context_.conf.select_type == SelectType::Linear;
  const SelectTypeParameters& parameters =
      partition.conf.select_type_parameters.value_or(context_.conf.select_type_parameters);
  if (!is_linear && parameters.unit == ConsumableUnit::None) return 0;
  if (request.overcommit) return 1;
  std::uint32_t tasks = std::max<std::uint32_t>(request.ntasks_per_node, 1);
  const bool on_one = request.max_nodes == 1U && ruled_node_counts(request, {1, 1}).max == 1;
  if (request.ntasks_per_node == 0 && on_one && prepared.counts.empty()) {
    tasks = std::max(request.num_tasks, 1U);
  }
  return std::max({request.pn_min_cpus, tasks * request.cpus_per_task, 1U});
}

PreparedRequest PreparedRequests::prepare(const Request& request,
                                          const Partition& partition) const {
  PreparedRequest prepared;
  prepared.ruled = apply_request_rules(request, partition, context_.conf, context_.names);
  prepared.configured = partition.nodes;
  for (const Node& node : context_.nodes) {
    if (!is_configured(node, prepared)) prepared.configured.reset(index_of(node.id));
  }
  name_nodes(request, prepared);
  const FeatureExpression::Lookup lookup = [this](std::string_view feature) {
    return with_feature(feature);
  };
  if (request.features_wanted() == kNoName) {
    prepared.alternatives.push_back(prepared.configured);
    prepared.ruled.request.cpus_of_each_node = cpus_of_each_node(prepared, partition);
    return prepared;
  }
  const auto features = FeatureExpression::parse(context_.names.text(request.features_wanted()));
  if (!features) {
    prepared.known = false;
    prepared.configured.reset();
    return prepared;
  }
  prepared.configured &= features->any(lookup);
  prepared.alternatives = features->alternatives(lookup);
  prepared.counts = features->counts(lookup);
  prepared.ruled.request.cpus_of_each_node = cpus_of_each_node(prepared, partition);
  return prepared;
}

}  // namespace rehearse
