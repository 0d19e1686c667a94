// models/runtime/slowdown.cpp — §6.1 to §6.4 of gpu-models.md in whole millionths.
#include "models/runtime/slowdown.hpp"

#include <algorithm>

namespace rehearse {
namespace {

constexpr Millionths kMostUse = 1'300'000;      // 1.27 of saturated pairs was measured (§6.2)
constexpr Millionths kCachePerClient = 50'000;  // e of §6.3
constexpr std::int64_t kPairSm = 36, kPairBandwidth = 44, kPairScale = 100;  // 0.36 and 0.44
constexpr Millionths kLeastPart = 1;

/// Per pair 0.36 u u' + 0.44 w w'; over more than two they are added.
std::vector<Millionths> pairwise(std::span<const Sharer> sharers) {
  std::int64_t all_sm = 0, all_bandwidth = 0;
  for (const Sharer& each : sharers) {
    all_sm += each.job.sm_use;
    all_bandwidth += each.job.bandwidth_use;
  }
  std::vector<Millionths> factors;
  for (const auto& [job, cap] : sharers) {
    const std::int64_t excess =
        kPairSm * job.sm_use * (all_sm - job.sm_use) +
        kPairBandwidth * job.bandwidth_use * (all_bandwidth - job.bandwidth_use);
    factors.push_back(kOne + scaled(excess, 1, kPairScale * kOne));
  }
  return factors;
}

std::vector<Millionths> proportional(std::span<const Sharer> sharers) {
  Millionths wanted = 0;
  for (const Sharer& each : sharers) wanted += each.job.sm_use;
  return std::vector<Millionths>(sharers.size(), std::max(kOne, wanted));
}

/// h + c k + b z (1 + e) of §6.3; one job alone keeps its cap.
std::vector<Millionths> under_mps(std::span<const Sharer> sharers) {
  std::vector<Millionths> demands;
  Millionths bandwidth = 0;
  for (const auto& [job, cap] : sharers) {
    demands.push_back(std::min(cap, job.sm_use));
    bandwidth += job.bandwidth_use;
  }
  const std::vector<Millionths> parts = fair_parts(demands);
  const auto further = static_cast<std::int64_t>(sharers.size()) - 1;
  const Millionths cache = kOne + kCachePerClient * further;
  const Millionths stretch = scaled(std::max(kOne, bandwidth), cache, kOne);
  std::vector<Millionths> totals;
  for (std::size_t i = 0; i < sharers.size(); ++i) {
    const WorkProfile& job = sharers[i].job;
    const Millionths part = std::max(parts[i], kLeastPart);
    const Millionths k = std::max(kOne, scaled(job.sm_use, kOne, part));
    totals.push_back(job.host + scaled(job.compute, k, kOne) +
                     scaled(job.bandwidth, stretch, kOne));
  }
  return totals;
}

std::vector<Millionths> totals_of(std::span<const Sharer> sharers, const SharingRules& rules) {
  const auto further = static_cast<std::int64_t>(sharers.size()) - 1;
  std::vector<Millionths> factors(sharers.size(), kOne);
  switch (rules.model) {
    case SharingModel::None:
      break;
    case SharingModel::PairwiseSum:
      factors = pairwise(sharers);
      break;
    case SharingModel::Proportional:
      factors = proportional(sharers);
      break;
    case SharingModel::Mps:
      return under_mps(sharers);
    case SharingModel::FixedPenalty:
      factors.assign(sharers.size(), kOne + rules.fixed_penalty * further);
      break;
  }
  for (std::size_t i = 0; i < sharers.size(); ++i) {
    factors[i] = scaled(alone(sharers[i].job), factors[i], kOne);
  }
  return factors;
}

/// A device does at most 1.30 of the work that fills it alone.
void limit_use(std::span<const Sharer> sharers, std::vector<Millionths>& totals) {
  Millionths use = 0;
  for (std::size_t i = 0; i < sharers.size(); ++i) {
    use += scaled(sharers[i].job.sm_use, alone(sharers[i].job), std::max(totals[i], kLeastPart));
  }
  if (use <= kMostUse) return;
  for (Millionths& total : totals) total = scaled(total, use, kMostUse);
}

}  // namespace

WorkProfile on_device(const WorkProfile& job, const DeviceFigures& device,
                      const DeviceFigures& reference) {
  WorkProfile here = job;
  if (device.sms > 0 && reference.sms > 0) {
    here.compute =
        scaled(job.compute * reference.sms, reference.sm_speed, device.sms * device.sm_speed);
    here.sm_use = std::min(kOne, scaled(job.sm_use, reference.sms, device.sms));
  }
  if (device.bandwidth_mb_s > 0 && reference.bandwidth_mb_s > 0) {
    here.bandwidth = scaled(job.bandwidth, reference.bandwidth_mb_s, device.bandwidth_mb_s);
    here.bandwidth_use =
        std::min(kOne, scaled(job.bandwidth_use, reference.bandwidth_mb_s, device.bandwidth_mb_s));
  }
  return here;
}

WorkProfile profile_of_utilisation(Millionths sm_use) {
  constexpr Millionths kSlope = 930'000, kOffset = 180'000, kMost = 900'000;
  WorkProfile job;
  job.compute = std::clamp<Millionths>(scaled(sm_use, kSlope, kOne) - kOffset, 0, kMost);
  job.host = kOne - job.compute;
  job.sm_use = sm_use;
  return job;
}

Millionths mps_cap(std::uint64_t units, std::uint64_t count) {
  constexpr std::uint64_t kPercent = 100;
  if (count == 0) return kOne;
  const std::uint64_t percent = std::clamp<std::uint64_t>(units * kPercent / count, 1, kPercent);
  return static_cast<Millionths>(percent) * (kOne / static_cast<Millionths>(kPercent));
}

std::vector<Millionths> fair_parts(std::span<const Millionths> demands) {
  std::vector<Millionths> sorted(demands.begin(), demands.end());
  std::sort(sorted.begin(), sorted.end());
  Millionths left = kOne;
  Millionths level = kOne;  // what those get who want more than their equal part
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    level = left / static_cast<Millionths>(sorted.size() - i);
    if (sorted[i] > level) break;
    left -= sorted[i];
    level = kOne;
  }
  std::vector<Millionths> parts;
  for (const Millionths demand : demands) parts.push_back(std::min(demand, level));
  return parts;
}

std::vector<Stretch> stretches(std::span<const Sharer> sharers, const SharingRules& rules) {
  std::vector<Millionths> totals = totals_of(sharers, rules);
  if (rules.model != SharingModel::None) limit_use(sharers, totals);
  std::vector<Stretch> all;
  for (std::size_t i = 0; i < sharers.size(); ++i) {
    Stretch& each = all.emplace_back();
    each.by_device = totals_of(sharers.subspan(i, 1), rules).front();
    const Millionths more = std::max<Millionths>(totals[i] - each.by_device, 0);
    each.in_all = each.by_device + scaled(more, rules.interference, kOne);
  }
  return all;
}

bool fits_memory(std::int64_t wanted_mib, std::int64_t contexts, std::int64_t context_mib,
                 const DeviceFigures& device) {
  return device.memory_mib == 0 || wanted_mib + contexts * context_mib <= device.memory_mib;
}

}  // namespace rehearse
