// sim/study/decisions.cpp — the forced replay, the question at each pass, the reasons of each side.
#include "sim/study/decisions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "sim/config/hostlist.hpp"
#include "sim/controller/controller.hpp"
#include "sim/study/pass_answer.hpp"
#include "sim/study/pass_orders.hpp"
#include "sim/study/state_copy.hpp"
#include "workloads/input.hpp"
#include "workloads/recorded_history.hpp"

namespace rehearse {
namespace {

std::string_view name_of(StartedBy loop) {
  switch (loop) {
    case StartedBy::Main:
      return "main";
    case StartedBy::Backfill:
      return "backfill";
    case StartedBy::Submit:
      return "submit";
    case StartedBy::Nobody:
      break;
  }
  return "unknown";
}

/// What is recorded beside the runs.
struct Recorded {
  std::vector<RecordedPass> passes;
  std::vector<RecordedTables> tables;
};

class Asker final : public PassAsker {
 public:
  Asker(const LoadedSite& site, const ForcedHistory& history, Recorded recorded,
        std::size_t passes_max, Decisions& found)
      : site_(site),
        history_(history),
        passes_(std::move(recorded.passes)),
        tables_(std::move(recorded.tables)),
        passes_max_(passes_max),
        found_(found) {
    pass_at_.assign(history.runs.size(), Time::max());
    for (const RecordedPass& pass : passes_) {
      for (const std::size_t run : pass.runs) pass_at_[run] = pass.at;
    }
    for (std::size_t i = 0; i < history.runs.size(); ++i) {
      if (history.runs[i].end) ends_[*history.runs[i].end].push_back(i);
      starts_[history.runs[i].start].push_back(i);
    }
    for (const JobSpec& spec : site.trace.jobs.specs()) {
      arrivals_[whole_second(spec.submit)].push_back(&spec);
    }
  }

  [[nodiscard]] Observer& observer() { return watched_; }

  void ask(std::size_t number, Controller& controller) override {
    if (number >= passes_.size()) {
      controller.settle_shares();  // the recorded sshare asked too
      look_at_tables(number - passes_.size());
      return;
    }
    if (!is_sampled(number) || number == joined_) return;
    const RecordedPass& pass = passes_[number];
    const std::vector<DecidedStart> recorded = starts_of(pass.runs);
    const auto next = next_second(number);
    std::vector<std::size_t> longer_runs = pass.runs;
    if (next) {
      longer_runs.insert(longer_runs.end(), passes_[*next].runs.begin(), passes_[*next].runs.end());
    }
    const std::vector<DecidedStart> longer = starts_of(longer_runs);
    const std::vector<DecidedSignal> signals = signals_of(pass.signals);
    const auto agreement_with = [&](const std::vector<DecidedStart>& starts,
                                    const PassAnswer& answer) {
      return Common{compare_starts(starts, answer.made), victims_in_common(signals, answer)};
    };
    const auto orders = possible_orders(open_facts(pass, controller), pass.loop);
    std::optional<Verdict> best;
    for (std::size_t i = 0; i < orders.size(); ++i) {
      PassAnswer answer = ask_once(orders[i], recorded, controller);
      const Common common = agreement_with(recorded, answer);
      if (next && agreement_with(longer, answer).both().is_whole()) {
        joined_ = next;
        best = Verdict{agreement_with(longer, answer), std::move(answer), i};
        break;
      }
      if (best && !common.both().is_better_than(best->common.both())) continue;
      best = Verdict{common, std::move(answer), i};
      if (common.both().is_whole()) break;
    }
    LoopDecisions& loop = pass.loop == StartedBy::Main ? found_.main : found_.backfill;
    ++loop.passes;
    if (best->order > 0) ++loop.ties;
    loop.starts += best->common.starts;
    loop.victims += best->common.victims;
    if (!best->common.both().is_whole()) {
      explain(pass, recorded, best->answer);
      explain_victims(pass, signals, best->answer);
    }
  }

  void placed(std::size_t run, std::uint32_t cpus, SlurmTime now) override {
    const ForcedRun& recorded = history_.runs[run];
    if (!recorded.cpus) return;
    ++found_.runs_of_known_cpus;
    if (cpus == *recorded.cpus) return;
    found_.other_cpus.push_back({recorded.job, now, cpus, *recorded.cpus});
  }

