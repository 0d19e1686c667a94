// sim/sched/quota_order.cpp — the queue where accounts have quotas: who stays within goes first.
//
// Reservations and tiers go before, as ever. Among their equals the next is always the one whose
// account would be least beyond its quota if all before it had started; at the same level, and so
// within all quotas, the site's own order holds.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "sim/sched/pending_queue.hpp"

namespace rehearse {
namespace {

using Records = std::vector<QueueRecord>;
struct Line {  // of one account, in the site's order
  Records records;
  std::size_t next = 0;
  std::optional<QuotaLevel> level;  ///< of the next, once asked for
};

void order_equals(Records::iterator begin, Records::iterator end, const Cluster& cluster,
                  const Quotas& quotas, Quotas::Queue& queue) {
  std::map<std::size_t, Line> lines;
  for (auto at = begin; at != end; ++at) {
    lines[quotas.account_of(cluster.jobs[at->job])].records.push_back(*at);
  }
  std::set<JobIndex> counted;  // a job has a record for each partition
  while (begin != end) {
    Line* best = nullptr;
    QuotaLevel lowest = 0;
    for (auto& [account, line] : lines) {
      if (line.next == line.records.size()) continue;
      const QueueRecord& record = line.records[line.next];
      if (!line.level) {
        const bool known = counted.contains(record.job);
        line.level = known ? 0 : queue.level_of_next(cluster.jobs[record.job]);
      }
      const bool better =
          best == nullptr || *line.level < lowest ||
          (*line.level == lowest && ranks_before(record, best->records[best->next]));
      if (better) {
        best = &line;
        lowest = *line.level;
      }
    }
    const QueueRecord& record = *begin = best->records[best->next++];
    best->level.reset();
    const Job& job = cluster.jobs[record.job];
    if (!quotas.refuses(job) && counted.insert(record.job).second) queue.starts(job);
    ++begin;
  }
}

}  // namespace

void PendingQueue::order_by_quota(const Quotas& quotas) {
  Quotas::Queue queue(quotas);
  for (auto begin = merged_.begin(); begin != merged_.end();) {
    const auto end = std::find_if(begin, merged_.end(), [&](const QueueRecord& record) {
      return record.reserved != begin->reserved || record.tier != begin->tier;
    });
    order_equals(begin, end, cluster_, quotas, queue);
    begin = end;
  }
}

}  // namespace rehearse
