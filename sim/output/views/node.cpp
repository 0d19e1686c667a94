// sim/output/views/node.cpp — what `scontrol show node` prints at an instant (outputs.md §8).
//
// A field that no result knows is left out: loads, addresses, versions, boot times, watts.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "sim/config/gres_conf.hpp"
#include "sim/config/hostlist.hpp"
#include "sim/config/suggest.hpp"
#include "sim/config/text.hpp"
#include "sim/core/error.hpp"
#include "sim/output/device_indexes.hpp"
#include "sim/output/views/node_state.hpp"
#include "sim/output/views/node_use.hpp"
#include "sim/output/views/scontrol_record.hpp"
#include "sim/output/views/tres_order.hpp"
#include "sim/output/views/view.hpp"

namespace rehearse {
namespace {

std::string or_null(const std::string& text) {
  return text.empty() ? "(null)" : text;
}

/// Rows of nodes in the order of slurm.conf; FUTURE nodes only where they are asked for.
std::vector<std::size_t> asked_nodes(const Result& result, const std::string& list,
                                     const std::vector<NodeUseAt>& uses) {
  const auto& nodes = result.cluster.nodes;
  std::vector<std::size_t> rows;
  if (list.empty()) {
    for (std::size_t row = 0; row < nodes.size(); ++row) {
      if ((uses[row].flags & kNodeFuture) == 0) rows.push_back(row);
    }
    return rows;
  }
  std::map<std::string_view, std::size_t> by_name;
  std::vector<std::string_view> names;
  for (std::size_t row = 0; row < nodes.size(); ++row) {
    by_name.emplace(nodes[row].name, row);
    names.push_back(nodes[row].name);
  }
  const HostlistResult asked = expand_hostlist(list);
  if (!asked.error.empty()) {
    throw InputError({"node list", 0, 0}, fmt::format("{}: {}", shown(list), asked.error),
                     "write it as n1,n[4-7]");
  }
  for (const std::string& name : asked.hosts) {
    const auto known = by_name.find(name);
    if (known == by_name.end()) {
      const std::string meant = did_you_mean(name, names);
      const std::string all =
          compress_hostlist(std::vector<std::string>(names.begin(), names.end()));
      throw InputError({"node list", 0, 0}, fmt::format("there is no node {}", shortened(name)),
                       meant.empty() ? "the nodes are " + shortened(all) : meant);
    }
    rows.push_back(known->second);
  }
  return rows;
}

using Devices = std::map<std::pair<std::string, std::string>, DevicesInUse>;

/// One entry of an idle node's GresUsed, `gpu:a100:0(IDX:N/A)`, with what is in use. Of mps and
/// shard 22.05 counts the devices in use, not their units.
std::string used_text(const std::string& idle, Devices& left) {
  constexpr std::string_view kNoIndex = "(IDX:N/A)", kNoType = "(null)";
  const bool by_device = idle.ends_with(kNoIndex);
  const std::string head = idle.substr(0, idle.rfind(by_device ? ":0(" : ":0"));
  const std::string name = head.substr(0, head.find(':'));
  std::string type = head == name ? "" : head.substr(name.size() + 1);
  if (type == kNoType) type.clear();
  const auto found = left.find({name, type});
  if (found == left.end()) return idle;
  const DevicesInUse used = found->second;
  left.erase(found);
  const bool shares = name == "mps" || name == "shard";
  const std::string text = fmt::format("{}:{}", head, shares ? used.index.size() : used.units);
  if (!by_device) return text;
  return text + fmt::format("(IDX:{})", used.index.empty() ? "N/A" : index_ranges(used.index));
}

std::string gres_used(const NodeFacts& node, const NodeUseAt& use) {
  Devices left = use.devices;
  std::string text;
  const auto add = [&](const std::string& one) { text += (text.empty() ? "" : ",") + one; };
  for (const std::string_view idle : split_list(node.gres_idle)) {
    add(used_text(std::string(idle), left));
  }
  for (const auto& [name, used] : left) {  // of GPUs that were cut anew
    const auto& [gres, type] = name;
    if (used.units == 0) continue;
    add(fmt::format("{}:{}:{}(IDX:{})", gres, or_null(type), used.units, index_ranges(used.index)));
  }
  return or_null(text);
}

class NodeRecords {
 public:
  NodeRecords(const Result& result, const ViewOptions& options)
      : result_(result),
        options_(options),
        at_(options.at.value_or(result.end)),
        zone_(zone_of(result)),
        tres_(tres_table(result.cluster)),
        uses_(node_uses_at(result, at_, UseDetail::Devices)) {}

  [[nodiscard]] View view() const {
    View view;
    for (const std::size_t row : asked_nodes(result_, options_.nodes, uses_)) {
      add_record(view, record(row), options_);
    }
    const GpuRecutColumns& recuts = result_.gpu.recuts;
    if (std::any_of(recuts.done.begin(), recuts.done.end(),
                    [&](std::int64_t done) { return done <= at_; })) {
      view.note = "GPUs were cut anew by then: Gres and CfgTRES are those of slurm.conf";
    }
    return view;
  }

