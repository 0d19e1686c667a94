// sim/cluster/ledger.cpp — taking and giving back, with every double booking a program error.
#include "sim/cluster/ledger.hpp"

#include <algorithm>
#include <utility>

#include "sim/core/check.hpp"

namespace rehearse {
namespace {

/// Pushes the units that jobs may hold of each device of one GRES.
void push_limits(const NodeGres& gres, std::vector<std::uint64_t>& limits) {
  if (gres.devices.empty()) {
    limits.push_back(gres.no_consume ? UINT64_MAX : gres.total);
    return;
  }
  for (const GresDevice& device : gres.devices) {
    limits.push_back(gres.no_consume ? UINT64_MAX : device.units);
  }
}

// Slots of a node's content; devices come last, by their place among all of the node's.
enum : std::uint64_t { kCpus, kJobs, kExclusive, kSharing, kMemory, kCores };
constexpr std::uint64_t kUnits = kCores + 2 * CoreSet::kWords;
constexpr std::uint64_t kPartitions = std::uint64_t{1} << 32U;  // those that keep others off
// Amounts are added as they are, or taken away: times minus one, which wraps.
constexpr std::uint64_t kMore = 1;
constexpr std::uint64_t kLess = UINT64_MAX;

/// The job itself, and its CPUs; `sign`: one more, or one less.
void add_use(const NodeShare& share, const Allocation& allocation, std::uint64_t sign,
             NodeContent& content) {
  content.add(kCpus, sign * share.cpus);
  content.add(kJobs, sign);
  if (allocation.whole_nodes) content.add(kExclusive, sign);
  if (allocation.shares_cores) content.add(kSharing, sign);
}

std::uint32_t count_of(const CoreSet& cores) {
  return static_cast<std::uint32_t>(cores.count());
}

}  // namespace

Ledger::Ledger(const IdVector<NodeId, Node>& nodes, std::size_t partition_count)
    : Ledger(nodes, std::vector<std::uint16_t>(partition_count, 1), false) {}

Ledger::Ledger(const IdVector<NodeId, Node>& nodes, std::vector<std::uint16_t> rows, bool gang,
               RowOrder order)
    : use_(nodes.size()),
      contents_(nodes.size()),
      partition_cores_(nodes.size() * rows.size(), 0),
      idle_(nodes.size()),
      partition_count_(rows.size()) {
  idle_.set();
  const bool sharing =
      gang || std::any_of(rows.begin(), rows.end(), [](std::uint16_t n) { return n > 1; });
  std::uint32_t cores = 0;
  for (const Node& node : nodes) {
    memory_mib_.push_back(node.memory_mib);
    core_begin_.push_back(cores);
    cores += node.core_count();
    gres_begin_.push_back(static_cast<std::uint32_t>(unit_begin_.size()));
    for (const NodeGres& gres : node.gres) {
      unit_begin_.push_back(static_cast<std::uint32_t>(unit_limits_.size()));
      push_limits(gres, unit_limits_);
    }
  }
  core_begin_.push_back(cores);
  unit_begin_.push_back(static_cast<std::uint32_t>(unit_limits_.size()));
  units_.assign(unit_limits_.size(), 0);
  for (std::size_t at = 0; at + 1 < unit_begin_.size(); ++at) {
    std::uint64_t free = 0;
    for (std::size_t i = unit_begin_[at]; i < unit_begin_[at + 1]; ++i) {
      free = unit_limits_[i] == UINT64_MAX ? UINT64_MAX : free + unit_limits_[i];
    }
    free_units_.push_back(free);
  }
  marks_.assign(unit_limits_.size(), 0);
  if (!sharing) return;
  for (const std::uint16_t limit : rows) {
    rows_.emplace_back(std::max<std::size_t>(limit, 1), nodes.size(), order);
  }
}

void Ledger::share_no_cores() {
  apart_.clear();
  const bool any = std::any_of(rows_.begin(), rows_.end(),
                               [](const CoreRows& rows) { return rows.limit() > 1; });
  for (const CoreRows& rows : rows_) {
    if (any) apart_.push_back(rows.limit() > 1 ? 1 : 0);
  }
  rows_.clear();
}

void Ledger::lend_sockets() {
  lent_sockets_ = LentSockets(use_.size(), partition_count_);
}

void Ledger::partitions_changed() {
  lent_sockets_.note_anew();
  ++stamp_;
}

bool Ledger::is_kept_by(PartitionId partition, NodeId node) const {
  if (shares_cores()) {
    const CoreRows& rows = rows_[index_of(partition)];
    return rows.limit() > 1 && !rows.held(node).none();
  }
  return is_apart(partition) && partition_cores(node, partition) > 0;
}

void Ledger::copy_node(const Ledger& other, NodeId id) {
  const std::size_t node = index_of(id);
  const auto copy = [](auto& to, const auto& from, std::size_t begin, std::size_t end) {
    std::copy(from.begin() + static_cast<std::ptrdiff_t>(begin),
              from.begin() + static_cast<std::ptrdiff_t>(end),
              to.begin() + static_cast<std::ptrdiff_t>(begin));
  };
  use_[node] = other.use_[node];
  contents_[node] = other.contents_[node];
  idle_.set(node, other.idle_.test(node));
  const std::size_t gres = gres_begin_[node];
  const std::size_t gres_end =
      node + 1 < gres_begin_.size() ? gres_begin_[node + 1] : free_units_.size();
  copy(free_units_, other.free_units_, gres, gres_end);
  copy(units_, other.units_, unit_begin_[gres], unit_begin_[gres_end]);
  copy(marks_, other.marks_, unit_begin_[gres], unit_begin_[gres_end]);
  copy(partition_cores_, other.partition_cores_, node * partition_count_,
       (node + 1) * partition_count_);
  lent_sockets_.copy_node(other.lent_sockets_, id);
  if (core_uses_.size() != other.core_uses_.size()) {
    core_uses_ = other.core_uses_;
  } else if (!core_uses_.empty()) {
    copy(core_uses_, other.core_uses_, core_begin_[node], core_begin_[node + 1]);
  }
  ++stamp_;
}

void Ledger::take(const Allocation& allocation, PartitionId partition) {
  for (const NodeShare& share : allocation.nodes) {
    take_node_cores(share, lent_sockets_.any());
    enter_node(share, allocation, partition);
    take_node_rest(share);
  }
  if (shares_cores()) rows_[index_of(partition)].add(allocation);
  ++stamp_;
}

void Ledger::give_back(const Allocation& allocation, PartitionId partition) {
  for (const NodeShare& share : allocation.nodes) give_back_share(share, allocation, partition);
  if (shares_cores()) rows_[index_of(partition)].remove(allocation);
  ++stamp_;
}

void Ledger::give_back_share(const NodeShare& share, const Allocation& allocation,
                             PartitionId partition) {
  give_back_node_cores(share);
  leave_node(share, allocation, partition);
  give_back_node_rest(share);
  ++stamp_;
}

void Ledger::give_back_rest_of(const NodeShare& share) {
  give_back_node_rest(share);
  ++stamp_;
}

NodeContent Ledger::content_of(const NodeShare& share, const Allocation& allocation,
                               PartitionId partition) const {
  NodeContent content = content_of_rest(share);
  add_use(share, allocation, kMore, content);
  if (is_apart(partition)) content.add(kPartitions + index_of(partition), kMore);
  for (std::size_t w = 0; w < CoreSet::kWords; ++w) {
    if (share.cores.word(w) != 0) content.add_bits(kCores + 2 * w, share.cores.word(w));
  }
  return content;
}

NodeContent Ledger::content_of_rest(const NodeShare& share) const {
  NodeContent content;
  content.add(kMemory, share.memory_mib);
  for (const DeviceShare& device : share.devices) {
    const std::size_t at = unit_index(share, device);
    if (unit_limits_[at] == UINT64_MAX) continue;
    content.add(kUnits + at - unit_begin_[gres_begin_[index_of(share.node)]], device.units);
  }
  return content;
}

void Ledger::set_content(NodeId node, const NodeContent& content) {
  contents_[index_of(node)] = content;
  ++stamp_;
}

void Ledger::give_back_cores(const Allocation& allocation, PartitionId partition) {
  for (const NodeShare& share : allocation.nodes) {
    give_back_node_cores(share);
    leave_node(share, allocation, partition);
  }
  if (shares_cores()) rows_[index_of(partition)].remove(allocation);
  ++stamp_;
}

void Ledger::take_cores(const Allocation& allocation, PartitionId partition) {
  for (const NodeShare& share : allocation.nodes) {
    take_node_cores(share, true);
    enter_node(share, allocation, partition);
  }
  if (shares_cores()) rows_[index_of(partition)].add(allocation);
  ++stamp_;
}

void Ledger::give_back_rest(const Allocation& allocation) {
  for (const NodeShare& share : allocation.nodes) give_back_rest_of(share);
  ++stamp_;
}

void Ledger::take_rest(const Allocation& allocation) {
  for (const NodeShare& share : allocation.nodes) take_node_rest(share);
  ++stamp_;
}

void Ledger::note_cores(std::size_t node, const CoreSet& before) {
  const CoreSet& cores = use_[node].cores;
  for (std::size_t w = 0; w < CoreSet::kWords; ++w) {
    if (cores.word(w) == before.word(w)) continue;
    contents_[node].add_bits(kCores + 2 * w, cores.word(w), before.word(w));
  }
}

void Ledger::count_cores() {
  core_uses_.assign(core_begin_.back(), 0);
  for (std::size_t node = 0; node < use_.size(); ++node) {
    use_[node].cores.for_each([&](std::size_t core) { core_uses_[core_begin_[node] + core] = 1; });
  }
}

void Ledger::take_node_cores(const NodeShare& share, bool overlap) {
  const std::size_t node = index_of(share.node);
  NodeUse& use = use_[node];
  if (use.cores.intersects(share.cores)) {
    REHEARSE_CHECK(overlap || shares_cores(), "a core of node {} is taken twice", node);
    if (core_uses_.empty()) count_cores();
  }
  if (!core_uses_.empty()) {
    share.cores.for_each([&](std::size_t core) { ++core_uses_[core_begin_[node] + core]; });
  }
  const CoreSet before = use.cores;
  use.cores |= share.cores;
  note_cores(node, before);
}

void Ledger::give_back_node_cores(const NodeShare& share) {
  const std::size_t node = index_of(share.node);
  NodeUse& use = use_[node];
  CoreSet missing = share.cores;
  missing -= use.cores;
  REHEARSE_CHECK(missing.none(), "a core of node {} is given back but was not held", node);
  const CoreSet before = use.cores;
  if (core_uses_.empty()) {
    use.cores -= share.cores;
  } else {
    share.cores.for_each([&](std::size_t core) {
      if (--core_uses_[core_begin_[node] + core] == 0) use.cores.reset(core);
    });
  }
  note_cores(node, before);
}

void Ledger::enter_node(const NodeShare& share, const Allocation& allocation,
                        PartitionId partition) {
  const std::size_t node = index_of(share.node);
  NodeUse& use = use_[node];
  use.cpus += share.cpus;
  ++use.jobs;
  if (allocation.whole_nodes) ++use.exclusive_jobs;
  if (allocation.reserves_nodes) ++use.reserving_jobs;
  if (allocation.shares_cores) ++use.sharing_jobs;
  add_use(share, allocation, kMore, contents_[node]);
  if (is_apart(partition)) contents_[node].add(kPartitions + index_of(partition), kMore);
  partition_cores_[node * partition_count_ + index_of(partition)] += count_of(share.cores);
  lent_sockets_.take(share, partition);
  idle_.reset(node);
}

void Ledger::leave_node(const NodeShare& share, const Allocation& allocation,
                        PartitionId partition) {
  const std::size_t node = index_of(share.node);
  NodeUse& use = use_[node];
  std::uint32_t& charged = partition_cores_[node * partition_count_ + index_of(partition)];
  REHEARSE_CHECK(use.jobs > 0 && use.cpus >= share.cpus && charged >= count_of(share.cores),
                 "node {} gets back more than it gave: {} jobs, {} CPUs", node, use.jobs, use.cpus);
  add_use(share, allocation, kLess, contents_[node]);
  if (is_apart(partition)) contents_[node].add(kPartitions + index_of(partition), kLess);
  use.cpus -= share.cpus;
  charged -= count_of(share.cores);
  lent_sockets_.give_back(share, partition);
  --use.jobs;
  if (allocation.whole_nodes) --use.exclusive_jobs;
  if (allocation.reserves_nodes) --use.reserving_jobs;
  if (allocation.shares_cores) --use.sharing_jobs;
  if (use.jobs == 0) idle_.set(node);
}

void Ledger::take_node_rest(const NodeShare& share) {
  const std::size_t node = index_of(share.node);
  NodeUse& use = use_[node];
  use.memory_mib += share.memory_mib;
  NodeContent& content = contents_[node];
  content.add(kMemory, share.memory_mib);
  // Jobs with devices may exceed what the node has (gres.md §3.3), and beside them so may another,
  // where all that hold the node are taken again in another order.
  const auto may_exceed = [&] {
    if (share.memory_mib == 0 || !share.devices.empty()) return true;
    const std::size_t first = gres_begin_[node];
    const std::size_t last =
        node + 1 < gres_begin_.size() ? gres_begin_[node + 1] : free_units_.size();
    for (std::size_t gres = first; gres < last; ++gres) {
      for (std::size_t at = unit_begin_[gres]; at < unit_begin_[gres + 1]; ++at) {
        if (units_[at] > 0) return true;
      }
    }
    return false;
  };
  REHEARSE_CHECK(use.memory_mib <= memory_mib_[node] || may_exceed(),
                 "node {} has {} MiB, {} are taken", node, memory_mib_[node], use.memory_mib);
  for (const DeviceShare& device : share.devices) {
    const std::size_t at = unit_index(share, device);
    REHEARSE_CHECK(device.units <= unit_limits_[at] - units_[at],
                   "node {} GRES {} device {}: {} of {} in use, {} more taken", node, device.gres,
                   device.device, units_[at], unit_limits_[at], device.units);
    marks_[at] = 1;
    if (unit_limits_[at] == UINT64_MAX) continue;
    units_[at] += device.units;
    content.add(kUnits + at - unit_begin_[gres_begin_[node]], device.units);
    free_units_[gres_index(share, device)] -= device.units;
  }
}

void Ledger::give_back_node_rest(const NodeShare& share) {
  const std::size_t node = index_of(share.node);
  NodeUse& use = use_[node];
  REHEARSE_CHECK(use.memory_mib >= share.memory_mib,
                 "node {} gets back more than it gave: {} of {} MiB", node, share.memory_mib,
                 use.memory_mib);
  use.memory_mib -= share.memory_mib;
  NodeContent& content = contents_[node];
  content.add(kMemory, kLess * share.memory_mib);
  for (const DeviceShare& device : share.devices) {
    const std::size_t at = unit_index(share, device);
    marks_[at] = 0;
    if (unit_limits_[at] == UINT64_MAX) continue;
    REHEARSE_CHECK(units_[at] >= device.units, "node {} GRES {} device {}: {} given back, {} held",
                   node, device.gres, device.device, device.units, units_[at]);
    units_[at] -= device.units;
    content.add(kUnits + at - unit_begin_[gres_begin_[node]], kLess * device.units);
    free_units_[gres_index(share, device)] += device.units;
  }
}

std::size_t Ledger::gres_index(const NodeShare& share, const DeviceShare& device) const {
  return gres_begin_[index_of(share.node)] + device.gres;
}

std::size_t Ledger::unit_index(const NodeShare& share, const DeviceShare& device) const {
  const std::size_t begin = gres_begin_[index_of(share.node)];
  const std::size_t at = unit_begin_[begin + device.gres] +
                         (device.device == DeviceShare::kNoDevice ? 0 : std::size_t{device.device});
  REHEARSE_CHECK(at < unit_begin_[begin + device.gres + 1], "node {} GRES {} has no device {}",
                 index_of(share.node), device.gres, device.device);
  return at;
}

std::uint32_t Ledger::partition_cores(NodeId node, PartitionId partition) const {
  return partition_cores_[index_of(node) * partition_count_ + index_of(partition)];
}

bool Ledger::same_as(const Ledger& other) const {
  return use_ == other.use_ && units_ == other.units_ &&
         partition_cores_ == other.partition_cores_ && idle_ == other.idle_ &&
         contents_ == other.contents_ && free_units_ == other.free_units_;
}

}  // namespace rehearse
