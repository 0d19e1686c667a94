// sim/sched/preemption_order.cpp — a merge sort, as the pairs of rule 1 are no order of their own.
#include "sim/sched/preemption_order.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace rehearse {
namespace {

using Positions = std::vector<std::uint32_t>;

/// Slurm's merge sort: halves, the left one's record first unless the right one's goes before it.
/// Where rule 1 contradicts the others, the result is that of this very order of comparisons.
template <typename GoesBefore>
void merge_sort(Positions& line, std::size_t begin, std::size_t end, Positions& spare,
                GoesBefore goes_before) {
  if (end - begin < 2) return;
  const std::size_t middle = begin + (end - begin) / 2;
  merge_sort(line, begin, middle, spare, goes_before);
  merge_sort(line, middle, end, spare, goes_before);
  std::size_t left = begin, right = middle;
  spare.clear();
  while (left < middle && right < end) {
    spare.push_back(goes_before(line[right], line[left]) ? line[right++] : line[left++]);
  }
  while (left < middle) spare.push_back(line[left++]);
  std::copy(spare.begin(), spare.end(), line.begin() + static_cast<std::ptrdiff_t>(begin));
}

/// Of a record: where Slurm's list has it before it is sorted, and whom it may come before.
struct Side {
  const Job* job = nullptr;
  PartitionId partition{};
  std::ptrdiff_t place = 0;  ///< of the partition among the job's
  bool precedes_any = false;
};

}  // namespace

bool PreemptionOrder::knows(std::span<const QueueRecord> ranked, const Cluster& cluster) const {
  if (asked_.empty() || !std::ranges::equal(ranked, asked_)) return false;
  for (std::size_t i = 0; i < asked_.size(); ++i) {
    if (cluster.jobs[asked_[i].job].priority != priorities_[i]) return false;
  }
  return true;
}

std::span<const QueueRecord> PreemptionOrder::of(std::span<const QueueRecord> ranked,
                                                 const Cluster& cluster,
                                                 const Preemption& preemption) {
  if (cluster.recalls && knows(ranked, cluster)) return ordered_;
  asked_.assign(ranked.begin(), ranked.end());
  priorities_.clear();
  for (const QueueRecord& record : asked_) {
    priorities_.push_back(cluster.jobs[record.job].priority);
  }
  sort(cluster, preemption);
  return ordered_;
}

void PreemptionOrder::sort(const Cluster& cluster, const Preemption& preemption) {
  ordered_ = asked_;
  std::vector<Side> sides;
  for (const QueueRecord& record : asked_) {
    const Job& job = cluster.jobs[record.job];
    const auto in = std::find(job.partitions.begin(), job.partitions.end(), record.partition);
    sides.push_back({&job, record.partition, in - job.partitions.begin(),
                     preemption.plugin().precedes_any({job, record.partition})});
  }
  if (std::ranges::none_of(sides, &Side::precedes_any)) return;  // rules 2 to 8 alone
  line_.resize(asked_.size());
  std::iota(line_.begin(), line_.end(), 0U);
  std::ranges::stable_sort(line_, {}, [&](std::uint32_t at) {
    return std::tuple(asked_[at].job, sides[at].place, asked_[at].reservation.has_value());
  });
  const auto precedes = [&](std::uint32_t a, std::uint32_t b) {
    return sides[a].precedes_any && preemption.precedes({*sides[a].job, sides[a].partition},
                                                        {*sides[b].job, sides[b].partition});
  };
  merge_sort(line_, 0, line_.size(), spare_, [&](std::uint32_t a, std::uint32_t b) {
    if (precedes(b, a)) return false;
    return precedes(a, b) || a < b;
  });
  for (std::size_t i = 0; i < line_.size(); ++i) ordered_[i] = asked_[line_[i]];
}

}  // namespace rehearse
