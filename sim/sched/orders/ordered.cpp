// sim/sched/orders/ordered.cpp — a rule of policy.order in the place of PriorityType.
//
// A priority is a 32-bit number, an answer a double: the order of doubles is that of their bits, of
// which the upper half is kept (20 bits of the mantissa: answers a millionth apart).
#include <algorithm>
#include <bit>
#include <cmath>

#include "sim/core/check.hpp"
#include "sim/sched/job_tests.hpp"
#include "sim/sched/orders/registry.hpp"

namespace rehearse {
namespace {

constexpr Minutes kEndless{365 * 24 * 60};  // as backfill plans it (scheduling.md §8.6)

class Ordered final : public PriorityPlugin {
 public:
  Ordered(const Cluster& cluster, OrderRule& rule)
      : cluster_(cluster), rule_(rule), gpu_(cluster.tres.find("gres/gpu")) {}

  [[nodiscard]] std::optional<Seconds> tick_period() const override {
    return cluster_.conf.priority.calc_period;
  }
  void tick(SlurmTime, std::span<Job* const>, std::span<const JobIndex>) override {}
  void job_ended(const Job&, SlurmTime) override {}

  void recompute(Job& job, SlurmTime now) override {
    job.factors = {};
    if (job.held) {
      job.priority = 0;
    } else if (!(job.direct_priority && job.priority > 1)) {
      job.priority = answer(job, job.partitions.front(), now);
    }
    if (job.partitions.size() < 2) return;
    job.partition_priority.assign(job.partitions.size(), job.priority);
    if (job.held || job.direct_priority) return;
    for (std::size_t i = 0; i < job.partitions.size(); ++i) {
      job.partition_priority[i] = answer(job, job.partitions[i], now);
    }
  }

 private:
  std::uint32_t answer(const Job& job, PartitionId partition, SlurmTime now) {
    const SlurmTime submit = whole_second(job.submit);
    if (!first_) first_ = submit;
    const Minutes limit = effective_limit(job, cluster_.partitions[partition], cluster_);
    const auto amount = [&](TresIndex tres) {
      return index_of(tres) < job.request_tres.size()
                 ? static_cast<double>(job.request_tres[index_of(tres)])
                 : 0.0;
    };
    OrderedJob seen;
    seen.submitted = static_cast<double>((submit - *first_).count());
    seen.waited = static_cast<double>(std::max(now - submit, Seconds{0}).count());
    seen.limit = static_cast<double>(
        Seconds{std::clamp(limit == kUnlimited ? kEndless : limit, Minutes{1}, kEndless)}.count());
    seen.nodes = std::max(1.0, amount(TresTable::kNode));
    seen.cpus = std::max(1.0, amount(TresTable::kCpu));
    seen.gpus = gpu_ ? amount(*gpu_) : 0;
    const double priority = rule_(seen);
    REHEARSE_CHECK(std::isfinite(priority),
                   "the rule {} of policy.order answered {} of job {}: submitted {}, waited {}, "
                   "limit {}, nodes {}, cpus {}, gpus {} (sim/sched/orders)",
                   cluster_.inputs.site.policy.order, priority, index_of(job.id), seen.submitted,
                   seen.waited, seen.limit, seen.nodes, seen.cpus, seen.gpus);
    return order_priority(priority);
  }

  const Cluster& cluster_;
  OrderRule& rule_;
  std::optional<TresIndex> gpu_;
  std::optional<SlurmTime> first_;  // submission
};

}  // namespace

std::uint32_t order_priority(double answer) {
  constexpr std::uint64_t kSign = std::uint64_t{1} << 63U;
  constexpr std::uint64_t kLeast = 2, kMost = UINT32_MAX - 16;
  const auto bits = std::bit_cast<std::uint64_t>(answer + 0.0);  // -0 becomes 0
  const std::uint64_t ordered = (bits & kSign) != 0 ? ~bits : bits | kSign;
  return static_cast<std::uint32_t>(std::clamp(ordered >> 32U, kLeast, kMost));
}

std::unique_ptr<PriorityPlugin> make_ordered(const Cluster& cluster, OrderRule& rule) {
  return std::make_unique<Ordered>(cluster, rule);
}

}  // namespace rehearse
