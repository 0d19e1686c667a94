// models/gpu/layouts.cpp — instances to GPUs, by mig: of site.yaml or the files of gres.conf.
#include "models/gpu/layouts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "models/gpu/gpu_cut.hpp"
#include "sim/config/hostlist.hpp"
#include "sim/config/suggest.hpp"
#include "sim/config/text.hpp"
#include "sim/config/text_scan.hpp"
#include "sim/config/units.hpp"
#include "sim/config/value_lists.hpp"

namespace rehearse {
namespace {

std::string nearest_hint(const GpuModel& model, const std::vector<MigWish>& wishes) {
  return fmt::format("the nearest that can: {}", to_text(model, nearest_legal(model, wishes)));
}

/// N of the file /dev/nvidiaN; none: there is no such file.
std::optional<std::uint32_t> parent_of(const GresConfLine& line) {
  constexpr std::string_view kHead = "/dev/nvidia";
  for (const std::string& file : line.multiple_files) {
    if (!file.starts_with(kHead)) continue;
    const auto number = text::parse_decimal32(std::string_view(file).substr(kHead.size()));
    if (number) return number;
  }
  return std::nullopt;
}

class LayoutBuilder {
 public:
  LayoutBuilder(const Cluster& cluster, const GpuInventory& inventory, Diagnostics& found)
      : cluster_(cluster), inventory_(inventory), found_(found), lines_(cluster.nodes.size()) {
    for (const MigLine& line : cluster.inputs.site.gpu.mig.layouts) find_nodes(line);
  }

  void add(const Node& node, std::vector<PartitionedGpu>& gpus, std::uint32_t& unplaced) {
    const std::vector<std::uint32_t> instances = instances_of(node);
    if (!lines_[node.id].empty()) {
      by_site_yaml(node, instances, gpus);
    } else if (!instances.empty() && !by_gres_conf(node, instances, gpus)) {
      unplaced += static_cast<std::uint32_t>(instances.size());
    }
  }

 private:
  using Line = MigLine;

  void find_nodes(const Line& line);
  /// The devices of the node that are MIG instances.
  [[nodiscard]] std::vector<std::uint32_t> instances_of(const Node& node) const;
  [[nodiscard]] const GpuModel* model_of(const Node& node) const;
  void by_site_yaml(const Node& node, const std::vector<std::uint32_t>& instances,
                    std::vector<PartitionedGpu>& gpus);
  [[nodiscard]] std::optional<MigLayout> layout_of(const Line& line, const GpuModel& model,
                                                   const std::string& node);
  void deal_devices(const Node& node, const std::vector<std::uint32_t>& instances,
                    std::vector<PartitionedGpu>& mine);
  bool by_gres_conf(const Node& node, const std::vector<std::uint32_t>& instances,
                    std::vector<PartitionedGpu>& gpus);
  void place_parent(const Node& node, std::uint32_t parent,
                    const std::vector<std::uint32_t>& devices, const SourcePosition& where,
                    std::vector<PartitionedGpu>& gpus);
  [[nodiscard]] const std::string& name_of(const Node& node) const {
    return cluster_.names.text(node.name);
  }
  [[nodiscard]] bool is_first(const SourcePosition& where) {
    return told_.insert(fmt::format("{}:{}:{}", where.file, where.line, where.column)).second;
  }

