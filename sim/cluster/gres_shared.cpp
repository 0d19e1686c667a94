// sim/cluster/gres_shared.cpp — dealing mps and shard units to GPUs, with Slurm's roundings.
#include "sim/cluster/gres_shared.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace rehearse {
namespace {

/// floor(rest / GPUs left) each: 100 over 3 gives 33, 33, 34.
void deal_evenly(std::uint64_t count, std::vector<GresDevice>& devices) {
  std::size_t left = devices.size();
  for (GresDevice& device : devices) {
    device.units = count / left--;
    count -= device.units;
  }
}

/// Each line's Count is divided over its files; the remainder is lost. Returns what was dealt.
std::uint64_t deal_by_file(const NodeConf& node, std::uint64_t count,
                           const std::vector<const GresConfLine*>& lines, const SharingGpus& gpus,
                           std::vector<GresDevice>& devices, Diagnostics& found) {
  std::uint64_t dealt = 0;
  for (const GresConfLine* line : lines) {
    const std::uint64_t units = std::min(line->count.value_or(line->files.size()), count - dealt);
    dealt += units;
    for (const std::string& file : line->files) {
      const auto at = std::find(gpus.files->begin(), gpus.files->end(), file);
      if (at == gpus.files->end()) {
        found.warning(
            line->where,
            fmt::format("node {}: File={} of {} is no GPU of it: Slurm discards the line's "
                        "share",
                        node.name, file, line->name));
        continue;
      }
      devices[static_cast<std::size_t>(at - gpus.files->begin())].units +=
          units / line->files.size();
    }
  }
  return dealt;
}

}  // namespace

NodeGres distribute_shared(const NodeConf& node, const std::string& name, std::uint64_t count,
                           const std::vector<const GresConfLine*>& lines, const SharingGpus& gpus,
                           std::uint64_t& lacking, Diagnostics& found) {
  NodeGres shared;
  shared.one_sharing = name == "mps";
  for (const GresConfLine* line : lines) {
    if (line->one_sharing) shared.one_sharing = true;
    if (line->all_sharing) shared.one_sharing = false;
  }
  if (gpus.gpu == nullptr || gpus.gpu->devices.empty()) {
    found.warning(node.gres_where,
                  fmt::format("node {} has {} but no GPU to share", node.name, name),
                  "configure its GPUs with Name=gpu File=");
    lacking = count;
    return shared;
  }
  shared.shares = gpus.position;
  shared.has_topology = gpus.gpu->has_topology;
  shared.sockets = gpus.gpu->sockets;
  shared.devices = gpus.gpu->devices;  // type and socket are copied, whatever the line says
  for (GresDevice& device : shared.devices) device.units = 0;
  const auto has_file = [](const GresConfLine* line) { return !line->files.empty(); };
  const bool by_file = std::any_of(lines.begin(), lines.end(), has_file);
  if (by_file && !std::all_of(lines.begin(), lines.end(), has_file)) {
    found.error(
        lines.front()->where,
        fmt::format("node {}: {} has lines with and without File=: slurmd stops", node.name, name),
        "give every line a File= or none");
  }
  if (by_file) {
    lacking = count - deal_by_file(node, count, lines, gpus, shared.devices, found);
  } else {
    deal_evenly(count, shared.devices);
  }
  for (const GresDevice& device : shared.devices) shared.total += device.units;
  if (shared.total == 0) shared.devices.clear();
  return shared;
}

}  // namespace rehearse
