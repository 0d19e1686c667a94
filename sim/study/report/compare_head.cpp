// sim/study/report/compare_head.cpp — two runs in half a minute: who waits longer, who is harmed,
// what the GPUs do, why, and how far to trust it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/output/views/view.hpp"
#include "sim/study/explanation/explanation.hpp"
#include "sim/study/report/decided_words.hpp"
#include "sim/study/report/sections.hpp"
#include "sim/study/report/words.hpp"

namespace rehearse {
namespace {

const Figure* figure_named(const Comparison& value, std::string_view name) {
  const auto found = std::find_if(value.figures.begin(), value.figures.end(),
                                  [&](const Figure& each) { return each.info->name == name; });
  return found == value.figures.end() ? nullptr : &*found;
}

/// `not sure`, and where the truth may lie; the words of a difference of spans.
std::string sureness_words(const Figure& figure, double level) {
  if (!figure.sure.difference) return "no interval, as the users are too few";
  const Interval& interval = *figure.sure.difference;
  return fmt::format("{}: {:.0f} % interval {} to {}",
                     figure.sure.is_significant() ? "sure" : "not sure", level * 100,
                     signed_span(interval.low), signed_span(interval.high));
}

ReportTile waits_tile(const Comparison& value) {
  const Figure& mean = value.figures.front();
  const Figure* const p95 = figure_named(value, "wait_p95");
  return {
      "Do jobs wait longer under B?", fmt::format("{} → {}", span_text(mean.a), span_text(mean.b)),
      fmt::format("mean wait, {}; {}. P95 wait {} → {}", signed_span(mean.difference()),
                  sureness_words(mean, value.options.level), span_text(p95->a), span_text(p95->b))};
}

/// Of all accounts: how much of the work is theirs.
ReportTile account_tile(const char* question, const GroupRow* row) {
  if (row == nullptr) return {question, "nobody", "no account that has much of the work"};
  std::string share = fmt::format("{} of the jobs", percent_words(row->job_share));
  if (row->gpu_hour_share) {
    share += fmt::format(", {} of the GPU-hours", percent_words(*row->gpu_hour_share));
  }
  return {question, row->name,
          fmt::format("mean wait {} → {} ({}); {}, {} user{}", span_text(row->wait.a),
                      span_text(row->wait.b), signed_span(row->wait.difference()), share,
                      row->wait.users, row->wait.users == 1 ? "" : "s")};
}

/// In the place of who gains: whose work is not done at all.
ReportTile left_out_tile(const Comparison& value) {
  const bool is_b = value.left_out_b.jobs() >= value.left_out_a.jobs();
  const LeftOut& most = is_b ? value.left_out_b : value.left_out_a;
  return {
      "What is not run at all?",
      fmt::format("{} jobs", count_words(static_cast<double>(most.jobs()))),
      left_out_words(is_b ? PairSide::B : PairSide::A, most) +
          (most.account.empty()
               ? std::string()
               : fmt::format("; {} of account {}",
                             count_words(static_cast<double>(most.account_jobs)), most.account))};
}

/// Idle GPU-hours, and what most of those that some job wanted are held back by.
std::string idle_words(const GpuHoursByCause& a, const GpuHoursByCause& b) {
  constexpr auto kBusy = static_cast<std::size_t>(GpuHours::Busy);
  constexpr auto kUnwanted = static_cast<std::size_t>(GpuHours::NoDemand);
  constexpr auto kLeft = static_cast<std::size_t>(GpuHours::Left);
  double idle_a = 0, idle_b = 0, wanted_a = 0, wanted_b = 0;
  std::size_t most = kUnwanted + 1;
  for (std::size_t i = kBusy + 1; i < a.size(); ++i) {
    idle_a += a[i];
    idle_b += b[i];
    if (i <= kUnwanted || i == kLeft) continue;
    wanted_a += a[i];
    wanted_b += b[i];
    if (a[i] + b[i] > a[most] + b[most]) most = i;
  }
  std::string text =
      fmt::format("idle: {} → {} GPU-hours, of them wanted by jobs: {} → {}", count_words(idle_a),
                  count_words(idle_b), count_words(wanted_a), count_words(wanted_b));
  if (wanted_a + wanted_b > 0) {
    std::string_view cause = title_of(static_cast<GpuHours>(most));
    constexpr std::string_view kIdle = "idle: ";
    if (cause.starts_with(kIdle)) cause.remove_prefix(kIdle.size());
    text += fmt::format(" (mostly {})", cause);
  }
  return text;
}

ReportTile use_tile(const Comparison& value, const ReportSpan& span) {
  const Result& a = value.a->result;
  const Result& b = value.b->result;
  const double gpus = held_share(a, span.arrivals, "gpus");
  const bool has_gpus = std::isfinite(gpus);
  const char* const unit = has_gpus ? "gpus" : "cpus";
  const double of_a = held_share(a, span.arrivals, unit);
  const double of_b = held_share(b, span.arrivals, unit);
  std::string detail = fmt::format("of {}-hours held {}: {:+.1f} percentage points",
                                   has_gpus ? "GPU" : "CPU", span.of_arrivals, (of_b - of_a) * 100);
  if (has_gpus) {
    const auto hours = [&](const Result& result) {
      return gpu_hours_by_cause(result, span.arrivals.from, span.arrivals.to);
    };
    detail += "; " + idle_words(hours(a), hours(b));
  }
  return {has_gpus ? "Are the GPUs used?" : "Is the cluster used?",
          fmt::format("{} → {}", percent_words(of_a), percent_words(of_b)), detail};
}

ReportTile reason_tile(const Comparison& value) {
  if (value.reasons.empty()) return {"Why do they wait?", "nobody waits", "no job pended"};
  const ReasonRow& row = value.reasons.front();
  std::string meaning;
  for (std::size_t i = 0; i < kReasonCount; ++i) {
    if (to_text(static_cast<Reason>(i)) == row.reason) meaning = meaning_of(static_cast<Reason>(i));
  }
  double all_a = 0, all_b = 0;
  for (const ReasonRow& each : value.reasons) {
    all_a += each.hours_a;
    all_b += each.hours_b;
  }
  const auto share = [](double part, double all) { return all > 0 ? part / all : 0; };
  return {"Why do they wait?", row.reason,
          fmt::format("{} → {} of all waiting: {}", percent_words(share(row.hours_a, all_a)),
                      percent_words(share(row.hours_b, all_b)), meaning)};
}

/// By what both submit, and decide; each for itself where they differ.
std::string both_words(const Comparison& value) {
  const std::string submits_a = submitted_words(value.a->result);
  const std::string submits_b = submitted_words(value.b->result);
  std::string text =
      submits_a == submits_b
          ? fmt::format("Both submit the same recorded jobs {}", submits_a)
          : fmt::format("Both submit the same recorded jobs, A {}, B {}", submits_a, submits_b);
  const std::string policy_a = policy_words(value.a->provenance);
  const std::string policy_b = policy_words(value.b->provenance);
  text += ", and decide as Slurm does when and where each starts";
  const auto own = [](const std::string& policy) {
    return policy.empty() ? std::string("Slurm's own rules") : policy;
  };
  if (policy_a == policy_b && policy_a.empty()) return text + ".";
  text += ", but for the policy of site.yaml: ";
  if (policy_a == policy_b) return text + policy_a + ".";
  return text + fmt::format("A {}; B {}.", own(policy_a), own(policy_b));
}

}  // namespace

void add_compared_answers(ReportPage& page, const Comparison& value, const ReportSpan& span,
                          const ReportRequest& request) {
  const Result& b = value.b->result;
  const TimeZone zone = zone_of(b);
  page.heading(
      fmt::format("{}: two simulations of its Slurm cluster, A and B", b.cluster.cluster_name),
      fmt::format("{} A: {} - B: {} - jobs of {} to {} ({})", both_words(value), value.a->label,
                  value.b->label, when_words(span.arrivals.from, zone),
                  when_words(span.arrivals.to, zone), zone.name()));
  const bool is_poor = value.verdict == Verdict::Worse || value.verdict == Verdict::LeavesOut;
  const char* const mood = value.verdict == Verdict::Better ? "good" : is_poor ? "poor" : "fair";
  std::vector<std::string> more;
  if (!value.accounts.empty()) more.push_back(value.accounts);
  more.push_back(fmt::format("{} jobs are on both sides, of {} users; {} start at another time.",
                             count_words(static_cast<double>(value.pairs.pairs.size())),
                             value.pairs.paired_users,
                             count_words(static_cast<double>(value.moved))));
  if (!has_recorded_waits(request)) {
    more.push_back("How near the simulation is to the cluster's own past is not measured here.");
  }
  page.verdict(value.headline, more, mood);
  const auto& accounts = value.groups[static_cast<std::size_t>(PairScope::Account)];
  const auto [loses, gains] = extremes_of(accounts, false);
  page.tiles({waits_tile(value), account_tile("Who is harmed most?", loses),
              value.verdict == Verdict::LeavesOut ? left_out_tile(value)
                                                  : account_tile("Who gains most?", gains),
              use_tile(value, span), reason_tile(value), trust_tile(request)});
  page.list("What makes it less sure", value.doubts);
  add_changes(page, value.conf);
}

}  // namespace rehearse
