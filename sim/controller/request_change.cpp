// sim/controller/request_change.cpp — keys of `scontrol update` by what they are of a request.
#include "sim/controller/request_change.hpp"

#include <algorithm>

namespace rehearse {

namespace {

/// A number of nodes raises the CPUs to those of the tasks, whatever NumCPUs= says beside it; of a
/// range of nodes without tasks they are one a node anew.
void settle_cpus(const RequestChange& change, bool had_range, Request& request) {
  const std::uint32_t each = request.cpus_per_task.value_or(1);
  if (had_range && !request.num_tasks && !change.min_cpus) request.min_cpus = each;
  std::uint32_t tasks = request.num_tasks.value_or(request.min_nodes);
  if (request.ntasks_per_node > 0) {
    tasks = std::max(tasks, request.min_nodes * request.ntasks_per_node);
  }
  request.min_cpus = std::max({request.min_cpus, request.min_nodes, tasks * each});
}

}  // namespace

void apply(const RequestChange& change, Request& request) {
  const bool had_range = request.max_nodes && *request.max_nodes != request.min_nodes;
  const auto set = [](const auto& from, auto& to) {
    if (from) to = *from;
  };
  set(change.min_nodes, request.min_nodes);
  set(change.max_nodes, request.max_nodes);
  set(change.min_cpus, request.min_cpus);
  set(change.max_cpus, request.max_cpus);
  set(change.num_tasks, request.num_tasks);
  if (change.num_tasks) request.tasks_by_range = false;
  set(change.pn_min_cpus, request.pn_min_cpus);
  set(change.core_spec, request.core_spec);
  set(change.switches, request.switches);
  set(change.switches_wait, request.switches_wait);
  if (change.cpus_per_task && !request.first_cpus_per_task) {
    request.first_cpus_per_task = request.cpus_per_task.value_or(1);
  }
  set(change.cpus_per_task, request.cpus_per_task);
  set(change.ntasks_per_node, request.ntasks_per_node);
  set(change.tmp_disk_mib, request.tmp_disk_mib);
  set(change.contiguous, request.contiguous);
  set(change.oversubscribe, request.oversubscribe);
  if (change.oversubscribe == true) request.exclusive = ExclusiveRequest::None;
  set(change.features, request.features);
  set(change.prefer, request.prefer);
  set(change.required_nodes, request.required_nodes);
  set(change.excluded_nodes, request.excluded_nodes);
  set(change.licenses, request.licenses);
  set(change.any_license, request.any_license);
  set(change.gres, request.gres);
  if (change.memory_mode) {
    request.memory_mode = *change.memory_mode;
    request.memory_mib = change.memory_mib;
  }
  // MinCPUsNode= is a number of CPUs in all too, unlike --mincpus of a submission.
  if (change.pn_min_cpus && !change.min_cpus) {
    request.min_cpus = request.min_nodes * *change.pn_min_cpus;
  }
  if (change.min_nodes) settle_cpus(change, had_range, request);
}

void mark_lifted(const RequestChange& change, const Request& before, OperatorSet& by_operator) {
  by_operator.cpus |= change.min_cpus.has_value();
  const auto differs = [](const std::optional<std::uint32_t>& to, std::uint32_t from) {
    return to && *to != from;
  };
  by_operator.nodes |= differs(change.min_nodes, before.min_nodes) ||
                       (before.max_nodes && differs(change.max_nodes, *before.max_nodes));
  by_operator.memory |= change.memory_mode.has_value();
}

bool raises_cpus(const RequestChange& change, const Request& request) {
  return change.min_nodes && change.min_cpus.value_or(request.min_cpus) < *change.min_nodes;
}

bool exceeds_its_most(const RequestChange& change, const Request& request) {
  const auto most = change.max_nodes ? change.max_nodes : request.max_nodes;
  return change.min_nodes && most && *change.min_nodes > *most;
}

}  // namespace rehearse
