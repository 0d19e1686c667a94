// sim/app/fit_print.cpp — the goodness of a fit as a table, rows and JSON.
#include "sim/app/fit_print.hpp"
#include "sim/output/json_number.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace rehearse {
namespace {

using Json = nlohmann::ordered_json;
constexpr std::size_t kUsersShown = 12;

std::string shown(double value) {
  if (!std::isfinite(value)) return "-";
  return std::abs(value) >= 10000 ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value);
}

std::string distance(double value) {
  return std::isfinite(value) ? fmt::format("{:.3f}", value) : "-";
}

std::string_view work_name(const Goodness& good) {
  return good.of_gpus ? "GPU-h" : "CPU-h";
}

}  // namespace

std::string fit_text(const FitReport& report) {
  const Goodness& good = report.goodness;
  std::string text =
      fmt::format("{}: {} groups of users, {} kinds of jobs, from {} submissions of {}\n",
                  report.spec, report.groups, report.kinds, good.jobs, report.site);
  for (const std::string& note : report.notes) text += fmt::format("note: {}\n", note);
  text += fmt::format("\n{:<18}{:>12}{:>12}   {}\n", "WHOLE", "trace", "drawn",
                      fmt::format("({} draws)", good.draws));
  text += fmt::format("  {:<16}{:>12}{:>12}   {} .. {}\n", "submissions", good.jobs,
                      shown(good.jobs_drawn), good.jobs_least, good.jobs_most);
  const bool of_gpus = good.of_gpus;
  text += fmt::format("  {:<16}{:>12}{:>12}   {} .. {}\n", work_name(good),
                      shown(of_gpus ? good.gpu_hours : good.cpu_hours),
                      shown(of_gpus ? good.gpu_hours_drawn : good.cpu_hours_drawn),
                      shown(good.work_least), shown(good.work_most));
  text += fmt::format("\n{:<18}{:>12}{:>12}{:>12}{:>12}{:>12}{:>12}{:>9}{:>9}\n", "MARGINAL",
                      "P50 trace", "P50 drawn", "mean trace", "mean drawn", "P95 trace",
                      "P95 drawn", "KS", "halves");
  for (const MarginalFit& each : good.marginals) {
    text += fmt::format("  {:<16}{:>12}{:>12}{:>12}{:>12}{:>12}{:>12}{:>9}{:>9}\n", each.name,
                        shown(each.median), shown(each.median_drawn), shown(each.mean),
                        shown(each.mean_drawn), shown(each.p95), shown(each.p95_drawn),
                        distance(each.distance), distance(each.distance_halves));
  }
  text +=
      "  KS: the largest difference of cumulative shares; halves: of the trace's own first "
      "half to its second\n";
  text += fmt::format("\n{:<18}{:>12}{:>12}\n", "HOURLY ARRIVALS", "trace", "drawn");
  for (std::size_t i = 0; i < Goodness::kLags.size(); ++i) {
    text +=
        fmt::format("  {:<16}{:>12}{:>12}\n", fmt::format("correlation {}h", Goodness::kLags[i]),
                    distance(good.autocorrelation[i]), distance(good.autocorrelation_drawn[i]));
  }
  text += fmt::format("\n{:<18}{:>12}{:>12}{:>12}{:>12}\n", "USERS: SHARE OF", "jobs trace",
                      "jobs drawn", fmt::format("{} trace", work_name(good)),
                      fmt::format("{} drawn", work_name(good)));
  for (std::size_t i = 0; i < good.users.size() && i < kUsersShown; ++i) {
    const UserFit& user = good.users[i];
    text += fmt::format("  {:<16}{:>12.3f}{:>12.3f}{:>12.3f}{:>12.3f}\n", user.user, user.jobs,
                        user.jobs_drawn, user.work, user.work_drawn);
  }
  if (good.users.size() > kUsersShown) {
    text += fmt::format("  … and {} more users\n", good.users.size() - kUsersShown);
  }
  text += fmt::format("  {:<16}{:>24.3f}{:>24.3f}\n", "total variation", good.user_jobs_distance,
                      good.user_work_distance);
  return text;
}