  void not_placed(std::size_t run, std::string_view why, SlurmTime now) override {
    found_.not_placed.push_back({history_.runs[run].job, now, std::string(why)});
  }

 private:
  struct Common {
    Agreement starts, victims;
    [[nodiscard]] Agreement both() const { return Agreement{starts} += victims; }
  };
  struct Verdict {
    Common common;
    PassAnswer answer;
    std::size_t order = 0;  ///< position among the possible ones
  };

  /// Each is looked at twice: a row agrees that does so at its second or kTableDelay later.
  void look_at_tables(std::size_t look) {
    const bool is_last = look >= tables_.size();
    RecordedTables& table = tables_[look % tables_.size()];
    TableAgreement& sum = found_.tables;
    if (!is_last) {
      leave_out_ended(table, *site_.cluster);
      ++sum.tables;
      sum.priority_rows += table.sprio.size();
      sum.share_rows += table.sshare.size();
    }
    const std::size_t priorities = table.sprio.size(), shares = table.sshare.size();
    std::vector<TableDifference> why;
    table = differing_rows(table, *site_.cluster, site_.names, why);
    sum.priority_rows_within_one += priorities - table.sprio.size();
    sum.share_rows_same += shares - table.sshare.size();
    if (is_last) std::move(why.begin(), why.end(), std::back_inserter(sum.differences));
  }

  [[nodiscard]] std::vector<DecidedStart> starts_of(const std::vector<std::size_t>& runs) const {
    std::vector<DecidedStart> starts;
    for (const std::size_t run : runs) {
      starts.push_back({history_.runs[run].job, history_.runs[run].nodes});
    }
    return starts;
  }

  [[nodiscard]] std::vector<DecidedSignal> signals_of(const std::vector<std::size_t>& at) const {
    std::vector<DecidedSignal> signals;
    for (const std::size_t i : at) {
      signals.push_back({history_.signals[i].victim, history_.signals[i].preemptor});
    }
    return signals;
  }

  /// Nothing, where the recording does not tell whom it preempted.
  [[nodiscard]] Agreement victims_in_common(const std::vector<DecidedSignal>& recorded,
                                            const PassAnswer& answer) const {
    if (history_.signals.empty()) return {};
    return compare_signals(recorded, answer.signalled);
  }

  /// The loop's pass of the next second, where of both only the second is known: a pass may have
  /// gone on into the next second.
  [[nodiscard]] std::optional<std::size_t> next_second(std::size_t number) const {
    const RecordedPass& pass = passes_[number];
    if (pass.at != end_of(whole_second(pass.at)) - Duration{1}) return std::nullopt;
    for (std::size_t i = number + 1; i < passes_.size(); ++i) {
      if (passes_[i].at > pass.at + Seconds{1}) break;
      if (passes_[i].loop == pass.loop && passes_[i].at == pass.at + Seconds{1}) return i;
    }
    return std::nullopt;
  }

  /// An even sample where there are more passes than are asked.
  [[nodiscard]] bool is_sampled(std::size_t number) const {
    if (passes_.size() <= passes_max_) return true;
    return number * passes_max_ / passes_.size() != (number + 1) * passes_max_ / passes_.size();
  }

  [[nodiscard]] OpenFacts open_facts(const RecordedPass& pass, const Controller& controller) const {
    const SlurmTime second = whole_second(pass.at);
    OpenFacts facts;
    for (const auto& [end, runs] : ends_) {
      if (end > second) break;
      for (const std::size_t run : runs) {
        const Job* job = controller.forced_job(run);
        if (job == nullptr || history_.runs[run].start >= second) continue;
        const bool open = end == second && job->has_started() && !is_victim(pass, run);
        if (open) facts.ends.push_back(run);
        if (end < second && job->completing) facts.completing.push_back(run);
      }
    }
    if (const auto starts = starts_.find(second); starts != starts_.end()) {
      for (const std::size_t run : starts->second) {
        if (std::find(pass.runs.begin(), pass.runs.end(), run) != pass.runs.end()) continue;
        if (history_.runs[run].by != pass.loop) {
          facts.others.push_back(run);
        } else if (pass_at_[run] < pass.at) {
          facts.earlier.push_back(run);  // of a cycle that began before
        }
      }
    }
    count_submissions(pass, second, facts);
    return facts;
  }

