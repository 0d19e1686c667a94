// sim/study/report/head.cpp — what a director reads in half a minute: five questions, five answers.
#include <fmt/format.h>

#include <cmath>

#include "sim/output/views/view.hpp"
#include "sim/study/explanation/explanation.hpp"
#include "sim/study/report/decided_words.hpp"
#include "sim/study/report/kpi_groups.hpp"
#include "sim/study/report/sections.hpp"
#include "sim/study/report/words.hpp"

namespace rehearse {
namespace {

/// The account that waits longest on average, of those with a hundredth of the started jobs.
const KpiGroup* longest_waiting(const std::vector<KpiGroup>& accounts, double started) {
  const KpiGroup* worst = nullptr;
  for (const KpiGroup& each : accounts) {
    const double wait = each.get("wait_mean");
    if (!std::isfinite(wait) || each.get("jobs_started") * 100 < started) continue;
    if (worst == nullptr || wait > worst->get("wait_mean")) worst = &each;
  }
  return worst;
}

ReportTile waits_tile(const Kpis& kpis) {
  return {"How long do jobs wait?", span_text(kpis.overall("wait_mean")),
          fmt::format("on average; half of them at most {}, 95 % at most {}",
                      span_text(kpis.overall("wait_p50")), span_text(kpis.overall("wait_p95")))};
}

ReportTile use_tile(const Side& side, const ReportSpan& span) {
  const auto hours = gpu_hours_by_cause(side.result, span.arrivals.from, span.arrivals.to);
  double existing = 0;
  for (const double each : hours) existing += each;
  if (existing <= 0) {
    const double cpus = held_share(side.result, span.arrivals, "cpus");
    return {"Is the cluster used?", percent_words(cpus),
            fmt::format("of the CPUs were held by jobs {}; there are no GPUs", span.of_arrivals)};
  }
  std::size_t worst = static_cast<std::size_t>(GpuHours::Unavailable);
  for (std::size_t i = worst; i < hours.size(); ++i) {
    if (hours[i] > hours[worst]) worst = i;
  }
  const double busy = hours[static_cast<std::size_t>(GpuHours::Busy)];
  return {"Are the GPUs used?", percent_words(busy / existing),
          fmt::format("of GPU-hours were held by jobs {}. Most of the rest ({} of all): {}",
                      span.of_arrivals, percent_words(hours[worst] / existing),
                      title_of(static_cast<GpuHours>(worst)))};
}

Reason reason_named(std::string_view name) {
  for (std::size_t i = 0; i < kReasonCount; ++i) {
    if (to_text(static_cast<Reason>(i)) == name) return static_cast<Reason>(i);
  }
  return Reason::None;
}

ReportTile reason_tile(const Kpis& kpis) {
  const std::vector<KpiGroup> reasons = kpi_groups(kpis, "reason");
  if (reasons.empty() || !(reasons.front().get("pending_hours") > 0)) {
    return {"Why did they wait?", "nobody waited", "no job pended"};
  }
  const KpiGroup& first = reasons.front();
  return {"Why did they wait?", first.name,
          fmt::format("{} of all pending time: {}", percent_words(first.get("pending_share")),
                      meaning_of(reason_named(first.name)))};
}

ReportTile who_tile(const Kpis& kpis) {
  const std::vector<KpiGroup> accounts = kpi_groups(kpis, "account");
  const KpiGroup* const worst = longest_waiting(accounts, kpis.overall("jobs_started"));
  if (worst == nullptr) return {"Who waits longest?", "-", "no job started"};
  return {"Who waits longest?", worst->name.empty() ? "(no account)" : worst->name,
          fmt::format("{} on average over {} jobs; of accounts with 1 % of the jobs or more",
                      span_text(worst->get("wait_mean")), count_words(worst->get("jobs_started")))};
}

std::string verdict_of(const Side& side, const ReportSpan& span) {
  const double gpus = held_share(side.result, span.arrivals, "gpus");
  const bool has_gpus = std::isfinite(gpus);
  return fmt::format(
      "A job waits {} on average, and 95 % at most {}; {} of {}-hours were held {}.",
      span_text(side.kpis.overall("wait_mean")), span_text(side.kpis.overall("wait_p95")),
      percent_words(has_gpus ? gpus : held_share(side.result, span.arrivals, "cpus")),
      has_gpus ? "GPU" : "CPU", span.of_arrivals);
}

}  // namespace

ReportTile trust_tile(const ReportRequest& request) {
  const char* const question = "Can I trust it?";
  const WaitCalibration* const held = request.calibration;
  if (held == nullptr) {
    return {question, "not measured", "this run was not held against recorded starts: see below"};
  }
  if (!has_recorded_waits(request)) {
    return {question, "not measured",
            "the record has no waits to hold this run against: see below"};
  }
  return {
      question, std::string(to_text(held->verdict)),
      fmt::format("mean wait: {} recorded, {} here{}", span_text(held->groups.front().recorded[0]),
                  span_text(held->groups.front().simulated[0]),
                  request.is_changed ? "; the run is of a changed site" : "")};
}

void add_answers(ReportPage& page, const ReportSides& sides, const ReportSpan& span,
                 const ReportRequest& request) {
  const Side& side = *sides.front().side;
  const Result& result = side.result;
  const Kpis& kpis = side.kpis;
  const TimeZone zone = zone_of(result);
  page.heading(
      fmt::format("{}: simulation of its Slurm cluster", result.cluster.cluster_name),
      fmt::format("A simulation submits the recorded jobs {5}, and {4} when and where each starts. "
                  "{0} to {1} ({2}), made by {3}.",
                  when_words(result.begin, zone), when_words(result.end, zone), zone.name(),
                  side.provenance.command_line, decided_words(side), submitted_words(result)));
  const double started = kpis.overall("jobs_started");
  std::vector<std::string> more;
  if (!result.complete) more.push_back("The run was interrupted: every figure is of a part of it.");
  more.push_back(fmt::format(
      "{} of {} jobs started{}; {} GPU-hours were held, {} were lost to preemption, requeues and "
      "failed nodes.",
      count_words(started), count_words(kpis.overall("jobs")),
      kpis.overall("jobs_rejected") > 0
          ? fmt::format(", {} submissions were refused", count_words(kpis.overall("jobs_rejected")))
          : std::string(),
      count_words(kpis.overall("gpu_hours_busy")), count_words(kpis.overall("gpu_hours_lost"))));
  page.verdict(started > 0 ? verdict_of(side, span) : "No job started.", more, "");
  page.tiles({waits_tile(kpis), use_tile(side, span), reason_tile(kpis), who_tile(kpis),
              trust_tile(request)});
}

}  // namespace rehearse
