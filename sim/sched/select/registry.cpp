// sim/sched/select/registry.cpp — from SelectType= and TopologyPlugin= to a plugin.
#include "sim/sched/select/registry.hpp"

namespace rehearse {

std::unique_ptr<SelectPlugin> make_select_plugin(const Cluster& cluster) {
  const SelectContext context{.conf = cluster.conf,
                              .names = cluster.names,
                              .requests = cluster.requests,
                              .nodes = cluster.nodes,
                              .partitions = cluster.partitions,
                              .topology = cluster.topology ? &*cluster.topology : nullptr,
                              .version = cluster.inputs.site.slurm_version,
                              .recalls = cluster.recalls};
  return make_cons_tres(context);
}

}  // namespace rehearse
