// sim/study/calibration/waits.cpp — pairs of waits, by group and in order.
#include "sim/study/calibration/waits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "sim/output/kpi/kpi.hpp"
#include "sim/study/calibration/missing_inputs.hpp"

namespace rehearse {
namespace {

/// The first start that was recorded of each job. One before its submission is that of a job
/// requeued later, whose first submission a sacct without -D left out: no wait is known.
std::map<JobKey, SlurmTime> recorded_starts(const LoadedSite& site) {
  std::map<JobKey, SlurmTime> starts;
  for (const JobSpec& spec : site.trace.jobs.specs()) {
    const auto id = static_cast<std::uint32_t>(spec.id);
    const SlurmTime submitted = whole_second(spec.submit);
    const std::int64_t submit = epoch_seconds(submitted);
    if (spec.extras && !spec.extras->array.empty()) {
      for (const ArrayTask& task : spec.extras->array) {
        if (!task.recorded_start || *task.recorded_start < submitted) continue;
        starts[{id, static_cast<std::int32_t>(task.index), submit}] = *task.recorded_start;
      }
    } else if (spec.recorded_start && *spec.recorded_start >= submitted) {
      starts[{id, -1, submit}] = *spec.recorded_start;
    }
  }
  return starts;
}

struct WaitPair {
  double recorded = 0, simulated = 0;
  std::uint32_t row = 0;
  std::int64_t submit = 0;
};

WaitFigures figures_of(std::vector<double> waits) {
  std::sort(waits.begin(), waits.end());
  const double sum = std::accumulate(waits.begin(), waits.end(), 0.0);
  return {sum / static_cast<double>(waits.size()), quantile(waits, 0.5), quantile(waits, 0.9),
          quantile(waits, 0.95), quantile(waits, 0.99)};
}

WaitGroup group_of(std::string scope, std::string name, const std::vector<const WaitPair*>& pairs) {
  WaitGroup group{std::move(scope), std::move(name), pairs.size(), {}, {}};
  std::vector<double> recorded;
  std::vector<double> simulated;
  for (const WaitPair* pair : pairs) {
    recorded.push_back(pair->recorded);
    simulated.push_back(pair->simulated);
  }
  group.recorded = figures_of(std::move(recorded));
  group.simulated = figures_of(std::move(simulated));
  return group;
}

/// The Monday of the week, in the site's zone.
std::string week_of(std::int64_t submit, const TimeZone& zone) {
  constexpr std::int64_t kDay = 86400;
  const SlurmTime at = from_epoch_seconds(submit);
  const std::int64_t day = (submit + zone.offset_at(at).count()) / kDay;
  const std::int64_t monday = day - (day + 3) % 7;  // 1970-01-01 was a Thursday
  return TimeZone::utc().print(from_epoch_seconds(monday * kDay)).substr(0, 10);
}

void add_groups(WaitCalibration& answer, const Result& result, const TimeZone& zone,
                const std::vector<WaitPair>& pairs) {
  std::map<std::pair<std::string, std::string>, std::vector<const WaitPair*>> groups;
  std::vector<const WaitPair*> all;
  for (const WaitPair& pair : pairs) {
    all.push_back(&pair);
    for (const PairScope scope :
         {PairScope::Partition, PairScope::Qos, PairScope::Account, PairScope::Size}) {
      groups[{std::string(to_text(scope)), group_name(result, pair.row, scope)}].push_back(&pair);
    }
    groups[{"week", week_of(pair.submit, zone)}].push_back(&pair);
  }
  answer.groups.push_back(group_of("all", "", all));
  for (const auto& [name, members] : groups) {
    answer.groups.push_back(group_of(name.first, name.second, members));
  }
  for (std::size_t i = 1; i < answer.groups.size(); ++i) {
    if (answer.groups[i].jobs < answer.jobs) answer.worst.push_back(&answer.groups[i]);
  }
  std::stable_sort(answer.worst.begin(), answer.worst.end(),
                   [](const WaitGroup* a, const WaitGroup* b) {
                     return std::abs(a->wrong_hours()) > std::abs(b->wrong_hours());
                   });
  constexpr std::size_t kWorst = 10;
  answer.worst.resize(std::min(answer.worst.size(), kWorst));
}

double relative(double recorded, double simulated) {
  return std::abs(simulated - recorded) / std::max(recorded, 60.0);
}

/// Of waits that are all alike on a side there is none.
std::string rank_words(const WaitCalibration& answer) {
  if (!std::isnan(answer.rank)) return fmt::format("is {:.2f}", answer.rank);
  const WaitGroup& all = answer.groups.front();
  if (all.jobs < 2) return "is undefined (one job)";
  return fmt::format("is undefined: every {} wait is the same",
                     answer.simulated_alike ? "simulated" : "recorded");
}

void conclude(WaitCalibration& answer) {
  constexpr BaselineLimits kLimits;
  const WaitGroup& all = answer.groups.front();
  if (all.recorded[0] <= 0) {  // as in most public traces, which have no queue
    answer.sentence =
        "In the record every job starts the second it is submitted: there are no waits to hold a "
        "run against.";
    return;
  }
  const double mean = all.relative_error();
  const double p95 = relative(all.recorded[3], all.simulated[3]);
  const double rank = std::isnan(answer.rank) ? 1 : answer.rank;  // undefined, it says nothing
  const bool is_good =
      mean <= kLimits.mean_good && p95 <= kLimits.p95_good && rank >= kLimits.rank_good;
  const bool is_fair =
      mean <= kLimits.mean_fair && p95 <= kLimits.p95_fair && rank >= kLimits.rank_fair;
  answer.verdict = is_good   ? BaselineVerdict::Good
                   : is_fair ? BaselineVerdict::Fair
                             : BaselineVerdict::Poor;
  const char* const text = is_good   ? "The baseline reproduces the recorded waits"
                           : is_fair ? "The baseline is near the recorded waits"
                                     : "The baseline does not reproduce the recorded waits";
  answer.sentence = fmt::format(
      "{}: the mean is off by {:.0f} %, P95 by {:.0f} %, the rank correlation {} (good: at "
      "most {:.0f} %, {:.0f} %, at least {:.2f}; fair: {:.0f} %, {:.0f} %, {:.2f}).{}",
      text, mean * 100, p95 * 100, rank_words(answer), kLimits.mean_good * 100,
      kLimits.p95_good * 100, kLimits.rank_good, kLimits.mean_fair * 100, kLimits.p95_fair * 100,
      kLimits.rank_fair,
      is_good ? ""
      : is_fair
          ? " Trust differences between runs more than any run by itself."
          : " Do not act on what it says of tomorrow before the causes below are dealt with.");
}

/// Ranks from 1; equal values share their mean rank.
std::vector<double> ranks_of(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (std::size_t i = 0; i < order.size();) {
    std::size_t end = i;
    while (end < order.size() && !(values[order[i]] < values[order[end]])) ++end;
    const double shared = static_cast<double>(i + 1 + end) / 2;
    for (; i < end; ++i) ranks[order[i]] = shared;
  }
  return ranks;
}

}  // namespace

double WaitGroup::relative_error() const {
  return relative(recorded[0], simulated[0]);
}

std::string_view to_text(BaselineVerdict verdict) {
  constexpr std::array<std::string_view, 4> kTexts{"no_waits", "good", "fair", "poor"};
  return kTexts[static_cast<std::size_t>(verdict)];
}

double rank_correlation(const std::vector<double>& x, const std::vector<double>& y) {
  const std::vector<double> a = ranks_of(x);
  const std::vector<double> b = ranks_of(y);
  const double mean = (static_cast<double>(a.size()) + 1) / 2;
  double ab = 0;
  double aa = 0;
  double bb = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ab += (a[i] - mean) * (b[i] - mean);
    aa += (a[i] - mean) * (a[i] - mean);
    bb += (b[i] - mean) * (b[i] - mean);
  }
  return aa > 0 && bb > 0 ? ab / std::sqrt(aa * bb) : std::numeric_limits<double>::quiet_NaN();
}

