// sim/sched/preempt/quota.cpp — policy.reclaim in the place of PreemptType: borrowers are evicted,
// the one furthest beyond its quota first, and requeued.
#include "sim/sched/preempt/quotas.hpp"
#include "sim/sched/preempt/registry.hpp"

namespace rehearse {
namespace {

class PreemptQuota final : public PreemptPlugin {
 public:
  PreemptQuota(const Cluster& cluster, const Quotas& quotas) : cluster_(cluster), quotas_(quotas) {}

  [[nodiscard]] bool may_preempt(const PreemptSide& preemptor,
                                 const PreemptSide& victim) const override {
    return victim.job.has_started() && quotas_.may_reclaim(preemptor.job, victim.job);
  }

  [[nodiscard]] bool has_prey(const PreemptSide& /*preemptor*/) const override { return true; }

  [[nodiscard]] PreemptMode mode_of(const Job& victim) const override {
    return quotas_.is_preemptable(victim) ? PreemptMode::Requeue : PreemptMode::Off;
  }

  [[nodiscard]] std::uint64_t rank_of(const Job& victim) const override {
    const QuotaLevel level = quotas_.level_of(victim);
    return level <= 0 ? UINT64_MAX : UINT64_MAX - static_cast<std::uint64_t>(level);
  }

  [[nodiscard]] Seconds grace_of(const Job& victim) const override {
    return victim.qos ? cluster_.accounts.qos[*victim.qos].conf.grace_time : Seconds{0};
  }

 private:
  const Cluster& cluster_;
  const Quotas& quotas_;
};

}  // namespace

std::unique_ptr<PreemptPlugin> make_preempt_quota(const Cluster& cluster, const Quotas& quotas) {
  return std::make_unique<PreemptQuota>(cluster, quotas);
}

}  // namespace rehearse
