// tests/unit/study/tuning_test.cpp — fronts, volumes and crowding by hand; the search; the weeks;
// what survives.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "sim/core/rng.hpp"
#include "sim/study/tuning/search.hpp"
#include "sim/study/tuning/survival.hpp"
#include "sim/study/tuning/weeks.hpp"

namespace rehearse::test {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

std::vector<Fitness> fit(const std::vector<Costs>& all) {
  std::vector<Fitness> made;
  for (const Costs& costs : all) made.push_back({costs, 0});
  return made;
}

TEST(Pareto, OneDominatesOnlyWhereNoCostIsMore) {
  const std::vector<Costs> p{{1, 2}, {1, 3}, {2, 1}, {1, 2}};
  EXPECT_TRUE(dominates(p[0], p[1]));
  EXPECT_FALSE(dominates(p[1], p[0]));
  EXPECT_FALSE(dominates(p[0], p[2]));
  EXPECT_FALSE(dominates(p[0], p[3])) << "equals do not dominate each other";
}

TEST(Pareto, TheConstraintComesFirst) {
  const Fitness bad{{0, 0}, 0.1};
  const Fitness worse{{0, 0}, 0.2};
  const Fitness fine{{9, 9}, 0};
  EXPECT_TRUE(beats(fine, bad));
  EXPECT_TRUE(beats(bad, worse));
  EXPECT_FALSE(beats(bad, fine));
  EXPECT_EQ(front_of(std::vector<Fitness>{bad, worse, fine}), (std::vector<std::size_t>{2}));
  EXPECT_TRUE(front_of(std::vector<Fitness>{bad, worse}).empty());
}

TEST(Pareto, RanksPeelOneFrontAfterAnother) {
  const auto all = fit({{1, 4}, {2, 2}, {4, 1}, {2, 4}, {3, 3}, {4, 4}});
  EXPECT_EQ(ranks_of(all), (std::vector<std::size_t>{0, 0, 0, 1, 1, 2}));
}

TEST(Pareto, OfEqualsTheFirstIsOnTheFront) {
  EXPECT_EQ(front_of(fit({{2, 2}, {1, 3}, {2, 2}})), (std::vector<std::size_t>{0, 1}));
}

TEST(Pareto, CrowdingIsTheScaledDistanceOfTheNeighbours) {
  const auto all = fit({{0, 10}, {1, 6}, {4, 5}, {10, 0}});
  const auto alone = crowding_of(all, std::vector<std::size_t>{0, 1, 2, 3});
  EXPECT_TRUE(std::isinf(alone[0]) && std::isinf(alone[3]));
  EXPECT_DOUBLE_EQ(alone[1], 4.0 / 10 + 5.0 / 10);
  EXPECT_DOUBLE_EQ(alone[2], 9.0 / 10 + 6.0 / 10);
  EXPECT_EQ(spread_of(all, {0, 1, 2, 3}, 3), (std::vector<std::size_t>{0, 2, 3}));
}

TEST(Hypervolume, OfTwoCostsIsTheAreaOfTheStairs) {
  const Costs reference{4, 4};
  EXPECT_DOUBLE_EQ(hypervolume({{1, 3}, {2, 1}}, reference), 3 * 1 + 2 * 3 - 2 * 1);
  EXPECT_DOUBLE_EQ(hypervolume({{1, 3}, {2, 1}, {3, 3}}, reference), 7) << "dominated: no part";
  EXPECT_DOUBLE_EQ(hypervolume({{5, 0}}, reference), 0) << "outside of the reference";
  EXPECT_DOUBLE_EQ(hypervolume({}, reference), 0);
}

TEST(Hypervolume, OfThreeCostsIsTheVolumeOfTheBoxes) {
  const Costs reference{2, 2, 2};
  EXPECT_DOUBLE_EQ(hypervolume({{1, 1, 1}}, reference), 1);
  // Two boxes of 2 that share 1.
  EXPECT_DOUBLE_EQ(hypervolume({{1, 1, 0}, {0, 1, 1}}, reference), 2 + 2 - 1);
  EXPECT_DOUBLE_EQ(hypervolume({{1, 1, 0}, {0, 1, 1}, {1, 0, 1}}, reference), 4);
}

TEST(Hypervolume, AgreesWithCountingPoints) {
  Rng rng(5, "tests/volume");
  std::vector<Costs> points;
  for (int i = 0; i < 6; ++i) {
    points.push_back(
        {static_cast<double>(rng.between(0, 9)), static_cast<double>(rng.between(0, 9)),
         static_cast<double>(rng.between(0, 9)), static_cast<double>(rng.between(0, 9))});
  }
  int counted = 0;  // unit cubes below the reference that some point dominates
  for (int n = 0; n < 10000; ++n) {
    const Costs corner{n % 10 + 0.0, n / 10 % 10 + 0.0, n / 100 % 10 + 0.0, n / 1000 + 0.0};
    counted += std::any_of(points.begin(), points.end(), [&](const Costs& point) {
      return std::equal(point.begin(), point.end(), corner.begin(),
                        [](double a, double b) { return a <= b; });
    });
  }
  EXPECT_DOUBLE_EQ(hypervolume(points, Costs(4, 10)), counted);
}

std::vector<StudyParameter> mixed_keys() {
  std::vector<StudyParameter> keys(4);
  keys[0].name = "whole";
  keys[0].least = 0;
  keys[0].most = 100;
  keys[1].name = "log";
  keys[1].least = 1;
  keys[1].most = 10000;
  keys[1].is_log = true;
  keys[2].name = "real";
  keys[2].least = 0;
  keys[2].most = 1;
  keys[2].is_whole = false;
  keys[3].name = "word";
  keys[3].values = {"yes", "no", "perhaps"};
  return keys;
}

/// Two costs that disagree: near 20 or near 80; the word must be `no`.
Fitness judged(const Setting& values) {
  const double x = std::stod(values[0]);
  const double far = std::abs(std::log10(std::stod(values[1])) - 2) + std::stod(values[2]) +
                     (values[3] == "no" ? 0 : 1);
  return {{std::abs(x - 20) / 100 + far, std::abs(x - 80) / 100 + far}, 0};
}

struct Found {
  std::vector<Setting> asked;
  double volume = 0;
};

Found search(TuneMethod method, std::uint64_t seed, std::size_t budget = 120) {
  const auto keys = mixed_keys();
  TuneConf how;
  how.method = method;
  SettingSearch search(keys, how, seed, budget);
  Found found;
  std::vector<Costs> costs;
  for (auto asked = search.ask(); !asked.empty(); asked = search.ask()) {
    std::vector<Fitness> answers;
    for (const Setting& values : asked) {
      answers.push_back(judged(values));
      costs.push_back(answers.back().costs);
      found.asked.push_back(values);
    }
    search.tell(std::move(answers));
  }
  found.volume = hypervolume(costs, Costs{2, 2});
  return found;
}

TEST(SettingSearch, AsksForAsManyAsTheBudgetAndNeverTwice) {
  for (const TuneMethod method : {TuneMethod::Nsga2, TuneMethod::Random}) {
    const Found found = search(method, 3, 100);
    EXPECT_EQ(found.asked.size(), 100U);
    EXPECT_EQ(std::set<Setting>(found.asked.begin(), found.asked.end()).size(), 100U);
    for (const Setting& values : found.asked) {
      EXPECT_TRUE(std::stoi(values[0]) >= 0 && std::stoi(values[0]) <= 100);
      EXPECT_TRUE(std::stoi(values[1]) >= 1 && std::stoi(values[1]) <= 10000);
    }
  }
}

TEST(SettingSearch, FollowsFromTheSeedAlone) {
  EXPECT_EQ(search(TuneMethod::Nsga2, 3).asked, search(TuneMethod::Nsga2, 3).asked);
  EXPECT_NE(search(TuneMethod::Nsga2, 3).asked, search(TuneMethod::Nsga2, 4).asked);
}

TEST(SettingSearch, FindsMoreThanChanceWhereThereIsSomethingToFind) {
  std::size_t won = 0;
  for (std::uint64_t seed = 1; seed <= 9; ++seed) {
    won += search(TuneMethod::Nsga2, seed).volume > search(TuneMethod::Random, seed).volume;
  }
  EXPECT_GE(won, 8U) << "of 9 seeds";
}

TEST(SettingSearch, TriesAllThereIsWhereTheBudgetAllows) {
  std::vector<StudyParameter> keys(2);
  keys[0].values = {"a", "b"};
  keys[1].least = 1;
  keys[1].most = 3;
  EXPECT_EQ(all_settings(keys, 5), std::nullopt);
  SettingSearch search(keys, {}, 1, 6);
  EXPECT_TRUE(search.is_exhaustive());
  EXPECT_EQ(search.ask(),
            (std::vector<Setting>{
                {"a", "1"}, {"a", "2"}, {"a", "3"}, {"b", "1"}, {"b", "2"}, {"b", "3"}}));
  search.tell(std::vector<Fitness>(6));
  EXPECT_TRUE(search.ask().empty());
}

TEST(SettingSearch, SettingsThatCannotRunDoNotStopIt) {
  const auto keys = mixed_keys();
  SettingSearch search(keys, {}, 1, 64);
  std::size_t asked = 0;
  for (auto now = search.ask(); !now.empty(); now = search.ask()) {
    asked += now.size();
    const double infinite = std::numeric_limits<double>::infinity();
    search.tell(std::vector<Fitness>(now.size(), {{infinite, infinite}, infinite}));
  }
  EXPECT_EQ(asked, 64U);
}

std::vector<SlurmTime> every_six_hours(const std::string& from, int count) {
  std::vector<SlurmTime> submits;
  const SlurmTime begin = *TimeZone::utc().read(from);
  for (int i = 0; i < count; ++i) submits.push_back(begin + Seconds(i * 21600));
  return submits;
}

TEST(TuneWeeks, AreWholeAndHeldOutByTurns) {
  const TuneWeeks cut =
      weeks_of(every_six_hours("2025-02-20T13:00:00", 4 * 30), TimeZone::utc(), {});
  ASSERT_EQ(cut.weeks.size(), 4U);
  EXPECT_EQ(cut.spans(false),
            (std::vector<std::string>{"2025-02-20/2025-02-27", "2025-03-06/2025-03-13"}));
  EXPECT_EQ(cut.spans(true),
            (std::vector<std::string>{"2025-02-27/2025-03-06", "2025-03-13/2025-03-20"}));
  std::size_t jobs = cut.jobs_left_out;
  for (const TuneWeek& week : cut.weeks) jobs += week.jobs;
  EXPECT_EQ(jobs, 120U);
  EXPECT_EQ(cut.weeks[1].jobs, 28U);
}

TEST(TuneWeeks, TheEarlierHalfMayChooseForTheLater) {
  TuneConf how;
  how.days = 1;
  how.split = WeekSplit::FirstHalf;
  const TuneWeeks cut = weeks_of(every_six_hours("2025-01-01T00:00:00", 20), TimeZone::utc(), how);
  EXPECT_EQ(cut.spans(false).size(), 3U);
  EXPECT_EQ(cut.spans(true).front(), "2025-01-04/2025-01-05");
}

TEST(TuneWeeks, DaysAreTheSitesOwn) {
  const auto zone = TimeZone::find("America/New_York");
  ASSERT_TRUE(zone.has_value());
  TuneConf how;
  how.days = 1;
  // 02:00 of the second is still the first there.
  const std::vector<SlurmTime> submits{*TimeZone::utc().read("2025-01-02T02:00:00")};
  EXPECT_EQ(weeks_of(submits, *zone, how).weeks.front().from, "2025-01-01");
}

TEST(Survival, OneColumnHasAtLeastStudentsInterval) {
  // Mean 3, standard deviation sqrt(2.5), 5 units: t(0.975, 4) = 2.7764.
  const auto intervals = intervals_of(std::vector<std::vector<double>>{{1, 2, 3, 4, 5}}, 0.95);
  ASSERT_TRUE(intervals[0].has_value());
  EXPECT_LE(intervals[0]->low, 3 - 2.7764 * std::sqrt(0.5) + 1e-3);
  EXPECT_NEAR(intervals[0]->high - 3, 3 - intervals[0]->low, 1e-12);
}

TEST(Survival, TooFewUnitsHaveNoInterval) {
  const auto intervals = intervals_of(std::vector<std::vector<double>>{{1, 2}, {3, 4}}, 0.95);
  EXPECT_FALSE(intervals[0] || intervals[1]);
  const auto holes = intervals_of(std::vector<std::vector<double>>{{1, kNone, 2}, {1, 2, 3}}, 0.95);
  EXPECT_FALSE(holes[0].has_value());
  EXPECT_TRUE(holes[1].has_value());
}

TEST(Survival, NoiseIsRarelyCalledSureAcrossAWholeTable) {
  std::size_t tables = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    std::vector<std::vector<double>> columns(12, std::vector<double>(8));
    Rng rng(seed, "tests/noise");
    for (auto& column : columns) {
      for (double& value : column) {
        double sum = -6;  // of twelve uniforms: nearly normal
        for (int i = 0; i < 12; ++i) sum += rng.uniform();
        value = sum;
      }
    }
    const auto intervals = intervals_of(columns, 0.95);
    tables += std::any_of(intervals.begin(), intervals.end(),
                          [](const auto& each) { return each->excludes_zero(); });
  }
  EXPECT_LE(tables, 20U) << "of 200; 5 % would be 10";
}

