// tests/fuzz/targets/slurm_conf.cpp — slurm.conf, and the cluster that it describes.
#include "sim/config/slurm_conf.hpp"

#include "sim/cluster/cluster.hpp"
#include "tests/fuzz/targets.hpp"

namespace rehearse::test {

void fuzz_slurm_conf(std::string_view text) {
  Diagnostics found;
  SiteInputs inputs;
  inputs.slurm_conf = parse_slurm_conf(text, "slurm.conf", "/nonexistent", {}, found);
  if (found.has_errors() || inputs.slurm_conf.nodes.size() > 50) return;
  inputs.accounting.associations.emplace_back().account = "root";
  inputs.accounting.qos.emplace_back().name = "normal";
  NamePool names;
  RequestTable requests;
  const Cluster cluster(inputs, names, requests, found);
}

}  // namespace rehearse::test
