// sim/output/gpu_recorder.cpp — free devices by node, asked by kinds of jobs once an hour.
#include "sim/output/gpu_recorder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>

namespace rehearse {
namespace {

constexpr std::int64_t kPeriod = 3600;  // [s]
constexpr std::size_t kMostKinds = 32;  // of jobs in a sample
constexpr std::uint64_t kWhole = 1000;  // thousandths of a GPU

std::uint64_t watts_of(const std::vector<ConfigEntry>& own, const std::string& model,
                       std::uint32_t catalogue) {
  for (const ConfigEntry& entry : own) {
    if (entry.name == model) return std::stoull(entry.value);  // checked when it was read
  }
  return catalogue;
}

std::uint64_t upward(std::uint64_t whole, std::uint64_t parts) {
  return parts == 0 ? whole : (whole + parts - 1) / parts;
}

}  // namespace

GpuRecorder::Device GpuRecorder::device_of(const GpuDevice& known, NameId type) const {
  Device device;
  device.type = type;
  if (known.model == nullptr) return device;
  const GpuModel& model = *known.model;
  const GpuConf& conf = cluster_->inputs.site.gpu;
  std::uint64_t idle = watts_of(conf.idle_watts, model.name, model.idle_w) * 1000;
  const std::uint64_t cap = watts_of(conf.cap_watts, model.name, model.power_cap_w) * 1000;
  std::uint64_t range = cap > idle ? cap - idle : 0;
  if (const MigProfile* profile = known.profile) {
    // §6.6 of gpu-models.md: dynamic power by SMs, idle power by memory.
    device.milli = profile->sms * 1000 / model.sms;
    range = range * profile->sms / model.sms;
    idle = idle * profile->memory_slices / model.memory_slices;
  }
  device.idle_mw = idle;
  device.load_mw = static_cast<std::uint64_t>(std::llround(static_cast<double>(range) * conf.load));
  return device;
}

void GpuRecorder::begin(const Cluster& cluster, const GpuKnowledge& known, SlurmTime now,
                        NamePool& texts) {
  cluster_ = &cluster;
  nodes_ = IdVector<NodeId, NodeGpus>(cluster.nodes.size());
  next_ = (epoch_seconds(now) / kPeriod + 1) * kPeriod;
  const SiteConf& site = cluster.inputs.site;
  record_.price_gpu_hour = site.price_gpu_hour;
  record_.price_kwh = site.gpu.price_kwh;
  record_.currency = site.currency;
  record_.knows_watts = true;
  for (const Node& node : cluster.nodes) {
    if (!node.state.future) describe(node, known, texts);
  }
  record_.knows_watts = record_.knows_watts && record_.knows_models;
  // What no instance has is known only where each instance's GPU is.
  record_.has_mig =
      record_.has_mig && known.layouts != nullptr && known.layouts->unplaced_devices() == 0;
}

void GpuRecorder::describe(const Node& node, const GpuKnowledge& known, NamePool& texts) {
  NodeGpus& mine = nodes_[node.id];
  mine.cpus = node.effective_cpus;
  mine.memory_mib = mine.memory_total = static_cast<std::int64_t>(node.memory_mib);
  const NodeGres* gpus = gpus_of(node, cluster_->names);
  if (gpus == nullptr || gpus->count_only || gpus->no_consume || gpus->devices.empty()) return;
  record_.kept = true;
  mine.gres = static_cast<std::uint16_t>(gpus - node.gres.data());
  std::set<std::string> models;
  std::uint64_t physical = 0, offered = 0, idle = 0;
  for (std::size_t i = 0; i < gpus->devices.size(); ++i) {
    const GpuDevice what =
        known.inventory != nullptr ? known.inventory->device(node.id, i) : GpuDevice{};
    const Device& device = mine.devices.emplace_back(device_of(what, gpus->devices[i].type));
    record_.knows_models = record_.knows_models || what.model != nullptr;
    record_.has_mig = record_.has_mig || what.profile != nullptr;
    record_.knows_watts = record_.knows_watts && device.idle_mw + device.load_mw > 0;
    if (what.model != nullptr) models.insert(what.model->name);
    mine.devices.back().here = gpus->devices[i].presence == Presence::Here;
    if (!mine.devices.back().here) continue;
    record_.instances += what.profile != nullptr ? 1 : 0;
    offered += device.milli;
    physical += device.milli;
    idle += device.idle_mw;
  }
  // A partitioned GPU is all there, whatever its instances leave.
  const std::span<const PartitionedGpu> partitioned =
      known.layouts != nullptr ? known.layouts->on(node.id) : std::span<const PartitionedGpu>{};
  for (const PartitionedGpu& gpu : partitioned) {
    const Device whole = device_of({gpu.model, nullptr}, kNoName);
    physical += whole.milli;
    idle += whole.idle_mw;
    for (const std::uint32_t device : gpu.devices) {
      physical -= mine.devices[device].milli;
      idle -= mine.devices[device].idle_mw;
    }
  }
  for (std::size_t i = 0; i < node.gres.size(); ++i) {
    const NodeGres& gres = node.gres[i];
    if (gres.shares != mine.gres) continue;
    Share& share = mine.shares.emplace_back();
    share.name = gres.name;
    share.gres = static_cast<std::uint16_t>(i);
    for (const GresDevice& device : gres.devices) share.units.push_back(device.units);
    share.held.assign(share.units.size(), 0);
  }
  GpuNodeColumns& rows = record_.nodes;
  rows.node.push_back(static_cast<std::uint32_t>(node.id));
  rows.models.push_back(
      static_cast<std::uint32_t>(texts.intern(fmt::format("{}", fmt::join(models, ",")))));
  rows.physical_milli.push_back(static_cast<std::uint32_t>(physical));
  rows.offered_milli.push_back(static_cast<std::uint32_t>(offered));
  rows.idle_mw.push_back(idle);
}

GpuRecorder::Ask GpuRecorder::ask_of(const Job& job) const {
  const Request& request = cluster_->request_of(job);
  Ask ask;
  const std::uint64_t nodes = std::max<std::uint64_t>(request.min_nodes, 1);
  for (const GresRequest& gres : request.gres) {
    const std::string& name = cluster_->names.text(gres.name);
    if (ask.count > 0 || (name != "gpu" && name != "mps" && name != "shard")) continue;
    const std::uint64_t tasks = upward(request.num_tasks.value_or(1), nodes);
    ask.count = gres.per_node > 0  ? gres.per_node
                : gres.per_job > 0 ? upward(gres.per_job, nodes)
                : gres.per_task > 0
                    ? gres.per_task * tasks
                    : gres.per_socket * std::max<std::uint64_t>(request.sockets_per_node, 1);
    (name == "gpu" ? ask.type : ask.share) = name == "gpu" ? gres.type : gres.name;
  }
  if (ask.count == 0) return ask;
  const std::uint64_t gpus = ask.share == kNoName ? ask.count : 1;
  ask.cpus = std::max({std::uint64_t{request.pn_min_cpus}, upward(request.min_cpus, nodes),
                       request.cpus_per_gpu * gpus});
  switch (request.memory_mode) {
    case MemoryMode::None:
      break;
    case MemoryMode::PerNode:
      ask.memory_mib = request.memory_mib;
      break;
    case MemoryMode::PerCpu:
      ask.memory_mib = request.memory_mib * ask.cpus;
      break;
    case MemoryMode::PerGpu:
      ask.memory_mib = request.memory_mib * gpus;
      break;
  }
  ask.whole_node = request.exclusive == ExclusiveRequest::Exclusive;
  return ask;
}

void GpuRecorder::wanted(const Job& job, std::int64_t count) {
  if (!record_.kept) return;
  const Ask ask = ask_of(job);
  if (ask.count == 0) return;
  Counts& counts = asks_[ask];
  counts.pending += count;
  if (count > 0) counts.submitted += count;
}

void GpuRecorder::available(NodeId node, bool takes_jobs) {
  nodes_[node].takes_jobs = takes_jobs;
}

void GpuRecorder::use(const NodeShare& share, std::int64_t sign) {
  NodeGpus& node = nodes_[share.node];
  node.cpus -= sign * std::int64_t{share.cpus};
  node.memory_mib -= sign * static_cast<std::int64_t>(share.memory_mib);
  node.jobs += sign;
  const auto change = [sign](std::uint64_t& held, std::uint64_t units) {
    held = sign > 0 ? held + units : held - std::min(held, units);
  };
  for (const DeviceShare& held : share.devices) {
    if (held.device == DeviceShare::kNoDevice) continue;
    if (held.gres == node.gres) change(node.devices[held.device].held, held.units);
    for (Share& shared : node.shares) {
      if (shared.gres == held.gres) change(shared.held[held.device], held.units);
    }
  }
}

void GpuRecorder::hold(const Allocation& allocation, std::uint32_t row) {
  if (!record_.kept) return;
  GpuRunColumns& runs = record_.runs;
  if (runs.size() <= row) {
    runs.compute_milli.resize(row + 1);
    runs.idle_mw.resize(row + 1);
    runs.load_mw.resize(row + 1);
  }
  std::uint64_t milli = 0, idle = 0, load = 0;
  for (const NodeShare& share : allocation.nodes) {
    const NodeGpus& node = nodes_[share.node];
    for (const DeviceShare& held : share.devices) {
      std::uint64_t units = 0, of = 1;
      if (held.device != DeviceShare::kNoDevice && held.gres == node.gres) units = 1;
      for (const Share& shared : node.shares) {
        if (shared.gres != held.gres || shared.units[held.device] == 0) continue;
        units = held.units;
        of = shared.units[held.device];
      }
      if (units == 0) continue;
      const Device& device = node.devices[held.device];
      milli += device.milli * units / of;
      idle += device.idle_mw * units / of;
      load += device.load_mw * units / of;
    }
  }
  runs.compute_milli[row] = static_cast<std::uint32_t>(milli);
  runs.idle_mw[row] = idle;
  runs.load_mw[row] = load;
}

std::uint64_t GpuRecorder::free_milli(const NodeGpus& node, std::size_t device) {
  const Device& one = node.devices[device];
  if (one.held > 0 || !one.here) return 0;
  std::uint64_t held = 0;
  for (const Share& share : node.shares) {
    if (device < share.units.size() && share.units[device] > 0) {
      held += share.held[device] * kWhole / share.units[device];
    }
  }
  return one.milli * (kWhole - std::min(held, kWhole)) / kWhole;
}

bool GpuRecorder::may_use(const NodeGpus& node, std::size_t device, const Ask& ask) {
  const Device& one = node.devices[device];
  if (!one.here) return false;
  if (ask.share == kNoName) {
    return free_milli(node, device) == one.milli && (ask.type == kNoName || ask.type == one.type);
  }
  if (one.held > 0) return false;
  return std::any_of(node.shares.begin(), node.shares.end(), [&](const Share& share) {
    return share.name == ask.share && device < share.units.size() &&
           share.units[device] - std::min(share.units[device], share.held[device]) >= ask.count;
  });
}

bool GpuRecorder::fits(const NodeGpus& node, const Ask& ask) {
  if (node.cpus < static_cast<std::int64_t>(ask.cpus) ||
      node.memory_mib < static_cast<std::int64_t>(ask.memory_mib) ||
      (ask.whole_node && node.jobs > 0)) {
    return false;
  }
  const std::uint64_t needed = ask.share == kNoName ? ask.count : 1;
  std::uint64_t there = 0;
  for (std::size_t i = 0; i < node.devices.size() && there < needed; ++i) {
    there += may_use(node, i, ask) ? 1U : 0U;
  }
  return there >= needed;
}

std::vector<GpuRecorder::Weighted> GpuRecorder::most_frequent(std::int64_t Counts::*count) const {
  std::vector<Weighted> kinds;
  for (const auto& [ask, counts] : asks_) {
    if (counts.*count > 0) kinds.push_back({&ask, counts.*count});
  }
  std::stable_sort(kinds.begin(), kinds.end(),
                   [](const Weighted& a, const Weighted& b) { return a.weight > b.weight; });
  if (kinds.size() > kMostKinds) kinds.resize(kMostKinds);
  return kinds;
}

void GpuRecorder::sample(std::int64_t at) {
  const std::vector<Weighted> mix = most_frequent(&Counts::submitted);
  if (mix.empty()) return;
  const std::vector<Weighted> queue = most_frequent(&Counts::pending);
  std::uint64_t free = 0, stranded = 0;
  std::vector<std::uint64_t> lost(mix.size(), 0);
  for (const NodeGpus& node : nodes_) {
    if (!node.takes_jobs) continue;
    std::vector<std::uint64_t> parts;
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < node.devices.size(); ++i) {
      sum += parts.emplace_back(free_milli(node, i));
    }
    if (sum == 0) continue;
    free += sum;
    for (std::size_t kind = 0; kind < mix.size(); ++kind) {
      const bool there = fits(node, *mix[kind].ask);
      for (std::size_t i = 0; i < parts.size(); ++i) {
        if (!there || !may_use(node, i, *mix[kind].ask)) lost[kind] += parts[i];
      }
    }
    std::vector<const Ask*> fitting;
    for (const Weighted& kind : queue) {
      if (fits(node, *kind.ask)) fitting.push_back(kind.ask);
    }
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const bool useful = std::any_of(fitting.begin(), fitting.end(),
                                      [&](const Ask* ask) { return may_use(node, i, *ask); });
      if (!useful) stranded += parts[i];
    }
  }
  double expected = 0, weights = 0;  // of whole numbers below 2^53, in one order
  for (std::size_t kind = 0; kind < mix.size(); ++kind) {
    expected += static_cast<double>(lost[kind]) * static_cast<double>(mix[kind].weight);
    weights += static_cast<double>(mix[kind].weight);
  }
  GpuSampleColumns& samples = record_.samples;
  samples.time.push_back(at);
  samples.free_milli.push_back(free);
  samples.fragmented_milli.push_back(static_cast<std::uint64_t>(std::llround(expected / weights)));
  samples.stranded_milli.push_back(queue.empty() ? 0 : stranded);
  samples.wanted.push_back(queue.empty() ? 0 : 1);
}

