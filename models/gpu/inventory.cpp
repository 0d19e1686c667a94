// models/gpu/inventory.cpp — node_hardware first, then the Type of each device.
#include "models/gpu/inventory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/config/hostlist.hpp"
#include "sim/config/text.hpp"

namespace rehearse {
namespace {

/// One line of node_hardware, understood.
struct HardwareLine {
  const GpuModel* model = nullptr;
  std::string type;  ///< only devices of this Type; empty: all
};

bool is_whole(const NodeGres& gpus, const NamePool& names) {
  return std::none_of(gpus.devices.begin(), gpus.devices.end(), [&](const GresDevice& device) {
    return split_gpu_type(names.text(device.type)).mig.has_value();
  });
}

class Builder {
 public:
  Builder(const Cluster& cluster, const GpuCatalogue& catalogue, Diagnostics& found)
      : cluster_(cluster), catalogue_(catalogue), found_(found), lines_(cluster.nodes.size()) {}

  void read_node_hardware() {
    for (const ConfigEntry& entry : cluster_.inputs.site.gpu.node_hardware) read(entry);
  }

  GpuKind kind_of(const Node& node, const GresDevice& device) {
    GpuKind kind;
    kind.type = cluster_.names.text(device.type);
    kind.first_node = node.id;
    for (const HardwareLine& line : lines_[node.id]) {
      if (line.type.empty() || line.type == kind.type) kind.device.model = line.model;
    }
    kind.by_node_hardware = kind.device.model != nullptr;
    const auto mig = split_gpu_type(kind.type).mig;
    if (!kind.by_node_hardware) {
      const GpuMeaning meaning =
          catalogue_.meaning_of(kind.type, instances_beside(node, kind.type));
      kind.device = {meaning.model, meaning.profile};
      kind.assumed = meaning.assumed;
    } else if (mig) {
      kind.device.profile = kind.device.model->find_profile(*mig);
    }
    if (mig && kind.device.profile == nullptr) tell_unknown_profile(node, kind);
    return kind;
  }

 private:
  /// The MIG instances of the node whose Types name the same model.
  [[nodiscard]] std::vector<MigTypeText> instances_beside(const Node& node,
                                                          std::string_view type) const {
    std::vector<MigTypeText> all;
    const std::string base = split_gpu_type(type).base;
    NameId last = kNoName;
    for (const GresDevice& device : gpus_of(node, cluster_.names)->devices) {
      if (device.type == last) continue;
      last = device.type;
      const GpuTypeText parts = split_gpu_type(cluster_.names.text(device.type));
      if (parts.mig && parts.base == base) all.push_back(*parts.mig);
    }
    return all;
  }
  void read(const ConfigEntry& entry);
  void compare(const Node& node, const NodeShape& shape, const ConfigEntry& entry);
  void tell_unknown_profile(const Node& node, GpuKind& kind);
  [[nodiscard]] const NodeConf* conf_of(const Node& node) const {
    const std::string& name = cluster_.names.text(node.name);
    const auto& all = cluster_.conf.nodes;
    const auto at = std::find_if(all.begin(), all.end(),
                                 [&](const NodeConf& conf) { return conf.name == name; });
    return at == all.end() ? nullptr : &*at;
  }

