// tests/unit/output/views_test.cpp — the tables at an instant, to the blank (outputs.md §1–5).
#include <gtest/gtest.h>

#include <sstream>
#include <utility>

#include "sim/output/priority_parts.hpp"
#include "sim/output/summary.hpp"
#include "sim/output/views/node_state.hpp"
#include "sim/output/views/view.hpp"
#include "tests/unit/output/fixture.hpp"

namespace rehearse::test {
namespace {

ViewOptions options_at(std::int64_t second) {
  ViewOptions options;
  options.at = kStart + second;
  return options;
}

TEST(Squeue, ShowsRunningAndPendingJobsInItsOrderAndWidths) {
  // At 1500 s: job 1 runs, job 2 waits for its begin time, job 3 for its limit.
  EXPECT_EQ(
      squeue_view(small_result(), options_at(1500)).text,
      "             JOBID PARTITION     NAME     USER ST       TIME  NODES NODELIST(REASON)\n"
      "                 3       gpu    train      bob PD       0:00      1 (QOSMaxGRESPerUser)\n"
      "                 2       gpu    train      bob PD       0:00      1 (BeginTime)\n"
      "                 1       gpu    train      ann  R      24:00      1 g01\n");
}

TEST(Squeue, ShowsASuspendedJobAndLeavesItsStandstillOutOfItsTime) {
  Result result = small_result();
  result.suspensions.run = {0};
  result.suspensions.begin = {kStart + 1000};
  result.suspensions.lends_cores = {0};
  result.suspensions.end = {kStart + 1300};
  EXPECT_NE(squeue_view(result, options_at(1100)).text.find("ann  S      15:40"),
            std::string::npos);
  EXPECT_NE(squeue_view(result, options_at(1500)).text.find("ann  R      19:00"),
            std::string::npos);
  result.suspensions.end = {kNoTime};
  ViewOptions options = options_at(1500);
  options.long_form = true;
  EXPECT_NE(squeue_view(result, options).text.find("SUSPENDE      15:40"), std::string::npos);
}

TEST(Squeue, AJobThatKeepsItsNodesAfterItsEndIsCompleting) {
  Result result = small_result();
  result.completing.kept = true;
  result.completing.run = {0};
  result.completing.end = {kStart + 3700};
  EXPECT_NE(squeue_view(result, options_at(3699)).text.find("ann CG    1:00:00      1 g01\n"),
            std::string::npos);
  EXPECT_EQ(squeue_view(result, options_at(3700)).text.find(" CG "), std::string::npos);
  EXPECT_EQ(squeue_view(result, options_at(3700)).note, "");
}

TEST(Squeue, AJobWhoseReservationWasDeletedIsHeldForThat) {
  Result result = small_result();
  for (auto& reason : result.waits.reason) {
    reason = static_cast<std::uint8_t>(Reason::ReservationDeleted);
  }
  ViewOptions options = options_at(1500);
  EXPECT_NE(squeue_view(result, options).text.find("bob RD       0:00"), std::string::npos);
  options.long_form = true;
  EXPECT_NE(squeue_view(result, options).text.find("bob RESV_DEL"), std::string::npos);
}

TEST(Squeue, AnUnsplitArrayIsOneLineAndItsTasksAreLinesOnceTheyRun) {
  const Result result = small_result();
  ViewOptions options = options_at(4250);
  options.no_header = true;
  EXPECT_EQ(squeue_view(result, options).text,
            "         4_[0-2%1]       gpu    train      ann PD       0:00      1 (None)\n");
  options.at = kStart + 5000;
  EXPECT_EQ(
      squeue_view(result, options).text,
      "         4_[1-2%1]       gpu    train      ann PD       0:00      1 (JobArrayTaskLimit)\n"
      "               4_0       gpu    train      ann  R      11:40      1 c01\n");
}

TEST(Squeue, StartsAreThosePlannedAtThatInstantAndNeverBeforeIt) {
  Result result = small_result();
  const auto nodes = static_cast<std::uint32_t>(result.names.node_list.intern("g[01-02]"));
  result.plans.kept = true;
  result.plans.job_id = {3, 3};
  result.plans.begin = {kStart + 1000, kStart + 1500};
  result.plans.end = {kStart + 1500, kStart + 1600};
  result.plans.start = {kStart + 9999, kStart + 1800};
  result.plans.node_list = {nodes, nodes};
  ViewOptions options = options_at(1500);
  options.start = true;
  EXPECT_EQ(
      squeue_view(result, options).text,
      "             JOBID PARTITION     NAME     USER ST          START_TIME  NODES SCHEDNODES "
      "          NODELIST(REASON)\n"
      "                 3       gpu    train      bob PD 2027-01-15T08:30:00      1 g[01-02]   "
      "          (QOSMaxGRESPerUser)\n"
      "                 2       gpu    train      bob PD                 N/A      1 (null)     "
      "          (BeginTime)\n");
  result.plans.start = {kStart, kStart};
  EXPECT_NE(squeue_view(result, options).text.find("2027-01-15T08:25:00"), std::string::npos);
}

TEST(Squeue, StartOfTasksThatAreOneLineIsThatOfTheirArray) {
  Result result = small_result();
  result.plans.kept = true;
  result.plans.job_id = {4};
  result.plans.begin = {kStart + 4200};
  result.plans.end = {kStart + 4300};
  result.plans.start = {kStart + 5400};
  result.plans.node_list = {static_cast<std::uint32_t>(result.names.node_list.intern("c01"))};
  ViewOptions options = options_at(4250);
  options.start = true;
  options.no_header = true;
  EXPECT_EQ(
      squeue_view(result, options).text,
      "         4_[0-2%1]       gpu    train      ann PD 2027-01-15T09:30:00      1 c01        "
      "          (None)\n");
}

TEST(Squeue, StartOfAJobThatWaitsForItsBeginTimeIsThat) {
  ViewOptions options = options_at(950);
  options.start = true;
  const std::string told = squeue_view(small_result(), options).text;
  EXPECT_NE(told.find("bob PD 2027-01-15T08:17:02"), std::string::npos) << told;
}

TEST(Squeue, LongFormHasTheDateTheStateAndTheLimit) {
  ViewOptions options = options_at(100);
  options.long_form = true;
  EXPECT_EQ(
      squeue_view(small_result(), options).text,
      "Fri Jan 15 08:01:40 2027\n"
      "             JOBID PARTITION     NAME     USER    STATE       TIME TIME_LIMI  NODES "
      "NODELIST(REASON)\n"
      "                 1       gpu    train      ann  RUNNING       0:40   1:00:00      1 g01\n");
}

TEST(Squeue, TimesAreWrittenAsSlurmWritesThem) {
  EXPECT_EQ(squeue_time(0), "0:00");
  EXPECT_EQ(squeue_time(3723), "1:02:03");
  EXPECT_EQ(squeue_time(97'800), "1-03:10:00");
  EXPECT_EQ(squeue_time(-1), "INVALID");
}

TEST(Sinfo, GroupsNodesByStateWithinPartitions) {
  EXPECT_EQ(sinfo_view(small_result(), options_at(1500)).text,
            "PARTITION AVAIL  TIMELIMIT  NODES  STATE NODELIST\n"
            "gpu*         up 2-00:00:00      1  drain g02\n"
            "gpu*         up 2-00:00:00      1    mix g01\n"
            "cpu          up   infinite      1   idle c01\n");
}

/// As a real sinfo has them (scripts/reference/experiments/completing_nodes.py).
TEST(Sinfo, ANodeThatAnEndedJobKeepsIsCompletingOrDraining) {
  Result result = small_result();
  result.completing.kept = true;
  result.completing.run = {0};
  result.completing.end = {kStart + 3700};
  EXPECT_EQ(sinfo_view(result, options_at(3699)).text,
            "PARTITION AVAIL  TIMELIMIT  NODES  STATE NODELIST\n"
            "gpu*         up 2-00:00:00      1   comp g01\n"
            "gpu*         up 2-00:00:00      1   idle g02\n"
            "cpu          up   infinite      1   idle c01\n");
  EXPECT_EQ(sinfo_view(result, options_at(3700)).text.find("comp"), std::string::npos);
  EXPECT_EQ(node_state(0, 0, 4, true).whole, "completing");
  EXPECT_EQ(node_state(0, 1, 4, true).whole, "completing");
  EXPECT_EQ(node_state(0, 4, 4, true).whole, "allocated+");
  EXPECT_EQ(node_state(kNodeDrain, 0, 4, true).code, "drng");
  EXPECT_EQ(node_state(kNodeDrain, 1, 4, true).whole, "draining");
  EXPECT_EQ(node_state(kNodeFail, 0, 4, true).whole, "failing");
  EXPECT_EQ(node_state(kNodeDown, 0, 4, true).whole, "down");
}

TEST(Sacct, ShowsTheDefaultFieldsWithDashes) {
  EXPECT_EQ(sacct_view(small_result(), options_at(1500)).text,
            "JobID           JobName  Partition    Account  AllocCPUS      State ExitCode \n"
            "------------ ---------- ---------- ---------- ---------- ---------- -------- \n"
            "1                 train        gpu         ml          8    RUNNING      0:0 \n"
            "2                 train        gpu         ds          4  PREEMPTED      0:0 \n"
            "2                 train        gpu         ds          4    PENDING      0:0 \n"
            "3                 train        gpu         ds         64    PENDING      0:0 \n");
}

TEST(Sacct, HasTheWaitingTasksOfAnArrayInOneLine) {
  ViewOptions options = options_at(3800);  // one of them starts later, and has a row of its own
  options.parsable = options.no_header = true;
  const std::string text = sacct_view(small_result(), options).text;
  EXPECT_NE(text.find("\n4_[0-2%1]|train|gpu|"), std::string::npos) << text;
  EXPECT_EQ(text.find("4_0"), std::string::npos) << text;
}

TEST(Sshare, IsTheTreeOfAccountsWithUsersBelowThem) {
  SmallCluster small;
  auto& associations = small.cluster->accounts.associations;
  associations[AssociationId{0}].usage.raw = 1'234'567;
  Association& ml = associations[AssociationId{1}];
  ml.shares_norm = 0.75;
  ml.usage.raw = 900'000;
  ml.usage_effective = 0.729L;
  Association& ann = associations[AssociationId{2}];
  ann.shares_norm = 1;
  ann.usage.raw = 900'000;
  ann.usage_effective = 1;
  ann.fair_share = 0.5;
  small.recorder.shares_told(*small.cluster, kept_shares(small.cluster->accounts), at(0));
  small.recorder.run_ended(*small.cluster, at(10), {});
  const Result result = small.recorder.take(true);
  const std::string text = sshare_view(result, {}).text;
  const std::string expected =
      "Account                    User  RawShares  NormShares    RawUsage  EffectvUsage  FairShare "
      "\n"
      "-------------------- ---------- ---------- ----------- ----------- ------------- ---------- "
      "\n"
      "root                                          0.000000     1234567      1.000000            "
      "\n"
      " ds                                      1    0.000000           0      0.000000            "
      "\n"
      "  ds                        bob          1    0.000000           0      0.000000   0.000000 "
      "\n"
      " ml                                      3    0.750000      900000      0.729000            "
      "\n"
      "  ml                        ann          1    1.000000      900000      1.000000   0.500000 "
      "\n";
  EXPECT_EQ(text, expected);
}

TEST(Sshare, SharesAreThoseOfTheInstantAndNotOfAnEventAfterIt) {
  SmallCluster small;
  Association& ml = small.cluster->accounts.associations[AssociationId{1}];
  ml.shares_norm = 0.75;
  small.recorder.priorities_recomputed(*small.cluster, at(0));
  ml.shares = 9;
  ml.shares_norm = 0.9;
  small.recorder.priorities_recomputed(*small.cluster, at(300));
  small.recorder.run_ended(*small.cluster, at(600), {});
  const Result result = small.recorder.take(true);
  ViewOptions options;
  options.parsable = true;
  for (const auto& [second, row] :
       {std::pair(299, " ml||3|0.750000|"), {300, " ml||9|0.900000|"}}) {
    options.at = kStart + second;
    EXPECT_NE(sshare_view(result, options).text.find(row), std::string::npos) << second;
  }
}

TEST(Sprio, RecomputesAgeAndShowsOnlyPartsThatWeigh) {
  SmallCluster small;
  Job& job = small.add_job(7, "ann", 0, 4, 1, 1000);
  job.accrue = at(0);
  small.recorder.job_submitted(job, at(0));
  small.recorder.run_ended(*small.cluster, at(302'400), {});  // half of seven days
  const View view = sprio_view(small.recorder.take(true), {});
  EXPECT_EQ(view.text,
            "          JOBID PARTITION   PRIORITY       SITE        AGE  FAIRSHARE\n"
            "              7 gpu             5500          0        500       5000\n");
  EXPECT_NE(view.note, "");
}

// priority.md §4.
TEST(Sprio, AgeIsThatOfTheLastTickAndTheFactorOfAnEndedJobThatBeforeItsEnd) {
  SmallCluster small;
  small.cluster->conf.priority.calculate_running = true;
  Job& job = small.add_job(7, "ann", 0, 4, 0, 1000);
  job.accrue = at(0);
  small.recorder.job_submitted(job, at(0));
  small.start(job, 6048, {0});
  small.end(job, 30'240, JobState::Completed);
  small.recorder.run_ended(*small.cluster, at(40'000), {});
  Result result = small.recorder.take(true);
  result.cluster.priority.calculate_running = true;
  result.cluster.priority.tick_s = 6048;  // in which it ages by 10
  result.cluster.min_job_age_s = 10'000;
  const std::vector<std::uint32_t> own(3, result.runs.association[0]);
  const std::vector<double> none(3, 0);
  result.fair_share = {{kStart + 6048, kStart + 30'240, kStart + 36'288},
                       own,
                       none,
                       none,
                       none,
                       none,
                       {0.6, 0.4, 0.3}};
  ViewOptions options;
  options.parsable = true;
  for (const auto& [second, row] : {std::pair(12'095, "|10|6000"),
                                    {12'096, "|20|6000"},
                                    {30'300, "|50|4000"},
                                    {36'288, "|60|4000"}}) {
    options.at = kStart + second;
    EXPECT_NE(sprio_view(result, options).text.find(row), std::string::npos) << second;
  }
}

// priority.md §11.7: a job that waits for a dependency.
TEST(Sprio, ListsJobsThatAreNotEligibleWhereAllAgeFromTheirSubmission) {
  SmallCluster small;
  small.recorder.job_submitted(small.add_job(7, "ann", 0, 4, 0, 1000), at(0));
  small.recorder.run_ended(*small.cluster, at(600), {});
  Result result = small.recorder.take(true);
  result.runs.eligible[0] = kNoTime;
  EXPECT_EQ(sprio_view(result, {}).text.find("          7 gpu"), std::string::npos);
  result.cluster.priority.accrue_always = true;
  EXPECT_NE(sprio_view(result, {}).text.find("          7 gpu"), std::string::npos);
}

// priority.md §11.7 [V: least_priority.py].
TEST(Sprio, PrintsOneWhereNiceIsMoreThanTheOtherPartsInThatPartition) {
  for (const auto& [nice, of_gpu, of_cpu] :
       {std::tuple(2000, 3900, 3500), {5600, 300, 1}, {5950, 1, 1}, {1'000'000, 1, 1}}) {
    SmallCluster small;
    Job& job = small.add_job(7, "ann", 0, 4, 1, 1000);
    job.accrue = at(0);
    job.factors.partition = 400;
    job.factors.nice = nice;
    job.priority = static_cast<std::uint32_t>(std::max(5400 - nice, 1));
    small.recorder.job_submitted(job, at(0));
    small.recorder.run_ended(*small.cluster, at(302'400), {});  // it has aged by 500
    Result result = small.recorder.take(true);
    result.runs.requested_partitions.at(0) =
        static_cast<std::uint32_t>(result.names.partition_list.intern("gpu,cpu"));
    std::istringstream rows(sprio_view(result, {}).text);
    std::string line;
    std::getline(rows, line);
    for (const auto& [name, priority] : {std::pair("gpu", of_gpu), {"cpu", of_cpu}}) {
      std::getline(rows, line);
      std::istringstream fields(line);
      std::string id, partition;
      int printed = 0;
      fields >> id >> partition >> printed;
      EXPECT_EQ(partition, name);
      EXPECT_EQ(printed, priority) << nice;
    }
  }
}

/// The number under PRIORITY and the rest of each row of `sprio` at an instant.
std::vector<std::string> sprio_rows(const Result& result, std::int64_t seconds) {
  ViewOptions options;
  options.at = kStart + seconds;
  options.parsable = true;
  std::istringstream text(sprio_view(result, options).text);
  std::vector<std::string> rows;
  for (std::string line; std::getline(text, line);) rows.push_back(line);
  rows.erase(rows.begin());
  return rows;
}

// priority.md §5 [V: every recording with such jobs].
TEST(Sprio, EachPartitionOfAListHasItsOwnPartAndPriority) {
  SmallCluster small;
  small.cluster->conf.priority.weight_partition = 1000;
  small.cluster->partitions[PartitionId{0}].conf.priority_job_factor = 100;
  small.cluster->partitions[PartitionId{1}].conf.priority_job_factor = 300;
  small.cluster->max_priority_job_factor = 300;
  Job& job = small.add_job(7, "ann", 0, 4, 0, 1000);
  job.partitions = {PartitionId{0}, PartitionId{1}};
  job.partition = PartitionId{1};  // the one that a loop looked at last
  job.factors.partition = 1000;
  job.priority = 6000;
  job.partition_priority = {5333, 6000};
  small.recorder.job_submitted(job, at(0));
  const std::vector<std::string> both{"7|gpu|5333|0|0|5000|333", "7|cpu|6000|0|0|5000|1000"};
  small.recorder.priorities_recomputed(*small.cluster, at(300));
  small.cluster->partitions[PartitionId{0}].conf.priority_job_factor = 600;
  small.cluster->max_priority_job_factor = 600;
  job.partition_priority = {6000, 5500};
  small.recorder.priorities_recomputed(*small.cluster, at(600));
  small.start(job, 900, {0});
  small.recorder.run_ended(*small.cluster, at(1000), {});
  const Result result = small.recorder.take(true);
  EXPECT_EQ(sprio_rows(result, 500), both);
  EXPECT_EQ(sprio_rows(result, 800),
            (std::vector<std::string>{"7|gpu|6000|0|0|5000|1000", "7|cpu|5500|0|0|5000|500"}));
  EXPECT_EQ(result.runs.factor_partition[0], 500);  // of cpu, in which it started
}

TEST(Sprio, PartsAreThoseOfTheInstantAndNotOfAnEventAfterIt) {
  SmallCluster small;
  small.cluster->conf.priority.weight_job_size = 100;
  Job& job = small.add_job(7, "ann", 0, 4, 1, 1000);
  job.factors.job_size = 40;
  job.priority = 5040;
  small.recorder.job_submitted(job, at(0));
  small.recorder.priorities_recomputed(*small.cluster, at(300));
  job.factors.job_size = 70;
  job.priority = 5070;
  small.recorder.priorities_recomputed(*small.cluster, at(600));
  small.recorder.priorities_recomputed(*small.cluster, at(900));
  small.recorder.run_ended(*small.cluster, at(1000), {});
  const Result result = small.recorder.take(true);
  EXPECT_EQ(sprio_rows(result, 599), std::vector<std::string>{"7|gpu|5040|0|0|5000|40"});
  EXPECT_EQ(sprio_rows(result, 600), std::vector<std::string>{"7|gpu|5070|0|0|5000|70"});
  EXPECT_EQ(result.priority_parts.size(), 1U);  // a tick without an event keeps nothing
}

// [V: recording grid] The stored priority may be an earlier, greater one.
TEST(Sprio, AddsThePartsUpAnewWhereTicksLowerNoPriority) {
  SmallCluster small;
  Job& job = small.add_job(7, "ann", 0, 4, 1, 1000);
  job.accrue = at(0);
  job.priority += 4000;
  small.recorder.job_submitted(job, at(0));
  small.recorder.run_ended(*small.cluster, at(302'400), {});
  Result result = small.recorder.take(true);
  EXPECT_NE(sprio_view(result, {}).text.find(" 9500 "), std::string::npos);
  result.cluster.priority.incr_only = true;
  EXPECT_NE(sprio_view(result, {}).text.find(" 5500 "), std::string::npos);
}

/// The first field of each row.
std::vector<std::string> ids_of(const View& view) {
  std::vector<std::string> ids;
  std::istringstream lines(view.text);
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    const std::size_t begin = line.find_first_not_of(' ');
    ids.push_back(line.substr(begin, line.find(' ', begin) - begin));
  }
  return ids;
}

TEST(Sprio, NamesArraysAndTheirTasksByJobId) {
  // Array 4 waits as one, before task 0 runs as job 5 and after.
  const Result result = small_result();
  EXPECT_EQ(ids_of(sprio_view(result, options_at(3800))), (std::vector<std::string>{"3", "4"}));
  EXPECT_EQ(ids_of(sprio_view(result, {})), std::vector<std::string>{"4"});
}

TEST(Sprio, ListsWhatRunsAndWhatEndedLatelyWithCalculateRunning) {
  Result result = small_result();
  using Ids = std::vector<std::string>;
  EXPECT_EQ(ids_of(sprio_view(result, options_at(1500))), (Ids{"2", "3"}));
  result.cluster.priority.calculate_running = true;
  EXPECT_EQ(ids_of(sprio_view(result, options_at(1500))), (Ids{"1", "2", "3"}));
  // 2 ended at 3400, 1 at 3660; slurmctld forgets them MinJobAge later.
  EXPECT_EQ(ids_of(sprio_view(result, options_at(3690))), (Ids{"1", "2", "3"}));
  EXPECT_EQ(ids_of(sprio_view(result, options_at(3950))), (Ids{"1", "3", "4"}));
}

TEST(Sprio, JobsOfAParentUnderClassicSharesGoByTheShareParent) {
  SmallCluster small;
  Job& job = small.add_job(7, "ann", 0, 4, 1, 1000);
  small.recorder.job_submitted(job, at(0));
  small.recorder.run_ended(*small.cluster, at(100), {});
  Result result = small.recorder.take(true);
  auto& all = result.cluster.associations;
  constexpr std::uint32_t own = 2;
  ASSERT_EQ(all.at(own).user, "ann");
  all[own].shares = -1;
  FairShareColumns kept;
  for (const auto& [association, factor] : {std::pair{own, 0.9}, {all[own].parent, 0.25}}) {
    kept.time.push_back(kStart);
    kept.association.push_back(association);
    kept.fair_share.push_back(factor);
  }
  result.fair_share = kept;
  const auto factor = [&] { return fair_shares_at(result, kStart + 100).at(own); };
  EXPECT_DOUBLE_EQ(factor(), 0.9);
  result.cluster.priority.fair_tree = false;
  EXPECT_DOUBLE_EQ(factor(), 0.25);
  EXPECT_DOUBLE_EQ(FairShareOverTime(result, own).at(kStart + 100), 0.25);
}

TEST(Views, ParsableFieldsAreNeverCut) {
  ViewOptions options = options_at(1500);
  options.parsable = true;
  EXPECT_EQ(sinfo_view(small_result(), options).text,
            "PARTITION|AVAIL|TIMELIMIT|NODES|STATE|NODELIST\n"
            "gpu*|up|2-00:00:00|1|drain|g02\n"
            "gpu*|up|2-00:00:00|1|mix|g01\n"
            "cpu|up|infinite|1|idle|c01\n");
}

TEST(Summary, FitsAHundredColumnsOfAscii) {
  const Result result = small_result();
  const std::string text = summary_text(result, compute_kpis(result), {});
  std::size_t begin = 0;
  for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', begin)) {
    EXPECT_LE(end - begin, 100U) << text.substr(begin, end - begin);
    begin = end + 1;
  }
  for (const char c : text) EXPECT_TRUE(c == '\n' || (c >= ' ' && c <= '~'));
  EXPECT_NE(text.find("33.3 % of existing,  38.1 % of available"), std::string::npos) << text;
  EXPECT_NE(text.find("BeginTime"), std::string::npos);
  EXPECT_NE(text.find("\nschedule fingerprint  0000000000005678\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\nevent fingerprint     0000000000001234\n"), std::string::npos) << text;
}

TEST(Summary, CountsWhatALaterReleaseDoesOtherwise) {
  Result result = small_result();
  EXPECT_EQ(summary_text(result, compute_kpis(result), {}).find("against 22.05"),
            std::string::npos);
  result.cluster.slurm_version = "23.11";
  const std::string text = summary_text(result, compute_kpis(result), {});
  EXPECT_NE(text.find("Slurm 23.11 against 22.05: "), std::string::npos) << text;
  const std::string json = summary_json(result, compute_kpis(result));
  EXPECT_NE(json.find("\"slurm_differences\":[{\"since\":\"23.02\""), std::string::npos) << json;
}

TEST(Summary, OfAnInterruptedRunSaysSoAndShowsNoFingerprints) {
  Result result = small_result();
  result.complete = false;
  const std::string text = summary_text(result, compute_kpis(result), {});
  EXPECT_NE(text.find("INTERRUPTED"), std::string::npos) << text;
  EXPECT_NE(text.find("no fingerprints"), std::string::npos) << text;
  EXPECT_EQ(text.find("0000000000005678"), std::string::npos) << text;
}

TEST(Summary, AsJsonHasASchemaAndNullForWhatCannotBeKnown) {
  SmallCluster small;
  small.recorder.run_ended(*small.cluster, at(10), {});
  const Result result = small.recorder.take(true);
  const std::string json = summary_json(result, compute_kpis(result));
  EXPECT_EQ(json.find("{\"schema\":\"rehearse-run/1\","), 0U) << json;
  EXPECT_NE(json.find("\"wait_p95\":{\"value\":null,\"units\":\"s\"}"), std::string::npos) << json;
}

}  // namespace
}  // namespace rehearse::test
