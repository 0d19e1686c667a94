// models/gpu/mig_plan.cpp — which GPUs may change, into what, and the devices that makes.
#include "models/gpu/mig_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "models/gpu/mig_calendar.hpp"
#include "sim/config/hostlist.hpp"
#include "sim/config/text.hpp"
#include "sim/config/time_zone.hpp"
#include "sim/config/value_lists.hpp"
#include "sim/core/check.hpp"

namespace rehearse {
namespace {

std::string place_of(const SourcePosition& where) {
  return fmt::format("{}:{}:{}", where.file, where.line, where.column);
}

/// Instances of each profile of a cut, the whole GPU last.
std::vector<std::size_t> counts_of(const GpuModel& model, const GpuCut& cut) {
  std::vector<std::size_t> counts(model.profiles.size() + 1, 0);
  if (cut.whole) ++counts.back();
  for (const MigInstance& instance : cut.layout) ++counts[instance.profile];
  return counts;
}

/// `nvidia_a100_1g.5gb` → `nvidia_a100_`; a Type without a MIG part: itself and `_`.
std::string prefix_of(const std::string& type) {
  if (!split_gpu_type(type).mig) return type + "_";
  const std::size_t end = type.find_last_of("_-");
  return end == std::string::npos ? std::string() : type.substr(0, end + 1);
}

}  // namespace

class MigPlanBuilder {
 public:
  MigPlanBuilder(const Cluster& cluster, const GpuInventory& inventory, const GpuLayouts& layouts,
                 Diagnostics& found, MigPlan& plan)
      : cluster_(cluster),
        inventory_(inventory),
        conf_(cluster.inputs.site.gpu.mig),
        found_(found),
        plan_(plan) {
    for (const Node& node : cluster.nodes) find_gpus(node, layouts);
  }

  void build(const std::vector<MigLine>& events) {
    const TimeZone zone = TimeZone::find(cluster_.inputs.site.time_zone).value_or(TimeZone::utc());
    for (std::size_t i = 0; i < conf_.changes.size(); ++i) {
      read(conf_.changes[i], "mig.changes");
      for (std::size_t j = 0; j < i; ++j) compare(conf_.changes[i], conf_.changes[j], zone);
    }
    for (const MigLine& line : events) read(line, "mig");
    read_policy();
    finish();
  }

 private:
  /// A physical GPU of a model that has MIG.
  struct Known {
    NodeId node{};
    std::uint32_t index = 0;
    const GpuModel* model = nullptr;
    GpuCut cut;
    std::vector<std::uint32_t> devices;  // of the cut
    std::vector<std::size_t> most;       // instances that it may have, by profile, whole last
    std::vector<std::uint32_t> allowed;  // to the policy
    bool changes = false;
  };
  using Key = std::pair<NodeId, std::uint32_t>;

  void find_gpus(const Node& node, const GpuLayouts& layouts);
  void read(const MigLine& line, std::string_view head);
  void compare(const MigChangeLine& line, const MigChangeLine& other, const TimeZone& zone);
  void read_policy();
  void allow(Known& gpu);
  void finish();
  [[nodiscard]] std::optional<std::vector<NodeId>> nodes_of(const MigLine& line,
                                                            std::string_view head);
  [[nodiscard]] NameId type_of(const Known& gpu, std::size_t profile) const;
  [[nodiscard]] const std::string& name_of(NodeId node) const {
    return cluster_.names.text(cluster_.nodes[node].name);
  }