std::unique_ptr<WaitCalibration> calibrate_waits(const LoadedSite& site, const Result& simulated) {
  auto answer = std::make_unique<WaitCalibration>();
  answer->missing = missing_inputs(site);
  const std::map<JobKey, SlurmTime> recorded = recorded_starts(site);
  std::vector<WaitPair> pairs;
  std::vector<double> x;
  std::vector<double> y;
  std::size_t near = 0;
  for (const JobOutcome& job : outcomes_of(simulated, {})) {
    const auto found = recorded.find(job.key);
    if (found == recorded.end() || !job.has_started()) {
      answer->started_only_simulated += found == recorded.end() && job.has_started() ? 1U : 0U;
      answer->started_only_recorded += found != recorded.end() && !job.has_started() ? 1U : 0U;
      continue;
    }
    const std::int64_t start = epoch_seconds(found->second);
    pairs.push_back({static_cast<double>(start - job.key.submit), static_cast<double>(job.wait()),
                     job.row, job.key.submit});
    x.push_back(pairs.back().recorded);
    y.push_back(pairs.back().simulated);
    near += std::abs(start - job.start) <= 60 ? 1U : 0U;
  }
  answer->jobs = pairs.size();
  if (pairs.empty()) {
    answer->sentence =
        "No job has a recorded start: there is nothing to hold the baseline against.";
    return answer;
  }
  answer->within_minute = static_cast<double>(near) / static_cast<double>(pairs.size());
  answer->rank = rank_correlation(x, y);
  answer->simulated_alike =
      std::adjacent_find(y.begin(), y.end(), std::not_equal_to<>()) == y.end();
  add_groups(*answer, simulated, site.zone, pairs);
  for (const auto tells : {missing_load, other_limits}) {
    for (MissingInput& each : tells(answer->groups.front(), simulated)) {
      answer->missing.insert(answer->missing.begin(), std::move(each));
    }
  }
  conclude(*answer);
  return answer;
}

}  // namespace rehearse
