// sim/study/comparison/comparison.cpp — from two results to one answer.
#include "sim/study/comparison/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "sim/output/kpi/pending_time.hpp"
#include "sim/study/comparison/doubts.hpp"

namespace rehearse {

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
  constexpr std::array<std::string_view, 9> kTexts{"nothing_paired", "same",    "too_few_users",
                                                   "unsure",         "mixed",   "worse",
                                                   "better",         "partial", "leaves_out"};
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
  value_.figures = measure(context_, pairs.every());
  add_run_figures();
  for (std::size_t scope = 0; scope < kPairScopeCount; ++scope) {
    value_.groups[scope] = measure_groups(context_, static_cast<PairScope>(scope));
  }
  add_reasons();
  value_.gpu_hours_a = gpu_hours_by_cause(a.result);
  value_.gpu_hours_b = gpu_hours_by_cause(b.result);
  value_.conf = diff_configurations(a.provenance, b.provenance);
  leave_unjudged();
  value_.doubts = doubts_of(value_);
  conclude();
}

void Compared::leave_unjudged() {
  const bool is_partial = !value_.a->result.complete || !value_.b->result.complete;
  const bool any = !is_partial && !value_.conf.other_outages;
  for (auto& rows : value_.groups) {
    for (GroupRow& row : rows) row.wait.is_judged = any;
  }
  for (Figure& figure : value_.figures) {
    const bool of_gpus = figure.info->name == "gpu_utilization";
    const bool of_cpus = figure.info->name == "cpu_utilization";
    const bool other_whole = (of_gpus && context_.capacity_a.gpu_s != context_.capacity_b.gpu_s) ||
                             (of_cpus && context_.capacity_a.cpu_s != context_.capacity_b.cpu_s);
    figure.is_judged = any && !other_whole;
  }
}

void Compared::add_run_figures() {
  for (const FigureInfo& info : run_figures()) {
    const double a = value_.a->kpis.overall(info.name);
    const double b = value_.b->kpis.overall(info.name);
    if (info.where_any && a == 0 && b == 0) continue;
    value_.figures.push_back({&info, a, b, 0, {}});
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

}  // namespace rehearse