  const Cluster& cluster_;
  const GpuInventory& inventory_;
  const MigConf& conf_;
  Diagnostics& found_;
  MigPlan& plan_;
  std::map<Key, Known> known_;
  std::map<std::string, std::vector<std::pair<Key, GpuCut>>> orders_;
};

/// Those that mig.layouts or gres.conf has, and of the whole devices each the lowest index that is
/// free.
void MigPlanBuilder::find_gpus(const Node& node, const GpuLayouts& layouts) {
  std::set<std::uint32_t> taken;
  for (const PartitionedGpu& gpu : layouts.on(node.id)) {
    taken.insert(gpu.index);
    known_[{node.id, gpu.index}] = {node.id,     gpu.index,
                                    gpu.model,   {false, gpu.layout},
                                    gpu.devices, counts_of(*gpu.model, {false, gpu.layout}),
                                    {},          false};
  }
  const NodeGres* gpus = gpus_of(node, cluster_.names);
  std::uint32_t index = 0;
  for (std::uint32_t i = 0; gpus != nullptr && i < gpus->devices.size(); ++i) {
    const GpuDevice device = inventory_.device(node.id, i);
    if (device.profile != nullptr) continue;
    while (taken.contains(index)) ++index;
    taken.insert(index);
    if (device.model == nullptr || !device.model->has_mig()) continue;
    const GpuCut whole{true, {}};
    known_[{node.id, index}] = {
        node.id, index, device.model, whole, {i}, counts_of(*device.model, whole), {}, false};
  }
}

std::optional<std::vector<NodeId>> MigPlanBuilder::nodes_of(const MigLine& line,
                                                            std::string_view head) {
  const HostlistResult hosts = expand_hostlist(line.nodes);
  if (!hosts.error.empty() || hosts.hosts.empty()) {
    if (!line.nodes.empty()) {
      found_.error(line.where, fmt::format("{}: nodes: {}", head, hosts.error));
    }
    return std::nullopt;
  }
  std::vector<NodeId> nodes;
  for (const std::string& host : hosts.hosts) {
    const auto name = cluster_.names.find(host);
    const auto id = name ? cluster_.find_node(*name) : std::nullopt;
    if (!id) {
      found_.error(line.where, fmt::format("{}: there is no node {}", head, shown(host)),
                   "a host list expression of NodeName lines: n[01-16]");
      return std::nullopt;
    }
    nodes.push_back(*id);
  }
  return nodes;
}

void MigPlanBuilder::read(const MigLine& line, std::string_view head) {
  const auto nodes = nodes_of(line, head);
  const auto indexes = parse_index_list(line.gpus, UINT32_MAX - 1);
  if (!nodes || !indexes) return;
  auto& orders = orders_[place_of(line.where)];
  std::map<const GpuModel*, std::optional<GpuCut>> cuts;
  for (const NodeId node : *nodes) {
    for (const std::uint32_t index : *indexes) {
      const auto at = known_.find({node, index});
      if (at == known_.end()) {
        found_.error(
            line.where,
            fmt::format("{}: there is no GPU {} with MIG on {}", head, index, name_of(node)),
            "its model must be known (node_hardware, or the Type of Gres=), and of MIG "
            "instances which GPU they are on (mig.layouts)");
        return;
      }
      Known& gpu = at->second;
      const auto [cut, is_new] = cuts.try_emplace(gpu.model);
      if (is_new) {
        cut->second =
            understand_cut({*gpu.model, line.layout, line.where, head, name_of(node)}, found_);
      }
      if (!cut->second) return;
      gpu.changes = true;
      const std::vector<std::size_t> counts = counts_of(*gpu.model, *cut->second);
      for (std::size_t i = 0; i < counts.size(); ++i) {
        gpu.most[i] = std::max(gpu.most[i], counts[i]);
      }
      orders.emplace_back(at->first, *cut->second);
    }
  }
}

void MigPlanBuilder::compare(const MigChangeLine& line, const MigChangeLine& other,
                             const TimeZone& zone) {
  if (!coincide(line, other, zone)) return;
  for (const auto& [key, cut] : orders_[place_of(line.where)]) {
    for (const auto& [its_key, its_cut] : orders_[place_of(other.where)]) {
      if (key != its_key) continue;
      found_.error(line.at_where,
                   fmt::format("mig.changes: GPU {} of {} has another layout at the same time "
                               "(line {})",
                               key.second, name_of(key.first), other.where.line),
                   "one layout a GPU and time: change `at` or `days`");
      return;
    }
  }
}

void MigPlanBuilder::read_policy() {
  if (conf_.policy == MigPolicy::None) return;
  for (auto& [key, gpu] : known_) allow(gpu);
  std::vector<const GpuModel*> models;
  for (const auto& [key, gpu] : known_) {
    if (std::find(models.begin(), models.end(), gpu.model) == models.end()) {
      models.push_back(gpu.model);
    }
  }
  if (models.empty()) {
    found_.error(conf_.policy_where, "mig.policy: no GPU of this site is known to have MIG",
                 "name their model in node_hardware, and their layouts in mig.layouts");
  }
  for (const std::string& word : conf_.profiles) {
    const auto fits = [&](const GpuModel* model) {
      return word == kWholeGpuWord ||
             (parse_mig_wish(*model, word).size() == 1 && word.find_first_of(":*") == word.npos);
    };
    if (models.empty() || std::any_of(models.begin(), models.end(), fits)) continue;
    found_.error(
        conf_.profiles_where,
        fmt::format("mig.profiles: {} is no profile of the {}", shown(word), models.front()->name),
        fmt::format("it has {}; whole is a GPU with MIG off", profile_names(*models.front())));
  }
}

/// What the policy may cut: mig.profiles, else the Types of the site's nodes. GPUs with MIG off are
/// its own only where it may also put them back.
void MigPlanBuilder::allow(Known& gpu) {
  const GpuModel& model = *gpu.model;
  std::vector<bool> may(model.profiles.size() + 1, false);
  for (const std::string& word : conf_.profiles) {
    if (word == kWholeGpuWord) may.back() = true;
    for (const MigWish& wish : parse_mig_wish(model, word)) may[wish.profile] = true;
  }
  for (const auto& [key, other] : known_) {
    if (!conf_.profiles.empty() || other.model != gpu.model) continue;
    for (const MigInstance& instance : other.cut.layout) may[instance.profile] = true;
  }
  if (gpu.cut.whole && !may.back()) return;
  for (std::uint32_t i = 0; i < may.size(); ++i) {
    if (!may[i]) continue;
    gpu.changes = true;
    gpu.allowed.push_back(i);
    std::size_t most = 1;
    if (i < model.profiles.size() && !model.profiles[i].media) {
      most = model.profiles[i].starts.size();  // starts of one profile never overlap
    }
    gpu.most[i] = std::max(gpu.most[i], most);
  }
}

/// The Type that the node, else another node, has for the profile; else one made of the name of the
/// node's GPUs and the profile's.
NameId MigPlanBuilder::type_of(const Known& gpu, std::size_t profile) const {
  const MigProfile* wanted =
      profile < gpu.model->profiles.size() ? &gpu.model->profiles[profile] : nullptr;
  const auto on = [&](const Node& node) -> NameId {
    const NodeGres* gpus = gpus_of(node, cluster_.names);
    for (std::size_t i = 0; gpus != nullptr && i < gpus->devices.size(); ++i) {
      const GpuDevice device = inventory_.device(node.id, i);
      if (device.model == gpu.model && device.profile == wanted) return gpus->devices[i].type;
    }
    return kNoName;
  };
  if (const NameId own = on(cluster_.nodes[gpu.node]); own != kNoName) return own;
  for (const Node& node : cluster_.nodes) {
    if (const NameId its = on(node); its != kNoName) return its;
  }
  const NodeGres& gpus = *gpus_of(cluster_.nodes[gpu.node], cluster_.names);
  std::string name = prefix_of(cluster_.names.text(gpus.devices[gpu.devices.front()].type));
  if (wanted != nullptr) return cluster_.names.intern(name + wanted->name);
  if (name.empty()) name = gpu.model->name + "_";
  name.pop_back();
  return cluster_.names.intern(name);
}

void MigPlanBuilder::finish() {
  std::map<Key, std::uint32_t> positions;
  for (auto& [key, gpu] : known_) {
    if (!gpu.changes) continue;
    const NodeGres& gpus = *gpus_of(cluster_.nodes[gpu.node], cluster_.names);
    if (gpu.devices.empty() || gpus.devices[gpu.devices.front()].type == kNoName) {
      found_.error(conf_.policy_where.line > 0 ? conf_.policy_where : SourcePosition{},
                   fmt::format("mig: the GPUs of {} have no Type: instances cannot be told apart",
                               name_of(gpu.node)),
                   "write Gres=gpu:a100:8 and Type=a100 in gres.conf");
      return;
    }
    ChangingGpu changing{gpu.node, gpu.index, gpu.model,  gpu.cut, !gpu.allowed.empty(),
                         {},       {},        gpu.allowed};
    changing.types.resize(gpu.most.size(), kNoName);
    changing.devices.resize(gpu.most.size());
    for (std::size_t i = 0; i < gpu.most.size(); ++i) {
      if (gpu.most[i] == 0) continue;
      changing.types[i] = type_of(gpu, i);
      changing.devices[i].assign(gpu.most[i], UINT32_MAX);  // equip() makes them
    }
    std::vector<std::size_t> next(gpu.most.size(), 0);
    for (std::size_t i = 0; i < gpu.devices.size(); ++i) {
      const std::size_t profile =
          gpu.cut.whole ? gpu.model->profiles.size() : gpu.cut.layout[i].profile;
      changing.devices[profile][next[profile]++] = gpu.devices[i];
    }
    positions[key] = static_cast<std::uint32_t>(plan_.gpus_.size());
    plan_.gpus_.push_back(std::move(changing));
  }
  for (const auto& [place, orders] : orders_) {
    for (const auto& [key, cut] : orders) {
      plan_.orders_[place].push_back({positions.at(key), cut});
    }
  }
}

MigPlan::MigPlan(const Cluster& cluster, const GpuInventory& inventory, const GpuLayouts& layouts,
                 const std::vector<MigLine>& events, Diagnostics& found) {
  if (events.empty() && !cluster.inputs.site.gpu.mig.changes_anything()) return;
  MigPlanBuilder(cluster, inventory, layouts, found, *this).build(events);
}

const std::vector<MigPlan::Order>& MigPlan::orders_of(const MigLine& line) const {
  const auto at = orders_.find(place_of(line.where));
  REHEARSE_CHECK(at != orders_.end(), "the plan does not know the line at {}",
                 place_of(line.where));
  return at->second;
}

std::vector<std::uint32_t> devices_under(const ChangingGpu& gpu, const GpuCut& cut) {
  if (cut.whole) return {gpu.devices.back().front()};
  std::vector<std::size_t> next(gpu.devices.size(), 0);
  std::vector<std::uint32_t> devices;
  for (const MigInstance& instance : cut.layout) {
    devices.push_back(gpu.devices[instance.profile][next[instance.profile]++]);
  }
  return devices;
}

Allocation block_of(NodeId node, std::size_t gres, std::uint32_t device) {
  Allocation block;
  NodeShare& share = block.nodes.emplace_back();
  share.node = node;
  share.devices.push_back(
      {static_cast<std::uint16_t>(gres), static_cast<std::uint16_t>(device), 1});
  return block;
}

}  // namespace rehearse