  const Cluster& cluster_;
  const GpuCatalogue& catalogue_;
  Diagnostics& found_;
  IdVector<NodeId, std::vector<HardwareLine>> lines_;
  std::vector<std::string> told_;
};

void Builder::read(const ConfigEntry& entry) {
  const std::size_t colon = std::min(entry.name.find(':'), entry.name.size());
  HardwareLine line;
  line.type = colon < entry.name.size() ? entry.name.substr(colon + 1) : std::string();
  const NodeShape* shape = catalogue_.find_shape(entry.value);
  const GpuMeaning meaning = catalogue_.meaning_of(shape != nullptr ? shape->gpu : entry.value);
  line.model = meaning.model;
  const std::string head = fmt::format("node_hardware: {}", shortened(entry.name));
  if (line.model == nullptr || meaning.profile != nullptr) {
    found_.error(entry.where, fmt::format("{}: {} is no GPU model", head, shown(entry.value)),
                 catalogue_.nearest(entry.value));
    return;
  }
  if (meaning.assumed) {
    found_.warning(entry.where,
                   fmt::format("{}: {} may be several models; it is taken for {}", head,
                               shown(entry.value), line.model->name),
                   "write the name of the model");
  }
  const HostlistResult hosts = expand_hostlist(std::string_view(entry.name).substr(0, colon));
  if (!hosts.error.empty()) {
    found_.error(entry.where, fmt::format("{}: {}", head, hosts.error));
    return;
  }
  for (const std::string& host : hosts.hosts) {
    const auto name = cluster_.names.find(host);
    const auto id = name ? cluster_.find_node(*name) : std::nullopt;
    if (!id) {
      found_.error(entry.where, fmt::format("{}: there is no node {}", head, shown(host)),
                   "a host list expression of NodeName lines: n[01-16]");
      return;
    }
    lines_[*id].push_back(line);
    if (shape != nullptr) compare(cluster_.nodes[*id], *shape, entry);
  }
}

/// A shape that slurm.conf does not agree with is told once a line, at its first node.
void Builder::compare(const Node& node, const NodeShape& shape, const ConfigEntry& entry) {
  const NodeGres* gpus = gpus_of(node, cluster_.names);
  const std::uint64_t count = gpus == nullptr ? 0 : gpus->total;
  const bool cores = shape.sockets == 0 || (node.sockets == shape.sockets &&
                                            node.cores_per_socket == shape.cores_per_socket);
  const bool counts = (gpus != nullptr && !is_whole(*gpus, cluster_.names)) || count == shape.gpus;
  if ((cores && counts) || std::find(told_.begin(), told_.end(), entry.name) != told_.end()) return;
  told_.push_back(entry.name);
  found_.warning(
      entry.where,
      fmt::format("node_hardware: {} has {} GPUs, {} sockets of {} cores; a {} has {}, {} of {}",
                  cluster_.names.text(node.name), count, node.sockets, node.cores_per_socket,
                  shape.name, shape.gpus, shape.sockets, shape.cores_per_socket),
      fmt::format("the GPU alone is taken from it; {} names no more", shape.gpu));
}

void Builder::tell_unknown_profile(const Node& node, GpuKind& kind) {
  const GpuTypeText parts = split_gpu_type(kind.type);
  std::vector<const GpuModel*> models = catalogue_.called(parts.base);
  if (kind.device.model != nullptr) models = {kind.device.model};
  kind.device = {};
  if (models.empty() || std::find(told_.begin(), told_.end(), kind.type) != told_.end()) return;
  told_.push_back(kind.type);
  std::vector<std::string> names;
  for (const MigProfile& profile : models.front()->profiles) names.push_back(profile.name);
  const NodeConf* conf = conf_of(node);
  found_.warning(
      conf != nullptr ? conf->gres_where : SourcePosition{},
      fmt::format("gpu:{}: no {} has such a MIG profile: the device is of no known model",
                  shortened(kind.type), models.front()->name),
      fmt::format("it has {}; gpu_models in site.yaml may describe another",
                  names.empty() ? "no MIG" : fmt::format("{}", fmt::join(names, ", "))));
}

}  // namespace

const NodeGres* gpus_of(const Node& node, const NamePool& names) {
  const auto at = std::find_if(node.gres.begin(), node.gres.end(), [&](const NodeGres& gres) {
    return names.text(gres.name) == "gpu";
  });
  return at == node.gres.end() ? nullptr : &*at;
}

GpuInventory::GpuInventory(const Cluster& cluster, const GpuCatalogue& catalogue,
                           Diagnostics& found)
    : devices_(cluster.nodes.size()) {
  Builder builder(cluster, catalogue, found);
  builder.read_node_hardware();
  for (const Node& node : cluster.nodes) {
    const NodeGres* gpus = gpus_of(node, cluster.names);
    if (gpus == nullptr || gpus->count_only) continue;
    NameId last = kNoName;
    GpuKind kind;
    for (const GresDevice& device : gpus->devices) {
      if (devices_[node.id].empty() || device.type != last) kind = builder.kind_of(node, device);
      last = device.type;
      devices_[node.id].push_back(kind.device);
      const auto same = std::find_if(kinds_.begin(), kinds_.end(), [&](const GpuKind& other) {
        return other.type == kind.type && other.device.model == kind.device.model &&
               other.device.profile == kind.device.profile &&
               other.by_node_hardware == kind.by_node_hardware;
      });
      (same != kinds_.end() ? *same : kinds_.emplace_back(kind)).devices += 1;
    }
  }
}

GpuDevice GpuInventory::device(NodeId node, std::size_t device) const {
  if (index_of(node) >= devices_.size() || device >= devices_[node].size()) return {};
  return devices_[node][device];
}

bool GpuInventory::knows_any() const {
  return std::any_of(kinds_.begin(), kinds_.end(),
                     [](const GpuKind& kind) { return kind.device.model != nullptr; });
}

}  // namespace rehearse
