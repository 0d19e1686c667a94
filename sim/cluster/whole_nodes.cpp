// sim/cluster/whole_nodes.cpp — decided once, when a job is taken in: later code asks one flag.
#include "sim/cluster/whole_nodes.hpp"

namespace rehearse {
namespace {

bool leaves_cores(const Request& request, const SlurmConf& conf) {
  return conf.allow_spec_resources && request.core_spec;
}

}  // namespace

void settle_whole_nodes(Request& request, const SlurmConf& conf) {
  if (!request.reboot && !leaves_cores(request, conf)) return;
  request.exclusive = ExclusiveRequest::Exclusive;
  if (leaves_cores(request, conf)) request.oversubscribe = false;
}

RequestId settled_request(Cluster& cluster, RequestId asked) {
  const Request& request = cluster.requests[asked];
  if (!request.reboot && !leaves_cores(request, cluster.conf)) return asked;
  Request settled = request;
  settle_whole_nodes(settled, cluster.conf);
  return cluster.requests.intern(settled);
}

bool asks_for_whole_nodes(const Request& request, const PartitionConf& partition) {
  return request.exclusive == ExclusiveRequest::Exclusive ||
         partition.over_subscribe == OverSubscribe::Exclusive;
}

std::uint32_t cpus_of(const Cluster& cluster, const NodeSet& nodes) {
  std::uint32_t cpus = 0;
  for_each_bit(nodes, [&](std::size_t i) {
    cpus += cluster.nodes[NodeId{static_cast<std::uint32_t>(i)}].effective_cpus;
  });
  return cpus;
}

}  // namespace rehearse
