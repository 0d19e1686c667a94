// sim/controller/hardware_test.cpp — alone a partition with a limit is not looked at; of a list the
// last decides.
#include "sim/controller/hardware_test.hpp"

#include <algorithm>
#include <optional>

#include "sim/sched/job_tests.hpp"
#include "sim/sched/partition_access.hpp"
#include "sim/sched/reservations/view.hpp"
#include "sim/sched/select/request_rules.hpp"

namespace rehearse {
namespace {

/// A node of its `-w` is down, drained, or reserved for its time: no selection tells whether it
/// could run.
bool names_one_out_of_reach(const Job& job, PartitionId id, const Cluster& cluster) {
  const auto& named = cluster.request_of(job).required_nodes;
  if (named.empty()) return false;
  const auto is_out = [&](NameId name) {
    const auto node = cluster.find_node(name);
    return node && !cluster.nodes[*node].state.is_available();
  };
  if (std::any_of(named.begin(), named.end(), is_out)) return true;
  const SlurmTime now = whole_second(job.submit);
  const ReservedVerdict verdict =
      reserved_view(cluster, {job, id, std::nullopt, now, now,
                              effective_limit(job, cluster.partitions[id], cluster)})
          .verdict;
  return verdict == ReservedVerdict::NodesTaken || verdict == ReservedVerdict::Maintenance;
}

}  // namespace

bool HardwareTest::may_serve(Job& job) {
  if (job.partitions.size() == 1) return alone(job, job.partitions.front()) == Answer::Serves;
  // EnforcePartLimits=ALL tests all of them, whatever the first ones say (scheduling.md §5.3).
  const bool all = cluster_.conf.enforce_part_limits == EnforcePartLimits::All;
  Answer last = Answer::Refuses;
  bool serves = false;
  for (const PartitionId id : job.partitions) {
    last = of_list(job, id);
    serves = serves || last == Answer::Serves;
    if (serves && !all) break;
  }
  return serves || last != Answer::Refuses;
}

/// Beyond a limit, of the partition (but DOWN) or of accounts, the nodes are not looked at: it
/// waits.
HardwareTest::Answer HardwareTest::alone(Job& job, PartitionId id) {
  if (select_.ruled_request(job, cluster_.partitions[id]).refusal) return Answer::Serves;
  const auto beyond = limits_.partition_test(job, id);
  const bool is_taken = beyond ? *beyond == Reason::PartitionDown : limits_.admits_account(job, id);
  if (!is_taken || limits_.before_selection(job, id)) return Answer::Serves;
  Selection failure;
  const bool is_capped = !choice_.counts(job, id, failure) && failure.attempt == Attempt::Policy;
  return is_capped ? Answer::Serves : tested(job, id);
}

HardwareTest::Answer HardwareTest::of_list(Job& job, PartitionId id) {
  const Partition& partition = cluster_.partitions[id];
  const bool is_down = partition.state == PartitionState::Down;
  if (!is_down && !lets_in(job, id)) return Answer::Waits;
  if (limits_.before_selection(job, id)) return Answer::Serves;
  Selection failure;
  const auto counts = choice_.counts(job, id, failure);
  if (!counts) return has_nodes(job, id, 1) ? Answer::Waits : Answer::Refuses;
  if (select_.ruled_request(job, partition).refusal) {
    return has_nodes(job, id, counts->min) ? Answer::Serves : Answer::Refuses;
  }
  const Answer answer = tested(job, id);
  return answer == Answer::Refuses && is_down ? Answer::Waits : answer;
}

HardwareTest::Answer HardwareTest::tested(Job& job, PartitionId id) {
  is_tested_ = true;
  const bool may = (job.reservations.empty() && has_nodes(job, id, 1) &&
                    names_one_out_of_reach(job, id, cluster_)) ||
                   reservations_.may_ever_run(job, id);
  choice_.tested(job, id);
  choice_.leave_sharing(job, id);
  return may ? Answer::Serves : Answer::Refuses;
}

/// Access alone: what else is beyond its limits is looked at.
bool HardwareTest::lets_in(const Job& job, PartitionId id) const {
  return limits_.admits_account(job, id) && limits_.admits_qos(job, id) &&
         !door_reason(cluster_, job, id);
}

/// By their configuration, GRES aside, and with those that it names.
bool HardwareTest::has_nodes(const Job& job, PartitionId id, std::size_t least) const {
  const NodeSet& nodes = choice_.configured(job, id);
  const auto& named = cluster_.request_of(job).required_nodes;
  return nodes.count() >= least && std::all_of(named.begin(), named.end(), [&](NameId name) {
           const auto node = cluster_.find_node(name);
           return node && nodes.test(index_of(*node));
         });
}

}  // namespace rehearse
