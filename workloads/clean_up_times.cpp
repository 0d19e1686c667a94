// workloads/clean_up_times.cpp — how long the nodes of runs took to be clean, from a slurmctld.log.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "sim/config/hostlist.hpp"
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

/// The hosts of the run that ended at `end`: of the job's last start until then.
std::vector<std::string> hosts_of_run(const ControllerLog& log, JobId id, Time end) {
  std::vector<std::string> hosts;
  const LoggedNode* run = nullptr;
  for (auto each = first_of(log.started, id); each != log.started.end() && each->id == id; ++each) {
    if (each->at <= end) run = &*each;
  }
  if (run != nullptr) hosts = expand_hostlist(run->node).hosts;
  return hosts;
}

/// Was the node found silent while the run was not clean? That clean-up is its being set DOWN.
bool was_given_up(const ControllerLog& log, const std::string& host, Time end, Time clean) {
  const auto silences = log.silences.find(host);
  if (silences == log.silences.end()) return false;
  return std::any_of(silences->second.begin(), silences->second.end(), [&](const auto& each) {
    return each.sets_down && each.at >= end && each.at <= clean + Seconds{1};
  });
}

/// Beside a node that does not answer the others' messages come in one bunch, without names: they
/// are of all nodes that answer.
void add_unnamed(const ControllerLog& log, const LoggedInstant& clean, Time end,
                 std::vector<std::pair<std::string, Time>>& nodes) {
  std::size_t messages = 0;
  Time last = end;
  for (auto each = first_of(log.epilogs, clean.id);
       each != log.epilogs.end() && each->id == clean.id; ++each) {
    if (each->at < end || each->at >= clean.at) continue;
    ++messages;
    last = each->at;
  }
  if (log.silences.empty() || messages <= nodes.size()) return;
  std::vector<std::string> others = hosts_of_run(log, clean.id, end);
  const std::size_t silent = std::erase_if(
      others, [&](const std::string& host) { return was_given_up(log, host, end, clean.at); });
  if (silent == 0) return;
  std::erase_if(others, [&](const std::string& host) {
    return std::any_of(nodes.begin(), nodes.end(),
                       [&](const auto& named) { return named.first == host; });
  });
  if (messages < nodes.size() + others.size()) return;
  for (std::string& host : others) nodes.emplace_back(std::move(host), last);
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
    if (!end) {
      times[clean.id].emplace_back(std::nullopt);
      continue;
    }
    auto nodes = nodes_between(log.node_cleaned, clean, *end);
    add_unnamed(log, clean, *end, nodes);
    times[clean.id].emplace_back(KnownCleanUp{clean.at - *end, clean.at, std::move(nodes)});
  }
  return times;
}

}  // namespace rehearse
