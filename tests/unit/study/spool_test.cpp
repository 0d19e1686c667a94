// tests/unit/study/spool_test.cpp — what workers spool: whole lines only, every bit of a figure.
#include "sim/study/spool.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <string>

#include "sim/core/error.hpp"
#include "tests/unit/scratch_folder.hpp"

namespace rehearse::test {
namespace {

PointOutcome outcome(std::uint32_t point) {
  PointOutcome made;
  made.point = point;
  made.status = PointStatus::Complete;
  made.schedule_fingerprint = 0xfedcba9876543210;
  made.event_fingerprint = 7;
  made.kpis = {{"third", 1.0 / 3.0},
               {"none", std::numeric_limits<double>::quiet_NaN()},
               {"all", std::numeric_limits<double>::infinity()}};
  made.file = "results/000001.h5";
  return made;
}

TEST(Spool, AnOutcomeComesBackToTheBit) {
  const auto back = outcome_of_line(to_line(outcome(3)));
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(back->point, 3U);
  EXPECT_EQ(back->status, PointStatus::Complete);
  EXPECT_EQ(back->schedule_fingerprint, 0xfedcba9876543210);
  EXPECT_EQ(back->kpis[0].second, 1.0 / 3.0);
  EXPECT_TRUE(std::isnan(back->kpis[1].second));
  EXPECT_TRUE(std::isinf(back->kpis[2].second));
  EXPECT_EQ(back->file, "results/000001.h5");
}

TEST(Spool, AFailureKeepsItsLines) {
  PointOutcome failed;
  failed.status = PointStatus::Failed;
  failed.error = "a:1: error: \"x\"\n  hint: y";
  const auto back = outcome_of_line(to_line(failed));
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(back->status, PointStatus::Failed);
  EXPECT_EQ(back->error, failed.error);
}

TEST(Spool, ATornLineIsNotReadUntilItIsWhole) {
  const ScratchFolder folder;
  const std::string line = to_line(outcome(5));
  const auto file = folder.write("results-1-0-0.jsonl", to_line(outcome(4)) + line.substr(0, 30));
  Spool spool(folder.path());
  ASSERT_EQ(spool.take_new().size(), 1U);
  EXPECT_TRUE(spool.take_new().empty());
  std::ofstream(file, std::ios::app | std::ios::binary) << line.substr(30);
  const auto rest = spool.take_new();
  ASSERT_EQ(rest.size(), 1U);
  EXPECT_EQ(rest[0].point, 5U);
}

TEST(Spool, EachLifeOfAWorkerHasAFileOfItsOwn) {
  const ScratchFolder folder;
  const Spool spool(folder.path());
  for (std::uint32_t life = 0; life < 3; ++life) {
    SpoolWriter writer(spool, {1, 2, 0});  // the same life three times: run by hand
    writer.write(outcome(life));
  }
  EXPECT_EQ(spool.results_of({1, 2, 9}).size(), 3U);
  EXPECT_TRUE(spool.results_of({1, 22, 0}).empty());
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "results-1-2-2.jsonl"));
}

TEST(Spool, AChunkComesBackAndADamagedOneIsRefused) {
  const ScratchFolder folder;
  const Spool spool(folder.path());
  StudyPoint point;
  point.number = 8;
  point.design = 4;
  point.replication = 1;
  point.seed = 99;
  point.values = {"1", "x\"y"};
  spool.write_chunk({2, 3, 0}, {"study", {point}});
  const SpoolChunk back = spool.read_chunk({2, 3, 5});
  EXPECT_EQ(back.study, "study");
  ASSERT_EQ(back.points.size(), 1U);
  EXPECT_EQ(back.points[0].values, point.values);
  EXPECT_EQ(back.points[0].seed, 99U);
  EXPECT_THROW((void)spool.read_chunk({2, 4, 0}), InputError);
  EXPECT_FALSE(spool.read_submission().has_value());
  spool.write_submission({3, "77"});
  EXPECT_EQ(spool.read_submission()->job, "77");
}

}  // namespace
}  // namespace rehearse::test
