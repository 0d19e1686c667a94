// sim/study/passes.cpp — grouping by second or cycle, and the counting of common starts.
#include "sim/study/passes.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "workloads/logged_instants.hpp"

namespace rehearse {
namespace {

constexpr Seconds kLongestCycle{3};

/// When the loop came to that start, in its second; none: no line tells.
std::optional<Time> decided_at(const ForcedRun& run, const ControllerLog& log) {
  const Time from{run.start}, to{run.start + Seconds{1}};
  std::optional<Time> last;
  if (run.by == StartedBy::Main) {
    const auto& passes = log.main_passes;
    const auto next = std::partition_point(passes.begin(), passes.end(),
                                           [&](const auto& pass) { return pass.at < to; });
    if (next != passes.begin() && std::prev(next)->at >= from) last = std::prev(next)->at;
  } else if (run.by == StartedBy::Backfill) {
    auto cycle = std::partition_point(log.cycles.begin(), log.cycles.end(),
                                      [&](const KnownCycle& each) { return each.began < to; });
    while (!last && cycle != log.cycles.begin()) {
      --cycle;
      for (const KnownCycle::Tried& tried : cycle->tries) {
        if (tried.job == run.job && tried.at >= from && tried.at < to) last = tried.at;
      }
      if (!cycle->tries.empty() && cycle->tries.back().at < from) break;
    }
  }
  return last;
}

Time instant_of(SlurmTime second, StartedBy by, const std::vector<Time>& cycles) {
  if (by == StartedBy::Backfill) {
    const auto next = std::lower_bound(cycles.begin(), cycles.end(), Time{second + Seconds{1}});
    if (next != cycles.begin() && second - whole_second(*(next - 1)) <= kLongestCycle) {
      return *(next - 1);
    }
  }
  return end_of(second) - Duration{1};
}

/// What the main loop did in a second in which it killed victims. Their nodes must be clean before
/// anything starts there (preemption.md §5): a later pass of the second does that.
struct AfterVictims {
  std::set<std::pair<SlurmTime, NodeId>> nodes;      ///< where they ran
  std::set<std::pair<SlurmTime, JobId>> preemptors;  ///< for whom they were killed

