// sim/app/forecast_print.hpp — a forecast and its backtest as a person, a script and a pipe read
// them.
#pragma once

#include <string>

#include "sim/study/forecast/backtest.hpp"

namespace rehearse {

/// A line a job, by its P50; ends in a newline.
[[nodiscard]] std::string forecast_text(const ForecastAnswer& answer,
                                        const ForecastRequest& request, const TimeZone& zone);
/// `JOB|USER|ACCOUNT|PARTITION|SUBMIT|P10_S|P50_S|…`; empty: not within the horizon.
[[nodiscard]] std::string forecast_rows(const ForecastAnswer& answer, const TimeZone& zone,
                                        bool no_header);
/// `rehearse-forecast/1`: sim/app/schema/forecast.schema.json. One line.
[[nodiscard]] std::string forecast_json(const ForecastAnswer& answer,
                                        const ForecastRequest& request);

[[nodiscard]] std::string backtest_text(const BacktestAnswer& answer, const TimeZone& zone);
/// `AT|RUNNING|WAITING|ASKED|COVERAGE|ERROR_S|ERROR_BY_LIMITS_S|WIDTH_S`, a row an instant, then
/// ALL.
[[nodiscard]] std::string backtest_rows(const BacktestAnswer& answer, const TimeZone& zone,
                                        bool no_header);
/// `rehearse-backtest/1`: sim/app/schema/backtest.schema.json. One line.
[[nodiscard]] std::string backtest_json(const BacktestAnswer& answer,
                                        const BacktestRequest& request);

}  // namespace rehearse
