// sim/sched/priority/usage.cpp — the only writer of usage: decay, charges and resets.
#include "sim/sched/priority/usage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "sim/config/text.hpp"
#include "sim/sched/priority/reset_calendar.hpp"

namespace rehearse {
namespace {

/// Slurm's constant for one half; not ln 2 (§6.4).
constexpr double kHalf = 0.693;

double decay_of(Seconds half_life) {
  if (half_life.count() <= 0) return 1;
  return 1.0 - kHalf / static_cast<double>(half_life.count());
}

void scale(Usage& usage, double factor) {
  usage.raw *= factor;
  usage.grp_wall_s *= factor;
  for (long double& amount : usage.tres_raw) amount *= factor;
}

void clear(Usage& usage) {
  usage.raw = 0;
  usage.grp_wall_s = 0;
  std::fill(usage.tres_raw.begin(), usage.tres_raw.end(), 0.0L);
}

}  // namespace

UsageKeeper::UsageKeeper(AccountBook& book, const IdVector<PartitionId, Partition>& partitions,
                         const SlurmConf& conf, TimeZone zone, std::size_t tres_count)
    : book_(book),
      partitions_(partitions),
      zone_(std::move(zone)),
      period_(conf.priority.usage_reset_period),
      decay_per_second_(decay_of(conf.priority.decay_half_life)),
      limits_(conf.enforce.limits) {
  if (!limits_) return;
  for (Association& association : book_.associations) association.usage.tres_raw.resize(tres_count);
  for (Qos& qos : book_.qos) qos.usage.tres_raw.resize(tres_count);
}

void UsageKeeper::settings_changed(const PriorityConf& conf) {
  period_ = conf.usage_reset_period;
  if (period_ == UsageResetPeriod::Now) last_reset_.reset();  // §6.5
  decay_per_second_ = decay_of(conf.decay_half_life);
  last_span_ = 0;
  last_factor_ = 1;
}

/// d^s. pow may differ in its last bit between C libraries; usage meets a decision only as a
/// truncated number of minutes or as a ratio in which the factor cancels (§6.4).
double UsageKeeper::factor_over(double seconds) {
  if (std::exchange(last_span_, seconds) != seconds) {  // of most jobs at a tick: its period
    last_factor_ =
        std::max(std::pow(decay_per_second_, seconds), std::numeric_limits<double>::min());
  }
  return last_factor_;
}

void UsageKeeper::reset_if_due(SlurmTime now) {
  if (!last_reset_) {
    last_reset_ = now;
    if (period_ != UsageResetPeriod::Now) return;
  } else {
    const auto next = next_usage_reset(period_, *last_reset_, now, zone_);
    if (!next || now < *next) return;
    last_reset_ = next;
  }
  // QOS with NoDecay too, whatever the manual says (§6.5).
  for (Association& association : book_.associations) clear(association.usage);
  for (Qos& qos : book_.qos) clear(qos.usage);
}

void UsageKeeper::decay(SlurmTime now) {
  if (!last_tick_ || now <= *last_tick_) return;
  const double factor = factor_over(static_cast<double>((now - *last_tick_).count()));
  if (factor >= 1) return;
  for (Association& association : book_.associations) scale(association.usage, factor);
  for (Qos& qos : book_.qos) {
    if (!qos.conf.flags.no_decay) scale(qos.usage, factor);
  }
}

void UsageKeeper::weigh(const Job& job, double seconds) {
  charge_.seconds = seconds;
  charge_.billing = static_cast<long double>(seconds) * job.billing.value_or(0);
  charge_.tres.clear();
  if (!limits_) return;
  for (std::size_t t = 0; t < job.alloc_tres.size(); ++t) {
    if (job.alloc_tres[t] == 0) continue;
    if (id_at<TresIndex>(t) == TresTable::kEnergy) continue;  // never counted for limits
    charge_.tres.emplace_back(t, static_cast<long double>(seconds) * job.alloc_tres[t]);
  }
}

void UsageKeeper::add_to(Usage& usage) const {
  usage.raw += charge_.billing;
  usage.grp_wall_s += charge_.seconds;
  for (const auto& [tres, amount] : charge_.tres) usage.tres_raw[tres] += amount;
}

void UsageKeeper::charge(const Job& job, SlurmTime now) {
  if (!job.association || !job.start) return;
  const SlurmTime since = last_tick_ ? std::max(*job.start, *last_tick_) : *job.start;
  if (now <= since) return;
  const double span = static_cast<double>((now - since).count());
  const Qos* qos = job.qos ? &book_.qos[*job.qos] : nullptr;
  // The factor of the partition's QOS is ignored (§6.3).
  const double factor = qos != nullptr && qos->conf.usage_factor >= 0 ? qos->conf.usage_factor : 1;
  // The whole span is decayed over its whole length, not half of it on average.
  const double decayed = span * factor_over(span) * factor, plain = span * factor;

  weigh(job, decayed);
  std::optional<AssociationId> above = job.association;
  while (above) {
    Association& association = book_.associations[*above];
    add_to(association.usage);
    above = association.parent;
  }
  const auto charge_qos = [&](QosId id) {
    Qos& charged = book_.qos[id];
    const double seconds = charged.conf.flags.no_decay ? plain : decayed;
    if (seconds != charge_.seconds) weigh(job, seconds);
    add_to(charged.usage);
  };
  if (job.qos) charge_qos(*job.qos);
  const std::optional<QosId> of_partition = partitions_[job.partition].qos;
  if (of_partition && of_partition != job.qos) charge_qos(*of_partition);
}

void UsageKeeper::charge_end(const Job& job, SlurmTime now) {
  if (!limits_) return;
  charge(job, now);
}

void load_usage(AccountBook& book, const std::vector<UsageRow>& rows, const NamePool& names,
                Diagnostics& found) {
  for (const UsageRow& row : rows) {
    if (row.user.empty()) continue;  // accounts are the sums of their users
    const auto account = names.find(row.account), user = names.find(row.user),
               partition = names.find(row.partition);
    const auto id = account && user && partition ? book.find(*account, *user, *partition)
                                                 : std::optional<AssociationId>{};
    if (!id || book.associations[*id].partition != *partition) {
      found.warning({},
                    fmt::format("usage of user {} in account {} belongs to no association",
                                shown(row.user), shown(row.account)),
                    "take usage and associations on the same day");
      continue;
    }
    std::optional<AssociationId> above = id;
    while (above) {
      book.associations[*above].usage.raw += static_cast<long double>(row.raw_usage);
      above = book.associations[*above].parent;
    }
  }
}

}  // namespace rehearse
