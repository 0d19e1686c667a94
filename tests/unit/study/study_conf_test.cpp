// tests/unit/study/study_conf_test.cpp — a study's file: what it may say, and what is told of it.
#include "sim/study/study_conf.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "sim/config/text_scan.hpp"
#include "sim/study/design.hpp"
#include "tests/unit/config/findings.hpp"
#include "tests/unit/config/reference_page.hpp"

namespace rehearse::test {
namespace {

StudyConf study_of(const std::string& text) {
  Diagnostics found;
  StudyConf study = parse_study(text, "folder/study.yaml", found);
  EXPECT_EQ(all_text(found), "");
  return study;
}

std::string told(const std::string& text) {
  Diagnostics found;
  (void)parse_study(text, "study.yaml", found);
  return all_text(found);
}

std::string values_text(const StudyConf& study) {
  std::string text;
  for (const StudyPoint& point : points_of(study)) {
    for (const std::string& value : point.values) text += value + ",";
    text += std::to_string(point.seed) + " ";
  }
  return text;
}

const std::string kEnd = "objectives: [{least: wait_mean}]\n";

TEST(StudyConf, PathsAreRelativeToItsFile) {
  const StudyConf study = study_of("site: ../mine\njobs: a.txt\nreplications: 2\n" + kEnd);
  EXPECT_EQ(study.site, "mine");
  EXPECT_EQ(study.jobs, "folder/a.txt");
}

TEST(StudyConf, AGridHasEveryCombinationAndReplication) {
  const StudyConf study = study_of(
      "site: mine\nreplications: 2\nseed: 3\nparameters:\n- {change: A, values: [x, y]}\n"
      "- {change: B, least: 1, most: 100, scale: log, steps: 3}\n" +
      kEnd);
  EXPECT_EQ(values_text(study),
            "x,1,3 x,1,4 x,10,3 x,10,4 x,100,3 x,100,4 y,1,3 y,1,4 y,10,3 y,10,4 y,100,3 y,100,4 ");
}

TEST(StudyConf, AListHasItsPoints) {
  const StudyConf study = study_of(
      "site: mine\ndesign: list\nparameters: [{change: A}, {change: B, form: 'cpu={}'}]\n"
      "points: [{A: 1, B: 2}, {B: 4, A: 3}]\n" +
      kEnd);
  EXPECT_EQ(values_text(study), "1,2,1 3,4,1 ");
  EXPECT_EQ(written(study.parameters[1], "4"), "cpu=4");
}

TEST(StudyConf, AnObjectiveOfAGroupMayHaveSlashesInItsName) {
  const StudyConf study =
      study_of("site: mine\nreplications: 2\nobjectives: [{most: account/a/b/wait_p95}]\n");
  EXPECT_EQ(study.objectives[0].scope, "account");
  EXPECT_EQ(study.objectives[0].group, "a/b");
  EXPECT_EQ(study.objectives[0].kpi, "wait_p95");
  EXPECT_EQ(study.objectives[0].name(), "account/a/b/wait_p95");
}

TEST(StudyConf, WhatDoesNotFitTogetherIsTold) {
  EXPECT_NE(told("site: m\n" + kEnd).find("nothing is varied"), std::string::npos);
  EXPECT_NE(told("site: m\nreplications: 2\n").find("objectives: is not given"), std::string::npos);
  const std::string head = "site: m\nparameters: [{change: A, ";
  EXPECT_NE(told(head + "least: 3}]\n" + kEnd).find("most: is not given"), std::string::npos);
  EXPECT_NE(told(head + "least: 3, most: 9}]\n" + kEnd).find("steps: is not given"),
            std::string::npos);
  EXPECT_NE(told(head + "least: 5, most: 5e127, steps: 2}]\n" + kEnd).find("most: is beyond 2^53"),
            std::string::npos);
  EXPECT_NE(told(head + "least: 0.5, most: 9, steps: 2}]\n" + kEnd).find("whole ends"),
            std::string::npos);
  EXPECT_NE(told(head + "values: [1], form: x}]\n" + kEnd).find("no place for the value"),
            std::string::npos);
  EXPECT_NE(told(head + "values: [1]}, {change: A, values: [2]}]\n" + kEnd).find("is taken"),
            std::string::npos);
  EXPECT_NE(told(head + "values: [1]}]\nsamples: 4\n" + kEnd).find("a grid has no samples"),
            std::string::npos);
  EXPECT_NE(told("site: m\nreplications: 2\nparameters: [{change: seed, values: [1]}]\n" + kEnd)
                .find("the seed is a parameter"),
            std::string::npos);
}

TEST(StudyConf, TooManyPointsAreRefused) {
  const std::string range = "{change: A, least: 1, most: 9999999, steps: 100000}";
  const StudyConf study =
      study_of("site: m\nreplications: 11\nparameters: [" + range + "]\n" + kEnd);
  EXPECT_THROW((void)points_of(study), InputError);
}

TEST(StudyDesigns, SobolTakesEveryIntervalOnceWhateverTheSeed) {
  for (const char* seed : {"1", "2", "77"}) {
    const StudyConf study = study_of(
        std::string("site: m\ndesign: sobol\nsamples: 16\nseed: ") + seed +
        "\nparameters:\n- {change: A, least: 0, most: 15}\n- {change: B, least: 0, most: 15}\n"
        "- {change: C, least: 0, most: 15}\n" +
        kEnd);
    std::vector<std::vector<bool>> seen(3, std::vector<bool>(16));
    for (const StudyPoint& point : points_of(study)) {
      for (std::size_t p = 0; p < 3; ++p) seen[p][std::stoul(point.values[p])] = true;
    }
    for (const auto& each : seen) EXPECT_EQ(each, std::vector<bool>(16, true)) << seed;
  }
}

TEST(StudyDesigns, AParameterMoreLeavesTheOthersDraws) {
  const std::string head = "site: m\ndesign: random\nsamples: 5\nparameters:\n";
  const std::string one = "- {change: A, least: 0, most: 1000000}\n";
  const auto few = points_of(study_of(head + one + kEnd));
  const auto more = points_of(study_of(head + "- {change: B, values: [x, y]}\n" + one + kEnd));
  for (std::size_t i = 0; i < few.size(); ++i) EXPECT_EQ(few[i].values[0], more[i].values[1]);
}

TEST(StudyDesigns, TheEndsOfARangeBelongToIt) {
  StudyParameter parameter;
  parameter.least = 1;
  parameter.most = 1000;
  parameter.is_log = true;
  EXPECT_EQ(value_at(parameter, 0.0), "1");
  EXPECT_EQ(value_at(parameter, 0.99999999), "1000");
  parameter.is_whole = false;
  EXPECT_EQ(value_at(parameter, 0.5), "31.6228");
}

TEST(StudyConf, WhatIsTunedHasABudgetAndKeysOfItsOwn) {
  const StudyConf study = study_of(
      "site: mine\ndesign: tune\nsamples: 40\nparameters: [{change: A, values: [1, 2]}]\n"
      "tune: {method: random, days: 3, split: first_half}\n" +
      kEnd);
  EXPECT_EQ(study.tune.method, TuneMethod::Random);
  EXPECT_EQ(study.tune.split, WeekSplit::FirstHalf);
  EXPECT_EQ(study.tune.days, 3U);
  EXPECT_TRUE(points_of(study).empty());
  const std::string wrong = told(
      "site: mine\ndesign: tune\nparameters: [{change: week, values: [1, 2]}]\n"
      "tune: {method: nsga, days: 0}\n" +
      kEnd);
  for (const char* each : {"samples: is not given", "did you mean 'nsga2'?",
                           "tune.days: ", "the name 'week' is taken"}) {
    EXPECT_NE(wrong.find(each), std::string::npos) << each << " in\n" << wrong;
  }
  EXPECT_NE(told("site: m\nreplications: 2\ntune: {days: 2}\n" + kEnd).find("design: tune"),
            std::string::npos);
}

// ---- configs/reference.yaml -------------------------------------------------------------------

TEST(StudyReference, ThePageHasExactlyTheKeysOfTheCode) {
  EXPECT_EQ(page_of("study"), described(study_keys()));
}

}  // namespace
}  // namespace rehearse::test
