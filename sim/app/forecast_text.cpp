// sim/app/forecast_text.cpp — when jobs will start, and how well that was foretold, as tables.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "sim/app/forecast_print.hpp"
#include "sim/app/text_wrap.hpp"
#include "sim/study/comparison/comparison.hpp"

namespace rehearse {
namespace {

using Fields = std::vector<std::string>;

constexpr Seconds kSpans[] = {Seconds{3600}, Seconds{4 * 3600}, Seconds{24 * 3600}};

/// Columns to the right, but for the first.
std::string table_text(const std::vector<Fields>& rows) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const Fields& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const Fields& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += i == 0 ? fmt::format("  {:<{}}", row[i], widths[i])
                     : fmt::format("  {:>{}}", row[i], widths[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string in_span(std::int64_t start, Seconds horizon) {
  return start > horizon.count() ? ">" + span_text(static_cast<double>(horizon.count()))
                                 : span_text(static_cast<double>(start));
}

std::string percent(double share) {
  return std::isfinite(share) ? fmt::format("{:.0f} %", 100 * share) : "-";
}

std::string seconds_text(double value) {
  return std::isfinite(value) ? span_text(value) : "-";
}

std::string number(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : std::string();
}

std::string empty_if_never(std::int64_t start) {
  return start >= kNotWithin ? std::string() : fmt::format("{}", start);
}

Fields score_fields(std::string name, const BacktestScore& score) {
  return {std::move(name),
          fmt::format("{}", score.jobs),
          fmt::format("{}", score.users),
          percent(score.coverage),
          percent(score.below),
          percent(score.above),
          seconds_text(score.error_median),
          seconds_text(score.error_by_limits),
          seconds_text(score.width_median)};
}

const Fields kScoreHead{"",      "jobs",         "users",       "in the band", "earlier",
                        "later", "median error", "… by limits", "band's width"};

}  // namespace

std::string forecast_text(const ForecastAnswer& answer, const ForecastRequest& request,
                          const TimeZone& zone) {
  std::string text = fmt::format(
      "At {}: {} jobs run, {} wait. {} futures; run times drawn from {} past runs, {}.\n",
      zone.print(answer.at), answer.running, answer.jobs.size(), answer.replications,
      answer.past_runs,
      answer.stretches > 0 ? fmt::format("arrivals from {} stretches of {}", answer.stretches,
                                         span_text(static_cast<double>(answer.stretch.count())))
                           : std::string("nobody arrives"));
  if (!answer.jobs.empty()) {
    const bool has_slurm =
        std::any_of(answer.jobs.begin(), answer.jobs.end(),
                    [](const JobForecast& each) { return each.job.slurm.has_value(); });
    Fields head{"job", "user", "account", "waits since", "P10",      "P50",
                "P90", "1h",   "4h",      "24h",         "by limits"};
    if (has_slurm) head.emplace_back("Slurm says");
    std::vector<Fields> rows{std::move(head)};
    for (const JobForecast& each : answer.jobs) {
      const WaitingJob& job = each.job;
      Fields row{job.name(), job.user, job.account, zone.print(whole_second(job.submit))};
      for (const double p : {0.1, 0.5, 0.9}) {
        row.push_back(in_span(each.quantile(p), request.horizon));
      }
      for (const Seconds span : kSpans) row.push_back(percent(each.within(span)));
      row.push_back(in_span(each.by_limits, request.horizon));
      if (has_slurm) {
        row.push_back(job.slurm ? span_text(static_cast<double>((*job.slurm - answer.at).count()))
                                : "-");
      }
      rows.push_back(std::move(row));
    }
    text += "\n" + table_text(rows);
    text += "\n";
    text += wrapped(
        "  P10, P50, P90: from now until the start, in 10, 50, 90 % of the futures; 1h, 4h, 24h: "
        "the share in which it starts within that time; by limits: if every job ran to its limit "
        "and nobody came. rehearse forecast SITE --backtest tells how often such a band held.",
        "  ");
  }
  if (!answer.doubts.empty()) text += "\nBEFORE YOU RELY ON IT\n";
  for (const std::string& doubt : answer.doubts) text += wrapped("  " + doubt, "    ");
  return text;
}

std::string forecast_rows(const ForecastAnswer& answer, const TimeZone& zone, bool no_header) {
  std::string text;
  if (!no_header) {
    text +=
        "JOB|USER|ACCOUNT|PARTITION|SUBMIT|P10_S|P50_S|P90_S|WITHIN_1H|WITHIN_4H|WITHIN_24H|"
        "BY_LIMITS_S|SLURM_S\n";
  }
  for (const JobForecast& each : answer.jobs) {
    const WaitingJob& job = each.job;
    text += fmt::format(
        "{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}\n", job.name(), job.user, job.account,
        job.partitions, zone.print(whole_second(job.submit)), empty_if_never(each.quantile(0.1)),
        empty_if_never(each.quantile(0.5)), empty_if_never(each.quantile(0.9)),
        each.within(kSpans[0]), each.within(kSpans[1]), each.within(kSpans[2]),
        empty_if_never(each.by_limits),
        job.slurm ? fmt::format("{}", (*job.slurm - answer.at).count()) : std::string());
  }
  return text;
}

std::string backtest_text(const BacktestAnswer& answer, const TimeZone& zone) {
  const BacktestScore& all = answer.all;
  std::string text = wrapped(
      fmt::format("The 80 % band held for {} of {} forecasts of {} users, made at {} instants with "
                  "{} futures each. The median start was off by {} (half of the jobs by less); if "
                  "all ran to their limits and nobody came, by {}.",
                  percent(all.coverage), all.jobs, all.users, answer.instants.size(),
                  answer.replications, seconds_text(all.error_median),
                  seconds_text(all.error_by_limits)),
      "");
  std::vector<Fields> rows{kScoreHead};
  rows.front().front() = "BY INSTANT";
  for (const BacktestInstant& each : answer.instants) {
    rows.push_back(score_fields(zone.print(each.at), each.score));
  }
  text += "\n" + table_text(rows);
  rows = {kScoreHead};
  rows.front().front() = "BY WHAT WAS STILL TO WAIT";
  for (const auto& [name, score] : answer.by_wait) rows.push_back(score_fields(name, score));
  text += "\n" + table_text(rows);
  if (answer.calibrated_instants > 0) {
    rows = {kScoreHead};
    rows.front().front() = fmt::format("THE LAST {} INSTANTS", answer.calibrated_instants);
    rows.push_back(score_fields("band as drawn", answer.drawn));
    rows.push_back(score_fields("calibrated on earlier ones", answer.calibrated));
    text += "\n" + table_text(rows);
  }
  rows = {{"STARTS WITHIN", "was said", "came"}};
  for (const BacktestPromise& each : answer.promises) {
    rows.push_back({span_text(static_cast<double>(each.span.count())), percent(each.said),
                    percent(each.came)});
  }
  text += "\n" + table_text(rows) + "\n";
  text += wrapped(
      fmt::format("  Not asked: {} that were held or had a begin time ahead, {} that never started "
                  "(cancelled, or still waiting at the end of what is recorded). Jobs of one "
                  "instant share their fate: look at how far the instants differ.",
                  answer.not_asked, answer.never_started),
      "  ");
  return text;
}

std::string backtest_rows(const BacktestAnswer& answer, const TimeZone& zone, bool no_header) {
  std::string text;
  if (!no_header) {
    text += "AT|RUNNING|WAITING|ASKED|COVERAGE|EARLIER|LATER|ERROR_S|ERROR_BY_LIMITS_S|WIDTH_S\n";
  }
  const auto add = [&](const std::string& at, const std::string& there,
                       const BacktestScore& score) {
    text +=
        fmt::format("{}|{}|{}|{}|{}|{}|{}|{}|{}\n", at, there, score.jobs, number(score.coverage),
                    number(score.below), number(score.above), number(score.error_median),
                    number(score.error_by_limits), number(score.width_median));
  };
  for (const BacktestInstant& each : answer.instants) {
    add(zone.print(each.at), fmt::format("{}|{}", each.running, each.waiting), each.score);
  }
  add("ALL", "|", answer.all);
  return text;
}

}  // namespace rehearse
