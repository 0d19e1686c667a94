// sim/sched/node_choice.cpp — candidates, the attempt, and the reading of a failure.
#include "sim/sched/node_choice.hpp"

#include <algorithm>
#include <utility>

#include "sim/cluster/licenses.hpp"
#include "sim/cluster/whole_nodes.hpp"
#include "sim/sched/allocated_nodes.hpp"
#include "sim/sched/select/request_rules.hpp"

namespace rehearse {
namespace {

constexpr std::uint32_t kMostNodes = 500000;  // Slurm: the ceiling of every node count (§5.6)

/// Some of its partitions are EXCLUSIVE, others may not be, and it has not been made whole.
/// What a test in the partition leaves of how the job shares (scheduling.md §5.3).
enum class LeftSharing : std::uint8_t { Nothing, Whole, Shares };

LeftSharing left_sharing(const Cluster& cluster, const Job& job, PartitionId id) {
  const PartitionConf& partition = cluster.partitions[id].conf;
  const Request& request = cluster.request_of(job);
  if (request.exclusive == ExclusiveRequest::Exclusive) return LeftSharing::Nothing;
  if (partition.over_subscribe == OverSubscribe::Exclusive) return LeftSharing::Whole;
  if (!partition.forces_sharing() || request.oversubscribe ||
      cluster.conf.select_type == SelectType::Linear) {
    return LeftSharing::Nothing;
  }
  return LeftSharing::Shares;
}

bool may_share_otherwise(const Cluster& cluster, const Job& job) {
  if (job.partitions.size() < 2) return false;
  return std::any_of(job.partitions.begin(), job.partitions.end(), [&](PartitionId id) {
    return left_sharing(cluster, job, id) != LeftSharing::Nothing;
  });
}

const NodeSet* preferred_of(const ReservedView& reserved) {
  return reserved.preferred.empty() ? nullptr : &reserved.preferred;
}

/// Without preemption nobody gets a node that another job holds whole, but where its partition
/// makes jobs share (FORCE:n above 1).
bool some_are_held_whole(const Cluster& cluster, const NodeSet& nodes) {
  const auto keeps = [&](NodeId node) {
    for (std::size_t at = 0; at < cluster.partitions.size(); ++at) {
      const auto id = id_at<PartitionId>(at);
      if (cluster.partitions[id].conf.forces_sharing()) continue;
      if (cluster.ledger.partition_cores(node, id) > 0) return true;
    }
    return false;
  };
  bool found = false;
  for_each_bit(nodes, [&](std::size_t node) {
    const auto id = id_at<NodeId>(node);
    found = found || (cluster.ledger.use(id).exclusive_jobs > 0 && keeps(id));
  });
  return found;
}

}  // namespace

std::optional<NodeCounts> NodeChoice::counts(const Job& job, PartitionId partition_id,
                                             Selection& failure) const {
  const Partition& partition = cluster_.partitions[partition_id];
  const EffectiveRequest& request = select_.ruled_request(job, partition).request;
  const QosFlags flags = job.qos ? cluster_.accounts.qos[*job.qos].conf.flags : QosFlags{};
  if (preemption_ != nullptr && preemption_->quotas() != nullptr) {
    if (const auto reason = preemption_->quotas()->refuses(job)) {
      failure = {Attempt::Policy, *reason, {}, {}};
      return std::nullopt;
    }
  }
  NodeCounts counts;
  counts.min = request.min_nodes;
  if (!flags.partition_min_nodes) {
    counts.min = std::max(counts.min, partition.conf.min_nodes);
    if (!request.max_nodes) counts.min = std::max(counts.min, job.least_nodes);
  }
  counts.max = request.max_nodes.value_or(kMostNodes);
  if (partition.conf.max_nodes && !flags.partition_max_nodes) {
    counts.max = std::min(counts.max, *partition.conf.max_nodes);
  }
  counts.max = std::min(counts.max, kMostNodes);
  if (const auto reason = limits_.cap_nodes(job, partition_id, counts.min, counts.max)) {
    failure = {Attempt::Policy, *reason, {}, {}};
    return std::nullopt;
  }
  if (counts.max < counts.min) {
    failure = {Attempt::PartitionConfig, Reason::PartitionNodeLimit, {}, {}};
    return std::nullopt;
  }
  const Request& asked = cluster_.request_of(job);
  const bool wants_most = asked.max_nodes && !asked.use_min_nodes && !job.set_by_operator.nodes;
  counts.req = wants_most ? counts.max : counts.min;
  return counts;
}

const NodeSet& NodeChoice::configured(const Job& job, PartitionId partition) {
  const auto key = std::pair(job.request, partition);
  const auto known = configured_.find(key);
  if (known != configured_.end()) return known->second;
  return configured_.emplace(key, select_.configured_nodes(job, cluster_.partitions[partition]))
      .first->second;
}

NodeSet NodeChoice::available_nodes() const {
  NodeSet available(cluster_.nodes.size());
  available.set();
  for (const Node& node : cluster_.nodes) {
    if (!node.state.is_available()) available.reset(index_of(node.id));
  }
  return available;
}

void NodeChoice::set_completing(NodeId node, bool completing) {
  completing_.set(index_of(node), completing);
}

bool NodeChoice::could_ever_run(Job& job, PartitionId partition) {
  NodeSet every(cluster_.nodes.size());
  every.set();
  return could_ever_run(job, partition, every);
}

bool NodeChoice::could_ever_run(Job& job, PartitionId partition, const NodeSet& among,
                                const NodeSet* preferred) {
  Selection failure;
  const auto range = counts(job, partition, failure);
  if (!range) return failure.attempt == Attempt::Policy;
  const NodeSet candidates = configured(job, partition) & among;
  if (weights_ != nullptr) weights_->consider(candidates, preferred);
  const EmptyAnswer& answer = choose_empty(job, partition, *range, candidates);
  leave_weights(answer);
  count_chosen(job, answer);
  return answer.chosen.has_value();
}

/// Only select/linear counts a test of empty nodes (priority.md §3.4).
void NodeChoice::count_chosen(Job& job, const EmptyAnswer& answer) {
  if (!answer.chosen || cluster_.conf.select_type != SelectType::Linear) return;
  found_cpus(job, cpus_of(cluster_, *answer.chosen));
}

std::size_t NodeChoice::nodes_if_idle(const Job& job, PartitionId partition, const NodeSet* among) {
  Selection failure;
  const auto range = counts(job, partition, failure);
  if (!range) return 0;
  NodeSet nodes = configured(job, partition);
  if (among != nullptr) nodes &= *among;
  const auto& chosen = choose_empty(job, partition, *range, nodes).chosen;
  return chosen ? chosen->count() : 0;
}

Selection NodeChoice::select_now(Job& job, PartitionId partition_id, const NodeSet& available,
                                 const ReservedView& reserved, SlurmTime now) {
  Selection result;
  const auto range = counts(job, partition_id, result);
  if (!range) return result;
  result = select(job, partition_id, *range, available, reserved, now);
  tested(job, partition_id);
  leave_sharing(job, partition_id);
  return result;
}

bool NodeChoice::turn_request(Job& job) {
  if (!memory_left_.is_concerned(job)) return false;
  memory_left_.turn(job);
  return true;
}

bool NodeChoice::is_changed_by_tests(const Job& job, PartitionId partition) const {
  if (select_.ruled_request(job, cluster_.partitions[partition]).request.may_lack_cores)
    return true;
  return memory_left_.is_concerned(job) || lacks_cpus_per_gpu(cluster_, job) ||
         may_share_otherwise(cluster_, job);
}

void NodeChoice::leave_sharing(Job& job, PartitionId partition) {
  const LeftSharing left = left_sharing(cluster_, job, partition);
  if (left == LeftSharing::Nothing) return;
  if (configured(job, partition).none()) return;  // it is passed over before that
  Request request = cluster_.request_of(job);
  if (left == LeftSharing::Whole) request.exclusive = ExclusiveRequest::Exclusive;
  request.oversubscribe = left == LeftSharing::Shares;
  job.request = cluster_.requests.intern(request);
  ++sharing_left_;
}

void NodeChoice::tested(Job& job, PartitionId partition, Outcome outcome) {
  const bool lacks_cpus = lacks_cpus_per_gpu(cluster_, job);
  const bool is_concerned = memory_left_.is_concerned(job);
  if (!is_concerned && !lacks_cpus) return;
  if (configured(job, partition).count() < cluster_.request_of(job).min_nodes) return;
  if (lacks_cpus) {
    keep_cpus_per_gpu(cluster_, job, partition);
    ++cpus_kept_;
  }
  if (!is_concerned) return;
  switch (outcome) {
    case Outcome::Final:
      memory_left_.tested(job, partition);
      break;
    case Outcome::Going:
      memory_left_.estimated(job, partition);
      break;
    case Outcome::Foretold:
      memory_left_.foretold(job, partition);
      break;
  }
}

void NodeChoice::withhold_owned(const Job& job, PartitionId partition, SlurmTime now,
                                NodeSet& nodes) {
  if (owners_ == nullptr || !owners_->concern(job, partition)) return;
  const auto victims = [&] {
    return preemption_ == nullptr ? std::vector<Job*>{}
                                  : preemption_->candidates(job, partition, now);
  };
  owners_->withhold(job, partition, victims, nodes);
}

Selection NodeChoice::select(Job& job, PartitionId partition_id, const NodeCounts& range,
                             const NodeSet& available, const ReservedView& reserved,
                             SlurmTime now) {
  const Request& request = cluster_.request_of(job);
  const Partition& partition = cluster_.partitions[partition_id];

  const NodeSet allowed = configured(job, partition_id) & available & reserved.nodes;
  if (weights_ != nullptr) weights_->consider(allowed, preferred_of(reserved));
  NodeSet candidates = allowed - completing_;
  const std::size_t unowned = candidates.count();
  withhold_owned(job, partition_id, now, candidates);
  // Without preemption an exclusive job sees idle nodes only (scheduling.md §5.2).
  const bool preemption = cluster_.conf.preempt_mode != PreemptMode::Off;
  const bool of_idle = !preemption && asks_for_whole_nodes(request, partition.conf) &&
                       !partition.conf.forces_sharing();
  if (of_idle) candidates &= cluster_.ledger.idle();
  choose_license(cluster_, job, reserved.licenses);
  const std::vector<std::uint32_t> lacking = reclaimable(job, reserved.licenses);
  bool lacks_cores = false;
  const auto attempt_on = [&](const NodeSet& among) -> std::optional<Selection> {
    if (among.count() < range.min) return std::nullopt;
    std::uint32_t refused_cpus = 0;
    const PlacementQuery query{.job = job,
                               .request = request,
                               .partition = partition,
                               .ledger = cluster_.ledger,
                               .candidates = among,
                               .min_nodes = range.min,
                               .max_nodes = range.max,
                               .req_nodes = range.req,
                               .first = true,
                               .reserved_cores = &reserved.taken,
                               .preferred = preferred_of(reserved),
                               .weights = weights_,
                               .refused_cpus = &refused_cpus,
                               .lacks_cores = &lacks_cores};
    auto allocation = lacking.empty() ? select_.place(query) : std::nullopt;
    std::vector<Job*> victims;
    bool starts = true;
    if (!allocation && preemption_ != nullptr) {
      if (lacking.empty() && preemption_->takes_extra_row(job, partition_id, now)) {
        PlacementQuery wider = query;
        wider.extra_row = true;
        wider.first = false;
        allocation = select_.place(wider);
      } else if (auto displaced = preemption_->displace(query, now, lacking)) {
        allocation = std::move(displaced->allocation);
        victims = std::move(displaced->victims);
        starts = displaced->starts;
      }
    }
    // Also of a job that a limit then stops, that waits for its victims, or for memory of the nodes
    // that were chosen (priority.md §3.4).
    const std::uint32_t chosen = allocation ? allocation->cpus : refused_cpus;
    if (chosen > 0) found_cpus(job, chosen);
    if (chosen > 0 && !reserved.is_bound) job.is_uncounted = false;
    if (!allocation) return std::nullopt;
    // More than it may have, as a tree chooses them: nobody goes for it (scheduling.md §6.6).
    if (cluster_.topology) {
      const EffectiveRequest& ruled = select_.ruled_request(job, partition).request;
      if (allocation->nodes.size() > ruled_node_counts(ruled, {range.min, range.max}).max) {
        return Selection{Attempt::Busy, Reason::Resources, {}, {}};
      }
    }
    const NodeSet nodes = nodes_of(*allocation, cluster_.nodes.size());
    if (const auto reason = limits_.after_selection(job, partition_id, *allocation, nodes)) {
      return Selection{Attempt::Policy, *reason, std::move(*allocation), {}};
    }
    if (!starts) return Selection{Attempt::Busy, {}, {}, victims, {}, victims.empty()};
    return Selection{Attempt::Success, Reason::None, std::move(*allocation), {}};
  };
  // Who may preempt does so for the first alternative before the next is looked at (preemption.md
  // §4); else what is free first is (scheduling.md §5.4).
  const auto sets = select_.alternatives(job, partition);
  if (preemption_ == nullptr || sets.size() < 2) {
    if (auto result = attempt_on(candidates)) return std::move(*result);
  } else {
    for (const NodeSet& set : sets) {
      if (auto result = attempt_on(candidates & set)) return std::move(*result);
    }
  }
  if (!lacking.empty()) return {Attempt::Licenses, Reason::Licenses, {}, {}};
  // Nodes that others hold whole no test takes; here they tell why it failed (scheduling.md §4.3).
  const bool dropped = (preemption ? unowned : candidates.count()) < allowed.count() ||
                       (!preemption && some_are_held_whole(cluster_, allowed));
  Selection busy =
      failed(job, partition_id, range, of_idle ? candidates : allowed, dropped, reserved);
  busy.lacks_cores = lacks_cores;
  return busy;
}

const NodeChoice::EmptyAnswer& NodeChoice::choose_empty(const Job& job, PartitionId partition,
                                                        const NodeCounts& counts,
                                                        const NodeSet& nodes) {
  constexpr std::size_t kMostAnswers = 64;
  std::list<EmptyAnswer>& answers = empty_answers_[{job.request, partition}];
  // Under select/linear it counts which nodes they are (count_chosen): asked anew each time.
  const bool recalls = cluster_.recalls && cluster_.conf.select_type != SelectType::Linear;
  for (auto answer = answers.begin(); recalls && answer != answers.end(); ++answer) {
    if (!(answer->counts == counts) || answer->nodes != nodes) continue;
    answers.splice(answers.end(), answers, answer);
    return answers.back();
  }
  if (answers.size() >= kMostAnswers) answers.pop_front();
  std::optional<SchedWeights> weights;
  if (weights_ != nullptr) weights.emplace(*weights_);
  if (weights) weights->consider(nodes, nullptr);
  const std::size_t place = weights ? weights->begin_notes() : 0;
  auto chosen = select_.choose({.job = job,
                                .request = cluster_.request_of(job),
                                .partition = cluster_.partitions[partition],
                                .ledger = cluster_.ledger,
                                .candidates = nodes,
                                .min_nodes = counts.min,
                                .max_nodes = counts.max,
                                .req_nodes = counts.req,
                                .ignore_use = true,
                                .weights = weights ? &*weights : nullptr});
  return answers.emplace_back(EmptyAnswer{counts, nodes, std::move(chosen),
                                          weights ? weights->end_notes(place) : NearNotes{}});
}

void NodeChoice::leave_weights(const EmptyAnswer& answer) {
  if (weights_ != nullptr) weights_->note_near(answer.notes);
}

Selection NodeChoice::failed(Job& job, PartitionId partition_id, const NodeCounts& range,
                             const NodeSet& allowed, bool dropped, const ReservedView& reserved) {
  const NodeSet& in_partition = configured(job, partition_id);
  // A member never has others than its reservation's (§9).
  const NodeSet all = reserved.is_bound ? in_partition & reserved.nodes : in_partition;
  if (all.none()) {  // before any limit is asked (§4.3)
    return {reserved.overlaps ? Attempt::ReservationBusy : Attempt::Never,
            Reason::BadConstraints,
            {},
            {}};
  }
  // Nodes that it would have if nothing ran: of those that are up, or of all.
  const EmptyAnswer& of_up = choose_empty(job, partition_id, range, allowed);
  const bool may_wait = of_up.chosen.has_value();
  const EmptyAnswer& of_all = may_wait ? of_up : choose_empty(job, partition_id, range, all);
  leave_weights(of_up);
  if (!may_wait) leave_weights(of_all);
  count_chosen(job, of_all);
  // Accounting beats resources: a job over a limit does not block others (scheduling.md §4.3).
  const EffectiveRequest& ruled =
      select_.ruled_request(job, cluster_.partitions[partition_id]).request;
  const NodeSet* chosen = of_all.chosen ? &*of_all.chosen : nullptr;
  if (const auto stop = limits_.after_failed_selection(job, partition_id, chosen, ruled)) {
    return {Attempt::Policy, stop->reason, {}, {}, stop->of_group};
  }
  if (may_wait) return {Attempt::Busy, Reason::Resources, {}, {}};
  if (!of_all.chosen) {
    return {reserved.overlaps ? Attempt::ReservationBusy : Attempt::Never,
            Reason::BadConstraints,
            {},
            {}};
  }
  if (dropped) return {Attempt::Busy, Reason::Resources, {}, {}};
  return {Attempt::NotAvailable, Reason::ReqNodeNotAvail, {}, {}};
}

}  // namespace rehearse
