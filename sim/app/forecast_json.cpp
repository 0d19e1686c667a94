// sim/app/forecast_json.cpp — a forecast and its backtest for scripts, each in one versioned
// schema.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "sim/app/forecast_print.hpp"
#include "sim/output/json_number.hpp"

namespace rehearse {
namespace {

using Json = nlohmann::ordered_json;

/// Seconds after the instant; null: not within the horizon.
Json start(std::int64_t seconds) {
  return seconds >= kNotWithin ? Json(nullptr) : Json(seconds);
}

Json time(const std::optional<SlurmTime>& at) {
  return at ? Json(epoch_seconds(*at)) : Json(nullptr);
}

Json job_json(const JobForecast& each) {
  const WaitingJob& job = each.job;
  return {{"job", static_cast<std::uint32_t>(job.id)},
          {"task", job.task ? Json(*job.task) : Json(nullptr)},
          {"name", job.name()},
          {"user", job.user},
          {"account", job.account},
          {"partition", job.partitions},
          {"submit", epoch_seconds(job.submit)},
          {"held", job.held},
          {"p10_s", start(each.quantile(0.1))},
          {"p50_s", start(each.quantile(0.5))},
          {"p90_s", start(each.quantile(0.9))},
          {"within_1h", each.within(Seconds{3600})},
          {"within_4h", each.within(Seconds{4 * 3600})},
          {"within_24h", each.within(Seconds{24 * 3600})},
          {"within_horizon", each.within(Seconds{kNotWithin - 1})},
          {"by_limits_s", start(each.by_limits)},
          {"slurm", time(job.slurm)}};
}

Json score_json(const BacktestScore& score) {
  return {{"jobs", score.jobs},
          {"users", score.users},
          {"coverage", json_number(score.coverage)},
          {"earlier", json_number(score.below)},
          {"later", json_number(score.above)},
          {"error_median_s", json_number(score.error_median)},
          {"error_by_limits_median_s", json_number(score.error_by_limits)},
          {"width_median_s", json_number(score.width_median)}};
}

std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string forecast_json(const ForecastAnswer& answer, const ForecastRequest& request) {
  Json json{{"schema", "rehearse-forecast/1"},
            {"at", epoch_seconds(answer.at)},
            {"running", answer.running},
            {"replications", answer.replications},
            {"seed", request.seed},
            {"horizon_s", request.horizon.count()},
            {"past_runs", answer.past_runs},
            {"arrivals", answer.stretches > 0 ? Json{{"stretch_s", answer.stretch.count()},
                                                     {"stretches", answer.stretches}}
                                              : Json(nullptr)},
            {"jobs", Json::array()},
            {"doubts", answer.doubts}};
  for (const JobForecast& each : answer.jobs) json["jobs"].push_back(job_json(each));
  return text_of(json);
}

std::string backtest_json(const BacktestAnswer& answer, const BacktestRequest& request) {
  Json json{{"schema", "rehearse-backtest/1"},
            {"replications", answer.replications},
            {"seed", request.forecast.seed},
            {"horizon_s", request.forecast.horizon.count()},
            {"band", 0.8},
            {"all", score_json(answer.all)},
            {"instants", Json::array()},
            {"by_wait", Json::array()},
            {"promises", Json::array()},
            {"calibrated", answer.calibrated_instants == 0
                               ? Json(nullptr)
                               : Json{{"instants", answer.calibrated_instants},
                                      {"drawn", score_json(answer.drawn)},
                                      {"score", score_json(answer.calibrated)}}},
            {"not_asked", answer.not_asked},
            {"never_started", answer.never_started}};
  for (const BacktestInstant& each : answer.instants) {
    json["instants"].push_back({{"at", epoch_seconds(each.at)},
                                {"running", each.running},
                                {"waiting", each.waiting},
                                {"score", score_json(each.score)}});
  }
  for (const auto& [name, score] : answer.by_wait) {
    json["by_wait"].push_back({{"wait", name}, {"score", score_json(score)}});
  }
  for (const BacktestPromise& each : answer.promises) {
    json["promises"].push_back(
        {{"within_s", each.span.count()}, {"said", each.said}, {"came", each.came}});
  }
  return text_of(json);
}

}  // namespace rehearse