 private:
  /// Adds to each TRES that the GRES counts in: `gres/gpu`, `gres/gpu:a100`.
  void add_gres(TresVector& amounts, const std::string& gres, const std::string& type,
                std::uint64_t units) const {
    if (const auto all = tres_.find("gres/" + gres)) amounts[index_of(*all)] += units;
    if (type.empty()) return;
    const auto typed = tres_.find("gres/" + gres + ":" + type);
    if (typed) amounts[index_of(*typed)] += units;
  }

  void tres_lines(ScontrolRecord& record, const NodeFacts& node, const NodeUseAt& use,
                  const std::vector<GresSpec>& specs) const {
    TresVector configured = tres_.zero();
    configured[index_of(TresTable::kCpu)] = node.cpus;
    configured[index_of(TresTable::kMem)] = node.real_memory_mib;
    configured[index_of(TresTable::kBilling)] = node.cpus;
    for (const GresSpec& spec : specs) add_gres(configured, spec.name, spec.type, spec.count);
    TresVector held = tres_.zero();
    held[index_of(TresTable::kCpu)] = use.cpus;
    held[index_of(TresTable::kMem)] = use.memory_mib;
    for (const auto& [name, used] : use.devices) {
      add_gres(held, name.first, name.second, used.units);
    }
    record.line();
    record.add("CfgTRES", format_tres_scontrol(tres_, configured));
    record.line();
    record.add("AllocTRES", format_tres_scontrol(tres_, held));
  }

  void gres_lines(ScontrolRecord& record, const NodeFacts& node, const NodeUseAt& use) const {
    record.line();
    record.add("AvailableFeatures", or_null(node.features));
    record.line();
    record.add("ActiveFeatures", or_null(node.features));
    record.line();
    record.add("Gres", or_null(node.gres));
    if (!options_.details) return;
    record.line();
    record.add("GresDrain", "N/A");
    if (node.gres_idle.empty()) return;  // no GresTypes, or an older file
    record.line();
    record.add("GresUsed", gres_used(node, use));
  }

  void hardware_lines(ScontrolRecord& record, const NodeFacts& node, const NodeUseAt& use) const {
    record.line();
    record.add("RealMemory", fmt::format("{}", node.real_memory_mib));
    record.add("AllocMem", fmt::format("{}", use.memory_mib));
    record.add("Sockets", fmt::format("{}", node.sockets));
    record.line();
    const std::uint32_t threads = std::max(1U, node.threads_per_core);
    if (node.effective_cpus < node.cpus) {
      record.add("CoreSpecCount", fmt::format("{}", (node.cpus - node.effective_cpus) / threads));
    }
    if (node.memory_mib < node.real_memory_mib) {
      record.add("MemSpecLimit", fmt::format("{}", node.real_memory_mib - node.memory_mib));
    }
    record.line();
    record.add("State",
               scontrol_node_state(use.flags, use.cpus, node.effective_cpus, use.completing));
    record.add("ThreadsPerCore", fmt::format("{}", node.threads_per_core));
    record.add("TmpDisk", fmt::format("{}", node.tmp_disk_mib));
    record.add("Weight", fmt::format("{}", node.weight));
    if (node.partitions.empty()) return;
    record.line();
    record.add("Partitions", node.partitions);
  }

  [[nodiscard]] ScontrolRecord record(std::size_t row) const {
    const NodeFacts& node = result_.cluster.nodes[row];
    const NodeUseAt& use = uses_[row];
    Diagnostics found;  // the text was read before: slurm.conf had no error
    const std::vector<GresSpec> specs = parse_gres_spec(node.gres, {}, found);
    ScontrolRecord record;
    record.line(0);
    record.add("NodeName", node.name);
    record.add("CoresPerSocket", fmt::format("{}", node.cores_per_socket));
    record.line();
    record.add("CPUAlloc", fmt::format("{}", use.cpus));
    record.add("CPUEfctv", fmt::format("{}", node.effective_cpus));
    record.add("CPUTot", fmt::format("{}", node.cpus));
    gres_lines(record, node, use);
    hardware_lines(record, node, use);
    tres_lines(record, node, use, specs);
    const std::string& reason = text_of(result_.names.text, use.reason);
    if (reason.empty()) return record;
    record.line();
    record.add("Reason",
               fmt::format("{} [{}]", reason, zone_.print(from_epoch_seconds(use.reason_since))));
    return record;
  }

  const Result& result_;
  const ViewOptions& options_;
  std::int64_t at_;
  TimeZone zone_;
  TresTable tres_;
  std::vector<NodeUseAt> uses_;
};

}  // namespace

View node_view(const Result& result, const ViewOptions& options) {
  return NodeRecords(result, options).view();
}

}  // namespace rehearse