  AfterVictims(const std::vector<ForcedRun>& runs, const std::vector<ForcedSignal>& signals) {
    std::map<std::pair<SlurmTime, JobId>, JobId> killed;
    for (const ForcedSignal& signal : signals) {
      if (signal.warned || signal.loop != StartedBy::Main) continue;
      killed.emplace(std::pair(whole_second(signal.at), signal.victim), signal.preemptor);
    }
    if (killed.empty()) return;
    for (const ForcedRun& run : runs) {
      if (!run.end) continue;
      const auto victim = killed.find({*run.end, run.job});
      if (victim == killed.end()) continue;  // one that is suspended does not end
      preemptors.emplace(*run.end, victim->second);
      for (const NodeId node : run.nodes) nodes.emplace(*run.end, node);
    }
  }
  [[nodiscard]] bool contains(const ForcedRun& run) const {
    if (run.by != StartedBy::Main) return false;
    return preemptors.contains({run.start, run.job}) ||
           std::any_of(run.nodes.begin(), run.nodes.end(), [&](NodeId node) {
             return nodes.contains({run.start, node});
           });
  }
};

/// The row of such a run ends where its suspension began; its nodes are clean behind the kill, of
/// which an array's task may have been typed by another id.
std::optional<SlurmTime> killed_while_suspended(const ForcedRun& run, const ControllerLog& log) {
  constexpr Seconds kLongestCleanUp{600}, kLongestKill{120};
  if (!run.end || run.outcome != JobState::Cancelled) return std::nullopt;
  const auto clean = std::find_if(
      first_of(log.cleaned, run.job), log.cleaned.end(),
      [&](const LoggedInstant& at) { return at.id != run.job || at.at >= Time{*run.end}; });
  if (clean == log.cleaned.end() || clean->id != run.job) return std::nullopt;
  if (clean->at < Time{*run.end + kLongestCleanUp}) return std::nullopt;
  std::optional<SlurmTime> killed;
  for (const LoggedCommand& command : log.commands) {
    const bool may_be_it = command.kind == LoggedCommand::Kind::Kill && command.at <= clean->at &&
                           command.at + kLongestKill >= clean->at;
    if (may_be_it) killed = whole_second(command.at);
  }
  return killed;
}

}  // namespace

std::vector<ForcedSignal> recorded_signals(const ControllerLog& log,
                                           const std::vector<Time>& cycles) {
  using Pass = BackgroundClock::KnownPass;
  std::vector<ForcedSignal> signals;
  for (const LoggedPreemption& each : log.preempted) {
    const auto pass = std::upper_bound(log.main_passes.begin(), log.main_passes.end(), each.at,
                                       [](Time at, const Pass& b) { return at < b.at; });
    const auto cycle = std::upper_bound(cycles.begin(), cycles.end(), each.at);
    const bool by_backfill = cycle != cycles.begin() && (pass == log.main_passes.begin() ||
                                                         std::prev(pass)->at < *std::prev(cycle));
    // A pass takes its decisions at its begin; the line is written when the work is done.
    const Time at = by_backfill                       ? *std::prev(cycle)
                    : pass != log.main_passes.begin() ? std::prev(pass)->at
                                                      : each.at;
    signals.push_back({at, each.victim, each.preemptor,
                       by_backfill ? StartedBy::Backfill : StartedBy::Main, each.warned});
  }
  return signals;
}

void settle_loops(std::vector<ForcedRun>& runs, const ControllerLog& log) {
  for (ForcedRun& run : runs) {
    if (!run.keeps_loop) continue;
    const Time from{run.start}, to{run.start + Seconds{1}};
    const bool by_main =
        std::any_of(log.main_passes.begin(), log.main_passes.end(),
                    [&](const auto& pass) { return pass.at >= from && pass.at < to; });
    const bool by_backfill =
        std::any_of(log.cycles.begin(), log.cycles.end(), [&](const KnownCycle& cycle) {
          return std::any_of(
              cycle.tries.begin(), cycle.tries.end(),
              [&](const KnownCycle::Tried& each) { return each.at >= from && each.at < to; });
        });
    if (by_backfill) run.by = StartedBy::Backfill;
    if (by_main && !by_backfill) run.by = StartedBy::Main;
  }
}

void end_when_logged(std::vector<ForcedRun>& runs, const ControllerLog& log) {
  constexpr Seconds kLatest{5};  // a program's end comes this near to that of its row
  for (ForcedRun& run : runs) {
    if (const auto killed = killed_while_suspended(run, log)) run.end = killed;
    if (!run.requeued || !run.end) continue;
    for (const LoggedInstant& ended : log.completed) {
      const SlurmTime at = whole_second(ended.at);
      if (ended.id != run.job || at <= run.start || at + kLatest >= *run.end) continue;
      run.end = at;
      run.outcome = JobState::Completed;
      run.requeued.reset();
      break;
    }
  }
}

void find_late_ends(std::vector<ForcedRun>& runs, const ControllerLog& log) {
  std::map<SlurmTime, Time> decided;  // by second: the last instant at which a start was decided
  std::set<SlurmTime> unknown;        // a start of the second whose instant is not told
  for (const ForcedRun& run : runs) {
    if (const auto at = decided_at(run, log)) {
      Time& last = decided.emplace(run.start, *at).first->second;
      last = std::max(last, *at);
    } else {
      unknown.insert(run.start);
    }
  }
  for (ForcedRun& run : runs) {
    if (!run.end || *run.end <= run.start || unknown.contains(*run.end)) continue;
    const auto starts = decided.find(*run.end);
    if (starts == decided.end()) continue;
    for (auto end = first_of(log.ended, run.job); end != log.ended.end() && end->id == run.job;
         ++end) {
      if (whole_second(end->at) == *run.end) run.ends_late = end->at > starts->second;
    }
  }
}

std::vector<RecordedPass> group_passes(const std::vector<ForcedRun>& runs,
                                       const std::vector<Time>& cycles,
                                       const std::vector<ForcedSignal>& signals) {
  struct Key {
    Time at;
    StartedBy by;
    bool later;
    auto operator<=>(const Key&) const = default;
  };
  std::map<Key, RecordedPass> passes;
  const auto pass_of = [&](SlurmTime second, StartedBy by, bool later) -> RecordedPass& {
    const Time at = instant_of(second, by, cycles);
    RecordedPass& pass = passes[{at, by, later}];
    pass.loop = by;
    pass.at = at;
    return pass;
  };
  const AfterVictims after_victims(runs, signals);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (runs[i].by != StartedBy::Main && runs[i].by != StartedBy::Backfill) continue;
    pass_of(runs[i].start, runs[i].by, after_victims.contains(runs[i])).runs.push_back(i);
  }
  for (std::size_t i = 0; i < signals.size(); ++i) {
    pass_of(whole_second(signals[i].at), signals[i].loop, false).signals.push_back(i);
  }
  std::vector<RecordedPass> sorted;
  for (auto& [key, pass] : passes) sorted.push_back(std::move(pass));
  return sorted;
}

bool Agreement::is_better_than(const Agreement& other) const {
  const auto apart = [](const Agreement& each) {
    return each.recorded + each.made - 2 * each.same_job;
  };
  if (apart(*this) != apart(other)) return apart(*this) < apart(other);
  return same_nodes > other.same_nodes;
}

Agreement& Agreement::operator+=(const Agreement& other) {
  recorded += other.recorded;
  made += other.made;
  same_job += other.same_job;
  same_nodes += other.same_nodes;
  return *this;
}

Agreement compare_starts(const std::vector<DecidedStart>& recorded,
                         const std::vector<DecidedStart>& made) {
  Agreement agreement;
  agreement.recorded = recorded.size();
  agreement.made = made.size();
  for (const DecidedStart& theirs : recorded) {
    const auto ours = std::find_if(
        made.begin(), made.end(), [&](const DecidedStart& each) { return each.job == theirs.job; });
    if (ours == made.end()) continue;
    ++agreement.same_job;
    if (ours->nodes == theirs.nodes) ++agreement.same_nodes;
  }
  return agreement;
}

Agreement compare_signals(const std::vector<DecidedSignal>& recorded,
                          const std::vector<DecidedSignal>& made) {
  Agreement agreement{recorded.size(), made.size(), 0, 0};
  for (const DecidedSignal& theirs : recorded) {
    if (std::find(made.begin(), made.end(), theirs) != made.end()) ++agreement.same_job;
  }
  agreement.same_nodes = agreement.same_job;
  return agreement;
}

}  // namespace rehearse
