// workloads/clean_up_times.cpp — how long the nodes of preempted jobs took to be clean, from a
// slurmctld.log.
#include <algorithm>

#include "workloads/controller_log.hpp"

namespace rehearse {
namespace {

/// When the victim was back in the queue.
std::optional<Duration> until_requeued(const ControllerLog& log, const LoggedPreemption& victim) {
  const auto clean = std::find_if(
      log.requeued.begin(), log.requeued.end(),
      [&](const LoggedInstant& line) { return line.id == victim.victim && line.at >= victim.at; });
  if (clean == log.requeued.end()) return std::nullopt;
  return clean->at - victim.at;
}

}  // namespace

std::map<JobId, std::vector<std::optional<Duration>>> clean_up_times(const ControllerLog& log) {
  std::map<JobId, std::vector<std::optional<Duration>>> times;
  for (const LoggedPreemption& victim : log.preempted) {
    times[victim.victim].push_back(victim.requeued ? until_requeued(log, victim) : std::nullopt);
  }
  return times;
}

}  // namespace rehearse
