// sim/sched/select/registry.cpp — from SelectType= and TopologyPlugin= to a plugin.
#include "sim/sched/select/registry.hpp"

namespace rehearse {

std::unique_ptr<SelectPlugin> make_select_plugin(const Cluster& cluster) {
  std::optional<Topology> topology;
  if (cluster.conf.topology_plugin == TopologyPlugin::Tree) {
    Diagnostics found;
    topology = make_topology(cluster.inputs.topology, cluster.nodes, cluster.names, found);
    found.throw_if_errors();
  }
  const SelectContext context{.conf = cluster.conf,
                              .names = cluster.names,
                              .requests = cluster.requests,
                              .nodes = cluster.nodes,
                              .partitions = cluster.partitions,
                              .version = cluster.inputs.site.slurm_version,
                              .recalls = cluster.recalls};
  return make_cons_tres(context, std::move(topology));
}

}  // namespace rehearse
