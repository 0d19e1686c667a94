// sim/app/check_gpus.cpp — what `rehearse check` tells of a site's GPUs: which model each is, and
// why.
#include "sim/app/check_gpus.hpp"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "sim/config/config_node.hpp"
#include "sim/config/text.hpp"

namespace rehearse {
namespace {

/// Where the model is from, or why there is none.
std::string reason_of(const GpuKind& kind, const GpuCatalogue& catalogue) {
  if (kind.by_node_hardware) return "node_hardware of site.yaml";
  if (kind.device.model == nullptr) {
    if (kind.type.empty()) return "no Type and no node_hardware: no model, and nothing assumed";
    return fmt::format("Type {} names no model, nor does node_hardware: nothing assumed",
                       shown(kind.type));
  }
  if (!kind.assumed) return fmt::format("Type {}", shown(kind.type));
  std::vector<std::string> names;
  for (const GpuModel* model : catalogue.called(split_gpu_type(kind.type).base)) {
    names.push_back(model->name);
  }
  return fmt::format("Type {} may be {}: assumed, node_hardware in site.yaml would tell",
                     shown(kind.type), fmt::join(names, ", "));
}

std::string what(const GpuKind& kind) {
  const GpuDevice& device = kind.device;
  if (device.model == nullptr) return "unknown";
  if (device.profile == nullptr) return device.model->name;
  return fmt::format("{} {}", device.model->name, device.profile->name);
}

/// Equal layouts on one line each, and what they leave unused.
void add_layouts(const LoadedSite& site, std::vector<std::string>& lines) {
  std::map<std::pair<std::string, std::string>, std::pair<std::size_t, UnusedSlices>> kinds;
  for (const PartitionedGpu& gpu : site.mig.gpus()) {
    auto& [count, unused] = kinds[{gpu.model->name, to_text(*gpu.model, gpu.layout)}];
    ++count;
    unused = unused_slices(*gpu.model, gpu.layout);
  }
  if (kinds.empty() && site.mig.unplaced_devices() == 0) return;
  lines.emplace_back("MIG layouts");
  for (const auto& [kind, found] : kinds) {
    lines.push_back(fmt::format(
        "{:>7}  {:<18} {}; of no instance: {} compute, {} memory slices, {} SMs", found.first,
        kind.first, kind.second, found.second.compute, found.second.memory, found.second.sms));
  }
  if (site.mig.unplaced_devices() > 0) {
    lines.push_back(fmt::format(
        "{:>7}  instances of which nothing tells what GPU they are on: mig.layouts in site.yaml",
        site.mig.unplaced_devices()));
  }
}

/// Which GPUs may change, who changes them, and what that rests on.
void add_changes(const LoadedSite& site, std::vector<std::string>& lines) {
  if (site.mig_plan.is_static()) return;
  const MigConf& conf = site.inputs.site.gpu.mig;
  std::size_t by_policy = 0;
  for (const ChangingGpu& gpu : site.mig_plan.gpus()) by_policy += gpu.by_policy ? 1U : 0U;
  lines.emplace_back("MIG layouts that change");
  lines.push_back(
      fmt::format("{:>7}  GPUs may be cut anew: by {} lines of mig.changes, by events.csv",
                  site.mig_plan.gpus().size(), conf.changes.size()));
  if (by_policy > 0) {
    lines.push_back(
        fmt::format("{:>7}  of them by the policy {}, as {} pending jobs ask", by_policy,
                    conf.policy == MigPolicy::Packed ? "packed" : "on_demand", conf.depth));
  }
  lines.push_back(fmt::format(
      "         a change waits until the GPU jobs of the {} have ended, then takes {}: an "
      "assumption (mig.cost)",
      conf.drain == MigDrain::Node ? "node, which is drained," : "GPU alone",
      format_duration(conf.cost)));
  const TimeZone& zone = site.zone;
  for (const MigChangeLine& line : conf.changes) {
    if (line.time_of_day || site.jobs().specs().empty()) continue;
    const auto at = zone.read(line.date);
    if (!at || *at >= whole_second(site.jobs().specs().front().submit)) continue;
    lines.push_back(
        fmt::format("         {} of mig.changes (line {}) is before the first job: it "
                    "never takes effect",
                    line.date, line.where.line));
  }
}

}  // namespace

std::vector<std::string> gpu_lines(const LoadedSite& site) {
  std::vector<std::string> lines;
  for (const GpuKind& kind : site.gpus.kinds()) {
    if (lines.empty()) lines.emplace_back("GPUs");
    lines.push_back(fmt::format("{:>7}  {:<18} {}", kind.devices, what(kind),
                                reason_of(kind, *site.gpu_catalogue)));
  }
  add_layouts(site, lines);
  add_changes(site, lines);
  return lines;
}

nlohmann::ordered_json gpus_json(const LoadedSite& site) {
  auto list = nlohmann::ordered_json::array();
  for (const GpuKind& kind : site.gpus.kinds()) {
    const GpuDevice& device = kind.device;
    list.push_back({{"devices", kind.devices},
                    {"type", kind.type},
                    {"model", device.model != nullptr ? device.model->name : ""},
                    {"profile", device.profile != nullptr ? device.profile->name : ""},
                    {"assumed", kind.assumed},
                    {"why", reason_of(kind, *site.gpu_catalogue)}});
  }
  return list;
}

}  // namespace rehearse
