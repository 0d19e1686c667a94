// tests/unit/study/forecast_test.cpp — runs that begin in the middle, and forecasts of what waits
// there: held against the run from the beginning, against time and against hand-made histories.
#include "sim/study/forecast/forecast.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "sim/core/rng.hpp"
#include "sim/output/sacct_writer.hpp"
#include "sim/sched/priority/past_usage.hpp"
#include "sim/study/forecast/backtest.hpp"
#include "sim/study/simulate.hpp"
#include "sim/study/state_copy.hpp"
#include "tests/unit/scratch_folder.hpp"

namespace rehearse::test {
namespace {

constexpr std::string_view kConf =
    "ClusterName=c\nSlurmctldHost=h\nSelectType=select/cons_tres\nSelectTypeParameters=CR_Core\n"
    "PriorityType=priority/multifactor\nPriorityWeightAge=1000\n"
    "NodeName=n[1-2] CPUs=4 RealMemory=4000\nPartitionName=p Nodes=ALL Default=YES MaxTime=1-0\n";
constexpr std::string_view kHead =
    "JobIDRaw|JobID|User|Account|Partition|QOS|Submit|Start|End|ElapsedRaw|TimelimitRaw|State|"
    "ExitCode|NNodes|NCPUS|ReqTRES|AllocTRES|NodeList\n";

std::string stamp(std::int64_t second) {
  return fmt::format("2025-01-{:02}T{:02}:{:02}:{:02}", 1 + second / 86400, second / 3600 % 24,
                     second / 60 % 60, second % 60);
}

/// A row of a job of `cpus` on one node; none: not yet.
struct Row {
  int id = 0;
  std::string user = "ann";
  std::int64_t submit = 0;
  std::optional<std::int64_t> start = {}, end = {};
  std::int64_t limit_min = 60;
  int cpus = 4;
  std::string node = "n1", account = "lab", state = {};

  [[nodiscard]] std::string text() const {
    const std::string tres = fmt::format("billing={0},cpu={0},node=1", cpus);
    const std::string is = !state.empty() ? state
                           : end          ? "COMPLETED"
                           : start        ? "RUNNING"
                                          : "PENDING";
    return fmt::format(
        "{0}|{0}|{1}|{2}|p|normal|{3}|{4}|{5}|{6}|{7}|{8}|0:0|1|{9}|{10}|{11}|{12}\n", id, user,
        account, stamp(submit), start ? stamp(*start) : "Unknown", end ? stamp(*end) : "Unknown",
        end && start ? *end - *start : 0, limit_min, is, cpus, tres, start ? tres : "",
        start ? node : "None assigned");
  }
};

class Site {
 public:
  explicit Site(const std::vector<Row>& rows, std::string_view conf = kConf) {
    folder_.write("slurm.conf", conf);
    std::string text(kHead);
    for (const Row& row : rows) text += row.text();
    folder_.write("sacct.txt", text);
  }
  [[nodiscard]] std::unique_ptr<LoadedSite> load(const std::string& from = {}) const {
    LoadOptions options;
    options.start_from = from;
    Diagnostics found;
    return load_site(folder_.path(), options, found);
  }
  [[nodiscard]] ForecastRequest request(const std::string& from) const {
    ForecastRequest request;
    request.site = folder_.path();
    request.options.start_from = from;
    request.replications = 20;
    return request;
  }
  [[nodiscard]] const ScratchFolder& folder() const { return folder_; }

