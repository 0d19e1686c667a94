// sim/controller/node_events.cpp — recorded outages become what happened and what was typed then.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "sim/config/hostlist.hpp"
#include "sim/config/text.hpp"
#include "sim/config/text_scan.hpp"
#include "sim/config/time_zone.hpp"
#include "sim/config/units.hpp"
#include "sim/controller/admin_command.hpp"

namespace rehearse {
namespace {

struct Interval {
  SlurmTime begin;
  std::optional<SlurmTime> end;
  bool down = false, drain = false, fail = false, silent = false;
  std::string reason;
};

/// `DOWN*`, `IDLE+DRAIN`, `DRAINED`, `MIXED+NOT_RESPONDING` …
Interval flags_of(std::string_view state) {
  const std::string words = to_lower(state);
  const auto has = [&](std::string_view word) { return words.find(word) != std::string::npos; };
  Interval flags;
  flags.down = has("down") && !has("powered_down") && !has("powering_down");
  flags.drain = has("drain");
  flags.fail = has("fail");
  flags.silent = has("*") || has("no_respond") || has("not_responding");
  return flags;
}

class Replay {
 public:
  Replay(const Cluster& cluster, TimeSpan span) : cluster_(cluster), span_(span) {}

  void add(NodeId node, std::vector<Interval> intervals) {
    std::stable_sort(intervals.begin(), intervals.end(),
                     [](const Interval& a, const Interval& b) { return a.begin < b.begin; });
    bool crashed = false;
    for (std::size_t i = 0; i < intervals.size(); ++i) {
      const Interval& now = intervals[i];
      const bool follows = i > 0 && intervals[i - 1].end && *intervals[i - 1].end >= now.begin;
      const bool worse = !follows || (now.down && !intervals[i - 1].down) ||
                         (now.drain && !intervals[i - 1].drain);
      const bool better = follows && ((!now.down && intervals[i - 1].down) ||
                                      (!now.drain && intervals[i - 1].drain));
      if (better) crashed = resume(node, now.begin, crashed);
      if (worse || better) crashed = begin(node, now, crashed);
      const bool goes_on =
          i + 1 < intervals.size() && now.end && intervals[i + 1].begin <= *now.end;
      if (now.end && !goes_on) crashed = resume(node, *now.end, crashed);
    }
  }

  std::vector<AdminCommandAt> take() {
    put_in_order(commands_);
    return std::move(commands_);
  }

 private:
  void push(SlurmTime at, std::string what, AdminAction action) {
    commands_.push_back({Time{std::max(at, span_.from)}, std::move(what), std::move(action)});
  }

  using To = NodeStateChange::To;

  bool begin(NodeId node, const Interval& now, bool crashed) {
    const std::string& name = cluster_.names.text(cluster_.nodes[node].name);
    const std::string reason = now.reason.empty() ? "recorded" : now.reason;
    if ((now.down || now.silent) && !crashed) {
      using DaemonTo = ChangeDaemons::To;
      push(now.begin, fmt::format("{} {}", now.down ? "node crash" : "slurmd down", name),
           ChangeDaemons{{node}, now.down ? DaemonTo::Crashed : DaemonTo::Silent});
      crashed = true;
    }
    const To to = now.down ? To::Down : now.drain ? To::Drain : now.fail ? To::Fail : To::NoRespond;
    push(now.begin, "scontrol update NodeName=" + name,
         UpdateNodes{{node}, {to, reason}, std::nullopt, std::nullopt});
    if (now.down && now.drain) {
      push(now.begin, "scontrol update NodeName=" + name,
           UpdateNodes{{node}, {To::Drain, reason}, std::nullopt, std::nullopt});
    }
    return crashed;
  }

  bool resume(NodeId node, SlurmTime at, bool crashed) {
    const std::string& name = cluster_.names.text(cluster_.nodes[node].name);
    if (crashed) {
      push(at, "slurmd up " + name, ChangeDaemons{{node}, ChangeDaemons::To::Answering});
    }
    push(at, "scontrol update NodeName=" + name + " State=RESUME",
         UpdateNodes{{node}, {To::Resume, ""}, std::nullopt, std::nullopt});
    return false;
  }

  const Cluster& cluster_;
  TimeSpan span_;
  std::vector<AdminCommandAt> commands_;
};

}  // namespace

std::vector<AdminCommandAt> replay_outages(const std::vector<NodeOutage>& rows, TimeSpan span,
                                           const Cluster& cluster, NamePool& names,
                                           Diagnostics& found) {
  const auto known_zone = TimeZone::find(cluster.inputs.site.time_zone);
  const TimeZone zone = known_zone ? *known_zone : TimeZone::utc();
  std::map<NodeId, std::vector<Interval>> by_node;
  std::set<std::string> unknown;
  std::size_t harmless = 0;
  for (const NodeOutage& row : rows) {
    Interval interval = flags_of(row.state);
    if (!interval.down && !interval.drain && !interval.fail && !interval.silent) {
      ++harmless;
      continue;
    }
    const auto begin = zone.read(row.start_text);
    if (!begin) continue;  // told by the reader
    interval.begin = *begin;
    interval.reason = row.reason;
    if (!row.end_text.empty()) interval.end = zone.read(row.end_text);
    if (interval.begin > span.to || (interval.end && *interval.end < span.from)) continue;
    for (const std::string& host : expand_hostlist(row.nodes).hosts) {
      const auto name = names.find(host);
      if (const auto node = name ? cluster.find_node(*name) : std::nullopt) {
        by_node[*node].push_back(interval);
      } else if (unknown.insert(host).second) {
        found.warning(row.where, fmt::format("node '{}' is not in slurm.conf", shortened(host)),
                      "its outages are left out");
      }
    }
  }
  if (harmless > 0) {
    found.note(
        {rows.front().where.file},
        fmt::format("{} rows tell of states that keep no job away (MAINT, PLANNED, REBOOT …)",
                    harmless));
  }
  Replay replay(cluster, span);
  for (auto& [node, intervals] : by_node) replay.add(node, std::move(intervals));
  return replay.take();
}

}  // namespace rehearse