  const Cluster& cluster_;
  const GpuInventory& inventory_;
  Diagnostics& found_;
  IdVector<NodeId, std::vector<const Line*>> lines_;
  std::map<std::pair<const Line*, const GpuModel*>, std::optional<MigLayout>> understood_;
  std::set<std::string> told_;  // places: a line that is wrong for many nodes is told once
};

void LayoutBuilder::find_nodes(const Line& line) {
  const HostlistResult hosts = expand_hostlist(line.nodes);
  if (!hosts.error.empty() || hosts.hosts.empty()) {
    if (!line.nodes.empty()) {
      found_.error(line.where, fmt::format("mig.layouts: nodes: {}", hosts.error));
    }
    return;
  }
  for (const std::string& host : hosts.hosts) {
    const auto name = cluster_.names.find(host);
    const auto id = name ? cluster_.find_node(*name) : std::nullopt;
    if (!id) {
      found_.error(line.where, fmt::format("mig.layouts: there is no node {}", shown(host)),
                   "a host list expression of NodeName lines: n[01-16]");
      return;
    }
    lines_[*id].push_back(&line);
  }
}

std::vector<std::uint32_t> LayoutBuilder::instances_of(const Node& node) const {
  std::vector<std::uint32_t> all;
  const NodeGres* gpus = gpus_of(node, cluster_.names);
  for (std::uint32_t i = 0; gpus != nullptr && i < gpus->devices.size(); ++i) {
    if (inventory_.device(node.id, i).profile != nullptr) all.push_back(i);
  }
  return all;
}

/// The model of the node's instances, else of its first device that is known.
const GpuModel* LayoutBuilder::model_of(const Node& node) const {
  const GpuModel* model = nullptr;
  const NodeGres* gpus = gpus_of(node, cluster_.names);
  for (std::uint32_t i = 0; gpus != nullptr && i < gpus->devices.size(); ++i) {
    const GpuDevice device = inventory_.device(node.id, i);
    if (device.profile != nullptr) return device.model;
    if (model == nullptr) model = device.model;
  }
  return model;
}

std::optional<MigLayout> LayoutBuilder::layout_of(const Line& line, const GpuModel& model,
                                                  const std::string& node) {
  const auto known = understood_.find({&line, &model});
  if (known != understood_.end()) return known->second;
  std::optional<MigLayout>& layout = understood_[{&line, &model}];
  const auto cut = understand_cut({model, line.layout, line.where, "mig.layouts", node}, found_);
  if (cut && cut->whole) {
    found_.error(line.where, "mig.layouts: whole is no MIG layout",
                 "a GPU with MIG off stands in no line; whole is for mig.changes");
  } else if (cut) {
    layout = cut->layout;
  }
  return layout;
}

void LayoutBuilder::by_site_yaml(const Node& node, const std::vector<std::uint32_t>& instances,
                                 std::vector<PartitionedGpu>& gpus) {
  const GpuModel* model = model_of(node);
  std::vector<PartitionedGpu> mine;
  for (const Line* line : lines_[node.id]) {
    if (model == nullptr) {
      if (!is_first(line->where)) return;
      found_.error(
          line->where,
          fmt::format("mig.layouts: of what model the GPUs of {} are is not known", name_of(node)),
          "name it in node_hardware, or as the Type of Gres=");
      return;
    }
    const auto layout = layout_of(*line, *model, name_of(node));
    if (!layout) return;
    const auto indexes = parse_index_list(line->gpus, UINT32_MAX - 1);
    for (const std::uint32_t index : indexes.value_or(std::vector<std::uint32_t>{})) {
      const bool twice = std::any_of(mine.begin(), mine.end(), [&](const PartitionedGpu& other) {
        return other.index == index;
      });
      if (twice && is_first(line->where)) {
        found_.error(line->where, fmt::format("mig.layouts: GPU {} of {} stands in two lines",
                                              index, name_of(node)));
      }
      if (!twice) mine.push_back({node.id, index, model, *layout, {}});
    }
  }
  std::sort(mine.begin(), mine.end(),
            [](const PartitionedGpu& a, const PartitionedGpu& b) { return a.index < b.index; });
  deal_devices(node, instances, mine);
  gpus.insert(gpus.end(), mine.begin(), mine.end());
}

/// The devices of a profile go to its instances in order, GPU by GPU; their numbers must agree.
void LayoutBuilder::deal_devices(const Node& node, const std::vector<std::uint32_t>& instances,
                                 std::vector<PartitionedGpu>& mine) {
  std::map<const MigProfile*, std::vector<std::uint32_t>> left;
  for (const std::uint32_t device : instances) {
    left[inventory_.device(node.id, device).profile].push_back(device);
  }
  std::map<std::string, std::pair<std::size_t, std::size_t>> counts;  // in mig:, in Gres=
  for (const auto& [profile, devices] : left) counts[profile->name].second = devices.size();
  std::map<const MigProfile*, std::size_t> dealt;
  for (PartitionedGpu& gpu : mine) {
    for (const MigInstance& instance : gpu.layout) {
      const MigProfile* profile = &gpu.model->profiles[instance.profile];
      const std::size_t at = dealt[profile]++;
      ++counts[profile->name].first;
      gpu.devices.push_back(at < left[profile].size() ? left[profile][at] : UINT32_MAX);
    }
  }
  const SourcePosition& where = lines_[node.id].back()->where;
  for (const auto& [name, count] : counts) {
    if (count.first == count.second || !is_first(where)) continue;
    found_.error(where,
                 fmt::format("mig.layouts: {} instances {} on {}, but Gres= has {}", count.first,
                             name, name_of(node), count.second),
                 "the layouts of a node must make just the devices of its Gres=");
  }
}

/// False: some instance has no MultipleFiles= that names its GPU.
bool LayoutBuilder::by_gres_conf(const Node& node, const std::vector<std::uint32_t>& instances,
                                 std::vector<PartitionedGpu>& gpus) {
  const NodeGres& own = *gpus_of(node, cluster_.names);
  std::map<NameId, std::vector<const GresConfLine*>> by_type;
  for (const GresConfLine& line : cluster_.inputs.gres_conf.lines) {
    const bool applies = line.nodes.empty() || std::find(line.nodes.begin(), line.nodes.end(),
                                                         name_of(node)) != line.nodes.end();
    if (line.name != "gpu" || !applies || line.multiple_files.empty()) continue;
    for (const std::uint32_t device : instances) {
      const NameId type = own.devices[device].type;
      if (to_lower(cluster_.names.text(type)) != to_lower(line.type)) continue;
      by_type[type].push_back(&line);
      break;
    }
  }
  std::map<std::uint32_t, std::pair<std::vector<std::uint32_t>, SourcePosition>> by_parent;
  std::map<NameId, std::size_t> taken;
  for (const std::uint32_t device : instances) {
    const NameId type = own.devices[device].type;
    const std::size_t at = taken[type]++;
    if (at >= by_type[type].size()) return false;
    const GresConfLine& line = *by_type[type][at];
    const auto parent = parent_of(line);
    if (!parent) return false;
    auto& [devices, where] = by_parent[*parent];
    if (devices.empty()) where = line.where;
    devices.push_back(device);
  }
  for (const auto& [parent, gpu] : by_parent) {
    place_parent(node, parent, gpu.first, gpu.second, gpus);
  }
  return true;
}

void LayoutBuilder::place_parent(const Node& node, std::uint32_t parent,
                                 const std::vector<std::uint32_t>& devices,
                                 const SourcePosition& where, std::vector<PartitionedGpu>& gpus) {
  PartitionedGpu gpu{node.id, parent, inventory_.device(node.id, devices.front()).model, {}, {}};
  std::vector<MigWish> wishes;
  for (const std::uint32_t device : devices) {
    const GpuDevice kind = inventory_.device(node.id, device);
    if (kind.model != gpu.model) {
      if (!is_first(where)) return;
      found_.error(where,
                   fmt::format("/dev/nvidia{} of {} has instances of an {} and of an {}", parent,
                               name_of(node), gpu.model->name, kind.model->name),
                   "node_hardware in site.yaml tells the model");
      return;
    }
    const auto profile = static_cast<std::uint32_t>(kind.profile - gpu.model->profiles.data());
    wishes.push_back({profile, std::nullopt});
  }
  const auto layout = place(*gpu.model, wishes);
  if (!layout) {
    if (!is_first(where)) return;
    found_.error(where,
                 fmt::format("/dev/nvidia{} of {}: {} cannot be together on one {}", parent,
                             name_of(node), to_text(*gpu.model, wishes), gpu.model->name),
                 nearest_hint(*gpu.model, wishes));
    return;
  }
  gpu.layout = *layout;
  std::vector<std::uint32_t> left = devices;
  for (const MigInstance& instance : gpu.layout) {
    const MigProfile* profile = &gpu.model->profiles[instance.profile];
    const auto one = std::find_if(left.begin(), left.end(), [&](std::uint32_t device) {
      return inventory_.device(node.id, device).profile == profile;
    });
    gpu.devices.push_back(*one);
    left.erase(one);
  }
  gpus.push_back(std::move(gpu));
}

}  // namespace

GpuLayouts::GpuLayouts(const Cluster& cluster, const GpuInventory& inventory, Diagnostics& found) {
  LayoutBuilder builder(cluster, inventory, found);
  for (const Node& node : cluster.nodes) builder.add(node, gpus_, unplaced_);
}

std::span<const PartitionedGpu> GpuLayouts::on(NodeId node) const {
  const auto first = std::partition_point(
      gpus_.begin(), gpus_.end(), [&](const PartitionedGpu& gpu) { return gpu.node < node; });
  const auto last = std::partition_point(
      first, gpus_.end(), [&](const PartitionedGpu& gpu) { return gpu.node <= node; });
  return {first, last};
}

UnusedSlices unused_slices(const GpuModel& model, const MigLayout& layout) {
  UnusedSlices unused{model.compute_slices, model.memory_slices, model.sms};
  for (const MigInstance& instance : layout) {
    const MigProfile& profile = model.profiles[instance.profile];
    unused.compute -= profile.compute;
    unused.memory -= profile.memory_slices;
    unused.sms -= std::min(unused.sms, profile.sms);
  }
  return unused;
}

}  // namespace rehearse
