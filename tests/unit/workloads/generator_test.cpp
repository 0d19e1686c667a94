// tests/unit/workloads/generator_test.cpp — distributions are what they say, a generator's jobs
// follow it, and a fit finds what was put in.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "reading.hpp"
#include "sim/config/text_scan.hpp"
#include "sim/core/rng.hpp"
#include "tests/unit/config/reference_page.hpp"
#include "workloads/generator/distribution_text.hpp"
#include "workloads/generator/fit.hpp"
#include "workloads/generator/generate.hpp"
#include "workloads/generator/goodness.hpp"

namespace rehearse::test {
namespace {

Distribution spread_of(const std::string& text, AmountUnit unit = AmountUnit::Timed) {
  Diagnostics found;
  const auto spread = parse_distribution(text, unit, {"g.yaml", 1, 1}, "run_time", found);
  EXPECT_EQ(all_text(found), "");
  return spread.value_or(Distribution{});
}

std::string error_of(const std::string& text, AmountUnit unit = AmountUnit::Timed) {
  Diagnostics found;
  EXPECT_FALSE(parse_distribution(text, unit, {"g.yaml", 3, 5}, "run_time", found).has_value());
  return all_text(found);
}

/// Users, sessions and one kind of job; `more` are lines of the kind, `sessions` of the sessions.
std::string generator_of(const std::string& more, const std::string& sessions = "",
                         const std::string& group = "count: 5") {
  return "time_zone: Europe/Oslo\nfrom: 2025-01-06T00:00:00\nspan: 28d\ngroups:\n- name: u\n  " +
         group +
         "\n  account: a\n  sessions:\n    per_week: 200\n    jobs: \"values(1: 1, 4: 1)\"\n"
         "    gap: \"exponential(mean=1min)\"\n" +
         sessions +
         "  kinds:\n  - sizes: [{cpus: 2, gres: \"gpu:a100=1\"}]\n    run_time: "
         "\"lognormal(median=1h, sigma=1)\"\n" +
         more;
}

GeneratorConf conf_of(const std::string& text) {
  Diagnostics found;
  GeneratorConf conf = parse_generator(text, "g.yaml", found);
  EXPECT_EQ(all_text(found), "");
  return conf;
}

std::vector<WorkloadJob> jobs_of(const std::string& text) {
  return generate(conf_of(text));
}

std::vector<double> run_times(const std::vector<WorkloadJob>& jobs) {
  std::vector<double> sample;
  for (const WorkloadJob& job : jobs) {
    sample.push_back(static_cast<double>(job.runs.front().seconds));
  }
  return sample;
}

// ---- distributions ----------------------------------------------------------------------------

TEST(Distributions, ShareAndQuantileAreInverse) {
  for (const char* text :
       {"uniform(least=10s, most=1h)", "loguniform(least=10s, most=1h)", "exponential(mean=5min)",
        "lognormal(median=1h, sigma=1.5)", "weibull(scale=1h, shape=0.7)",
        "gamma(scale=10min, shape=2.5)", "quantiles(0s, 10s, 1min, 1h, 1d)",
        "hyper_gamma(scale1=0.94, shape1=4.2, scale2=0.03, shape2=312, p=0.7)",
        "0.3*lognormal(median=1min, sigma=0.5) + 0.7*weibull(scale=5h, shape=2)"}) {
    const Distribution spread = spread_of(text);
    double before = -1;
    for (double u = 0.01; u < 1; u += 0.07) {
      const double x = spread.quantile(u);
      EXPECT_NEAR(spread.cdf(x), u, 1e-6) << text;
      EXPECT_GE(x, before) << text;
      before = x;
    }
  }
}

TEST(Distributions, KnownQuantiles) {
  EXPECT_NEAR(normal_quantile(0.975), 1.959963985, 1e-8);
  EXPECT_NEAR(spread_of("lognormal(median=1h, sigma=2)").quantile(0.5), 3600, 1e-6);
  EXPECT_NEAR(spread_of("exponential(mean=100s)").quantile(1 - std::exp(-1)), 100, 1e-6);
  EXPECT_NEAR(spread_of("quantiles(1s, 100s)").quantile(0.5), 10, 1e-9);
  EXPECT_EQ(spread_of("values(1h: 1, 2h: 3)").quantile(0.2), 3600);
  EXPECT_EQ(spread_of("values(1h: 1, 2h: 3)").quantile(0.3), 7200);
  EXPECT_EQ(spread_of("30min").quantile(0.9), 1800);
}

TEST(Distributions, TwoStageSizesHaveTheSharesOfTheModel) {
  const Distribution sizes =
      spread_of("two_stage(serial=0.25, power_of_two=0.5, low=0.8, middle=4.5, high=8, p=0.86)",
                AmountUnit::Plain);
  int serial = 0;
  int above = 0;
  for (int i = 0; i < 10000; ++i) {
    const double size = sizes.quantile((i + 0.5) / 10000);
    serial += size <= 1 ? 1 : 0;
    above += size > 256 ? 1 : 0;
    EXPECT_EQ(size, std::round(size));
  }
  EXPECT_NEAR(serial, 2500, 10);  // log2 sizes begin at 0.8: no other job is serial
  EXPECT_EQ(above, 0);
}

TEST(Distributions, TextGoesBothWays) {
  for (const char* text :
       {"30min", "uniform(least=1s, most=1h)", "values(1h: 1, 2h: 3)", "quantiles(0s, 1s, 90s)",
        "0.3*lognormal(median=1min, sigma=0.5) + 0.7*weibull(scale=5h, shape=2)"}) {
    EXPECT_EQ(to_text(spread_of(text), AmountUnit::Timed), text);
  }
  EXPECT_EQ(to_text(spread_of("values(1, 4: 2.5e-3)", AmountUnit::Plain), AmountUnit::Plain),
            "values(1: 1, 4: 0.0025)");
}

TEST(Distributions, BrokenTextIsToldWithItsColumn) {
  EXPECT_EQ(error_of("lognorml(median=1h, sigma=1)"),
            "g.yaml:3:5: error: run_time: 'lognorml' is no distribution\n  hint: did you mean "
            "'lognormal'?");
  EXPECT_EQ(error_of("lognormal(median=3600, sigma=1)"),
            "g.yaml:3:22: error: run_time: '3600' is not a duration\n  hint: write the unit: 30s, "
            "5min, 36h, 2d");
  EXPECT_EQ(error_of("weibull(scale=1h, shape=0)"),
            "g.yaml:3:29: error: run_time: shape=0 is out of range\n  hint: 0.05 .. 1000");
  EXPECT_EQ(error_of("weibull(scale=1h)"), "g.yaml:3:5: error: run_time: weibull(…) lacks shape=");
  EXPECT_EQ(error_of("quantiles(2h, 1h)"),
            "g.yaml:3:19: error: run_time: quantiles ascend, from 0 on");
  for (const char* bad : {"",
                          "(",
                          "lognormal",
                          "lognormal(",
                          "lognormal()",
                          "1h 2h",
                          "1h + 2h",
                          "-1h",
                          "0*1h + 0*2h",
                          "values()",
                          "values(1h: -1)",
                          "values(1h: 0)",
                          "quantiles(1h)",
                          "uniform(least=2h, most=1h)",
                          "lognormal(median=1h, sigma=1, sigma=1)",
                          "lognormal(median=1h, sigma=nan)",
                          "3*",
                          "1h)",
                          "lognormal(median=1h sigma=1)",
                          "exponential(mean=0s)"}) {
    EXPECT_NE(error_of(bad), "") << bad;
  }
}

// ---- the file ---------------------------------------------------------------------------------

TEST(GeneratorFile, ThePageHasExactlyTheKeysOfTheCode) {
  EXPECT_EQ(page_of("generator"), described(generator_keys()));
}

TEST(GeneratorFile, EverythingWrongIsToldAtOnce) {
  Diagnostics found;
  (void)parse_generator(
      "span: 28\nfrm: x\ngroups:\n- name: a\n  kinds:\n  - sizes: [{gres: gpu}]\n    outcomes: "
      "[{state: TIMEOUT}]\n  sessions: {per_week: -1, day: [1, 2]}\n",
      "g.yaml", found);
  const std::string text = all_text(found);
  for (const char* part :
       {"g.yaml:1:7: error: span: '28' is not a duration", "g.yaml:2:1: error: frm: unknown key",
        "groups[0].kinds[0].run_time: is not given", "'gpu' is not a GRES",
        "a TIMEOUT needs a limit", "groups[0].sessions.day: has 2 numbers, not 24",
        "groups[0].sessions.per_week: -1 is out of range", "groups[0].sessions.gap: is not given",
        "a group has either users or a count"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
}

TEST(GeneratorFile, WhatIsWrittenReadsBackTheSame) {
  const std::string text = generator_text(
      conf_of(generator_of("    limit: {values: \"values(1h: 1, 1d: 2)\", correlation: 0.4}\n"
                           "    outcomes: [{state: COMPLETED, weight: 3}, {state: TIMEOUT}]\n"
                           "    array_share: 0.5\n    tasks: \"3\"\n    throttle: 2\n",
                           "    day: [1,1,1,1,1,1,1,1,9,9,9,9,9,9,9,9,9,9,1,1,1,1,1,1]\n",
                           "users: ['o\"hara', \"\\x01\", 'ann bob']")),
      {"a head"});
  EXPECT_EQ(generator_text(conf_of(text), {"a head"}), text);
}

// ---- the jobs ---------------------------------------------------------------------------------

TEST(Generator, TheSameSeedGivesTheSameJobs) {
  const GeneratorConf conf = conf_of(generator_of(""));
  GeneratorConf other = conf;
  other.seed = 2;
  const TimeZone zone = TimeZone::utc();
  EXPECT_EQ(sacct_text_of(generate(conf), zone, 1), sacct_text_of(generate(conf), zone, 1));
  EXPECT_NE(sacct_text_of(generate(conf), zone, 1), sacct_text_of(generate(other), zone, 1));
}

TEST(Generator, CountsTheSessionsForWhichBusyUsersFindNoTime) {
  // One user, 200 sessions a week, of which every other lasts 36 h.
  const std::string busy = generator_of("", "    gap: 12h\n    rest: 20min\n", "count: 1");
  const std::string gap = "    gap: \"exponential(mean=1min)\"\n";
  std::string text = busy;
  text.erase(text.find(gap), gap.size());
  GeneratorConf conf = conf_of(text);
  SessionCounts counts;
  const auto jobs = generate(conf, &counts);
  EXPECT_GT(counts.drawn, 150U);
  EXPECT_GT(counts.without_time, counts.drawn / 2);
  conf.rate = 3;
  const auto more = generate(conf, &counts);
  EXPECT_LT(more.size(), jobs.size() * 3 / 2) << "three times the sessions";
}

TEST(Generator, AFigureMovesOnlyWhatItNames) {
  const auto before = jobs_of(generator_of(""));
  const auto after = jobs_of(generator_of("    limit: {values: \"values(2h: 1, 20d: 1)\"}\n"));
  ASSERT_EQ(before.size(), after.size());
  for (std::size_t i = 0; i < before.size(); ++i) {
    EXPECT_EQ(before[i].submit, after[i].submit);
    EXPECT_EQ(before[i].user, after[i].user);
    EXPECT_FALSE(before[i].limit.has_value());
    ASSERT_TRUE(after[i].limit.has_value());
    EXPECT_LE(after[i].runs[0].seconds, *after[i].limit * 60);
  }
  const std::string one = generator_of("");
  const std::string group = one.substr(one.find("- name: u"));
  std::string second = group;
  second.replace(second.find("name: u"), 7, "name: v");
  std::map<std::string, std::size_t> of_users;
  for (const WorkloadJob& job : jobs_of(one + second)) ++of_users[job.user];
  std::map<std::string, std::size_t> alone;
  for (const WorkloadJob& job : before) ++alone[job.user];
  for (const auto& [user, count] : alone) EXPECT_EQ(of_users[user], count) << user;
}

TEST(Generator, SessionsAreAsManyAsSaidAndRunTimesAreOfTheirSpread) {
  const auto jobs = jobs_of(generator_of(""));
  // 4 weeks of 200 sessions of 1 or 4 jobs: 2000; its standard deviation is about 83.
  EXPECT_NEAR(static_cast<double>(jobs.size()), 2000, 4 * 83);
  std::vector<double> sample = run_times(jobs);
  const Distribution spread = spread_of("lognormal(median=1h, sigma=1)");
  std::vector<double> wanted;
  for (int i = 0; i < 5000; ++i) wanted.push_back(spread.quantile((i + 0.5) / 5000));
  EXPECT_LT(ks_distance(sample, wanted), 1.95 / std::sqrt(static_cast<double>(jobs.size())));
}

TEST(Generator, TheDayIsLocalAndTheWeekBeginsOnMonday) {
  const std::string day = "    day: [0,0,0,0,0,0,0,0,0,1,1,1,1,1,1,1,1,0,0,0,0,0,0,0]\n";
  std::string text = generator_of("", day + "    week: [1,1,1,1,1,0,0]\n");
  text.replace(text.find("\"values(1: 1, 4: 1)\""), 20, "\"1\"");
  text.replace(text.find("2025-01-06"), 10, "2025-03-17");  // the clocks change on the 30th
  const TimeZone zone = *TimeZone::find("Europe/Oslo");
  const auto jobs = jobs_of(text);
  ASSERT_GT(jobs.size(), 500U);
  for (const WorkloadJob& job : jobs) {
    const std::string local = zone.print(job.submit);
    EXPECT_GE(local.substr(11, 2), "09") << local;
    EXPECT_LE(local.substr(11, 2), "16") << local;
    const auto days = (epoch_seconds(job.submit) + zone.offset_at(job.submit).count()) / 86400;
    EXPECT_LT((days + 3) % 7, 5) << local;
  }
}

TEST(Generator, ActivityFallsByZipfsLaw) {
  const auto jobs = jobs_of(generator_of("", "", "count: 8\n  zipf: 1"));
  std::map<std::string, double> counts;
  for (const WorkloadJob& job : jobs) ++counts[job.user];
  ASSERT_EQ(counts.size(), 8U);
  EXPECT_NEAR(counts["u1"] / counts["u4"], 4, 1.2);
}

TEST(Generator, OutcomesLimitsAndRepetitionAreAsSaid) {
  const auto jobs = jobs_of(generator_of(
      "    limit: {factor: \"2\", round_to: [1h, 4h, 1d], most: 1d}\n"
      "    outcomes:\n    - {state: COMPLETED, weight: 6}\n    - {state: FAILED, weight: 3, after: "
      "10s}\n    - {state: TIMEOUT, weight: 1}\n",
      "    repeat: 1\n"));
  std::map<JobEnd, double> ends;
  for (const WorkloadJob& job : jobs) {
    const DrawnRun& run = job.runs[0];
    ++ends[run.end];
    ASSERT_TRUE(job.limit.has_value());
    EXPECT_TRUE(*job.limit == 60 || *job.limit == 240 || *job.limit == 1440) << *job.limit;
    if (run.end == JobEnd::Failed) {
      EXPECT_EQ(run.seconds, 10);
      EXPECT_EQ(*job.limit, 60);
    }
    if (run.end == JobEnd::Timeout) {
      EXPECT_EQ(run.seconds, *job.limit * 60);
    }
    if (run.end == JobEnd::Completed) {
      EXPECT_LE(run.seconds, *job.limit * 60);
      EXPECT_TRUE(run.seconds * 2 <= *job.limit * 60 || *job.limit == 1440) << run.seconds;
    }
  }
  EXPECT_NEAR(ends[JobEnd::Failed] / static_cast<double>(jobs.size()), 0.3, 0.05);
  EXPECT_NEAR(ends[JobEnd::Timeout] / static_cast<double>(jobs.size()), 0.1, 0.04);
}

TEST(Generator, ItsTextIsReadAsTheSameJobs) {
  const auto jobs = jobs_of(generator_of(
      "    limit: {values: \"values(1h: 1, 1d: 2)\", correlation: 0.4}\n"
      "    outcomes: [{state: COMPLETED, weight: 3}, {state: FAILED}, {state: TIMEOUT},"
      " {state: CANCELLED}, {state: OUT_OF_MEMORY}, {state: CANCELLED_PENDING, after: 1h}]\n"
      "    array_share: 0.2\n    tasks: \"3\"\n    throttle: 2\n    dependent_share: 0.3\n"));
  SacctOptions how;
  how.time_zone = "Europe/Oslo";
  const Reading read(sacct_text_of(jobs, *TimeZone::find("Europe/Oslo"), 1000), how);
  EXPECT_EQ(all_text(read.found), "");
  const auto back = workload_of(read.trace.jobs, read.names, read.requests);
  ASSERT_EQ(back.size(), jobs.size());
  std::size_t dependent = 0;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    EXPECT_EQ(back[i].user, jobs[i].user);
    EXPECT_EQ(back[i].submit, jobs[i].submit);
    EXPECT_EQ(back[i].cpus, jobs[i].cpus);
    EXPECT_EQ(back[i].gres, jobs[i].gres);
    EXPECT_EQ(back[i].limit, jobs[i].limit);
    EXPECT_EQ(back[i].is_array, jobs[i].is_array);
    EXPECT_EQ(back[i].throttle, jobs[i].throttle);
    ASSERT_EQ(back[i].runs.size(), jobs[i].runs.size());
    for (std::size_t task = 0; task < jobs[i].runs.size(); ++task) {
      EXPECT_EQ(back[i].runs[task].end, jobs[i].runs[task].end) << i;
      EXPECT_EQ(back[i].runs[task].seconds, jobs[i].runs[task].seconds) << i;
    }
    const JobSpec& spec = read.trace.jobs.specs()[i];
    const bool depends = spec.extras && !spec.extras->dependency.empty();
    EXPECT_EQ(depends, jobs[i].after.has_value());
    dependent += depends ? 1 : 0;
  }
  EXPECT_GT(dependent, 50U);
}

// ---- the fit ----------------------------------------------------------------------------------

TEST(Fit, FindsTheFormulaThatMadeTheSample) {
  const auto sample_of = [](const std::string& text) {
    std::vector<double> sample;
    const Distribution spread = spread_of(text);
    for (int i = 0; i < 4000; ++i)
      sample.push_back(std::max(1.0, std::round(spread.quantile((i + 0.5) / 4000))));
    return sample;
  };
  const Distribution one = fit_spread(sample_of("lognormal(median=1h, sigma=1.2)"), 0.04);
  EXPECT_EQ(one.form, DistributionForm::Lognormal);
  EXPECT_NEAR(one.numbers[0], 3600, 40);
  EXPECT_NEAR(one.numbers[1], 1.2, 0.02);
  const Distribution two = fit_spread(sample_of("weibull(scale=5h, shape=0.6)"), 0.04);
  EXPECT_EQ(two.form, DistributionForm::Weibull);
  EXPECT_NEAR(two.numbers[1], 0.6, 0.02);
  const Distribution three = fit_spread(
      sample_of("0.4*lognormal(median=1min, sigma=0.4) + 0.6*lognormal(median=5h, sigma=0.6)"),
      0.04);
  EXPECT_EQ(three.form, DistributionForm::Mixture);
  EXPECT_EQ(fit_spread({7, 7, 7}, 0.04).form, DistributionForm::Constant);
  EXPECT_EQ(fit_spread({1, 2, 2, 9}, 0.04).form, DistributionForm::Values);
  std::vector<double> odd;
  for (int i = 0; i < 400; ++i) odd.push_back(i < 200 ? i % 20 : 5000 + i);
  const Distribution table = fit_spread(odd, 0.04);
  EXPECT_EQ(table.form, DistributionForm::Quantiles);
}

TEST(Fit, ALimitThatFollowsTheRunTimeIsToldFromAPopularOne) {
  std::vector<LimitSample> follows;
  std::vector<LimitSample> popular;
  for (int i = 1; i <= 400; ++i) {
    const double run = i * 60.0;
    follows.push_back({run, run * 2 / 60 <= 60 ? 60.0 : run * 2 / 60 <= 480 ? 480.0 : 1440.0});
    popular.push_back({run, i % 3 == 0 ? 1440.0 : 480.0});
  }
  const AskedLimit one = fit_limit(follows);
  ASSERT_TRUE(one.factor.has_value());
  EXPECT_EQ(one.factor->numbers[0], 2.0);
  EXPECT_EQ(one.round_to, (std::vector<std::int64_t>{60, 480, 1440}));
  const AskedLimit two = fit_limit(popular);
  ASSERT_TRUE(two.values.has_value());
  EXPECT_EQ(two.values->values, (std::vector<double>{480 * 60, 1440 * 60}));
  EXPECT_LT(std::abs(two.correlation), 0.1);
}

TEST(Fit, TimesBefore1970HaveTheirHourAndDayToo) {
  auto jobs = jobs_of(generator_of("", "", "count: 6\n  zipf: 1"));
  const FittedGenerator here = fit_generator(jobs, TimeZone::utc(), {});
  for (WorkloadJob& job : jobs) job.submit -= Seconds{5000LL * 7 * 86400};  // whole weeks
  ASSERT_LT(epoch_seconds(jobs.back().submit), 0);
  const FittedGenerator there = fit_generator(jobs, TimeZone::utc(), {});
  ASSERT_EQ(there.conf.groups.size(), here.conf.groups.size());
  for (std::size_t i = 0; i < here.conf.groups.size(); ++i) {
    EXPECT_EQ(there.conf.groups[i].sessions.day, here.conf.groups[i].sessions.day);
    EXPECT_EQ(there.conf.groups[i].sessions.week, here.conf.groups[i].sessions.week);
  }
}

TEST(Fit, AGeneratorComesBackFromItsOwnJobs) {
  const auto jobs = jobs_of(
      generator_of("    limit: {factor: \"2\", round_to: [1h, 4h, 1d, 30d]}\n"
                   "    outcomes: [{state: COMPLETED, weight: 8}, {state: FAILED, weight: 2}]\n",
                   "    run_time_correlation: 0.6\n"
                   "    day: [1,1,1,1,1,1,1,1,9,9,9,9,9,9,9,9,9,9,1,1,1,1,1,1]\n",
                   "count: 6\n  zipf: 1"));
  const TimeZone zone = *TimeZone::find("Europe/Oslo");
  const FittedGenerator fitted = fit_generator(jobs, zone, {});
  std::vector<std::vector<WorkloadJob>> draws;
  GeneratorConf conf = fitted.conf;
  for (conf.seed = 1; conf.seed <= 4; ++conf.seed) draws.push_back(generate(conf));
  const Goodness good = goodness_of(jobs, draws, Seconds{1200});
  EXPECT_NEAR(good.jobs_drawn / static_cast<double>(good.jobs), 1, 0.1);
  for (const MarginalFit& each : good.marginals) {
    if (each.name == "jobs_per_user") continue;  // of six users
    EXPECT_LT(each.distance, 0.08) << each.name;
  }
  EXPECT_NEAR(good.autocorrelation[0], good.autocorrelation_drawn[0], 0.15);
  EXPECT_NEAR(good.autocorrelation[1], good.autocorrelation_drawn[1], 0.15);
  EXPECT_LT(good.user_jobs_distance, 0.08);
  double correlation = 0;
  for (const UserGroup& group : conf.groups) {
    correlation += group.sessions.run_time_correlation / static_cast<double>(conf.groups.size());
  }
  EXPECT_NEAR(correlation, 0.6, 0.1);
}

/// Mean run time [s] and share of TIMEOUT, of the runs in a partition.
std::pair<double, double> seconds_and_timeouts(const std::vector<WorkloadJob>& jobs,
                                               const std::string& partition) {
  double seconds = 0;
  double timeouts = 0;
  double runs = 0;
  for (const WorkloadJob& job : jobs) {
    if (job.partition != partition) continue;
    for (const DrawnRun& run : job.runs) {
      ++runs;
      seconds += static_cast<double>(run.seconds);
      if (run.end == JobEnd::Timeout) ++timeouts;
    }
  }
  return {seconds / runs, timeouts / runs};
}

TEST(Fit, DrawnJobsMeetTheirLimitsAsOftenAsThoseOfTheTrace) {
  // Arrays whose tasks all keep their limit; jobs of which a tenth ran into eight hours, the others
  // had ten minutes.
  auto jobs = jobs_of(generator_of("", "", "count: 6\n  zipf: 1"));
  ASSERT_GT(jobs.size(), 1000U);
  Rng rng(5, "tests/arrays");
  const auto run_of = [&] {
    return static_cast<std::int64_t>(std::exp(5 + 1.2 * normal_quantile(rng.uniform())));
  };
  for (WorkloadJob& job : jobs) {
    job.is_array = rng.between(0, 1) == 0;
    job.partition = job.is_array ? "arrays" : "single";
    job.limit = 10;
    job.runs.clear();
    for (int task = 0; task < (job.is_array ? 10 : 1); ++task) {
      job.runs.push_back({run_of(), JobEnd::Completed});
      for (const std::int64_t limit : {30, 120, 1440}) {
        if (job.runs.back().seconds > *job.limit * 60) job.limit = std::max(*job.limit, limit);
      }
    }
    if (!job.is_array && rng.between(0, 9) == 0) {
      job.limit = 480;
      job.runs = {{480 * 60, JobEnd::Timeout}};
    }
  }
  GeneratorConf conf = fit_generator(jobs, TimeZone::utc(), {}).conf;
  std::vector<WorkloadJob> drawn;
  for (conf.seed = 1; conf.seed <= 4; ++conf.seed) {
    for (WorkloadJob& job : generate(conf)) drawn.push_back(std::move(job));
  }
  for (const std::string& partition : {std::string("arrays"), std::string("single")}) {
    const auto [seconds, timeouts] = seconds_and_timeouts(jobs, partition);
    const auto [seconds_drawn, timeouts_drawn] = seconds_and_timeouts(drawn, partition);
    EXPECT_NEAR(timeouts_drawn, timeouts, 0.02) << partition;
    EXPECT_NEAR(seconds_drawn, seconds, 0.12 * seconds) << partition;
  }
}

TEST(Goodness, TheDistanceOfSamplesIsThatOfTheirShares) {
  EXPECT_EQ(ks_distance({1, 2, 3}, {1, 2, 3}), 0);
  EXPECT_EQ(ks_distance({1, 2}, {3, 4}), 1);
  EXPECT_NEAR(ks_distance({1, 1, 1, 5}, {1, 5, 5, 5}), 0.5, 1e-12);
  EXPECT_TRUE(std::isnan(ks_distance({}, {1})));
}

}  // namespace
}  // namespace rehearse::test