 private:
  ScratchFolder folder_;
};

std::map<std::uint32_t, std::int64_t> starts_of(const Result& result) {
  std::map<std::uint32_t, std::int64_t> starts;
  for (std::size_t i = 0; i < result.runs.start.size(); ++i) {
    starts[result.runs.job_id[i]] = result.runs.start[i];
  }
  return starts;
}

SlurmTime at(std::int64_t second) {
  return *TimeZone::utc().read(stamp(second));
}

TEST(StartState, HasWhatRunsAndPendsAndNothingElse) {
  const Site site({{.id = 1, .submit = 0, .start = 10, .end = 500},
                   {.id = 2, .submit = 20, .start = 500, .end = 2000},
                   {.id = 3, .submit = 30, .start = 40},
                   {.id = 4, .submit = 50, .start = 2000, .end = 2500},
                   {.id = 5, .submit = 60, .end = 900, .state = "CANCELLED"},
                   {.id = 6, .submit = 70},
                   {.id = 7, .submit = 1500, .start = 2500, .end = 2600}});
  const auto loaded = site.load(stamp(1000));
  ASSERT_TRUE(loaded->start);
  std::vector<std::uint32_t> running;
  for (const OpeningRun& run : loaded->start->opening.running) {
    running.push_back(static_cast<std::uint32_t>(run.job));
    EXPECT_EQ(run.nodes.size(), 1U);
  }
  EXPECT_EQ(running, (std::vector<std::uint32_t>{3, 2})) << "by start";
  EXPECT_EQ(loaded->start->pending, 2U);
  std::vector<std::uint32_t> there;
  for (const JobSpec& spec : loaded->start->jobs.specs()) {
    there.push_back(static_cast<std::uint32_t>(spec.id));
  }
  EXPECT_EQ(there, (std::vector<std::uint32_t>{2, 3, 4, 6, 7}));
}

TEST(StartState, ARunThatHasGoneOnForDaysBeyondItsLimitIsTakenForGone) {
  const Site site({{.id = 1, .submit = 0, .start = 10, .limit_min = 10},
                   {.id = 2, .submit = 80000, .start = 80010, .end = 90000}});
  const auto loaded = site.load(stamp(85000));
  EXPECT_EQ(loaded->start->stale, 1U);
  EXPECT_EQ(loaded->start->running, 1U);
}

TEST(StartState, ARequeuedJobWaitsSinceItsRequeueAndMayBeginAfterItsCredentials) {
  const Site site({{.id = 1, .submit = 0, .start = 10, .end = 500, .state = "PREEMPTED"},
                   {.id = 1, .submit = 520, .start = 2000, .end = 2500},
                   {.id = 2, .submit = 0, .start = 10, .end = 600, .state = "REQUEUED"},
                   {.id = 2, .submit = 610, .start = 900, .end = 1500, .node = "n2"},
                   {.id = 3, .submit = 5, .start = 1800, .end = 1900}});
  const auto loaded = site.load(stamp(1000));
  std::map<std::uint32_t, JobSpec const*> specs;
  for (const JobSpec& spec : loaded->start->jobs.specs()) {
    specs[static_cast<std::uint32_t>(spec.id)] = &spec;
  }
  ASSERT_EQ(specs.size(), 3U);
  EXPECT_EQ(whole_second(specs[1]->submit), at(520));
  EXPECT_EQ(specs[1]->begin.value_or(at(0)), at(520 + 121));
  EXPECT_EQ(whole_second(specs[2]->submit), at(610)) << "it runs, for the second time";
  EXPECT_EQ(whole_second(specs[3]->submit), at(5));
  EXPECT_FALSE(specs[3]->begin.has_value()) << "it has not run before";
}

TEST(StartState, EachRunOfAJobIsChargedAndNotTheTimeBetween) {
  const Site site({{.id = 1, .submit = 0, .start = 10, .end = 500, .state = "PREEMPTED"},
                   {.id = 1, .submit = 520, .start = 700, .end = 900},
                   {.id = 2, .submit = 2000, .start = 2010, .end = 2500}},
                  std::string(kConf) +
                      "AccountingStorageType=accounting_storage/slurmdbd\n"
                      "PriorityDecayHalfLife=0\nPriorityUsageResetPeriod=NONE\n");
  site.folder().write("assoc.dump",
                      "Cluster - 'c'\nParent - 'root'\nAccount - 'lab'\nParent - 'lab'\n"
                      "User - 'ann':DefaultAccount='lab'\n");
  const auto loaded = site.load(stamp(1000));
  double charged = 0;
  for (const Association& each : loaded->cluster->accounts.associations) {
    charged = std::max(charged, static_cast<double>(each.usage.raw));
  }
  EXPECT_NEAR(charged, 4.0 * (490 + 200), 1.0);
}

TEST(Takeover, RunsGoOnAndWhatWaitsKeepsItsAge) {
  const Site site({{.id = 1, .submit = 0, .start = 0, .end = 3000, .node = "n1"},
                   {.id = 2, .submit = 0, .start = 0, .end = 2000, .node = "n2"},
                   {.id = 3, .submit = 900, .start = 2000, .end = 2600},
                   {.id = 4, .submit = 100, .start = 2600, .end = 2700}});
  const auto loaded = site.load(stamp(1000));
  const Simulation done = simulate(*loaded, {}, nullptr);
  const auto starts = starts_of(done.result);
  EXPECT_EQ(done.opened.placed, 2U);
  EXPECT_TRUE(done.opened.refused.empty() && done.opened.not_placed.empty());
  EXPECT_EQ(done.result.begin, epoch_seconds(at(1000)));
  EXPECT_EQ(starts.at(1), epoch_seconds(at(0)));
  // The one that has waited longer goes first, at the recorded end of job 2, not before.
  EXPECT_GE(starts.at(4), epoch_seconds(at(2000)));
  EXPECT_LE(starts.at(4), epoch_seconds(at(2060)));
  EXPECT_GT(starts.at(3), starts.at(4));
}

TEST(Takeover, ARunWithoutRoomOnItsNodeGoesElsewhereAndOneWithoutAnyPends) {
  const Site site({{.id = 1, .submit = 0, .start = 0, .node = "n1"},
                   {.id = 2, .submit = 1, .start = 1, .node = "n1"},
                   {.id = 3, .submit = 2, .start = 2, .node = "n1"}});
  const auto loaded = site.load(stamp(100));
  const Simulation done = simulate(*loaded, {}, nullptr);
  EXPECT_EQ(done.opened.placed, 2U);
  EXPECT_EQ(done.opened.placed_anew, 1U);
  ASSERT_EQ(done.opened.not_placed.size(), 1U);
  EXPECT_EQ(done.opened.not_placed.front(), JobId{3});
}

/// A busy day of twenty users, recorded as it was simulated.
struct SimulatedDay {
  explicit SimulatedDay(std::string_view conf = kConf) : site(rows(), conf) {
    const auto loaded = site.load();
    whole = simulate(*loaded, {}, nullptr);
    write_sacct(site.folder().path() / "sacct.txt", whole.result);
  }
  static std::vector<Row> rows() {
    std::vector<Row> rows;
    Rng rng(7, "tests/day");
    for (int i = 1; i <= 250; ++i) {
      const std::int64_t submit = i * 300;
      const std::int64_t length = rng.between(300, 5400);
      rows.push_back({.id = i,
                      .user = fmt::format("u{}", rng.between(0, 19)),
                      .submit = submit,
                      .start = submit,
                      .end = submit + length,
                      .limit_min = length / 60 + rng.between(1, 60),
                      .cpus = static_cast<int>(rng.between(1, 4))});
    }
    return rows;
  }
  Site site;
  Simulation whole;
};

/// Strictly in order of submission: where backfill looks ahead, a second more or less makes another
/// day.
TEST(Takeover, ARunFromTheMiddleGoesOnAsTheRunFromTheBeginning) {
  const SimulatedDay day(std::string(kConf) + "SchedulerType=sched/builtin\n");
  const std::int64_t middle = (day.whole.result.begin + day.whole.result.end) / 2;
  const auto loaded = day.site.load(TimeZone::utc().print(from_epoch_seconds(middle)) + "Z");
  const Simulation half = simulate(*loaded, {}, nullptr);
  EXPECT_EQ(half.opened.placed, loaded->start->running);
  EXPECT_GT(half.opened.placed, 0U);
  EXPECT_EQ(half.opened.placed_anew, 0U);
  EXPECT_GT(loaded->start->pending, 0U);
  const auto before = starts_of(day.whole.result);
  const auto after = starts_of(half.result);
  std::size_t same = 0;
  std::size_t asked = 0;
  for (const auto& [job, start] : after) {
    if (start == kNoTime || start <= middle) continue;
    ++asked;
    if (std::abs(start - before.at(job)) <= 60) ++same;  // the loops' clocks begin anew
  }
  EXPECT_GT(asked, 50U);
  EXPECT_GE(same * 10, asked * 9) << same << " of " << asked;
}

TEST(PastUsage, HalvesInAHalfLifeAndSumsUpTheTree) {
  AccountBook book;
  for (int i = 0; i < 2; ++i) book.associations.push_back({});
  book.associations[AssociationId{1}].parent = AssociationId{0};
  PriorityConf conf;
  conf.decay_half_life = Seconds{86400};
  const SlurmTime now = at(20 * 86400);
  // One second's work, a half-life ago; and an hour's just now.
  charge_past(book, {{AssociationId{1}, 8.0, now - Seconds{86401}, now - Seconds{86400}}}, conf,
              now, now);
  EXPECT_NEAR(static_cast<double>(book.associations[AssociationId{0}].usage.raw), 8 * 0.5, 0.01);
  forget_usage(book);
  charge_past(book, {{AssociationId{1}, 2.0, now - Seconds{3600}, now + Seconds{50}}}, conf, now,
              now);
  const double raw = static_cast<double>(book.associations[AssociationId{1}].usage.raw);
  EXPECT_LT(raw, 7200);
  EXPECT_GT(raw, 7200 * 0.97);
  EXPECT_EQ(raw, static_cast<double>(book.associations[AssociationId{0}].usage.raw));
  charge_past(book, {}, conf, now - Seconds{86400}, now);
  EXPECT_NEAR(static_cast<double>(book.associations[AssociationId{1}].usage.raw), raw / 2,
              raw * 0.001);
}

/// Twelve runs of ann that use a tenth of an hour, twelve of bob that use half.
std::vector<Row> history() {
  std::vector<Row> rows;
  for (int i = 0; i < 12; ++i) {
    const std::int64_t begin = i * 4000;
    rows.push_back({.id = 2 * i + 1, .submit = begin, .start = begin, .end = begin + 360});
    rows.push_back({.id = 2 * i + 2,
                    .user = "bob",
                    .submit = begin,
                    .start = begin,
                    .end = begin + 1800,
                    .node = "n2"});
  }
  return rows;
}

TEST(RunTimes, AreThoseOfTheUserScaledByTheLimit) {
  const auto loaded = Site(history()).load();
  const RunTimes times(*loaded, at(86400));
  EXPECT_EQ(times.size(), 24U);
  JobSpec spec = loaded->jobs().specs().front();
  ASSERT_EQ(loaded->names.text(spec.user), "ann");
  spec.time_limit = Minutes{120};
  Rng rng(1, "test");
  for (int i = 0; i < 20; ++i) {
    const auto drawn = times.draw(spec, Seconds{0}, 1, rng);
    EXPECT_EQ(drawn.run.runtime, Seconds{720});
    EXPECT_EQ(drawn.source, RunTimeSource::User);
  }
}

TEST(RunTimes, OfARunningJobAreLongerThanWhatItHasRun) {
  const auto loaded = Site(history()).load();
  const RunTimes times(*loaded, at(86400));
  const JobSpec& spec = loaded->jobs().specs().front();
  Rng rng(1, "test");
  // None of ann's runs has lasted so long: her account's are asked, of which bob's have.
  const auto drawn = times.draw(spec, Seconds{1000}, 1, rng);
  EXPECT_EQ(drawn.run.runtime, Seconds{1800});
  EXPECT_EQ(drawn.source, RunTimeSource::Account);
  const auto beyond = times.draw(spec, Seconds{3000}, 1, rng);
  EXPECT_EQ(beyond.source, RunTimeSource::Nothing);
  EXPECT_EQ(beyond.run.outcome, RunOutcome::UntilKilled);
}

TEST(RunTimes, KnowNothingOfWhatEndsLater) {
  const auto loaded = Site(history()).load();
  EXPECT_EQ(RunTimes(*loaded, at(4000 * 3)).size(), 6U);
  EXPECT_EQ(RunTimes(*loaded, at(300)).size(), 0U);
}

TEST(Arrivals, AreUsersOwnStretchesMovedByWholeStretches) {
  const auto loaded = Site(history()).load();
  const SlurmTime now = at(46000);
  const RunTimes times(*loaded, now);
  const Arrivals arrivals(*loaded, now, times);
  EXPECT_EQ(arrivals.stretch(), Seconds{6 * 3600});
  EXPECT_EQ(arrivals.stretches(), 2);
  Rng rng(3, "test");
  const auto jobs = arrivals.draw(Seconds{86400}, 1, rng);
  EXPECT_GT(jobs.size(), 20U);
  std::set<std::int64_t> seconds;
  for (const JobSpec& spec : loaded->jobs().specs()) {
    seconds.insert((epoch_seconds(now) - epoch_seconds(spec.submit)) % (6 * 3600));
  }
  for (const JobSpec& job : jobs) {
    EXPECT_GE(whole_second(job.submit), now);
    EXPECT_LT(whole_second(job.submit), now + Seconds{86400});
    EXPECT_FALSE(job.recorded_start);
    const std::int64_t into = (epoch_seconds(job.submit) - epoch_seconds(now)) % (6 * 3600);
    EXPECT_TRUE(seconds.contains((6 * 3600 - into) % (6 * 3600))) << into;
  }
  EXPECT_TRUE(std::is_sorted(jobs.begin(), jobs.end(), [](const JobSpec& a, const JobSpec& b) {
    return a.submit < b.submit;
  }));
}

TEST(Forecast, IsTheSameForAnyNumberOfCopiesAtOnceAndAnotherForAnotherSeed) {
  const SimulatedDay day;
  ForecastRequest request = day.site.request("2025-01-01T12:00:00");
  request.replications = 2;
  const auto told = [&] {
    Diagnostics found;
    const auto answer = ForecastStudy(request, nullptr, found).run(nullptr);
    std::string text;
    for (const JobForecast& job : answer->jobs) {
      text += fmt::format("{}:", static_cast<std::uint32_t>(job.job.id));
      for (const std::int64_t start : job.starts) text += fmt::format(" {}", start);
      text += "\n";
    }
    return text;
  };
  const std::string one = told();
  EXPECT_FALSE(one.empty());
  request.threads = 2;
  EXPECT_EQ(one, told());
  request.seed = 2;
  EXPECT_NE(one, told());
}

TEST(Forecast, OfACertainFutureIsCertain) {
  // Everybody has always used half of his limit; job 100 will, and 101 waits for the nodes of it.
  std::vector<Row> rows;
  for (int i = 0; i < 20; ++i) {
    rows.push_back({.id = i + 1, .submit = i * 4000, .start = i * 4000, .end = i * 4000 + 1800});
  }
  const std::int64_t now = 82000;
  rows.push_back({.id = 100, .submit = now - 600, .start = now - 600, .node = "n1"});
  rows.push_back({.id = 101, .submit = now - 600, .start = now - 600, .node = "n2"});
  rows.push_back({.id = 102, .submit = now - 300});
  const Site site(rows);
  ForecastRequest request = site.request(stamp(now));
  request.arrivals = false;
  Diagnostics found;
  const auto answer = ForecastStudy(request, nullptr, found).run(nullptr);
  ASSERT_EQ(answer->jobs.size(), 1U);
  const JobForecast& job = answer->jobs.front();
  EXPECT_EQ(job.job.id, JobId{102});
  EXPECT_GE(job.quantile(0.1), 1200);
  EXPECT_LE(job.quantile(0.9), 1260);
  EXPECT_EQ(job.within(Seconds{3600}), 1.0);
  EXPECT_GE(job.by_limits, 3000);
  EXPECT_LE(job.by_limits, 3120);
}

TEST(Backtest, InstantsLieWhereSomebodyWaits) {
  const auto loaded = Site({{.id = 1, .submit = 0, .start = 0, .end = 5000},
                            {.id = 2, .submit = 4000, .start = 5000, .end = 6000},
                            {.id = 3, .submit = 8000, .start = 8000, .end = 9000}})
                          .load();
  const auto instants = waiting_instants(loaded->jobs(), 4);
  EXPECT_EQ(instants.size(), 4U);
  for (const SlurmTime each : instants) {
    EXPECT_GT(each, at(4000));
    EXPECT_LT(each, at(5000));
  }
  const auto nobody = Site({{.id = 1, .submit = 0, .start = 0, .end = 5000}}).load();
  EXPECT_TRUE(waiting_instants(nobody->jobs(), 4).empty());
}

TEST(StateCopies, AnswerByTheirNumber) {
  const auto answers = ask_copies(
      7, 3, [](std::size_t number) { return std::string(number * 100'000, 'x'); }, nullptr);
  ASSERT_TRUE(answers);
  for (std::size_t i = 0; i < 7; ++i) EXPECT_EQ((*answers)[i].size(), i * 100'000);
  const std::atomic<bool> stop{true};
  EXPECT_FALSE(ask_copies(
      3, 1, [](std::size_t) { return std::string(); }, &stop));
}

}  // namespace
}  // namespace rehearse::test