  /// True if the pass itself ends that run.
  [[nodiscard]] bool is_victim(const RecordedPass& pass, std::size_t run) const {
    return std::any_of(pass.signals.begin(), pass.signals.end(), [&](std::size_t i) {
      return history_.signals[i].victim == history_.runs[run].job;
    });
  }

  /// Submissions of the second come in order; those of jobs that the pass starts came first.
  void count_submissions(const RecordedPass& pass, SlurmTime second, OpenFacts& facts) const {
    const auto arrivals = arrivals_.find(second);
    if (arrivals == arrivals_.end()) return;
    std::set<JobId> needed;
    for (const std::size_t run : pass.runs) needed.insert(history_.runs[run].job);
    for (const std::size_t run : facts.earlier) needed.insert(history_.runs[run].job);
    for (const std::size_t i : pass.signals) needed.insert(history_.signals[i].preemptor);
    facts.submitted_max = arrivals->second.size();
    for (std::size_t i = 0; i < arrivals->second.size(); ++i) {
      const JobSpec& spec = *arrivals->second[i];
      bool is_needed = needed.contains(spec.id);
      if (spec.extras) {
        for (const ArrayTask& task : spec.extras->array) {
          is_needed = is_needed || needed.contains(task.id);
        }
      }
      if (is_needed) facts.submitted_min = i + 1;
    }
  }

  PassAnswer ask_once(const PassQuestion& question, const std::vector<DecidedStart>& recorded,
                      Controller& controller) {
    return read_answer(ask_a_copy([&] { return answer(question, recorded, controller); }));
  }

  /// In the copy.
  std::string answer(const PassQuestion& question, const std::vector<DecidedStart>& recorded,
                     Controller& controller) {
    controller.apply(question);
    watched_.answer = {};
    controller.decide(question.loop);
    for (const DecidedStart& start : recorded) {
      watched_.answer.held[start.job] = why_not(controller.pending_job(start.job));
    }
    return to_text(watched_.answer);
  }

  [[nodiscard]] std::string why_not(const Job* job) const {
    if (job == nullptr) return "does not pend";
    std::string why =
        fmt::format("{}, priority {}",
                    job->reason_text.empty() ? std::string(to_text(job->reason)) : job->reason_text,
                    job->priority);
    if (job->planned_start) {
      why += fmt::format(", planned {}", site_.zone.print(*job->planned_start));
      if (!job->planned_nodes.empty()) why += " on " + hosts(job->planned_nodes);
    }
    return why;
  }

  void explain(const RecordedPass& pass, const std::vector<DecidedStart>& recorded,
               const PassAnswer& answer) {
    const auto add = [&](JobId job, std::string what, std::string ours, std::string theirs) {
      found_.disagreements.push_back(
          {pass.at, pass.loop, job, std::move(what), std::move(ours), std::move(theirs)});
    };
    for (const DecidedStart& theirs : recorded) {
      const DecidedStart* ours = find(answer.made, theirs.job);
      if (ours == nullptr) {
        add(theirs.job, "not started", answer.held.at(theirs.job), "on " + hosts(theirs.nodes));
      } else if (ours->nodes != theirs.nodes) {
        add(theirs.job, "other nodes", "on " + hosts(ours->nodes), "on " + hosts(theirs.nodes));
      }
    }
    for (const DecidedStart& ours : answer.made) {
      if (find(recorded, ours.job) != nullptr) continue;
      add(ours.job, "started", "on " + hosts(ours.nodes), next_start(ours.job, pass.at));
    }
  }

