// sim/cluster/node_text.cpp — nodes and their GRES from records whose Gres= is still a text.
#include <utility>

#include "sim/cluster/gres.hpp"
#include "sim/cluster/node.hpp"

namespace rehearse {

MergedGres merge_gres(const NodeConf& node, const GresConf& gres_conf,
                      const std::vector<std::string>& gres_types, NamePool& names,
                      Diagnostics& found) {
  const std::vector<GresSpec> specs = node.gres.empty()
                                          ? std::vector<GresSpec>{}
                                          : parse_gres_spec(node.gres, node.gres_where, found);
  return merge_gres(node, specs, gres_conf, gres_types, names, found);
}

Node make_node(const NodeConf& conf, const GresConf& gres_conf,
               const std::vector<std::string>& gres_types, const SchedulerParameters& parameters,
               NamePool& names, Diagnostics& found) {
  MergedGres gres = merge_gres(conf, gres_conf, gres_types, names, found);
  return make_node(conf, std::move(gres), parameters, names, found);
}

}  // namespace rehearse
