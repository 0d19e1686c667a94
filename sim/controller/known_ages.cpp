// sim/controller/known_ages.cpp — which slot of its %N an array ages from.
#include "sim/controller/known_ages.hpp"

#include <algorithm>
#include <cmath>

namespace rehearse {
namespace {

constexpr double kCut = 1.5;  // points: both priorities are cut, and what they are compared with

/// What the recorded priority lacks; of several partitions the one that it is nearest to.
double lack_of(const Job& job, std::uint32_t told) {
  const auto lack = [&](std::uint32_t ours) {
    return static_cast<double>(ours) - static_cast<double>(told);
  };
  if (job.partitions.size() < 2) return lack(job.priority);
  const auto nearest = std::min_element(
      job.partition_priority.begin(), job.partition_priority.end(),
      [&](std::uint32_t a, std::uint32_t b) { return std::abs(lack(a)) < std::abs(lack(b)); });
  return lack(*nearest);
}

}  // namespace

void KnownAges::found_eligible(const Job& job, SlurmTime now) {
  eligible_[job.array_job].push_back(now);
}

std::optional<KnownAges::Since> KnownAges::later(const Job& job, std::uint32_t told,
                                                 const PriorityConf& conf) {
  const double age = job.factors.age;
  if (told == 0 || !job.accrue || age < 2) return std::nullopt;
  const auto [settled, is_new] = settled_.try_emplace(job.id, *job.accrue);
  if (!is_new && settled->second == *job.accrue) return std::nullopt;
  settled->second = *job.accrue;
  const double lack = lack_of(job, told);
  if (lack < kCut || lack > age + kCut) return std::nullopt;
  if (lack > age - 1) return Since{std::nullopt};
  const double seconds_a_point = static_cast<double>(conf.max_age.count()) / conf.weight_age;
  const SlurmTime about = *job.accrue + Seconds{std::llround(lack * seconds_a_point)};
  const std::vector<SlurmTime>& slots = eligible_[job.array_job];
  const auto distance = [&](SlurmTime slot) { return std::abs((slot - about).count()); };
  const auto nearest = std::min_element(slots.begin(), slots.end(), [&](SlurmTime a, SlurmTime b) {
    return distance(a) < distance(b);
  });
  const bool explains = nearest != slots.end() && *nearest > *job.accrue &&
                        static_cast<double>(distance(*nearest)) <= kCut * seconds_a_point + 1;
  if (!explains) return std::nullopt;
  settled->second = *nearest;
  return Since{*nearest};
}

}  // namespace rehearse
