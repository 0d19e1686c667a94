// tests/unit/study/passes_test.cpp — recorded starts as passes, and what two sides have in common.
#include "sim/study/passes.hpp"

#include <gtest/gtest.h>

namespace rehearse::test {
namespace {

ForcedRun started(std::uint32_t job, std::int64_t second, StartedBy by) {
  ForcedRun run;
  run.job = JobId{job};
  run.start = from_epoch_seconds(second);
  run.by = by;
  return run;
}

Time at(std::int64_t second, std::int64_t milliseconds) {
  return Time{from_epoch_seconds(second)} + std::chrono::milliseconds{milliseconds};
}

using Runs = std::vector<std::size_t>;

TEST(Passes, AreTheStartsOfOneLoopInOneSecond) {
  const auto passes =
      group_passes({started(1, 100, StartedBy::Main), started(2, 100, StartedBy::Backfill),
                    started(3, 100, StartedBy::Main), started(4, 101, StartedBy::Main)},
                   {});
  ASSERT_EQ(passes.size(), 3U);
  EXPECT_EQ(passes[0].runs, (Runs{0, 2}));
  EXPECT_EQ(passes[1].runs, (Runs{1}));
  EXPECT_EQ(passes[1].loop, StartedBy::Backfill);
  EXPECT_EQ(passes[2].runs, (Runs{3}));
  EXPECT_EQ(whole_second(passes[2].at), from_epoch_seconds(101));
}

TEST(Passes, OfBackfillAreAtTheInstantOfTheirCycle) {
  const auto passes =
      group_passes({started(1, 100, StartedBy::Backfill), started(2, 101, StartedBy::Backfill),
                    started(3, 131, StartedBy::Backfill)},
                   {at(70, 0), at(100, 250), at(130, 900)});
  ASSERT_EQ(passes.size(), 2U);
  EXPECT_EQ(passes[0].runs, (Runs{0, 1})) << "a cycle that goes on in the next second";
  EXPECT_EQ(passes[0].at, at(100, 250));
  EXPECT_EQ(passes[1].at, at(130, 900));
}

TEST(Passes, OfBackfillFarFromAnyCycleKeepTheirSecond) {
  const auto passes = group_passes({started(1, 120, StartedBy::Backfill)}, {at(100, 250)});
  ASSERT_EQ(passes.size(), 1U);
  EXPECT_EQ(whole_second(passes[0].at), from_epoch_seconds(120));
}

TEST(Passes, HaveNoStartsOfAnyOtherOrigin) {
  EXPECT_TRUE(
      group_passes({started(1, 100, StartedBy::Submit), started(2, 100, StartedBy::Nobody)}, {})
          .empty());
}

TEST(Passes, ThatOnlyPreemptArePassesToo) {
  ControllerLog log;
  log.main_passes = {{at(100, 977), BackgroundClock::Due::Partial}};
  log.preempted = {{at(101, 8), JobId{1}, JobId{9}, true}, {at(131, 0), JobId{2}, JobId{9}, true}};
  const auto signals = recorded_signals(log, {at(130, 900)});
  ASSERT_EQ(signals.size(), 2U);
  EXPECT_EQ(signals[0].at, at(100, 977)) << "the line is written when the work is done";
  EXPECT_EQ(signals[0].loop, StartedBy::Main);
  EXPECT_EQ(signals[1].loop, StartedBy::Backfill);
  const auto passes = group_passes({}, {at(130, 900)}, signals);
  ASSERT_EQ(passes.size(), 2U);
  EXPECT_EQ(whole_second(passes[0].at), from_epoch_seconds(100));
  EXPECT_EQ(passes[1].at, at(130, 900));
  EXPECT_EQ(passes[1].signals, (Runs{1}));
}

ForcedRun ended(ForcedRun run, std::int64_t second) {
  run.end = from_epoch_seconds(second);
  return run;
}

TEST(Passes, ThatStartJobsWhereVictimsDiedAreBehindThoseThatKilledThem) {
  const auto on = [](ForcedRun run, std::uint32_t node) {
    run.nodes = {NodeId{node}};
    return run;
  };
  const std::vector<ForcedRun> runs{on(ended(started(1, 90, StartedBy::Main), 100), 1),
                                    on(started(2, 95, StartedBy::Main), 2),  // is suspended at 100
                                    on(started(3, 100, StartedBy::Main), 3),
                                    on(started(7, 100, StartedBy::Main), 1),
                                    on(started(8, 100, StartedBy::Main), 2),
                                    on(started(9, 100, StartedBy::Main), 4)};
  const auto passes = group_passes(runs, {},
                                   {{at(100, 266), JobId{1}, JobId{9}, StartedBy::Main, false},
                                    {at(100, 267), JobId{2}, JobId{8}, StartedBy::Main, false}});
  ASSERT_EQ(passes.size(), 4U);
  EXPECT_EQ(passes[2].runs, (Runs{2, 4}));
  EXPECT_EQ(passes[2].signals, (Runs{0, 1}));
  EXPECT_EQ(passes[3].runs, (Runs{3, 5})) << "7 on a victim's node, 9 because one died for it";
  EXPECT_TRUE(passes[3].signals.empty());
  EXPECT_EQ(passes[3].at, passes[2].at);
}

TEST(LoggedEnds, OfARunCancelledWhileItWasSuspendedIsItsKill) {
  using Kind = LoggedCommand::Kind;
  ControllerLog log;
  log.commands = {{at(200, 100), Kind::Kill, JobId{2}, {}},
                  {at(900, 500), Kind::Kill, JobId{7}, {}},
                  {at(901, 0), Kind::Update, JobId{1}, {}}};
  log.cleaned = {{JobId{1}, at(901, 300)},
                 {JobId{2}, at(260, 0)},
                 {JobId{3}, at(2000, 0)},
                 {JobId{5}, at(901, 300)}};
  std::vector<ForcedRun> runs;
  for (std::uint32_t id = 1; id <= 5; ++id) {
    runs.push_back(ended(started(id, 100, StartedBy::Main), 200));
    runs.back().outcome = id == 5 ? JobState::Completed : JobState::Cancelled;
  }
  end_when_logged(runs, log);
  EXPECT_EQ(runs[0].end, from_epoch_seconds(900)) << "typed as the task of an array";
  EXPECT_EQ(runs[1].end, from_epoch_seconds(200)) << "its nodes were clean soon";
  EXPECT_EQ(runs[2].end, from_epoch_seconds(200)) << "nobody killed anything then";
  EXPECT_EQ(runs[3].end, from_epoch_seconds(200)) << "the log does not tell";
  EXPECT_EQ(runs[4].end, from_epoch_seconds(200)) << "it was not cancelled";
}

TEST(LateEnds, AreThoseBehindAllStartsOfTheirSecond) {
  ControllerLog log;
  log.main_passes = {{at(200, 150), BackgroundClock::Due::Partial}};
  log.cycles = {{at(200, 400), {{JobId{6}, at(200, 700)}}, {}}};
  log.ended = {{JobId{1}, at(200, 100)}, {JobId{2}, at(200, 600)}, {JobId{3}, at(200, 800)}};
  std::vector<ForcedRun> runs = {
      ended(started(1, 100, StartedBy::Main), 200), ended(started(2, 100, StartedBy::Main), 200),
      ended(started(3, 100, StartedBy::Main), 200), ended(started(4, 100, StartedBy::Main), 200),
      started(5, 200, StartedBy::Main)};
  find_late_ends(runs, log);
  EXPECT_FALSE(runs[0].ends_late);
  EXPECT_TRUE(runs[1].ends_late);
  EXPECT_TRUE(runs[2].ends_late);
  EXPECT_FALSE(runs[3].ends_late) << "no line tells when";
  for (ForcedRun& run : runs) run.ends_late = false;
  runs.push_back(started(6, 200, StartedBy::Backfill));
  find_late_ends(runs, log);
  EXPECT_FALSE(runs[1].ends_late) << "backfill came to job 6 behind it";
  EXPECT_TRUE(runs[2].ends_late);
  runs[2].ends_late = false;
  runs.push_back(started(7, 200, StartedBy::Backfill));
  find_late_ends(runs, log);
  EXPECT_FALSE(runs[2].ends_late) << "when job 7 was started is not told";
}

TEST(Agreement, OfVictimsCountsThePairs) {
  const Agreement agreement = compare_signals({{JobId{1}, JobId{9}}, {JobId{2}, JobId{9}}},
                                              {{JobId{1}, JobId{9}}, {JobId{2}, JobId{8}}});
  EXPECT_EQ(agreement.recorded, 2U);
  EXPECT_EQ(agreement.made, 2U);
  EXPECT_EQ(agreement.same_job, 1U);
}

DecidedStart on(std::uint32_t job, std::vector<NodeId> nodes) {
  return {JobId{job}, std::move(nodes)};
}

TEST(Agreement, CountsJobsThenNodesThenSurplus) {
  const Agreement agreement =
      compare_starts({on(1, {NodeId{0}}), on(2, {NodeId{1}}), on(3, {NodeId{2}})},
                     {on(2, {NodeId{1}}), on(3, {NodeId{0}}), on(4, {NodeId{3}})});
  EXPECT_EQ(agreement.recorded, 3U);
  EXPECT_EQ(agreement.made, 3U);
  EXPECT_EQ(agreement.same_job, 2U);
  EXPECT_EQ(agreement.same_nodes, 1U);
  EXPECT_FALSE(agreement.is_whole());
}

TEST(Agreement, IsWholeOnlyWithoutSurplus) {
  const std::vector<DecidedStart> recorded{on(1, {NodeId{0}})};
  const Agreement same = compare_starts(recorded, recorded);
  const Agreement more = compare_starts(recorded, {on(1, {NodeId{0}}), on(2, {NodeId{1}})});
  EXPECT_TRUE(same.is_whole());
  EXPECT_FALSE(more.is_whole());
  EXPECT_TRUE(same.is_better_than(more));
  EXPECT_FALSE(more.is_better_than(same));
}

TEST(Agreement, OnTheNodesDecidesBetweenEqualJobs) {
  const std::vector<DecidedStart> recorded{on(1, {NodeId{0}})};
  const Agreement here = compare_starts(recorded, recorded);
  const Agreement elsewhere = compare_starts(recorded, {on(1, {NodeId{1}})});
  EXPECT_TRUE(here.is_better_than(elsewhere));
  EXPECT_FALSE(here.is_better_than(here));
}

}  // namespace
}  // namespace rehearse::test
