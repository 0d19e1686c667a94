// sim/sched/priority/factors.cpp — the single factors of a multifactor priority.
#include "sim/sched/priority/factors.hpp"

#include <algorithm>

namespace rehearse {
namespace {

/// n/N or, for PriorityFavorSmall, (N−n)/N. Before 23.02 a difference below zero wraps around and
/// is huge; from then on it counts as none for nodes.
double part_of(std::uint64_t part, std::uint64_t whole, bool favor_small, bool guards_negative) {
  const double all = static_cast<double>(whole);
  if (!favor_small) return static_cast<double>(part) / all;
  if (part > whole) return guards_negative ? 0.0 : 4294967296.0;
  return static_cast<double>(whole - part) / all;
}

double relative_to_time(const JobSize& size, bool favor_small) {
  double cpus = static_cast<double>(size.nodes) * static_cast<double>(size.all_cpus) /
                static_cast<double>(size.all_nodes);
  cpus = std::max(cpus, static_cast<double>(size.cpus));
  const double factor =
      cpus / static_cast<double>(size.time_limit_min) / static_cast<double>(size.all_cpus);
  return favor_small ? 1.0 - factor : factor;
}

}  // namespace

double age_factor(const std::optional<SlurmTime>& accrue, SlurmTime now, Seconds max_age) {
  if (!accrue) return 0;
  const Seconds age = std::max(now - *accrue, Seconds{0});
  if (age >= max_age) return 1;
  return static_cast<double>(age.count()) / static_cast<double>(max_age.count());
}

double size_factor(const JobSize& size, const PriorityConf& conf, SlurmVersion version) {
  if (size.all_nodes == 0 || size.all_cpus == 0) return 0;
  const bool guards = has(version, Change::FavorSmallCountsNoNegativeNodes);
  double factor = 0;
  if (conf.small_relative_to_time) {
    factor = relative_to_time(size, conf.favor_small);
  } else {
    factor = part_of(size.nodes, size.all_nodes, conf.favor_small, guards);
    if (size.cpus > 0) {
      factor = (factor + part_of(size.cpus, size.all_cpus, conf.favor_small, false)) / 2.0;
    }
  }
  return std::clamp(factor, 0.0, 1.0);
}

double share_of_greatest(std::uint32_t own, std::uint32_t greatest, Scale scale) {
  if (scale == Scale::Raw) return own;
  if (own == 0 || greatest == 0) return 0;
  return static_cast<double>(own) / static_cast<double>(greatest);
}

std::uint32_t stored_priority(double sum) {
  if (sum < 1) return 1;  // 0 means held
  if (sum >= 4294967295.0) return UINT32_MAX;
  return static_cast<std::uint32_t>(sum);
}

}  // namespace rehearse
