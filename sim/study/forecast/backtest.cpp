// sim/study/forecast/backtest.cpp — instants, their forecasts, and how far off they were.
#include "sim/study/forecast/backtest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "sim/study/forecast/calibrated_band.hpp"

namespace rehearse {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// One job's forecast, and its fact.
struct Asked {
  std::int64_t low = 0, middle = 0, high = 0, by_limits = 0, fact = 0;
  std::string user;
  std::array<double, 3> said{};
  std::optional<SlurmTime> start;  ///< recorded
};

constexpr std::array<Seconds, 3> kSpans{Seconds{3600}, Seconds{4 * 3600}, Seconds{24 * 3600}};

double median(std::vector<double> values) {
  if (values.empty()) return kNone;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

template <typename Which>
BacktestScore score_of(const std::vector<Asked>& all, Which which) {
  BacktestScore score;
  std::vector<double> errors;
  std::vector<double> by_limits;
  std::vector<double> widths;
  std::set<std::string> users;
  std::size_t below = 0;
  std::size_t above = 0;
  for (const Asked& each : all) {
    if (!which(each)) continue;
    ++score.jobs;
    users.insert(each.user);
    if (each.fact < each.low) ++below;
    if (each.fact > each.high) ++above;
    errors.push_back(std::abs(static_cast<double>(each.middle - each.fact)));
    by_limits.push_back(std::abs(static_cast<double>(each.by_limits - each.fact)));
    widths.push_back(static_cast<double>(each.high - each.low));
  }
  score.users = users.size();
  const auto share = [&](std::size_t count) {
    return score.jobs == 0 ? kNone : static_cast<double>(count) / static_cast<double>(score.jobs);
  };
  score.below = share(below);
  score.above = share(above);
  score.coverage = score.jobs == 0 ? kNone : share(score.jobs - below - above);
  score.error_median = median(std::move(errors));
  score.error_by_limits = median(std::move(by_limits));
  score.width_median = median(std::move(widths));
  return score;
}

/// The facts of one instant.
void ask(const ForecastAnswer& answer, Seconds horizon, BacktestAnswer& all,
         std::vector<Asked>& asked, BacktestInstant& instant) {
  for (const JobForecast& each : answer.jobs) {
    const WaitingJob& job = each.job;
    if (job.held || (job.begin && *job.begin > answer.at)) {
      ++all.not_asked;
      continue;
    }
    if (!job.recorded_start || *job.recorded_start < answer.at) {
      ++all.never_started;
      continue;
    }
    const std::int64_t fact = (*job.recorded_start - answer.at).count();
    Asked one{each.quantile(0.1),
              each.quantile(0.5),
              each.quantile(0.9),
              each.by_limits,
              fact > horizon.count() ? kNotWithin : fact,
              job.user,
              {},
              job.recorded_start};
    // What is beyond the horizon is known to lie there, and no more.
    for (std::int64_t* value : {&one.low, &one.middle, &one.high, &one.by_limits, &one.fact}) {
      *value = std::min(*value, horizon.count() + 1);
    }
    for (std::size_t i = 0; i < kSpans.size(); ++i) one.said[i] = each.within(kSpans[i]);
    asked.push_back(std::move(one));
    ++instant.asked;
  }
}

/// Each instant's bands as drawn, and as the earlier instants would have them.
class Calibration {
 public:
  void take(SlurmTime at, const std::vector<Asked>& asked, Seconds horizon) {
    if (const auto shift = history_.shift(at); shift && !asked.empty()) {
      ++instants_;
      for (const Asked& each : asked) {
        const ForecastBand band = shift->applied({each.low, each.middle, each.high});
        drawn_.push_back(each);
        calibrated_.push_back(each);
        calibrated_.back().low = band.low;
        calibrated_.back().high = std::min(band.high, horizon.count() + 1);
      }
    }
    for (const Asked& each : asked) {
      history_.add(at, {each.low, each.middle, each.high}, each.start);
    }
  }
  void tell(BacktestAnswer& answer) const {
    answer.calibrated_instants = instants_;
    answer.drawn = score_of(drawn_, [](const Asked&) { return true; });
    answer.calibrated = score_of(calibrated_, [](const Asked&) { return true; });
  }

 private:
  BandHistory history_;
  std::size_t instants_ = 0;
  std::vector<Asked> drawn_, calibrated_;
};

using Span = std::pair<SlurmTime, SlurmTime>;

/// When somebody waits: disjoint, ascending.
std::vector<Span> waiting_of(const TraceJobs& jobs) {
  std::vector<Span> waits;
  const auto add = [&](SlurmTime from, const std::optional<SlurmTime>& to) {
    if (to && *to > from) waits.emplace_back(from, *to);
  };
  for (const JobSpec& spec : jobs.specs()) {
    const SlurmTime from =
        std::max(whole_second(spec.submit), spec.begin.value_or(SlurmTime::min()));
    if (!spec.extras || spec.extras->array.empty()) {
      add(from, spec.recorded_start);
      continue;
    }
    for (const ArrayTask& task : spec.extras->array) add(from, task.recorded_start);
  }
  std::sort(waits.begin(), waits.end());
  std::vector<Span> merged;
  for (const Span& wait : waits) {
    if (merged.empty() || wait.first > merged.back().second) {
      merged.push_back(wait);
    } else {
      merged.back().second = std::max(merged.back().second, wait.second);
    }
  }
  return merged;
}

}  // namespace

std::vector<SlurmTime> waiting_instants(const TraceJobs& jobs, std::size_t wanted) {
  std::vector<SlurmTime> instants;
  if (jobs.specs().empty()) return instants;
  const SlurmTime first = whole_second(jobs.specs().front().submit);
  const SlurmTime last = whole_second(jobs.specs().back().submit);
  const SlurmTime from = first + (last - first) / 3;
  std::vector<Span> waits;
  std::int64_t total = 0;
  for (Span wait : waiting_of(jobs)) {
    wait.first = std::max(wait.first, from);
    wait.second = std::min(wait.second, last);
    if (wait.second - wait.first < Seconds{2}) continue;
    waits.push_back(wait);
    total += (wait.second - wait.first).count();
  }
  if (total == 0) return instants;
  const auto count = static_cast<std::int64_t>(wanted);
  for (std::int64_t i = 0; i < count; ++i) {
    std::int64_t into = (2 * i + 1) * total / (2 * count);
    for (const Span& wait : waits) {
      const std::int64_t length = (wait.second - wait.first).count();
      if (into < length) {
        instants.push_back(wait.first + Seconds{std::max<std::int64_t>(into, 1)});
        break;
      }
      into -= length;
    }
  }
  instants.erase(std::unique(instants.begin(), instants.end()), instants.end());
  return instants;
}

std::optional<BacktestAnswer> backtest(const BacktestRequest& request,
                                       const std::function<void(const std::string&)>& told,
                                       Diagnostics& found, const std::atomic<bool>* interrupted) {
  ForecastRequest plain = request.forecast;
  plain.options.start_from.clear();
  const auto base = load_site(plain.site, plain.options, found);
  const std::vector<SlurmTime> instants =
      base->has_jobs ? waiting_instants(base->jobs(), request.instants) : std::vector<SlurmTime>{};
  if (instants.empty()) {
    throw InputError({base->folder.root.string(), 0, 0}, "nobody waits in what is recorded",
                     "a backtest needs jobs that started later than they were submitted");
  }
  BacktestAnswer answer;
  answer.replications = plain.replications;
  answer.time_zone = base->zone.name();
  std::vector<Asked> asked;
  Calibration calibration;
  for (const SlurmTime at : instants) {
    told(base->zone.print(at));
    ForecastRequest one = plain;
    one.options.start_from = TimeZone::utc().print(at) + "Z";
    Diagnostics ignored;  // told of the base
    const ForecastStudy study(one, base.get(), ignored);
    const auto forecast = study.run(interrupted);
    if (!forecast) return std::nullopt;
    BacktestInstant instant{at, forecast->running, forecast->jobs.size(), 0, {}};
    std::vector<Asked> here;
    ask(*forecast, plain.horizon, answer, here, instant);
    instant.score = score_of(here, [](const Asked&) { return true; });
    answer.instants.push_back(instant);
    calibration.take(at, here, plain.horizon);
    asked.insert(asked.end(), here.begin(), here.end());
  }
  answer.all = score_of(asked, [](const Asked&) { return true; });
  calibration.tell(answer);
  const auto between = [&](std::string name, Seconds from, Seconds to) {
    answer.by_wait.emplace_back(std::move(name), score_of(asked, [&](const Asked& each) {
                                  return each.fact >= from.count() && each.fact < to.count();
                                }));
  };
  between("less than 1h", Seconds{0}, kSpans[0]);
  between("1h .. 4h", kSpans[0], kSpans[1]);
  between("4h .. 24h", kSpans[1], kSpans[2]);
  between("24h or more", kSpans[2], Seconds{kNotWithin});
  for (std::size_t i = 0; i < kSpans.size(); ++i) {
    BacktestPromise promise{kSpans[i], 0, 0};
    for (const Asked& each : asked) {
      promise.said += each.said[i];
      promise.came += each.fact <= kSpans[i].count() ? 1 : 0;
    }
    promise.said /= static_cast<double>(asked.size());
    promise.came /= static_cast<double>(asked.size());
    answer.promises.push_back(promise);
  }
  return answer;
}

}  // namespace rehearse
