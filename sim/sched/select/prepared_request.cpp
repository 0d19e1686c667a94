// sim/sched/select/prepared_request.cpp — rules, features and the filters that use cannot change.
#include "sim/sched/select/prepared_request.hpp"

#include <algorithm>
#include <utility>

#include "sim/sched/select/offer.hpp"
#include "sim/sched/select/quick_test.hpp"

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

bool PreparedRequests::is_configured(const Node& node, const PreparedRequest& prepared) const {
  const EffectiveRequest& request = prepared.ruled.request;
  if (node.cpus < request.pn_min_cpus || node.tmp_disk_mib < request.tmp_disk_mib) return false;
  if (node.sockets < request.sockets_per_node || node.cores_per_socket < request.cores_per_socket ||
      node.threads_per_core < request.configured_threads) {
    return false;
  }
  if (node.cores_per_socket * node.threads_per_core < request.ntasks_per_socket) return false;
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
  // Slurm: --contiguous asks for what lies between them, too (scheduling.md §6.5).
  if (const std::size_t first = prepared.required.find_first();
      request.contiguous && first < prepared.required.size()) {
    std::size_t last = first;
    for_each_bit(prepared.required, [&](std::size_t node) { last = node; });
    for (std::size_t node = first; node < last; ++node) prepared.required.set(node);
  }
  for (const Node& node : context_.nodes) {
    const auto& excluded = request.excluded_nodes;
    if (std::find(excluded.begin(), excluded.end(), node.name) != excluded.end()) {
      prepared.configured.reset(index_of(node.id));
    }
  }
}

/// True if whoever holds some of a node has some of a GRES of which this request wants all: where
/// that is free all is, and its CPUs tell nothing more.
bool PreparedRequests::is_told_by_gres(const PreparedRequest& prepared) const {
  const auto& wanted = prepared.ruled.request.gres;
  return std::any_of(wanted.begin(), wanted.end(), [&](const EffectiveGres& gres) {
    bool takes_all = gres.per_node > 0 && context_.requests.all_want(gres.name);
    for_each_bit(prepared.configured, [&](std::size_t n) {
      for (const NodeGres& own : context_.nodes[id_at<NodeId>(n)].gres) {
        if (own.name == gres.name && own.total > gres.per_node) takes_all = false;
      }
    });
    return takes_all;
  });
}

/// As far as a placement counts them (JobTotals counts them, too).
std::uint32_t PreparedRequests::cpus_left_for_one(const PreparedRequest& prepared) const {
  const EffectiveRequest& request = prepared.ruled.request;
  if (request.cpus_of_each_node == 0 || request.overcommit || !prepared.counts.empty()) return 0;
  if (is_told_by_gres(prepared)) return 0;
  if (context_.conf.scheduler_parameters.bf_busy_nodes) return 0;  // a plan may have more nodes
  const std::uint32_t nodes =
      ruled_node_counts(request, {request.min_nodes, request.max_nodes.value_or(UINT32_MAX)}).max;
  std::uint64_t most = 0;
  for_each_bit(prepared.configured, [&](std::size_t n) {
    const Node& node = context_.nodes[id_at<NodeId>(n)];
    most = std::max(most, free_cpus_of(node, 0, request));
  });
  const std::uint64_t others = std::uint64_t{std::max(nodes, 1U) - 1} * most;
  const std::uint32_t needed = request.min_cpus - request.spare_cpus;
  return needed > others ? static_cast<std::uint32_t>(needed - others) : 0;
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

void PreparedRequests::count_cpus(PreparedRequest& prepared, const Partition& partition) const {
  EffectiveRequest& request = prepared.ruled.request;
  request.cpus_of_each_node = cpus_of_each_node(prepared, partition);
  request.cpus_left_for_one = cpus_left_for_one(prepared);
}

PreparedRequest PreparedRequests::prepare(const Request& request,
                                          const Partition& partition) const {
  PreparedRequest prepared;
  prepared.ruled = apply_request_rules(request, partition, context_.conf, context_.names);
  prepared.ruled.request.tests_all_cores_first =
      tests_all_cores_first(prepared.ruled.request, context_.nodes);
  prepared.ruled.request.may_lack_cores = may_lack_cores(prepared.ruled.request, context_.nodes);
  prepared.configured = partition.nodes;
  for (const Node& node : context_.nodes) {
    if (!is_configured(node, prepared)) prepared.configured.reset(index_of(node.id));
  }
  name_nodes(request, prepared);
  const FeatureExpression::Lookup lookup = [this](std::string_view feature) {
    return nodes_with_feature(context_.nodes, context_.names, feature);
  };
  if (request.features_wanted() == kNoName) {
    prepared.alternatives.push_back(prepared.configured);
    count_cpus(prepared, partition);
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
  count_cpus(prepared, partition);
  return prepared;
}

}  // namespace rehearse