std::string fit_rows(const FitReport& report, bool no_header) {
  const Goodness& good = report.goodness;
  std::string text = no_header ? "" : "SCOPE|NAME|UNITS|TRACE|DRAWN|DISTANCE|HALVES\n";
  const auto row = [&](std::string_view scope, std::string_view name, std::string_view units,
                       double trace, double drawn, double far, double halves) {
    const auto cell = [](double value) {
      return std::isfinite(value) ? fmt::format("{:.6g}", value) : std::string();
    };
    text += fmt::format("{}|{}|{}|{}|{}|{}|{}\n", scope, name, units, cell(trace), cell(drawn),
                        cell(far), cell(halves));
  };
  const double none = std::nan("");
  row("whole", "submissions", "jobs", static_cast<double>(good.jobs), good.jobs_drawn, none, none);
  row("whole", "gpu_hours", "h", good.gpu_hours, good.gpu_hours_drawn, none, none);
  row("whole", "cpu_hours", "h", good.cpu_hours, good.cpu_hours_drawn, none, none);
  for (const MarginalFit& each : good.marginals) {
    row("mean", each.name, each.units, each.mean, each.mean_drawn, each.distance,
        each.distance_halves);
    row("p50", each.name, each.units, each.median, each.median_drawn, none, none);
    row("p95", each.name, each.units, each.p95, each.p95_drawn, none, none);
  }
  for (std::size_t i = 0; i < Goodness::kLags.size(); ++i) {
    row("autocorrelation", fmt::format("{}h", Goodness::kLags[i]), "", good.autocorrelation[i],
        good.autocorrelation_drawn[i], none, none);
  }
  for (const UserFit& user : good.users) {
    row("user_jobs", user.user, "share", user.jobs, user.jobs_drawn, none, none);
    row("user_work", user.user, "share", user.work, user.work_drawn, none, none);
  }
  row("users", "jobs", "total variation", none, none, good.user_jobs_distance, none);
  row("users", "work", "total variation", none, none, good.user_work_distance, none);
  return text;
}

std::string fit_json(const FitReport& report) {
  const Goodness& good = report.goodness;
  Json json{
      {"schema", "rehearse-fit/1"},
      {"site", report.site},
      {"spec", report.spec},
      {"groups", report.groups},
      {"kinds", report.kinds},
      {"notes", report.notes},
      {"draws", good.draws},
      {"submissions",
       {{"trace", good.jobs},
        {"drawn", json_number(good.jobs_drawn)},
        {"least", good.jobs_least},
        {"most", good.jobs_most}}},
      {"gpu_hours",
       {{"trace", json_number(good.gpu_hours)}, {"drawn", json_number(good.gpu_hours_drawn)}}},
      {"cpu_hours",
       {{"trace", json_number(good.cpu_hours)}, {"drawn", json_number(good.cpu_hours_drawn)}}},
      {"marginals", Json::array()},
      {"autocorrelation", Json::array()},
      {"users", Json::array()},
      {"user_jobs_distance", json_number(good.user_jobs_distance)},
      {"user_work_distance", json_number(good.user_work_distance)}};
  for (const MarginalFit& each : good.marginals) {
    json["marginals"].push_back(
        {{"name", each.name},
         {"units", each.units},
         {"count", each.count},
         {"p50", {{"trace", json_number(each.median)}, {"drawn", json_number(each.median_drawn)}}},
         {"mean", {{"trace", json_number(each.mean)}, {"drawn", json_number(each.mean_drawn)}}},
         {"p95", {{"trace", json_number(each.p95)}, {"drawn", json_number(each.p95_drawn)}}},
         {"ks", json_number(each.distance)},
         {"ks_halves", json_number(each.distance_halves)}});
  }
  for (std::size_t i = 0; i < Goodness::kLags.size(); ++i) {
    json["autocorrelation"].push_back({{"lag_h", Goodness::kLags[i]},
                                       {"trace", json_number(good.autocorrelation[i])},
                                       {"drawn", json_number(good.autocorrelation_drawn[i])}});
  }
  for (const UserFit& user : good.users) {
    json["users"].push_back({{"user", user.user},
                             {"jobs", {{"trace", user.jobs}, {"drawn", user.jobs_drawn}}},
                             {"work", {{"trace", user.work}, {"drawn", user.work_drawn}}}});
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace rehearse
