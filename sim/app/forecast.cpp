// sim/app/forecast.cpp — `rehearse forecast`: when the jobs that wait will start, and how sure that
// is.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <utility>

#include "sim/app/findings.hpp"
#include "sim/app/forecast_print.hpp"
#include "sim/app/interrupt.hpp"
#include "sim/app/progress_text.hpp"
#include "sim/app/site_options.hpp"
#include "sim/app/verb.hpp"
#include "sim/config/config_node.hpp"
#include "sim/study/sweep.hpp"

namespace rehearse {
namespace {

class Forecasting final : public Verb {
 public:
  [[nodiscard]] std::string_view name() const override { return "forecast"; }
  [[nodiscard]] std::string_view summary() const override {
    return "when the jobs that wait will start, and how sure that is";
  }

  void describe(CLI::App& command) override {
    command.footer(
        "\nHow long jobs run is drawn from what part of their limits their user's past runs used\n"
        "(else their account's, their partition's, all); who comes is drawn from past weeks, user\n"
        "by user. Default --start-from: the site's snapshot, as rehearse collect leaves it.");
    site_.describe(command);
    site_.describe_seed(command);
    site_.describe_start(command);
    command
        .add_option("--replications", request_.forecast.replications,
                    "so many futures; default: 100")
        ->type_name("N")
        ->check(CLI::Range(10, 100'000));
    command.add_option("--horizon", horizon_, "no further than this; default: 7d")
        ->type_name("SPAN");
    command.add_flag("--no-arrivals", no_arrivals_, "nobody comes any more");
    command.add_flag("--backtest", backtest_,
                     "forecast instants of the recorded past, and tell how often the band held");
    command.add_option("--instants", request_.instants, "of a backtest; default: 12")
        ->type_name("N")
        ->check(CLI::Range(1, 1000));
    command.add_option("-j,--threads", threads_, "so many futures at once; default: all cores")
        ->type_name("N")
        ->check(CLI::Range(1, 4096));
    command.add_flag("--json", json_, "print everything as JSON (one versioned schema)");
    format_.describe(command);
  }

  Exit run() override {
    ForecastRequest& forecast = request_.forecast;
    forecast.site = site_.site;
    forecast.options = site_.load_options();
    forecast.arrivals = !no_arrivals_;
    forecast.threads = threads_ > 0 ? static_cast<std::size_t>(threads_) : default_threads();
    if (site_.seed >= 0) forecast.seed = static_cast<std::uint64_t>(site_.seed);
    if (site_.jobs == "-") {
      return usage_error(name(), "the jobs are read twice, stdin once", "name a file: --jobs FILE");
    }
    const auto horizon = parse_duration(horizon_);
    if (!horizon || *horizon < Seconds{60}) {
      return usage_error(name(), fmt::format("--horizon: '{}' is not a span", horizon_),
                         "write 24h or 7d, at least 60s");
    }
    forecast.horizon = std::chrono::duration_cast<Seconds>(*horizon);
    if (backtest_ && !site_.start_from.empty()) {
      return usage_error(name(), "--backtest chooses its instants itself",
                         "leave --start-from out; --from and --to choose the jobs");
    }
    return backtest_ ? look_back() : look_ahead();
  }

 private:
  Exit look_ahead() {
    ForecastRequest& request = request_.forecast;
    if (request.options.start_from.empty()) request.options.start_from = kSnapshotWord;
    Diagnostics found;
    const ForecastStudy study(request, nullptr, found);
    print_findings(found.all());
    const auto answer = study.run(&interrupted());
    if (!answer) return Exit::Interrupted;
    const TimeZone& zone = study.site().zone;
    if (json_) {
      fmt::print("{}\n", forecast_json(*answer, request));
    } else {
      fmt::print("{}", format_.parsable ? forecast_rows(*answer, zone, format_.no_header)
                                        : forecast_text(*answer, request, zone));
    }
    return Exit::Ok;
  }

  Exit look_back() {
    Diagnostics found;
    ProgressText progress;
    const auto answer = backtest(
        request_,
        [&](const std::string& at) {
          if (progress.is_due()) progress.show("forecasting at " + at);
        },
        found, &interrupted());
    progress.clear();
    print_findings(found.all());
    if (!answer) return Exit::Interrupted;
    const TimeZone zone = TimeZone::find(answer->time_zone).value_or(TimeZone::utc());
    if (json_) {
      fmt::print("{}\n", backtest_json(*answer, request_));
    } else {
      fmt::print("{}", format_.parsable ? backtest_rows(*answer, zone, format_.no_header)
                                        : backtest_text(*answer, zone));
    }
    return Exit::Ok;
  }

  SiteOptions site_;
  BacktestRequest request_;
  TableOptions format_;
  std::string horizon_ = "7d";
  int threads_ = 0;
  bool no_arrivals_ = false, backtest_ = false, json_ = false;
};

}  // namespace

std::unique_ptr<Verb> make_forecast() {
  return std::make_unique<Forecasting>();
}

}  // namespace rehearse
