// sim/controller/audit.cpp — the slow twins of the ledger, the lists and the counters.
#include "sim/controller/audit.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "sim/cluster/holdings.hpp"
#include "sim/cluster/licenses.hpp"
#include "sim/controller/controller.hpp"
#include "sim/core/check.hpp"
#include "sim/sched/allocated_nodes.hpp"

namespace rehearse {
namespace {

constexpr std::uint64_t kEventsBetweenRecounts = 64;

std::uint32_t number_of(const Job& job) {
  return static_cast<std::uint32_t>(job.id);
}

/// Of the jobs that run and count: how many, and what they hold.
struct Held {
  std::uint32_t jobs = 0;
  TresVector in_use;
  std::optional<NodeSet> nodes;

  void add(const Job& job) {
    ++jobs;
    in_use.resize(std::max(in_use.size(), job.alloc_tres.size()));
    for (std::size_t t = 0; t < job.alloc_tres.size(); ++t) in_use[t] += job.alloc_tres[t];
    nodes = nodes ? *nodes | job.allocated_nodes : job.allocated_nodes;
    in_use[index_of(TresTable::kNode)] = nodes->count();
  }
};

/// The count kept and the count made; amounts that were never held may be missing.
void compare(const Counters& kept, const Held& held, std::string_view what,
             const std::string& name) {
  REHEARSE_CHECK(kept.running_jobs == held.jobs, "{} '{}': {} running jobs kept, {} counted", what,
                 name, kept.running_jobs, held.jobs);
  const std::size_t amounts = std::max(kept.in_use.size(), held.in_use.size());
  for (std::size_t t = 0; t < amounts; ++t) {
    const std::uint64_t has = t < kept.in_use.size() ? kept.in_use[t] : 0;
    const std::uint64_t counted = t < held.in_use.size() ? held.in_use[t] : 0;
    REHEARSE_CHECK(has == counted, "{} '{}': {} kept of TRES {}, {} counted", what, name, has, t,
                   counted);
  }
}

}  // namespace

void Audit::after_event() {
  check_ledger();
  check_lists();
  check_licenses();
  if (events_++ % kEventsBetweenRecounts != 0) return;
  check_records();
  if (c_.cluster_.conf.enforce.limits) check_counters();
}

void Audit::check_ledger() const {
  const Cluster& cluster = c_.cluster_;
  Ledger counted = cluster.empty_ledger();
  for (const Job* job : c_.running_.by_end()) take_all(counted, *job);
  c_.mig_.hold_blocked(counted);
  REHEARSE_CHECK(cluster.ledger.same_as(counted),
                 "what {} running jobs hold is not what the ledger has taken", c_.running_.size());
}

void Audit::check_lists() const {
  const std::vector<Job*>& by_end = c_.running_.by_end();
  REHEARSE_CHECK(c_.running_.adds_up(),
                 "running jobs are not in the order of their ends, or not on their nodes");
  REHEARSE_CHECK(c_.charged_.size() == by_end.size(), "{} jobs are charged, {} run",
                 c_.charged_.size(), by_end.size());
  for (const Job* job : by_end) {
    REHEARSE_CHECK(job->has_started(), "job {} is listed as running and is {}", number_of(*job),
                   to_text(job->state));
    REHEARSE_CHECK(job->allocated_nodes == nodes_of(job->allocation, c_.cluster_.nodes.size()),
                   "the nodes of job {} are not those of its allocation", number_of(*job));
  }
}

/// Every record is in the list of its state.
void Audit::check_records() const {
  std::size_t running = 0, completing = 0;
  for (const Job& job : c_.cluster_.jobs) {
    running += job.has_started() ? 1U : 0U;
    completing += job.completing ? 1U : 0U;
    const bool listed =
        std::binary_search(c_.queue_.pending().begin(), c_.queue_.pending().end(), job.index);
    REHEARSE_CHECK(listed || !job.is_pending() || job.completing,
                   "job {} pends and is not in the queue", number_of(job));
  }
  REHEARSE_CHECK(running == c_.running_.size(), "{} jobs run, {} are listed", running,
                 c_.running_.size());
  REHEARSE_CHECK(completing == c_.completing_.size(), "{} jobs are completing, {} are listed",
                 completing, c_.completing_.size());
  for (const Node& node : c_.cluster_.nodes) {
    std::uint32_t jobs = 0;
    for (const JobIndex index : c_.completing_) {
      const Allocation& held = c_.cluster_.jobs[index].allocation;
      jobs += static_cast<std::uint32_t>(
          std::count_if(held.nodes.begin(), held.nodes.end(),
                        [&](const NodeShare& share) { return share.node == node.id; }));
    }
    REHEARSE_CHECK(jobs == node.state.completing_jobs,
                   "node {} counts {} completing jobs, there are {}", index_of(node.id),
                   node.state.completing_jobs, jobs);
  }
}

/// Taken at a start, and back when the clean-up is over (scheduling.md §10).
void Audit::check_licenses() const {
  const Cluster& cluster = c_.cluster_;
  std::vector<std::uint32_t> counted(cluster.licenses_total.size(), 0);
  const auto add = [&](const Job& job) {
    const LicenseCounts counts = license_counts(cluster, licenses_of(cluster, job));
    for (std::size_t i = 0; i < counts.size(); ++i) counted[i] += counts[i];
  };
  for (const Job* job : c_.running_.by_end()) add(*job);
  for (const JobIndex index : c_.completing_) add(cluster.jobs[index]);
  for (std::size_t i = 0; i < counted.size(); ++i) {
    REHEARSE_CHECK(counted[i] == cluster.licenses_used[i], "license '{}': {} in use, jobs have {}",
                   cluster.conf.licenses[i].name, cluster.licenses_used[i], counted[i]);
  }
}

bool Audit::belongs_to(const Association& association, const Association& other) const {
  const AccountBook& book = c_.cluster_.accounts;
  for (const Association* at = &association;; at = &book.associations[*at->parent]) {
    if (at->id == other.id) return true;
    if (!at->parent) return false;
  }
}

/// limits.md §3, from the running jobs: an association counts its own and those below it, a QOS
/// the jobs that name it and those of partitions that have it.
void Audit::check_counters() const {
  const Cluster& cluster = c_.cluster_;
  const AccountBook& book = cluster.accounts;
  for (const Association& association : book.associations) {
    Held held;
    for (const Job* job : c_.charged_) {
      if (job->association && belongs_to(book.associations[*job->association], association))
        held.add(*job);
    }
    compare(association.counters, held, "association", cluster.names.text(association.account));
  }
  for (const Qos& qos : book.qos) {
    Held held;
    for (const Job* job : c_.charged_) {
      if (job->qos == qos.id || cluster.partitions[job->partition].qos == qos.id) held.add(*job);
    }
    compare(qos.counters, held, "QOS", cluster.names.text(qos.name));
  }
}

}  // namespace rehearse
