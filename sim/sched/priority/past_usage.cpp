// sim/sched/priority/past_usage.cpp — a run's usage and its decay in one sum instead of ticks.
#include "sim/sched/priority/past_usage.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace rehearse {
namespace {

/// Slurm's constant for one half; not ln 2 (priority.md §6.4).
constexpr double kHalf = 0.693;

double decay_of(Seconds half_life) {
  return half_life.count() <= 0 ? 1 : 1 - kHalf / static_cast<double>(half_life.count());
}

double seconds_between(SlurmTime from, SlurmTime to) {
  return static_cast<double>(std::max(to - from, Seconds{0}).count());
}

}  // namespace

void forget_usage(AccountBook& book) {
  for (Association& each : book.associations) each.usage.raw = 0;
}

void charge_past(AccountBook& book, const std::vector<PastRun>& runs, const PriorityConf& conf,
                 SlurmTime since, SlurmTime now) {
  const double decay = decay_of(conf.decay_half_life);
  const double whole = std::pow(decay, seconds_between(since, now));
  for (Association& each : book.associations) each.usage.raw *= whole;
  for (const PastRun& run : runs) {
    const SlurmTime end = std::min(run.end, now);
    if (end <= run.start) continue;
    // Each second decays from when it was used: a geometric sum.
    const double used = decay < 1 ? (std::pow(decay, seconds_between(end, now)) -
                                     std::pow(decay, seconds_between(run.start, now))) /
                                        (1 - decay)
                                  : seconds_between(run.start, end);
    std::optional<AssociationId> above = run.association;
    while (above) {
      Association& association = book.associations[*above];
      association.usage.raw += static_cast<long double>(used * run.billing);
      above = association.parent;
    }
  }
}

}  // namespace rehearse
