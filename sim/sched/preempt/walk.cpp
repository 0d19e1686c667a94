// sim/sched/preempt/walk.cpp — victims: candidates are taken away one by one until the job fits,
// then again in a better order (preemption.md §4).
#include <algorithm>
#include <utility>

#include "sim/cluster/holdings.hpp"
#include "sim/cluster/licenses.hpp"
#include "sim/sched/allocated_nodes.hpp"
#include "sim/sched/preempt/license_need.hpp"
#include "sim/sched/preempt/preemption.hpp"
#include "sim/sched/select/effective_request.hpp"
#include "sim/sched/select/on_nodes.hpp"
#include "sim/sched/select/request_rules.hpp"

namespace rehearse {

PlacementQuery on_ledger(const PlacementQuery& query, const Ledger& ledger) {
  return {.job = query.job,
          .request = query.request,
          .partition = query.partition,
          .ledger = ledger,
          .candidates = query.candidates,
          .min_nodes = query.min_nodes,
          .max_nodes = query.max_nodes,
          .req_nodes = query.req_nodes,
          .ignore_use = query.ignore_use,
          .future = query.future,
          .on_copy = true,
          .all_weights = true,
          .reserved_cores = query.reserved_cores,
          .preferred = query.preferred,
          .weights = query.weights,
          .extra_row = query.extra_row};
}

/// Step 3: the whole test is repeated after each removal.
Preemption::Walk Preemption::walk(const PlacementQuery& query, const std::vector<Job*>& candidates,
                                  std::span<const std::uint32_t> lacking) const {
  Walk found;
  LicenseNeed need(lacking);
  scratch_ = cluster_.ledger;
  const PlacementQuery without = on_ledger(query, scratch_);
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    Job* victim = candidates[i];
    if (!is_killed(*victim)) continue;
    if (!uses(*victim, query.candidates) && !holds_any(*victim, lacking)) continue;
    for (const Job* part : parts_of(*victim)) {
      give_back_all(scratch_, *part);
      if (!lacking.empty()) need.met_by(license_counts(cluster_, licenses_of(cluster_, *part)));
    }
    found.removed.push_back(victim);
    found.last = i;
    if (!need.is_met()) continue;
    found.allocation = select_.place(without);
    if (found.allocation) return found;
  }
  return found;
}

/// Step 4: the last one first; then, unless preempt_strict_order, those removed before it by how
/// many of the selected nodes they are on; the rest as it was.
std::vector<Job*> Preemption::reordered(const std::vector<Job*>& candidates, std::size_t last,
                                        const NodeSet& selected) const {
  std::vector<Job*> next{candidates[last]};
  const auto begin = candidates.begin();
  const auto end = begin + static_cast<std::ptrdiff_t>(last);
  next.insert(next.end(), begin, end);
  if (!cluster_.conf.preempt_parameters.strict_order) {
    const auto on_selected = [&](const Job* job) {
      return (job->allocated_nodes & selected).count();
    };
    std::stable_sort(next.begin() + 1, next.end(),
                     [&](const Job* a, const Job* b) { return on_selected(a) > on_selected(b); });
  }
  next.insert(next.end(), end + 1, candidates.end());
  return next;
}

/// Step 1 of a further walk, on the nodes of the one before. It fails as at first, unless the first
/// test went by the memory which the job's last test had left (gres.md §2.3).
std::optional<Allocation> Preemption::again_without(const PlacementQuery& query,
                                                    const NodeSet& selected) const {
  const auto& ruled = select_.ruled_request(query.job, query.partition).request;
  if (!query.first || ruled.first_memory == FirstMemory::Same) return std::nullopt;
  PlacementQuery again = on_nodes(query, selected);
  again.first = false;
  again.refused_cpus = nullptr;
  again.lacks_cores = nullptr;
  return select_.place(again);
}

std::optional<Displacement> Preemption::displace(const PlacementQuery& query, SlurmTime now,
                                                 std::span<const std::uint32_t> lacking) const {
  if (!enabled_) return std::nullopt;
  std::vector<Job*> order = candidates(query.job, query.partition.id, now, lacking);
  const std::size_t most_walks =
      std::min<std::size_t>(std::size_t{cluster_.conf.preempt_parameters.reorder_count} + 2,
                            std::max<std::size_t>(order.size(), 1));
  for (std::size_t walks = 1;; ++walks) {
    Walk found = walk(query, order, lacking);
    if (!found.allocation) return std::nullopt;
    const NodeSet selected = nodes_of(*found.allocation, cluster_.nodes.size());
    if (walks < most_walks) {
      auto unaided = lacking.empty() ? again_without(query, selected) : std::nullopt;
      if (unaided) return Displacement{std::move(*unaided), {}, true};
      order = reordered(order, found.last, selected);
      continue;
    }
    // Step 5: node by node; whether its cores would have been needed does not count.
    Displacement chosen{std::move(*found.allocation), {}, false};
    for (Job* job : found.removed) {
      if (uses(*job, selected) || holds_any(*job, lacking)) {
        chosen.victims.push_back(job);
      }
    }
    return chosen;
  }
}

}  // namespace rehearse