TEST(Survival, FatesAreWhatTheyAreCalled) {
  using Changes = std::vector<CostChange>;
  const Interval better{-3, -1};
  const Interval unclear{-1, 1};
  const Interval worse{1, 3};
  EXPECT_EQ(fate_of(Changes{{-2, -2, better}, {-1, 0, unclear}}), Fate::Dominates);
  EXPECT_EQ(fate_of(Changes{{-2, -2, better}, {1, 2, worse}}), Fate::Trades);
  EXPECT_EQ(fate_of(Changes{{-2, -2, better}, {-1, 2, worse}}), Fate::Fails)
      << "the second was promised to be better";
  EXPECT_EQ(fate_of(Changes{{-2, -0.1, unclear}, {-1, -0.1, unclear}}), Fate::Unsure);
  EXPECT_EQ(fate_of(Changes{{-2, 0.1, unclear}, {-1, 0.1, unclear}}), Fate::Fails)
      << "today's means dominate";
  EXPECT_EQ(fate_of(Changes{{-2, -2, std::nullopt}}), Fate::Unsure) << "nothing is sure";
  EXPECT_TRUE(survives(Fate::Dominates) && survives(Fate::Trades));
  EXPECT_FALSE(survives(Fate::Unsure) || survives(Fate::Fails));
}

}  // namespace
}  // namespace rehearse::test
