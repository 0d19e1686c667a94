// sim/output/held_texts.cpp — looked up by what they are made of.
#include "sim/output/held_texts.hpp"

#include "sim/output/device_text.hpp"
#include "sim/output/result.hpp"

namespace rehearse {

HeldTexts::Devices HeldTexts::devices(const NodeShare& share, const Cluster& cluster,
                                      NamePool& texts) {
  if (classes_.empty()) classes_ = classes_of(cluster.nodes);
  key_.assign(1, classes_[share.node]);
  for (const DeviceShare& each : share.devices) {
    key_.push_back(std::uint64_t{each.gres} << 32U | each.device);
    key_.push_back(each.units);
  }
  const auto known = devices_.find(key_);
  if (known != devices_.end()) return known->second;
  const Node& node = cluster.nodes[share.node];
  const Devices made{code_of(texts, device_text(share, node, cluster.names)),
                     code_of(texts, cuda_visible_text(share, node, cluster.names))};
  return devices_.emplace(key_, made).first->second;
}

std::uint32_t HeldTexts::tres(const TresVector& amounts, const Cluster& cluster, NamePool& texts) {
  const auto [known, is_new] = tres_.try_emplace(amounts, 0);
  if (is_new) known->second = code_of(texts, format_tres_sacct(cluster.tres, amounts));
  return known->second;
}

}  // namespace rehearse
