// sim/controller/resize.cpp — a running job goes on with less: --no-kill and the failure of a node
// (lifecycle.md §11).
#include <algorithm>
#include <utility>

#include "sim/cluster/holdings.hpp"
#include "sim/controller/controller.hpp"
#include "sim/core/check.hpp"
#include "sim/sched/allocated_nodes.hpp"

namespace rehearse {

/// The job gives back what it has on `gone` and keeps the rest, its limit and its end. Accounting
/// closes the old size and opens the new one. At least one node stays.
void Controller::shrink(Job& job, std::span<const NodeId> gone) {
  REHEARSE_CHECK(job.has_started(), "job {} is not running", static_cast<std::uint32_t>(job.id));
  const auto goes = [&](const NodeShare& share) {
    return std::find(gone.begin(), gone.end(), share.node) != gone.end();
  };
  Allocation left = job.allocation;
  std::erase_if(left.nodes, goes);
  REHEARSE_CHECK(!left.nodes.empty(), "job {} loses all its nodes",
                 static_cast<std::uint32_t>(job.id));
  left.cpus = 0;
  for (const NodeShare& share : left.nodes) left.cpus += share.cpus;

  obey(gang_.remove(job));  // whoever is told of it sees a ledger that adds up
  running_.remove(job);
  give_back_all(cluster_.ledger, job);
  const Allocation before = std::exchange(job.allocation, std::move(left));
  const NodeSet nodes = nodes_of(job.allocation, cluster_.nodes.size());
  job.billing.reset();
  TresVector amounts = limits_.allocation_vector(job, cluster_.partitions[job.partition],
                                                 job.allocation, job.billing);
  limits_.job_resized(job, nodes, std::move(amounts));
  job.total_cpus = job.allocation.cpus;
  take_all(cluster_.ledger, job);
  running_.add(job);
  speeds_.resized(job);
  last_activity_ = now_;
  event_order_.add(static_cast<std::uint64_t>(now_.time_since_epoch().count()));
  event_order_.add(static_cast<std::uint64_t>(job.id) << 2U);
  observer_.job_resized(job, before, now());
  obey(gang_.add(job));
  something_changed();
  mig_.devices_freed(before);
}

}  // namespace rehearse
