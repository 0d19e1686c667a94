// sim/controller/mig_keeper.cpp — a GPU is ordered to change, drained, cut, and back in service.
#include "sim/controller/mig_keeper.hpp"

#include <algorithm>
#include <utility>

#include "models/gpu/mig_calendar.hpp"
#include "sim/controller/controller.hpp"
#include "sim/core/check.hpp"

namespace rehearse {
namespace {

constexpr std::string_view kReason = "MIG layout";

bool contains(const std::vector<std::uint32_t>& all, std::uint32_t one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

}  // namespace

const MigConf& MigKeeper::conf() const {
  return c_.cluster_.inputs.site.gpu.mig;
}

void MigKeeper::begin() {
  on_ = plan_ != nullptr && !plan_->is_static() && c_.history_ == nullptr;
  if (!on_) return;
  zone_ = TimeZone::find(c_.cluster_.inputs.site.time_zone).value_or(TimeZone::utc());
  policy_ = make_recut_policy(conf().policy);
  nodes_.resize(c_.cluster_.nodes.size());
  for (std::uint32_t i = 0; i < plan_->gpus().size(); ++i) {
    const ChangingGpu& gpu = plan_->gpus()[i];
    gpus_.push_back({gpu.begin, devices_under(gpu, gpu.begin), {}, {}, false, {}, {}, {}});
    nodes_[index_of(gpu.node)].gpus.push_back(i);
  }
  for (const rehearse::Node& node : c_.cluster_.nodes) begin(node);
  for (std::uint32_t i = 0; i < conf().changes.size(); ++i) schedule_line(i);
}

void MigKeeper::begin(const rehearse::Node& node) {
  Node& mine = nodes_[index_of(node.id)];
  const NodeGres* gpus = gpus_of(node, c_.cluster_.names);
  if (gpus == nullptr) return;
  mine.gres = static_cast<std::size_t>(gpus - node.gres.data());
  for (std::uint32_t i = 0; i < gpus->devices.size(); ++i) {
    mine.blocked.push_back(gpus->devices[i].presence != Presence::Here);
    const auto& changing = mine.gpus;
    const bool changes = std::any_of(changing.begin(), changing.end(), [&](std::uint32_t gpu) {
      const auto& devices = plan_->gpus()[gpu].devices;
      return std::any_of(devices.begin(), devices.end(),
                         [&](const auto& of_profile) { return contains(of_profile, i); });
    });
    if (!changes) mine.unchanging.push_back(i);
  }
}

void MigKeeper::schedule_line(std::uint32_t line) {
  const auto at = next_change(conf().changes[line], c_.now(), zone_);
  if (at) c_.schedule(Time{*at}, MigFact{MigFact::What::Due, line});
}

void MigKeeper::on(const MigFact& fact) {
  if (fact.what == MigFact::What::Cut) return finish_cut(fact.number);
  for (const MigPlan::Order& each : plan_->orders_of(conf().changes[fact.number])) {
    order(each.gpu, each.cut, Needs::AllOfIt);
  }
  schedule_line(fact.number);
}

void MigKeeper::carry_out(const CutGpus& cut) {
  if (!on_) return;
  for (const MigPlan::Order& each : plan_->orders_of(cut.line)) {
    order(each.gpu, each.cut, Needs::AllOfIt);
  }
}

void MigKeeper::order(std::uint32_t number, const GpuCut& cut, Needs needs) {
  Gpu& gpu = gpus_[number];
  if (gpu.cutting) {
    gpu.after = cut;
    return;
  }
  if (!gpu.target && cut == gpu.cut) return;
  if (!gpu.target) gpu.due = c_.now_;
  gpu.target = cut;
  gpu.needs = needs;
  if (cut == gpu.cut) gpu.target.reset();  // it was to change, and is to stay now
  settle(plan_->gpus()[number].node);
}

/// Drains what is to change on the node, and cuts what is free.
void MigKeeper::settle(NodeId id) {
  Node& node = nodes_[index_of(id)];
  const auto is_changing = [this](std::uint32_t gpu) { return gpus_[gpu].target.has_value(); };
  if (std::none_of(node.gpus.begin(), node.gpus.end(), is_changing)) {
    release(id);
    return;
  }
  const bool whole_node = conf().drain == MigDrain::Node;
  if (whole_node) {
    drain(id);
    const std::vector<std::uint32_t> here = all_here(id);
    block_free(id, here);
    if (any_held(id, here)) return tell_withheld(id);
  }
  for (const std::uint32_t number : node.gpus) {
    const Gpu& gpu = gpus_[number];
    if (!gpu.target || gpu.cutting) continue;
    const std::vector<std::uint32_t> devices = concerned(gpu);
    block_free(id, devices);
    if (!any_held(id, devices)) begin_cut(number);
  }
  tell_withheld(id);
  c_.something_changed();
}

void MigKeeper::drain(NodeId id) {
  NodeState& state = c_.cluster_.nodes[id].state;
  if (state.drain || nodes_[index_of(id)].drained_here) return;
  state.drain = nodes_[index_of(id)].drained_here = true;
  state.reason = kReason;
  c_.observer_.node_changed(c_.cluster_.nodes[id], c_.now());
}

/// All that is there is in service again.
void MigKeeper::release(NodeId id) {
  Node& node = nodes_[index_of(id)];
  for (const std::uint32_t device : all_here(id)) {
    if (node.blocked[device]) unblock(id, device);
  }
  tell_withheld(id);
  if (std::exchange(node.drained_here, false)) {
    NodeState& state = c_.cluster_.nodes[id].state;
    state.drain = false;
    if (!state.down && !state.fail) state.reason.clear();
    c_.observer_.node_changed(c_.cluster_.nodes[id], c_.now());
  }
  c_.something_changed();
  c_.request_queued();
}

void MigKeeper::block_free(NodeId id, const std::vector<std::uint32_t>& devices) {
  Node& node = nodes_[index_of(id)];
  for (const std::uint32_t device : devices) {
    if (node.blocked[device] || is_held(id, device)) continue;
    c_.cluster_.ledger.take_rest(block_of(id, node.gres, device));
    node.blocked[device] = true;
  }
}

void MigKeeper::hold_blocked(Ledger& ledger) const {
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    const Node& node = nodes_[n];
    for (std::uint32_t device = 0; device < node.blocked.size(); ++device) {
      if (node.blocked[device]) ledger.take_rest(block_of(id_at<NodeId>(n), node.gres, device));
    }
  }
}

void MigKeeper::unblock(NodeId id, std::uint32_t device) {
  Node& node = nodes_[index_of(id)];
  c_.cluster_.ledger.give_back_rest(block_of(id, node.gres, device));
  node.blocked[device] = false;
}

/// A GPU that is being cut counts as a whole, whatever its instances leave unused.
void MigKeeper::tell_withheld(NodeId id) {
  Node& node = nodes_[index_of(id)];
  const auto& devices = c_.cluster_.nodes[id].gres[node.gres].devices;
  std::uint32_t milli = 0;
  for (const std::uint32_t number : node.gpus) {
    const Gpu& gpu = gpus_[number];
    if (gpu.cutting) milli += 1000;
    for (const std::uint32_t device : gpu.devices) {
      if (!gpu.cutting && node.blocked[device]) milli += devices[device].milli;
    }
  }
  for (const std::uint32_t device : node.unchanging) {
    const bool is_kept = node.blocked[device] && devices[device].presence == Presence::Here;
    if (is_kept) milli += devices[device].milli;
  }
  if (std::exchange(node.withheld_milli, milli) == milli) return;
  c_.observer_.gpus_withheld(id, milli, c_.now());
}

bool MigKeeper::is_held(NodeId id, std::uint32_t device) const {
  const Node& node = nodes_[index_of(id)];
  return !node.blocked[device] && c_.cluster_.ledger.units(id, node.gres)[device] > 0;
}

bool MigKeeper::any_held(NodeId id, const std::vector<std::uint32_t>& devices) const {
  return std::any_of(devices.begin(), devices.end(),
                     [&](std::uint32_t device) { return is_held(id, device); });
}

std::vector<std::uint32_t> MigKeeper::all_here(NodeId id) const {
  std::vector<std::uint32_t> here;
  const Node& node = nodes_[index_of(id)];
  const auto& devices = c_.cluster_.nodes[id].gres[node.gres].devices;
  for (std::uint32_t i = 0; i < devices.size(); ++i) {
    if (devices[i].presence == Presence::Here) here.push_back(i);
  }
  return here;
}

/// An instance that stays where it is may be held where single instances are changed.
std::vector<std::uint32_t> MigKeeper::concerned(const Gpu& gpu) const {
  if (gpu.needs == Needs::AllOfIt || gpu.cut.whole || gpu.target->whole) return gpu.devices;
  std::vector<std::uint32_t> devices;
  const MigLayout& later = gpu.target->layout;
  for (std::size_t i = 0; i < gpu.devices.size(); ++i) {
    if (std::find(later.begin(), later.end(), gpu.cut.layout[i]) == later.end()) {
      devices.push_back(gpu.devices[i]);
    }
  }
  return devices;
}

void MigKeeper::begin_cut(std::uint32_t number) {
  Gpu& gpu = gpus_[number];
  gpu.cutting = true;
  gpu.idle = c_.now_;
  c_.schedule(c_.now_ + conf().cost, MigFact{MigFact::What::Cut, number});
}

/// Instances that stay keep their devices; the others take the first of their profile's.
std::vector<std::uint32_t> MigKeeper::assign(const ChangingGpu& gpu, const Gpu& now) const {
  if (now.target->whole) return devices_under(gpu, *now.target);
  const MigLayout& before = now.cut.layout;
  const MigLayout& after = now.target->layout;
  std::vector<std::uint32_t> devices(after.size(), UINT32_MAX), taken;
  for (std::size_t i = 0; i < after.size(); ++i) {
    const auto same = std::find(before.begin(), before.end(), after[i]);
    if (now.cut.whole || same == before.end()) continue;
    devices[i] = now.devices[static_cast<std::size_t>(same - before.begin())];
    taken.push_back(devices[i]);
  }
  for (std::size_t i = 0; i < after.size(); ++i) {
    if (devices[i] != UINT32_MAX) continue;
    const auto& pool = gpu.devices[after[i].profile];
    const auto free = std::find_if(pool.begin(), pool.end(),
                                   [&](std::uint32_t one) { return !contains(taken, one); });
    REHEARSE_CHECK(free != pool.end(), "GPU {} has no device for an instance", gpu.index);
    devices[i] = *free;
    taken.push_back(*free);
  }
  return devices;
}

void MigKeeper::finish_cut(std::uint32_t number) {
  const ChangingGpu& gpu = plan_->gpus()[number];
  Gpu& now = gpus_[number];
  NodeGres& gres = c_.cluster_.nodes[gpu.node].gres[nodes_[index_of(gpu.node)].gres];
  const std::vector<std::uint32_t> before = now.devices;
  now.devices = assign(gpu, now);
  for (std::uint32_t profile = 0; profile < gpu.devices.size(); ++profile) {
    const bool may_wait = conf().absent_types_wait ||
                          std::binary_search(gpu.allowed.begin(), gpu.allowed.end(), profile);
    for (const std::uint32_t device : gpu.devices[profile]) {
      gres.devices[device].presence = contains(now.devices, device) ? Presence::Here
                                      : may_wait                    ? Presence::Absent
                                                                    : Presence::Unlisted;
    }
  }
  gres.total = gres.total + now.devices.size() - before.size();
  const GpuCut from = std::exchange(now.cut, *std::exchange(now.target, std::nullopt));
  now.cutting = false;
  c_.cluster_.devices_changed();
  c_.configuration_changed();
  c_.observer_.gpu_recut(
      c_.cluster_,
      {gpu.node, gpu.index, to_text(*gpu.model, from), to_text(*gpu.model, now.cut),
       whole_second(now.due), whole_second(now.idle)},
      c_.now());
  if (conf().drain == MigDrain::Gpu) {
    for (const std::uint32_t device : now.devices) {
      if (nodes_[index_of(gpu.node)].blocked[device]) unblock(gpu.node, device);
    }
  }
  c_.last_activity_ = c_.now_;
  if (auto after = std::exchange(now.after, std::nullopt); after && *after != now.cut) {
    order(number, *after, Needs::AllOfIt);
  } else {
    settle(gpu.node);
  }
  c_.something_changed();
  c_.request_queued();
}

void MigKeeper::devices_freed(const Allocation& allocation) {
  if (!on_) return;
  for (const NodeShare& share : allocation.nodes) {
    const std::vector<std::uint32_t>& gpus = nodes_[index_of(share.node)].gpus;
    const bool waits = std::any_of(gpus.begin(), gpus.end(), [this](std::uint32_t gpu) {
      return gpus_[gpu].target.has_value() && !gpus_[gpu].cutting;
    });
    if (waits) settle(share.node);
  }
}

bool MigKeeper::expects_change(Duration idle) const {
  if (!on_) return false;
  constexpr Duration kWeek{std::int64_t{8} * 86400 * 1000000};
  if (std::any_of(gpus_.begin(), gpus_.end(),
                  [](const Gpu& gpu) { return gpu.target.has_value(); })) {
    return true;
  }
  return std::any_of(conf().changes.begin(), conf().changes.end(), [&](const MigChangeLine& line) {
    return (!line.time_of_day || idle <= kWeek) && next_change(line, c_.now(), zone_);
  });
}

}  // namespace rehearse
