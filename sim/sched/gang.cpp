// sim/sched/gang.cpp — building active rows: shadows, active jobs, fillers, in this order.
#include "sim/sched/gang.hpp"

#include <algorithm>
#include <optional>

namespace rehearse {
namespace {

/// Whole-node modes compare nodes, those of cores and sockets cores. CR_CPU counts CPUs where no
/// task plugin binds tasks to them.
enum class Level : std::uint8_t { Nodes, Cores, Cpus };

Level level_of(const Cluster& cluster, const Job& job) {
  const Partition& partition = cluster.partitions[job.partition];
  const SelectTypeParameters& parameters =
      partition.conf.select_type_parameters.value_or(cluster.conf.select_type_parameters);
  if (cluster.conf.select_type == SelectType::Linear) return Level::Nodes;
  if (parameters.unit == ConsumableUnit::None) return Level::Nodes;
  const bool counts = parameters.unit == ConsumableUnit::Cpu && !cluster.conf.has_task_cgroup;
  return counts ? Level::Cpus : Level::Cores;
}

/// Of a whole node that a starting job is given, the CPUs that no higher tier holds there
/// (preemption.md §8).
std::uint32_t counted_cpus(const Cluster& cluster, const Job& job, const NodeShare& share) {
  if (!job.allocation.whole_nodes) return share.cpus;
  const Node& node = cluster.nodes[share.node];
  const std::uint32_t tier = cluster.partitions[job.partition].conf.priority_tier;
  CoreSet cores = share.cores;
  for (const Partition& other : cluster.partitions) {
    if (other.conf.priority_tier <= tier) continue;
    cores -= cluster.ledger.rows(other.id).held(node.id);
  }
  return std::min(share.cpus, node.cpus_of(cores));
}

/// What happens to a job whose cores went to a higher tier; none: it goes on beside the other.
std::optional<GangAction> action_of(PreemptMode mode) {
  switch (mode) {
    case PreemptMode::Suspend:
      return GangAction::Suspend;
    case PreemptMode::Cancel:
      return GangAction::Cancel;
    case PreemptMode::Requeue:
      return GangAction::Requeue;
    case PreemptMode::Off:
      break;
  }
  return std::nullopt;
}

}  // namespace

Gang::Gang(const Cluster& cluster, const Preemption* preemption)
    : cluster_(cluster), preemption_(preemption) {
  if (!cluster.conf.preempt_gang) return;
  taken_.resize(cluster.nodes.size());
  for (const Partition& partition : cluster.partitions) lists_.push_back({partition.id, 0, {}, 0});
  partitions_changed();
}

void Gang::partitions_changed() {
  for (List& list : lists_) list.tier = cluster_.partitions[list.partition].conf.priority_tier;
  std::stable_sort(lists_.begin(), lists_.end(), [](const List& a, const List& b) {
    return a.tier != b.tier ? a.tier > b.tier : a.partition < b.partition;
  });
}

Gang::List* Gang::list_of(const Job& job) {
  const auto at = std::find_if(lists_.begin(), lists_.end(),
                               [&](const List& list) { return list.partition == job.partition; });
  return at == lists_.end() ? nullptr : &*at;
}

Gang::Entry Gang::entry_of(const Job& job) const {
  Entry entry{job.index, {}, Row::None, false};
  const Level level = level_of(cluster_, job);
  for (const NodeShare& share : job.allocation.nodes) {
    Held held;
    if (level == Level::Nodes) held.cores = CoreSet::first(1);
    if (level == Level::Cores) held.cores = share.cores;
    if (level == Level::Cpus) held.cpus = counted_cpus(cluster_, job, share);
    entry.held.emplace_back(share.node, held);
  }
  return entry;
}

bool Gang::fits(const Entry& entry) const {
  return std::none_of(entry.held.begin(), entry.held.end(), [&](const auto& held) {
    const Held& taken = taken_[index_of(held.first)];
    return taken.cores.intersects(held.second.cores) ||
           taken.cpus + held.second.cpus > cluster_.nodes[held.first].cpus;
  });
}

void Gang::occupy(const Entry& entry) {
  for (const auto& [node, held] : entry.held) {
    taken_[index_of(node)].cores |= held.cores;
    taken_[index_of(node)].cpus += held.cpus;
  }
}

std::size_t Gang::shadows(const List& onto) const {
  std::size_t count = 0;
  for (const List& list : lists_) {
    if (list.tier <= onto.tier) continue;
    count += static_cast<std::size_t>(std::count_if(
        list.jobs.begin(), list.jobs.end(), [](const Entry& e) { return e.row != Row::None; }));
  }
  return count;
}

/// Begins a row: what jobs of higher tiers hold that run. Returns how many they are.
std::size_t Gang::cast_shadows(const List& onto) {
  std::fill(taken_.begin(), taken_.end(), Held{});
  for (const List& list : lists_) {
    if (list.tier <= onto.tier) continue;
    for (const Entry& entry : list.jobs) {
      if (entry.row != Row::None) occupy(entry);
    }
  }
  return shadows(onto);
}

std::vector<GangOrder> Gang::add(const Job& job) {
  std::vector<GangOrder> orders;
  List* list = list_of(job);
  // Heterogeneous jobs are left out of time slicing.
  if (list == nullptr || (job.spec->extras && job.spec->extras->het_leader != JobId{})) {
    return orders;
  }
  cast_shadows(*list);
  for (const Entry& other : list->jobs) {
    if (other.row != Row::None) occupy(other);
  }
  list->jobs.push_back(entry_of(job));
  Entry& entry = list->jobs.back();
  if (!fits(entry)) {
    entry.is_stopped = true;
    orders.push_back({job.index, GangAction::Suspend});
    return orders;
  }
  entry.row = Row::Filler;
  ++list->placed;
  update_all(orders);
  return orders;
}

std::vector<GangOrder> Gang::remove(const Job& job) {
  std::vector<GangOrder> orders;
  List* list = list_of(job);
  if (list == nullptr) return orders;
  const auto gone =
      std::erase_if(list->jobs, [&](const Entry& entry) { return entry.job == job.index; });
  if (gone > 0) update_all(orders);
  return orders;
}

void Gang::update_all(std::vector<GangOrder>& orders) {
  for (List& list : lists_) update(list, orders);
}

/// A row keeps its jobs as far as new shadows let it, and takes in what fits beside them.
void Gang::update(List& list, std::vector<GangOrder>& orders) {
  list.placed = cast_shadows(list);
  for (const Row row : {Row::Active, Row::Filler}) {
    for (Entry& entry : list.jobs) {
      if (entry.row != row) continue;
      if (fits(entry)) {
        occupy(entry);
        ++list.placed;
      } else {
        displace(list, entry, orders);
      }
    }
  }
  for (Entry& entry : list.jobs) {
    if (entry.row != Row::None || !fits(entry)) continue;
    occupy(entry);
    ++list.placed;
    entry.row = Row::Filler;
    if (!entry.is_stopped) continue;
    entry.is_stopped = false;
    orders.push_back({entry.job, GangAction::Resume});
  }
}

void Gang::displace(const List& list, Entry& entry, std::vector<GangOrder>& orders) const {
  entry.row = Row::None;
  if (entry.is_stopped) return;
  entry.is_stopped = true;
  const auto& own = cluster_.partitions[list.partition].conf.preempt_mode;
  const bool by_partition = cluster_.conf.preempt_type == PreemptType::PartitionPrio;
  PreemptMode mode = by_partition && own ? *own : cluster_.conf.preempt_mode;
  if (preemption_ != nullptr) mode = preemption_->mode_of(cluster_.jobs[entry.job]);
  if (const auto action = action_of(mode)) orders.push_back({entry.job, *action});
}

std::vector<GangOrder> Gang::end_slice() {
  std::vector<GangOrder> orders;
  for (List& list : lists_) {
    if (list.placed < list.jobs.size() + shadows(list)) {
      cycle(list, orders);
    } else if (!orders.empty()) {
      update(list, orders);  // the shadows of a higher tier have moved
    }
  }
  return orders;
}

bool Gang::has_waiting() const {
  return std::any_of(lists_.begin(), lists_.end(), [&](const List& list) {
    return !list.jobs.empty() && list.placed < list.jobs.size() + shadows(list);
  });
}

void Gang::cycle(List& list, std::vector<GangOrder>& orders) {
  std::stable_partition(list.jobs.begin(), list.jobs.end(),
                        [](const Entry& entry) { return entry.row != Row::Active; });
  for (Entry& entry : list.jobs) entry.row = Row::None;
  list.placed = cast_shadows(list);
  for (Entry& entry : list.jobs) {
    if (!fits(entry)) continue;
    occupy(entry);
    ++list.placed;
    entry.row = Row::Active;
  }
  for (Entry& entry : list.jobs) {
    if (entry.row != Row::None || entry.is_stopped) continue;
    entry.is_stopped = true;
    orders.push_back({entry.job, GangAction::Suspend});
  }
  for (Entry& entry : list.jobs) {
    if (entry.row != Row::Active || !entry.is_stopped) continue;
    entry.is_stopped = false;
    orders.push_back({entry.job, GangAction::Resume});
  }
}

}  // namespace rehearse
