// sim/sched/preempt/qos.cpp — PreemptType=preempt/qos: a QOS takes the resources of those in its
// Preempt list, or of its own jobs of lower priority (preemption.md §2, §3).
#include <algorithm>
#include <string_view>

#include "sim/config/text.hpp"
#include "sim/sched/preempt/registry.hpp"

namespace rehearse {
namespace {

/// PreemptMode= of a QOS. OFF and GANG alone are stored like "not set": a QOS cannot switch itself
/// off.
struct QosMode {
  std::optional<PreemptMode> mode;
  bool within = false, priority = false;
};

QosMode read_mode(std::string_view words) {
  QosMode read;
  for (const std::string_view word : split_list(words)) {
    if (word == "within") read.within = true;
    if (word == "priority") read.priority = true;
    if (word == "cancel") read.mode = PreemptMode::Cancel;
    if (word == "requeue") read.mode = PreemptMode::Requeue;
    if (word == "suspend") read.mode = PreemptMode::Suspend;
  }
  return read;
}

class PreemptQos final : public PreemptPlugin {
 public:
  explicit PreemptQos(const Cluster& cluster) : cluster_(cluster) { read_modes(); }
  void accounts_changed() override { read_modes(); }

  [[nodiscard]] bool may_preempt(const PreemptSide& preemptor,
                                 const PreemptSide& victim) const override {
    const std::optional<QosId> above = preemptor.job.qos;
    const std::optional<QosId> below = victim.job.qos;
    if (!above || !below) return false;
    const bool outranks = preemptor.job.priority > victim.job.priority;
    if (*above == *below) {
      return (modes_[*above].within || cluster_.conf.preempt_within) && outranks;
    }
    const std::vector<QosId>& list = cluster_.accounts.qos[*above].preempts;
    if (std::find(list.begin(), list.end(), *below) == list.end()) return false;
    return outranks || !(modes_[*above].priority || cluster_.conf.preempt_priority);
  }

  [[nodiscard]] bool has_prey(const PreemptSide& preemptor) const override {
    const std::optional<QosId> qos = preemptor.job.qos;
    if (!qos) return false;
    return !cluster_.accounts.qos[*qos].preempts.empty() || modes_[*qos].within ||
           cluster_.conf.preempt_within;
  }

  [[nodiscard]] PreemptMode mode_of(const Job& victim) const override {
    const std::optional<PreemptMode> own = victim.qos ? modes_[*victim.qos].mode : std::nullopt;
    return own.value_or(cluster_.conf.preempt_mode);
  }

  [[nodiscard]] std::uint64_t rank_of(const Job& victim) const override {
    const std::uint32_t priority =
        victim.qos ? cluster_.accounts.qos[*victim.qos].conf.priority : 0;
    return preempt_rank(priority, victim.allocation.nodes.size());
  }

  [[nodiscard]] Seconds grace_of(const Job& victim) const override {
    return victim.qos ? cluster_.accounts.qos[*victim.qos].conf.grace_time : Seconds{0};
  }

 private:
  void read_modes() {
    modes_ = {};
    for (const Qos& qos : cluster_.accounts.qos) modes_.push_back(read_mode(qos.conf.preempt_mode));
  }

  const Cluster& cluster_;
  IdVector<QosId, QosMode> modes_;
};

}  // namespace

std::unique_ptr<PreemptPlugin> make_preempt_qos(const Cluster& cluster) {
  return std::make_unique<PreemptQos>(cluster);
}

}  // namespace rehearse
