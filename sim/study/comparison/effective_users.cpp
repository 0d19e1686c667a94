// sim/study/comparison/effective_users.cpp — Kish's effective sample size of the users.
#include "sim/study/comparison/effective_users.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace rehearse {
namespace {

double kish(const std::vector<double>& weights, double nothing) {
  double sum = 0, squares = 0;
  for (const double weight : weights) {
    sum += weight;
    squares += weight * weight;
  }
  return squares > 0 ? sum * sum / squares : nothing;
}

}  // namespace

EffectiveUsers effective_users(const JobPairs& pairs) {
  std::vector<double> jobs(pairs.users.size()), gpu_s(pairs.users.size());
  for (const JobPair& pair : pairs.pairs) {
    if (pair.both_started()) jobs[pair.user] += 1;
    gpu_s[pair.user] += static_cast<double>(pair.a.window_gpu_milli_s) / 1000;
  }
  EffectiveUsers users;
  users.by_jobs = kish(jobs, 0);
  users.by_gpu_hours = kish(gpu_s, users.by_gpu_hours);
  return users;
}

std::string few_users_text(const JobPairs& pairs, std::size_t users_min) {
  if (pairs.users.size() < users_min) return {};  // no interval is given
  const EffectiveUsers alike = effective_users(pairs);
  const double fewest = std::min(alike.by_jobs, alike.by_gpu_hours);
  if (fewest >= static_cast<double>(users_min)) return {};
  const std::string of_gpus =
      std::isfinite(alike.by_gpu_hours)
          ? fmt::format(", the GPU-hours as those of {:.1f}", alike.by_gpu_hours)
          : std::string();
  return fmt::format(
      "few of the {} users weigh most: the jobs are as those of {:.1f} users alike{}: intervals "
      "tell how sure it is for these users, and are too narrow for another week of others",
      pairs.users.size(), alike.by_jobs, of_gpus);
}

}  // namespace rehearse
