// sim/study/comparison/comparison.cpp — from two results to one answer.
#include "sim/study/comparison/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "sim/config/lint.hpp"
#include "sim/config/text.hpp"
#include "sim/output/kpi/pending_time.hpp"

namespace rehearse {
namespace {

/// Positions of all jobs.
std::vector<std::size_t> all_of(const JobPairs& pairs) {
  std::vector<std::size_t> which(pairs.size());
  std::iota(which.begin(), which.end(), std::size_t{0});
  return which;
}

/// Has it a MIG profile, `3g.20gb`?
bool names_mig(std::string_view text) {
  const auto digit = [&](std::size_t at) { return at < text.size() && is_digit(text[at]); };
  for (std::size_t at = text.find("g."); at != std::string_view::npos;
       at = text.find("g.", at + 1)) {
    std::size_t end = at + 2;
    while (digit(end)) ++end;
    if (at > 0 && digit(at - 1) && end > at + 2 && text.substr(end, 2) == "gb") return true;
  }
  return false;
}

}  // namespace

std::string span_text(double seconds) {
  if (!std::isfinite(seconds)) return "-";
  const double size = std::abs(seconds);
  if (size < 0.5) return "0s";  // never -0s
  if (size < 100) return fmt::format("{:.0f}s", seconds);
  if (size < 6000) return fmt::format("{:.0f}m", seconds / 60);
  if (size < 172800) return fmt::format("{:.1f}h", seconds / 3600);
  return fmt::format("{:.1f}d", seconds / 86400);
}

std::string signed_span(double seconds) {
  return (seconds >= 0.5 ? "+" : "") + span_text(seconds);
}

std::string_view to_text(Verdict verdict) {
  constexpr std::array<std::string_view, 8> kTexts{"nothing_paired", "same",      "too_few_users",
                                                   "unsure",         "mixed",     "worse",
                                                   "better",         "leaves_out"};
  return kTexts[static_cast<std::size_t>(verdict)];
}

Compared::Compared(const Side& a, const Side& b, const ResamplingOptions& options) {
  value_.a = &a;
  value_.b = &b;
  value_.options = options;
  value_.pairs = pair_jobs(a.result, b.result);
  const JobPairs& pairs = value_.pairs;
  for (const JobPair& pair : pairs.pairs) {
    if (pair.a.start != pair.b.start) ++value_.moved;
  }
  value_.left_out_a = left_out_by(PairSide::A, pairs, a.result);
  value_.left_out_b = left_out_by(PairSide::B, pairs, b.result);
  draws_ = std::make_unique<UserDraws>(pairs.users.size(), value_.options);
  context_ = {&pairs, draws_.get(), &value_.options, capacity_of(a.result, pairs.window),
              capacity_of(b.result, pairs.window)};
  value_.figures = measure(context_, all_of(pairs));
  add_run_figures();
  for (std::size_t scope = 0; scope < kPairScopeCount; ++scope) {
    value_.groups[scope] = measure_groups(context_, static_cast<PairScope>(scope));
  }
  add_reasons();
  value_.gpu_hours_a = gpu_hours_by_cause(a.result);
  value_.gpu_hours_b = gpu_hours_by_cause(b.result);
  value_.conf = diff_configurations(a.provenance, b.provenance);
  add_doubts();
  conclude();
}

void Compared::add_run_figures() {
  for (const FigureInfo& info : run_figures()) {
    value_.figures.push_back(
        {&info, value_.a->kpis.overall(info.name), value_.b->kpis.overall(info.name), 0, {}});
  }
}

void Compared::add_reasons() {
  std::map<std::string, ReasonRow> rows;
  const auto add = [&](const Result& result, double ReasonRow::*side, double& left) {
    for (const auto& [reason, time] : pending_time(result)) {
      left += static_cast<double>(time.left) / 3600;
      if (time.over == 0) continue;
      rows[std::string(to_text(static_cast<Reason>(reason)))].*side =
          static_cast<double>(time.over) / 3600;
    }
  };
  add(value_.a->result, &ReasonRow::hours_a, value_.hours_left_a);
  add(value_.b->result, &ReasonRow::hours_b, value_.hours_left_b);
  for (auto& [reason, row] : rows) {
    row.reason = reason;
    value_.reasons.push_back(std::move(row));
  }
  std::stable_sort(value_.reasons.begin(), value_.reasons.end(),
                   [](const ReasonRow& x, const ReasonRow& y) {
                     return std::max(x.hours_a, x.hours_b) > std::max(y.hours_a, y.hours_b);
                   });
}

void Compared::add_doubts() {
  std::vector<std::string>& doubts = value_.doubts;
  const JobPairs& pairs = value_.pairs;
  const auto add = [&](std::string text) { doubts.push_back(std::move(text)); };
  for (const auto& [name, side] : {std::pair{"A", value_.a}, {"B", value_.b}}) {
    if (!side->result.complete) {
      add(fmt::format("{} was interrupted: its figures are of a part of the run", name));
    }
  }
  const auto one_sided = [&](const char* name, const OneSided& side) {
    if (side.jobs == 0) return;
    std::string first;
    for (const JobKey& key : side.first) first += (first.empty() ? "" : ", ") + to_text(key);
    add(fmt::format("{} job{} {} in {} alone, and left out of every comparison by job: {}{}",
                    side.jobs, side.jobs == 1 ? "" : "s", side.jobs == 1 ? "is" : "are", name,
                    first, side.jobs > side.first.size() ? " ..." : ""));
  };
  one_sided("A", pairs.only_a);
  one_sided("B", pairs.only_b);
  std::size_t earlier = 0, later = 0;
  for (const JobPair& pair : pairs.pairs) {
    earlier += pair.b.submit < pair.a.submit ? 1U : 0U;
    later += pair.b.submit > pair.a.submit ? 1U : 0U;
  }
  if (earlier + later > 0) {
    add(
        fmt::format("{} jobs are submitted earlier in B and {} later, as users wait for their jobs "
                    "(feedback in site.yaml): each wait counts from its own submission, and the "
                    "demand is not the same on both sides",
                    earlier, later));
  }
  for (const auto& [side, left_out] :
       {std::pair{PairSide::A, &value_.left_out_a}, {PairSide::B, &value_.left_out_b}}) {
    if (left_out->jobs() > 0) add(left_out_words(side, *left_out) + ": their waits are in no mean");
  }
  const auto ran = std::count_if(pairs.pairs.begin(), pairs.pairs.end(), [&](const JobPair& pair) {
    return pair.a.has_started() && pair.a.start < value_.a->result.begin;
  });
  if (ran > 0) {
    add(
        fmt::format("{} jobs ran already when both sides begin: their waits are the record's, the "
                    "same on both sides, and make differences of means smaller",
                    ran));
  }
  const LeftOutAtBegin at_a = left_out_at_begin(value_.a->provenance);
  const LeftOutAtBegin at_b = left_out_at_begin(value_.b->provenance);
  const auto begins_empty = [&](const char* who, const LeftOutAtBegin& at) {
    if (at.running + at.pending == 0) return;
    add(
        fmt::format("{} with an empty cluster: {} jobs of the trace run at --from, and {} pend; "
                    "waits are shorter than they would be (--start-from begins with them)",
                    who, at.running, at.pending));
  };
  if (at_a == at_b) {
    begins_empty("both sides begin", at_a);
  } else {
    begins_empty("A begins", at_a);
    begins_empty("B begins", at_b);
  }
  const std::vector<std::string>& nodes = value_.conf.nodes;
  if (std::any_of(nodes.begin(), nodes.end(), names_mig)) {
    add("each MIG instance counts as a GPU, as it does in Slurm: utilization and GPU-hours of A "
        "and B "
        "are of other devices, their waits are not");
  }
  for (const std::string& word : value_.conf.replayed) {
    add(
        fmt::format("{} differs, but cannot act: the loops of a recording are replayed, and run "
                    "when the recorded ones did (rename its meta.json and slurmctld.log to let the "
                    "simulated ones keep their own time)",
                    word));
  }
  for (const KeyDifference& key : value_.conf.keys) {
    if (key.effect != KeyEffect::IgnoredMayChangeResults) continue;
    add(fmt::format("{} differs, but is not simulated: what it does on a cluster is missing here",
                    key.key));
  }
  const std::vector<std::string>& ignored = value_.conf.ignored_both;
  if (!ignored.empty()) {
    std::string names;
    for (const std::string& key : ignored) names += (names.empty() ? "" : ", ") + key;
    add(fmt::format("both sides set what is not simulated and may change results: {}", names));
  }
  if (value_.a->result.cluster.slurm_version != value_.b->result.cluster.slurm_version) {
    add(fmt::format("A emulates Slurm {}, B {}", value_.a->result.cluster.slurm_version,
                    value_.b->result.cluster.slurm_version));
  }
  if (value_.a->provenance.commit != value_.b->provenance.commit) {
    add(fmt::format("A was made by rehearse {} ({}), B by {} ({})", value_.a->provenance.version,
                    value_.a->provenance.commit, value_.b->provenance.version,
                    value_.b->provenance.commit));
  }
}

}  // namespace rehearse