  void explain_victims(const RecordedPass& pass, const std::vector<DecidedSignal>& recorded,
                       const PassAnswer& answer) {
    if (history_.signals.empty()) return;
    const auto tell = [&](const auto& some, const auto& others, std::string_view what, bool ours) {
      for (const DecidedSignal& each : some) {
        if (std::find(others.begin(), others.end(), each) != others.end()) continue;
        const auto whom = fmt::format("for job {}", static_cast<std::uint32_t>(each.preemptor));
        found_.disagreements.push_back({pass.at, pass.loop, each.victim, std::string(what),
                                        ours ? whom : "-", ours ? "-" : whom});
      }
    };
    tell(recorded, answer.signalled, "not preempted", false);
    tell(answer.signalled, recorded, "preempted", true);
  }
  [[nodiscard]] std::string next_start(JobId job, Time after) const {
    for (const ForcedRun& run : history_.runs) {
      if (run.job != job || run.start < whole_second(after)) continue;
      return fmt::format("{} by {} on {}", site_.zone.print(run.start), name_of(run.by),
                         hosts(run.nodes));
    }
    return "never started after that";
  }

  static const DecidedStart* find(const std::vector<DecidedStart>& starts, JobId job) {
    const auto at = std::find_if(starts.begin(), starts.end(),
                                 [job](const DecidedStart& each) { return each.job == job; });
    return at == starts.end() ? nullptr : &*at;
  }

  [[nodiscard]] std::string hosts(const std::vector<NodeId>& nodes) const {
    std::vector<std::string> names;
    for (const NodeId node : nodes) {
      names.emplace_back(site_.names.text(site_.cluster->nodes[node].name));
    }
    return compress_hostlist(names);
  }

  const LoadedSite& site_;
  const ForcedHistory& history_;
  std::vector<RecordedPass> passes_;
  std::vector<RecordedTables> tables_;  ///< asked by numbers after the passes
  std::vector<Time> pass_at_;           ///< by run
  std::size_t passes_max_;
  std::optional<std::size_t> joined_;  ///< pass that was found to be a part of the one before
  Decisions& found_;
  PassWatch watched_;
  std::map<SlurmTime, std::vector<std::size_t>> ends_, starts_;  // runs by their second
  std::map<SlurmTime, std::vector<const JobSpec*>> arrivals_;
};

}  // namespace

Decisions compare_decisions(LoadedSite& site, const LoadOptions& load,
                            const DecisionOptions& options) {
  ForcedHistory history;
  Diagnostics wrong;
  const auto rows = load.jobs ? load.jobs : site.folder.jobs;
  if (!rows) {
    throw InputError({site.folder.root.string(), 0, 0}, "there are no recorded jobs",
                     "put sacct.txt into the folder, or name a file: --jobs FILE");
  }
  history.runs = read_recorded_runs(InputStream(*rows), site.sacct, *site.cluster, wrong);
  wrong.throw_if_errors();
  if (site.log) end_when_logged(history.runs, *site.log);
  if (site.log) {
    for (const LoggedInstant& end : site.log->ended) history.ended_at.push_back(end.at);
    std::sort(history.ended_at.begin(), history.ended_at.end());
  }
  if (site.log) settle_loops(history.runs, *site.log);
  if (site.log) find_late_ends(history.runs, *site.log);
  Decisions found;
  for (const ForcedRun& run : history.runs) {
    if (run.by != StartedBy::Main && run.by != StartedBy::Backfill) ++found.runs_of_no_loop;
  }
  if (site.log) history.signals = recorded_signals(*site.log, site.backfill_began);
  Recorded recorded;
  recorded.passes = group_passes(history.runs, site.backfill_began, history.signals);
  found.passes_recorded = recorded.passes.size();
  for (const RecordedPass& pass : recorded.passes) history.asked.push_back({pass.at, pass.loop});
  recorded.tables = read_recorded_tables(site.folder.root / "samples", wrong);
  wrong.throw_if_errors();
  for (const Duration late : {Duration{0}, kTableDelay}) {
    for (const RecordedTables& each : recorded.tables)
      history.asked.push_back({Time{each.at} + late, StartedBy::Nobody});
  }
  Asker asker(site, history, std::move(recorded), options.passes_max, found);
  Controller controller(*site.cluster, site.trace.jobs, site.commands, asker.observer());
  RecordedClock clock = recorded_clock(site);
  clock.limit_scans.clear();  // runs end when the history says
  clock.overdue.clear();
  controller.follow_clock(std::move(clock));
  controller.follow(history, asker);
  (void)controller.run();
  return found;
}

}  // namespace rehearse
