// workloads/clean_up_times.cpp — how long the nodes of runs took to be clean, from a slurmctld.log.
#include <algorithm>

#include "workloads/controller_log.hpp"
#include "workloads/logged_instants.hpp"

namespace rehearse {
namespace {

/// What a node says of a run that it has lost comes by the end of KillWait, when the job is PENDING
/// already; it does not start again before 121 s have passed (lifecycle.md §11).
constexpr Seconds kLateMessages{60};

/// Since when the run that was clean at `clean` had ended: the first of its job's ends after
/// `before`, when the job's run before was clean. None: the log does not tell.
std::optional<Time> end_between(const std::vector<LoggedInstant>& ends, JobId id,
                                std::optional<Time> before, Time clean) {
  auto at = first_of(ends, id);
  for (; at != ends.end() && at->id == id; ++at) {
    if (before && at->at <= *before + kLateMessages) continue;
    if (at->at > clean) break;
    return at->at;
  }
  return std::nullopt;
}

/// The nodes that were clean between the run's end and its last node's message.
std::vector<std::pair<std::string, Time>> nodes_between(const std::vector<LoggedNode>& all,
                                                        const LoggedInstant& clean, Time end) {
  std::vector<std::pair<std::string, Time>> nodes;
  for (auto each = first_of(all, clean.id); each != all.end() && each->id == clean.id; ++each) {
    if (each->at >= end && each->at < clean.at) nodes.emplace_back(each->node, each->at);
  }
  return nodes;
}

bool completed_at(const ControllerLog& log, JobId id, Time at) {
  auto each = first_of(log.completed, id);
  while (each != log.completed.end() && each->id == id && each->at != at) ++each;
  return each != log.completed.end() && each->id == id;
}

}  // namespace

std::map<JobId, std::vector<std::optional<KnownCleanUp>>> clean_up_times(const ControllerLog& log) {
  std::map<JobId, std::vector<std::optional<KnownCleanUp>>> times;
  const std::vector<LoggedInstant>& cleaned = !log.cleaned.empty()     ? log.cleaned
                                              : !log.left_gang.empty() ? log.left_gang
                                                                       : log.requeued;
  for (std::size_t i = 0; i < cleaned.size(); ++i) {
    const LoggedInstant& clean = cleaned[i];
    const bool again = i > 0 && cleaned[i - 1].id == clean.id;
    const auto before = again ? std::optional(cleaned[i - 1].at) : std::nullopt;
    auto end = end_between(log.ended, clean.id, before, clean.at);
    // A requeue long after a run that completed is an admin's: its nodes were clean before.
    if (end && &cleaned == &log.requeued && completed_at(log, clean.id, *end)) end.reset();
    times[clean.id].push_back(
        end ? std::optional(KnownCleanUp{clean.at - *end, clean.at,
                                         nodes_between(log.node_cleaned, clean, *end)})
            : std::nullopt);
  }
  return times;
}

}  // namespace rehearse