void GpuRecorder::advance(SlurmTime now) {
  const std::int64_t until = epoch_seconds(now);
  if (!record_.kept) return;
  for (; next_ < until; next_ += kPeriod) sample(next_);
}

void GpuRecorder::recut(const Cluster& cluster, const GpuRecut& change, SlurmTime now,
                        NamePool& texts) {
  NodeGpus& node = nodes_[change.node];
  if (!record_.kept || node.gres == UINT16_MAX) return;
  const auto& devices = cluster.nodes[change.node].gres[node.gres].devices;
  const auto offered = [&node] {
    std::uint32_t sum = 0;
    for (const Device& device : node.devices) sum += device.here ? device.milli : 0;
    return sum;
  };
  GpuRecutColumns& rows = record_.recuts;
  rows.offered_before.push_back(offered());
  for (std::size_t i = 0; i < devices.size() && i < node.devices.size(); ++i) {
    node.devices[i].here = devices[i].presence == Presence::Here;
  }
  rows.offered_after.push_back(offered());
  rows.due.push_back(epoch_seconds(change.due));
  rows.idle.push_back(epoch_seconds(change.idle));
  rows.done.push_back(epoch_seconds(now));
  rows.node.push_back(static_cast<std::uint32_t>(change.node));
  rows.gpu.push_back(change.gpu);
  rows.from.push_back(static_cast<std::uint32_t>(texts.intern(change.from)));
  rows.to.push_back(static_cast<std::uint32_t>(texts.intern(change.to)));
}

GpuRecord GpuRecorder::take(std::size_t rows) {
  record_.runs.compute_milli.resize(rows);
  record_.runs.idle_mw.resize(rows);
  record_.runs.load_mw.resize(rows);
  nodes_ = {};
  asks_ = {};
  return std::exchange(record_, GpuRecord{});
}

}  // namespace rehearse
