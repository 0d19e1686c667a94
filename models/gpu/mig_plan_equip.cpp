// models/gpu/mig_plan_equip.cpp — the devices that nodes may come to have, given to the cluster.
#include <algorithm>
#include <utility>

#include "models/gpu/mig_plan.hpp"

namespace rehearse {
namespace {

/// Gives `gpus` the devices of `gpu` that they do not list, and the weights of all that it has.
/// Returns those given: they are not there yet.
std::vector<std::uint32_t> add_devices(ChangingGpu& gpu, bool absent_types_wait, NodeGres& gpus) {
  if (gpus.milli == 0) gpus.milli = gpus.total * 1000;
  const std::vector<std::uint32_t> first = devices_under(gpu, gpu.begin);
  const GresDevice pattern = gpus.devices[first.front()];
  std::vector<std::uint32_t> absent;
  for (std::size_t i = 0; i < gpu.devices.size(); ++i) {
    const std::uint32_t sms =
        i < gpu.model->profiles.size() ? gpu.model->profiles[i].sms : gpu.model->sms;
    const auto milli = static_cast<std::uint16_t>(sms * 1000 / gpu.model->sms);
    const bool may_wait =
        absent_types_wait || std::binary_search(gpu.allowed.begin(), gpu.allowed.end(), i);
    for (std::uint32_t& device : gpu.devices[i]) {
      if (device == UINT32_MAX) {
        device = static_cast<std::uint32_t>(gpus.devices.size());
        gpus.devices.push_back(pattern);
        gpus.devices.back().type = gpu.types[i];
        gpus.devices.back().presence = may_wait ? Presence::Absent : Presence::Unlisted;
        absent.push_back(device);
      }
      gpus.devices[device].milli = milli;
    }
  }
  // Its instances counted as GPUs each; the GPU counts as one.
  gpus.milli = gpus.milli + 1000 - first.size() * 1000;
  gpus.has_topology = true;
  gpus.mixed_types = true;
  return absent;
}

/// A row and a column of links for each device: instances have no NVLink.
void widen_links(NodeGres& gres) {
  if (gres.links.empty() || gres.links.size() == gres.devices.size()) return;
  for (auto& row : gres.links) row.resize(gres.devices.size(), 0);
  gres.links.resize(gres.devices.size(), std::vector<std::int32_t>(gres.devices.size(), 0));
}

}  // namespace

void MigPlan::equip(Cluster& cluster) {
  if (is_static()) return;
  const auto position = [&](NodeId node) {
    return static_cast<std::size_t>(gpus_of(cluster.nodes[node], cluster.names) -
                                    cluster.nodes[node].gres.data());
  };
  std::vector<std::pair<NodeId, std::uint32_t>> absent;
  const bool absent_types_wait = cluster.inputs.site.gpu.mig.absent_types_wait;
  for (ChangingGpu& gpu : gpus_) {
    NodeGres& gpus = cluster.nodes[gpu.node].gres[position(gpu.node)];
    for (const std::uint32_t device : add_devices(gpu, absent_types_wait, gpus)) {
      absent.emplace_back(gpu.node, device);
    }
  }
  for (Node& node : cluster.nodes) {
    for (NodeGres& gres : node.gres) widen_links(gres);
  }
  cluster.refit_ledger();
  for (const auto& [node, device] : absent) {
    cluster.ledger.take_rest(block_of(node, position(node), device));
  }
}

}  // namespace rehearse
