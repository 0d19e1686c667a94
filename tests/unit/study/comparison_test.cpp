// tests/unit/study/comparison_test.cpp — differences that are there are found, those that are not
// are not; sums done by hand.
#include "sim/study/comparison/comparison.hpp"
#include "sim/study/comparison/effective_users.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/study/comparison/condition.hpp"
#include "sim/study/report/span.hpp"
#include "tests/unit/study/crowd.hpp"

namespace rehearse::test {
namespace {

/// The rows of one user change sides: what B did becomes what A did. Both have the same rows.
void swap_user(Result& a, Result& b, std::uint32_t user) {
  RunColumns& left = a.runs;
  RunColumns& right = b.runs;
  for (std::size_t row = 0; row < left.size(); ++row) {
    if (left.user[row] != user) continue;
    std::swap(left.start[row], right.start[row]);
    std::swap(left.end[row], right.end[row]);
    std::swap(left.eligible[row], right.eligible[row]);
    std::swap(left.state[row], right.state[row]);
  }
}

/// Enough where it is not the interval that is asked.
ResamplingOptions few_draws() {
  ResamplingOptions options;
  options.draws = 200;
  return options;
}

TEST(Comparison, OfUsersWhoChangeSidesByChanceFindsNothing) {
  // Two policies that differ, and a coin for each user that says which is A and which is B:
  // whatever differs now is chance. A table of twelve figures may find something in 5 of 100 such
  // pairs.
  const Crowd crowd;
  Side a = crowd.run({});
  Side b = crowd.run({"PriorityWeightJobSize=0", "SchedulerParameters=bf_interval=600"});
  ASSERT_EQ(a.result.runs.job_id, b.result.runs.job_id);
  const std::size_t users = a.result.names.user.size();
  ResamplingOptions options;
  options.draws = 400;
  std::size_t clean = 0;
  std::size_t moved = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    Rng coin(seed, "tests/sides");
    for (std::uint32_t user = 0; user < users; ++user) {
      if (coin.between(0, 1) == 1) swap_user(a.result, b.result, user);
    }
    options.seed = seed;
    const Compared compared(a, b, options);
    const auto& figures = compared.value().figures;
    moved += compared.value().moved;
    clean += std::none_of(figures.begin(), figures.end(),
                          [](const Figure& each) { return each.sure.is_significant(); });
  }
  RecordProperty("clean", static_cast<int>(clean));
  EXPECT_GE(clean, 95U);
  EXPECT_GT(moved, 100U * 100U) << "the sides do differ";
}

TEST(Comparison, OfASmallerClusterIsWorseAndOfALargerOneBetter) {
  const Crowd crowd;
  const Side a = crowd.run({});
  const Side b = crowd.run({"NodeName=n4:State=DOWN"});
  const Compared worse(a, b, {});
  EXPECT_EQ(worse.value().verdict, Verdict::Worse) << worse.value().sentence();
  const Compared better(b, a, {});
  EXPECT_EQ(better.value().verdict, Verdict::Better) << better.value().sentence();
  EXPECT_NEAR(worse.value().figures[0].difference(), -better.value().figures[0].difference(), 1e-9);
}

TEST(Comparison, OfAPartOfARunHasNoVerdictAndJudgesNoFigure) {
  const Crowd crowd;
  const Side a = crowd.run({});
  Side b = crowd.run({"NodeName=n4:State=DOWN"});
  b.result.complete = false;
  const Compared compared(a, b, few_draws());
  EXPECT_EQ(compared.value().verdict, Verdict::Partial);
  EXPECT_NE(compared.value().sentence().find("B is a part of a run that was interrupted"),
            std::string::npos)
      << compared.value().sentence();
  for (const Figure& figure : compared.value().figures) {
    EXPECT_FALSE(figure.is_worse() || figure.is_better()) << figure.info->name;
  }
}

TEST(Comparison, OfOtherOutagesCallsNobodyBetter) {
  const Crowd crowd;
  Side a = crowd.run({});
  Side b = crowd.run({"NodeName=n4:State=DOWN"});
  const auto drawn = [](Side& side, int seed) {
    side.provenance.configuration =
        fmt::format(R"({{"site":{{"failures":{{"rules":1,"seed":{}}}}}}})", seed);
  };
  drawn(a, 1);
  drawn(b, 1);
  EXPECT_EQ(Compared(a, b, few_draws()).value().verdict, Verdict::Worse)
      << "the same ones on both sides";
  drawn(b, 3);
  const Compared other(a, b, few_draws());
  EXPECT_EQ(other.value().verdict, Verdict::Unsure);
  ASSERT_EQ(other.value().conf.keys.size(), 1U);
  EXPECT_EQ(other.value().conf.keys[0].key, "failures.seed");
  for (const Figure& figure : other.value().figures) EXPECT_FALSE(figure.is_worse());
  for (const GroupRow& row : other.value().groups[0]) EXPECT_FALSE(row.wait.is_worse());
}

TEST(Comparison, AJobThatOneSideKillsForGoodIsLeftOutByIt) {
  const Crowd crowd;
  const Side a = crowd.run({});
  Side b = crowd.run({});
  const std::size_t all = b.result.runs.size();
  for (std::size_t row = 0; row < all / 20; ++row) {
    b.result.runs.state[row] = static_cast<std::uint8_t>(JobState::Preempted);
  }
  const Compared compared(a, b, few_draws());
  EXPECT_EQ(compared.value().left_out_b.killed, all / 20);
  EXPECT_EQ(compared.value().verdict, Verdict::LeavesOut);
  EXPECT_NE(compared.value().sentence().find("B kills for good"), std::string::npos)
      << compared.value().sentence();
}

TEST(Comparison, UtilizationOfMoreNodesIsNoWorseAndOfAsManyIs) {
  const Crowd crowd;
  const Side a = crowd.run({});
  Side b = crowd.run({"NodeName=n4:State=DOWN"});
  const auto judged = [](const Compared& compared) {
    const auto& figures = compared.value().figures;
    const auto found = std::find_if(figures.begin(), figures.end(), [](const Figure& each) {
      return each.info->name == "cpu_utilization";
    });
    return found->is_worse() || found->is_better();
  };
  EXPECT_TRUE(judged(Compared(a, b, few_draws())));
  for (Series& series : b.result.series.series) {
    if (series.name != "cpus_existing") continue;
    for (double& mean : series.mean) mean += 8;
  }
  EXPECT_FALSE(judged(Compared(a, b, few_draws())));
}

TEST(Comparison, MeansAndQuantilesAreThoseOfTheWaits) {
  const Crowd crowd(100);
  const Side a = crowd.run({});
  const Side b = crowd.run({"NodeName=n4:State=DOWN"});
  const Compared compared(a, b, {});
  std::vector<double> waits;
  for (std::size_t row = 0; row < b.result.runs.size(); ++row) {
    waits.push_back(static_cast<double>(b.result.runs.start[row] - b.result.runs.submit[row]));
  }
  std::sort(waits.begin(), waits.end());
  const auto& figures = compared.value().figures;
  const double sum = std::accumulate(waits.begin(), waits.end(), 0.0);
  EXPECT_NEAR(figures[0].b, sum / static_cast<double>(waits.size()), 1e-9);
  EXPECT_DOUBLE_EQ(figures[1].b, quantile(waits, 0.5));
  EXPECT_DOUBLE_EQ(figures[3].b, quantile(waits, 0.95));
  EXPECT_DOUBLE_EQ(figures[4].b, quantile(waits, 0.99));
}

TEST(Comparison, OfASideThatRefusesJobsOrNeverStartsThemIsNeverBetter) {
  const Crowd crowd;
  const std::string strict = "EnforcePartLimits=ALL";
  const std::string hour = "PartitionName=p:MaxTime=1:00:00";
  const Side a = crowd.run({});
  const Side never = crowd.run({hour});
  const Side refuses = crowd.run({strict, hour});
  const Compared stuck(a, never, {});
  const Compared refused(a, refuses, {});
  for (const Comparison* value : {&stuck.value(), &refused.value()}) {
    EXPECT_EQ(value->verdict, Verdict::LeavesOut) << value->sentence();
    EXPECT_TRUE(value->left_out_b.is_much());
    EXPECT_EQ(value->left_out_a.jobs(), 0U);
    EXPECT_LT(value->figures[0].b, value->figures[0].a) << "the jobs that are left do wait less";
    EXPECT_EQ(value->accounts.find("gains"), std::string::npos) << value->accounts;
  }
  EXPECT_EQ(stuck.value().left_out_b.refused, 0U);
  EXPECT_EQ(refused.value().left_out_b.never_started, 0U);
  EXPECT_EQ(stuck.value().left_out_b.jobs(), refused.value().left_out_b.jobs());
  EXPECT_TRUE(stuck.value().headline.starts_with("B never starts 2")) << stuck.value().headline;
  EXPECT_TRUE(refused.value().headline.starts_with("B refuses 2")) << refused.value().headline;
  EXPECT_NE(refused.value().headline.find(" % of its GPU-hours). "), std::string::npos);
  const Compared turned(refuses, a, {});
  EXPECT_EQ(turned.value().verdict, Verdict::LeavesOut) << "nor is the side that runs all worse";
  EXPECT_TRUE(turned.value().headline.starts_with("A refuses 2")) << turned.value().headline;
  const ConditionAnswer answer = evaluate(parse_condition("better(mean_wait)"), refused);
  ASSERT_FALSE(answer.notes.empty());
  EXPECT_TRUE(answer.notes.front().starts_with("B refuses")) << answer.notes.front();
}

TEST(Comparison, ThatDiffersInAFewRefusedJobsAloneIsNotTheSame) {
  const Crowd crowd(100);
  const Side a = crowd.run({});
  Side b = crowd.run({});
  RunColumns& runs = b.result.runs;
  std::size_t last = 0;  // its last job, as if it had never started
  for (std::size_t row = 0; row < runs.size(); ++row) {
    if (runs.submit[row] > runs.submit[last]) last = row;
  }
  runs.start[last] = runs.end[last] = kNoTime;
  const Compared compared(a, b, {});
  EXPECT_EQ(compared.value().verdict, Verdict::LeavesOut);
  EXPECT_FALSE(compared.value().left_out_b.is_much()) << "one of a hundred, and of few GPU-hours";
  EXPECT_TRUE(compared.value().headline.starts_with("B never starts 1 job that A runs (1.0 %"))
      << compared.value().headline;
  EXPECT_TRUE(compared.value().headline.ends_with("both run start at the same second."))
      << compared.value().headline;
}

TEST(Comparison, UtilizationAndThroughputAreOfAllJobsOfASideThoughTheOtherRefusesMost) {
  const Crowd crowd;
  const Side a = crowd.run({"EnforcePartLimits=ALL"});
  const Side b = crowd.run({"EnforcePartLimits=ALL", "PartitionName=p:MaxTime=1:00:00"});
  const Compared compared(a, b, {});
  const Comparison& value = compared.value();
  ASSERT_LT(value.pairs.pairs.size(), 50U) << "B refuses the jobs of more than an hour";
  const auto named = [&](std::string_view name) {
    return *std::find_if(value.figures.begin(), value.figures.end(),
                         [&](const Figure& each) { return each.info->name == name; });
  };
  const Window& window = value.pairs.window;
  for (const auto& [name, what] :
       {std::pair{"gpu_utilization", "gpus"}, {"cpu_utilization", "cpus"}}) {
    EXPECT_NEAR(named(name).a, held_share(a.result, window, what), 0.005) << name;
    EXPECT_NEAR(named(name).b, held_share(b.result, window, what), 0.005) << name;
    EXPECT_GT(named(name).a, 3 * named(name).b) << name;
  }
  double ended = 0;
  for (const std::int64_t end : a.result.runs.end) {
    ended += end >= window.from && end < window.to ? 1 : 0;
  }
  EXPECT_NEAR(named("throughput").a, ended * 3600 / static_cast<double>(window.length()), 1e-9);
  // A selection has them too: all are of one partition.
  const ConditionAnswer answer =
      evaluate(parse_condition("gpu_utilization(partition=p) < 0.4*a and gpu_utilization < 0.4*a"),
               compared);
  EXPECT_TRUE(answer.holds) << answer.figures.front();
}

GroupRow group(std::string name, double wait_a, double wait_b) {
  GroupRow row;
  row.name = std::move(name);
  row.job_share = 0.5;
  row.wait.a = wait_a;
  row.wait.b = wait_b;
  return row;
}

TEST(Comparison, NamesNobodyAsALoserWhoseMeanWaitIsTheSameToTheSecond) {
  const std::vector<GroupRow> rows{group("bio", 10, 10.3), group("phys", 100, 40)};
  EXPECT_EQ(extremes_of(rows, false).loses, nullptr);
  EXPECT_EQ(extremes_of(rows, false).gains, &rows[1]);
  const std::vector<GroupRow> by_a_second{group("bio", 10, 11)};
  EXPECT_EQ(extremes_of(by_a_second, false).loses, by_a_second.data());
}

TEST(Comparison, WithTooFewUsersGivesNoInterval) {
  const Crowd crowd(60);
  const Side a = crowd.run({});
  const Side b = crowd.run({"NodeName=n[2-4]:State=DOWN"});
  ResamplingOptions options;
  options.users_min = 1000;
  const Compared compared(a, b, options);
  EXPECT_EQ(compared.value().verdict, Verdict::TooFewUsers);
  for (const Figure& each : compared.value().figures) EXPECT_FALSE(each.sure.difference);
}

TEST(UserDraws, KeepTheNumberOfUsersAndFollowTheirSeed) {
  ResamplingOptions options;
  options.draws = 100;
  const UserDraws draws(17, options);
  options.seed = 2;
  const UserDraws others(17, options);
  bool differs = false;
  for (std::size_t draw = 0; draw < draws.size(); ++draw) {
    const auto weights = draws.weights(draw);
    EXPECT_EQ(std::accumulate(weights.begin(), weights.end(), 0U), 17U);
    differs = differs || !std::equal(weights.begin(), weights.end(), others.weights(draw).begin());
  }
  EXPECT_TRUE(differs);
}

/// A figure of which every draw is known.
DrawnFigure drawn(double difference, const std::vector<double>& draws) {
  DrawnFigure figure;
  figure.b = difference;
  figure.users = 100;
  figure.drawn_a.assign(draws.size(), 0);
  figure.drawn_b = draws;
  return figure;
}

TEST(Intervals, AreWiderWhereTheTableAsksMoreQuestions) {
  ResamplingOptions options;
  options.draws = 200;
  Rng rng(3, "tests/intervals");
  std::vector<DrawnFigure> table;
  for (int i = 0; i < 12; ++i) {
    std::vector<double> draws;
    for (std::size_t n = 0; n < options.draws; ++n) draws.push_back(rng.uniform() - 0.5);
    table.push_back(drawn(0, draws));
  }
  const auto width = [](const Sureness& sure) {
    return sure.difference->high - sure.difference->low;
  };
  const double alone = width(judge(std::span(table).first(1), options)[0]);
  const double among = width(judge(table, options)[0]);
  EXPECT_GT(among, alone * 1.05);
}

TEST(Intervals, OfADifferenceThatEveryDrawSharesAreAPoint) {
  ResamplingOptions options;
  options.draws = 100;
  const std::vector<DrawnFigure> table{drawn(2, std::vector<double>(100, 2.0))};
  const auto sure = judge(table, options);
  ASSERT_TRUE(sure[0].difference);
  EXPECT_EQ(sure[0].difference->low, 2);
  EXPECT_TRUE(sure[0].is_significant());
}

TEST(EffectiveUsers, AreAsManyAsWeighTheSame) {
  JobPairs pairs;
  const auto add = [&](std::uint32_t user, std::uint64_t gpu_s) {
    JobPair& pair = pairs.pairs.emplace_back();
    pair.user = user;
    pair.a.submit = pair.b.submit = 0;
    pair.a.start = pair.b.start = 10;
    pair.a.window_gpu_milli_s = 1000 * gpu_s;
  };
  for (std::uint32_t user = 0; user < 12; ++user) {
    pairs.users.push_back(NameId{user});
    add(user, 0);
  }
  EXPECT_DOUBLE_EQ(effective_users(pairs).by_jobs, 12.0);
  EXPECT_TRUE(std::isinf(effective_users(pairs).by_gpu_hours));
  EXPECT_EQ(few_users_text(pairs, 10), "");
  add(0, 300);
  add(1, 100);
  EXPECT_DOUBLE_EQ(effective_users(pairs).by_jobs, 14.0 * 14 / (2 * 4 + 10));
  EXPECT_DOUBLE_EQ(effective_users(pairs).by_gpu_hours, 1.6) << "400^2 / (300^2 + 100^2)";
  EXPECT_NE(few_users_text(pairs, 10).find("few of the 12 users weigh most"), std::string::npos);
  EXPECT_EQ(few_users_text(pairs, 13), "") << "there no interval is given";
}

TEST(Figures, OfACapacityAreNoHigherThanThat) {
  const FigureInfo& gpus = *find_figure("gpu_utilization");
  const FigureInfo& wait = *find_figure("wait_mean");
  EXPECT_DOUBLE_EQ(within_capacity(gpus, Interval{0.2, 1.9}, 0.95)->high, 1.0);
  EXPECT_DOUBLE_EQ(within_capacity(gpus, Interval{0.2, 0.9}, 0.95)->high, 0.9);
  EXPECT_DOUBLE_EQ(within_capacity(gpus, Interval{0.2, 1.9}, 1.02)->high, 1.02);
  EXPECT_DOUBLE_EQ(within_capacity(wait, Interval{0.2, 1.9}, 0.95)->high, 1.9);
  EXPECT_FALSE(within_capacity(gpus, std::nullopt, 0.95));
}

}  // namespace
}  // namespace rehearse::test
