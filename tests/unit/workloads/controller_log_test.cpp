// tests/unit/workloads/controller_log_test.cpp — a log sharpens what sacct cut to seconds.
#include "workloads/controller_log.hpp"

#include <gtest/gtest.h>

#include "tests/unit/scratch_folder.hpp"
#include "workloads/input.hpp"

namespace rehearse::test {
namespace {

using namespace std::chrono_literals;

constexpr std::int64_t kMidnight = 1'735'689'600;  // 2025-01-01T00:00:00Z

Time at(Duration since_midnight) {
  return Time{from_epoch_seconds(kMidnight)} + since_midnight;
}
SlurmTime second(Seconds since_midnight) {
  return from_epoch_seconds(kMidnight) + since_midnight;
}

ControllerLog read(std::string_view text) {
  return read_controller_log(text, TimeZone::utc());
}

JobSpec ended_job(std::uint32_t id, Seconds submit, Seconds end) {
  JobSpec spec;
  spec.id = JobId{id};
  spec.submit = Time{second(submit)};
  spec.recorded_end = second(end);
  return spec;
}

TraceJobs one(JobSpec spec) {
  std::vector<JobSpec> specs;
  specs.push_back(std::move(spec));
  return TraceJobs(std::move(specs));
}

TEST(ControllerLog, ReadsWhatHappenedAndNotWhatWasDecided) {
  const ControllerLog log = read(
      "[2025-01-01T00:00:07.250] debug:  priority/multifactor: init: Priority MULTIFACTOR plugin "
      "loaded\n"
      "[2025-01-01T00:00:09.001] _slurm_rpc_submit_batch_job: JobId=7 InitPrio=3 usec=42\n"
      "[2025-01-01T00:00:10.500] sched: Allocate JobId=7 NodeList=n1 #CPUs=1 Partition=p\n"
      "[2025-01-01T00:01:00.900] _job_complete: JobId=7 WEXITSTATUS 0\n"
      "[2025-01-01T00:01:00.950] _job_complete: JobId=7 done\n"
      "[2025-01-01T00:02:00.125] Time limit exhausted for JobId=8\n"
      "[2025-01-01T00:02:00.130] Time limit exhausted for JobId=9\n");
  EXPECT_EQ(log.loops_began, at(7250ms));
  ASSERT_EQ(log.submitted.size(), 1U);
  EXPECT_EQ(log.submitted[0].id, JobId{7});
  EXPECT_EQ(log.submitted[0].at, at(9001ms));
  ASSERT_EQ(log.completed.size(), 2U);
  EXPECT_EQ(log.completed[0].at, at(60900ms));
  EXPECT_EQ(log.limit_scans, std::vector<Time>{at(120125ms)}) << "one scan ended both";
  ASSERT_EQ(log.overdue.size(), 2U);
  EXPECT_EQ(log.overdue[1].id, JobId{9});
  EXPECT_EQ(log.overdue[1].at, at(120125ms)) << "by the scan, not by its own line";
}

TEST(ControllerLog, ReadsRunsThatALimitOfUsageEndedAsThoseOfAScan) {
  const ControllerLog log = read(
      "[2025-01-01T00:02:00.125] JobId=8 timed out, the job is at or exceeds assoc 4(ml/(null)/"
      "(null)) group max tres(gres/gpu) minutes of 300 with 305\n"
      "[2025-01-01T00:02:00.130] JobId=5_2(9) timed out, the job is at or exceeds QOS long's group "
      "max wall limit\n"
      "[2025-01-01T00:02:00.500] TRACE_JOBS: cleanup_completing: JobId=8\n");
  ASSERT_EQ(log.ended.size(), 2U);
  EXPECT_EQ(log.ended[0].id, JobId{8});
  EXPECT_EQ(log.ended[0].at, at(120125ms));
  EXPECT_EQ(log.ended[1].id, JobId{9});
  EXPECT_EQ(log.limit_scans, std::vector<Time>{at(120125ms)});
}

TEST(ControllerLog, TellsTheFirstRunOfAJobThatWasRequeuedAfterItsEnd) {
  const auto told = [](const char* log) {
    JobSpec spec = ended_job(7, Seconds{1}, Seconds{700});
    spec.recorded_start = second(Seconds{10});
    return first_runs(one(std::move(spec)), read(log));
  };
  EXPECT_EQ(told("[2025-01-01T00:01:00.900] _job_complete: JobId=7 WEXITSTATUS 0\n"
                 "[2025-01-01T00:03:00.000] Requeuing JobId=7\n"
                 "[2025-01-01T00:11:40.100] _job_complete: JobId=7 WEXITSTATUS 0\n"),
            (std::map<JobId, Duration>{{JobId{7}, 50900ms}}));
  EXPECT_TRUE(told("[2025-01-01T00:03:00.000] Requeuing JobId=7\n"
                   "[2025-01-01T00:11:40.100] _job_complete: JobId=7 WEXITSTATUS 0\n")
                  .empty())
      << "it was requeued while it ran";
  EXPECT_TRUE(told("[2025-01-01T00:01:00.900] preempted JobId=7 has been requeued to reclaim "
                   "resources for JobId=8\n"
                   "[2025-01-01T00:01:03.000] Requeuing JobId=7\n"
                   "[2025-01-01T00:11:40.100] _job_complete: JobId=7 WEXITSTATUS 0\n")
                  .empty());
}

TEST(ControllerLog, IsHeldAgainstTheFirstStartsOfJobsAndTasks) {
  JobSpec spec = ended_job(7, Seconds{1}, Seconds{700});
  spec.recorded_start = second(Seconds{10});
  spec.extras = std::make_unique<JobExtras>();
  spec.extras->array.resize(3);
  for (std::uint32_t i = 0; i < 3; ++i) spec.extras->array[i].id = JobId{i == 2 ? 7 : 8 + i};
  spec.extras->array[0].recorded_start = second(Seconds{10});
  spec.extras->array[2].recorded_start = second(Seconds{30});
  EXPECT_EQ(first_starts(one(std::move(spec))),
            (std::map<JobId, SlurmTime>{{JobId{7}, second(Seconds{30})},
                                        {JobId{8}, second(Seconds{10})}}));
  EXPECT_TRUE(first_starts(one(ended_job(7, Seconds{1}, Seconds{700}))).empty());
}

TEST(ControllerLog, TellsTheSubmissionOfAllComponentsByTheirLeader) {
  const ControllerLog log =
      read("[2025-01-01T00:00:09.875] _slurm_rpc_submit_batch_het_job: JobId=34 usec=62312\n");
  JobSpec spec = ended_job(35, 9s, 60s);
  spec.extras = std::make_unique<JobExtras>();
  spec.extras->het_leader = JobId{34};
  TraceJobs jobs = one(std::move(spec));
  sharpen(jobs, log);
  EXPECT_EQ(jobs.specs()[0].submit, at(9875ms));
}

TEST(ControllerLog, KnowsAnArrayTaskByItsOwnId) {
  const ControllerLog log =
      read("[2025-01-01T00:00:02.500] _job_complete: JobId=5_2(12) WEXITSTATUS 0\n");
  ASSERT_EQ(log.completed.size(), 1U);
  EXPECT_EQ(log.completed[0].id, JobId{12});
}

TEST(ControllerLog, TellsTurnsOfTheBackgroundLoopThatTookLong) {
  const ControllerLog log = read(
      "[2025-01-01T00:00:08.500] Warning: Note very large processing time from "
      "_slurmctld_background: usec=7500000 began=00:00:01.000\n"
      "[2025-01-01T00:00:09.000] debug:  Note large processing time from slurmdbd agent: full "
      "loop: "
      "usec=2000000 began=00:00:07.000\n");
  ASSERT_EQ(log.long_turns.size(), 1U);
  EXPECT_EQ(log.long_turns[0].began, at(1s));
  EXPECT_EQ(log.long_turns[0].ended, at(8500ms));
}

TEST(ControllerLog, ATurnOfMoreThanADayIsATornNumber) {
  const ControllerLog log = read(
      "[2025-01-01T00:00:08.500] Warning: Note very large processing time from "
      "_slurmctld_background: usec=9223372036854775807 began=00:00:01.000\n");
  EXPECT_TRUE(log.long_turns.empty());
}

TEST(ControllerLog, FindsSlicesInWhoStoodStillAndWentOn) {
  const ControllerLog log = read(
      "[2025-01-01T00:00:10.000] debug:  gang: suspending JobId=3\n"  // it starts beside job 1
      "[2025-01-01T00:02:30.000] debug:  gang: suspending JobId=1\n"
      "[2025-01-01T00:02:30.010] debug:  gang: resuming JobId=3\n"
      "[2025-01-01T00:03:00.000] debug:  gang: suspending JobId=1\n"  // a start and an end
      "[2025-01-01T00:03:00.020] debug:  gang: resuming JobId=4_1(5)\n"
      "[2025-01-01T00:05:30.100] debug:  gang: suspending JobId=3\n"
      "[2025-01-01T00:05:30.110] debug:  gang: resuming JobId=1\n");
  ASSERT_EQ(log.gang_turns.size(), 4U);
  EXPECT_FALSE(log.gang_turns[0].some_went_on);
  const std::vector<Time> slices = slices_of(log.gang_turns, Seconds{90});
  ASSERT_GE(slices.size(), 5U);
  EXPECT_EQ(slices[0], at(60s)) << "one that changed nothing, since somebody waits";
  EXPECT_EQ(slices[1], at(150s));
  EXPECT_EQ(slices[2], at(240050ms)) << "spread evenly";
  EXPECT_EQ(slices[3], at(330100ms));
  EXPECT_EQ(slices[4], at(420100ms)) << "and on";
  EXPECT_TRUE(slices_of({{at(10s), true, false}}, Seconds{90}).empty());
}

TEST(ControllerLog, TellsFullPassesFromPartialOnes) {
  const ControllerLog log = read(
      "[2025-01-01T00:00:01.000] debug:  sched: Running job scheduler for full queue.\n"
      "[2025-01-01T00:00:04.500] debug:  sched: Running job scheduler for default depth.\n");
  ASSERT_EQ(log.main_passes.size(), 2U);
  EXPECT_EQ(log.main_passes[0].depth, BackgroundClock::Due::Full);
  EXPECT_EQ(log.main_passes[1].depth, BackgroundClock::Due::Partial);
  EXPECT_EQ(log.main_passes[1].at, at(4500ms));
}

TEST(ControllerLog, TellsWhoWasPreemptedForWhomAndHowLongHisNodesTook) {
  const ControllerLog log = read(
      "[2025-01-01T00:00:01.100] preempted JobId=5_2(7) has been requeued to reclaim resources for "
      "JobId=9\n"
      "[2025-01-01T00:00:01.200] preempted JobId=8 has been killed to reclaim resources for "
      "JobId=Invalid\n"
      "[2025-01-01T00:00:03.350] Requeuing JobId=5_2(7)\n"
      "[2025-01-01T00:10:00.000] preempted JobId=5_2(7) has been killed to reclaim resources for "
      "JobId=9\n");
  ASSERT_EQ(log.preempted.size(), 3U);
  EXPECT_EQ(log.preempted[0].victim, JobId{7});
  EXPECT_EQ(log.preempted[0].preemptor, JobId{9});
  EXPECT_TRUE(log.preempted[0].requeued);
  EXPECT_EQ(log.preempted[1].preemptor, JobId{}) << "it was gone";
  const auto times = clean_up_times(log);
  ASSERT_EQ(times.at(JobId{7}).size(), 1U) << "the second run was not seen to be clean";
  EXPECT_EQ(times.at(JobId{7})[0]->took, Duration{2'250'000});
  EXPECT_FALSE(times.contains(JobId{8}));
}

TEST(ControllerLog, TellsTheWarningOfAVictimAndTheScanThatEndsIt) {
  const ControllerLog log = read(
      "[2025-01-01T00:00:01.100] debug:  setting 30 sec preemption grace time for JobId=5_2(7) to "
      "reclaim resources for JobId=9\n"
      "[2025-01-01T00:00:02.000] debug:  setting 30 sec preemption grace time for JobId=8 to "
      "reclaim resources for JobId=9\n"
      "[2025-01-01T00:00:42.500] preempted JobId=5_2(7) has been requeued to reclaim resources for "
      "JobId=Invalid\n"
      "[2025-01-01T00:00:50.000] preempted JobId=8 has been requeued to reclaim resources for "
      "JobId=9\n"
      "[2025-01-01T00:05:00.000] preempted JobId=8 has been requeued to reclaim resources for "
      "JobId=9\n");
  ASSERT_EQ(log.preempted.size(), 3U) << "the last had no warning";
  EXPECT_EQ(log.preempted[0].victim, JobId{7});
  EXPECT_EQ(log.preempted[0].preemptor, JobId{9});
  EXPECT_EQ(log.preempted[0].at, at(1100ms));
  EXPECT_TRUE(log.preempted[0].warned && log.preempted[1].warned);
  EXPECT_FALSE(log.preempted[2].warned);
  ASSERT_EQ(log.limit_scans.size(), 1U) << "the second died by a pass";
  EXPECT_EQ(log.limit_scans[0], at(42500ms));
}

TEST(ControllerLog, TellsTheScanThatKillsAVictimThatIsNotRequeued) {
  const ControllerLog log = read(
      "[2025-01-01T00:00:01.000] debug:  setting 30 sec preemption grace time for JobId=7 to "
      "reclaim resources for JobId=9\n"
      "[2025-01-01T00:00:01.000] debug:  setting 30 sec preemption grace time for JobId=8 to "
      "reclaim resources for JobId=9\n"
      "[2025-01-01T00:00:02.000] debug:  setting 30 sec preemption grace time for JobId=6 to "
      "reclaim resources for JobId=9\n"
      "[2025-01-01T00:00:12.000] job_signal: 9 of running JobId=6 successful 0x8008\n"
      "[2025-01-01T00:00:31.500] job_signal: 9 of running JobId=7 successful 0x8008\n"
      "[2025-01-01T00:00:50.000] debug:  sched: Running job scheduler for full queue.\n"
      "[2025-01-01T00:00:50.100] job_signal: 9 of running JobId=8 successful 0x8008\n");
  ASSERT_EQ(log.preempted.size(), 3U);
  EXPECT_TRUE(log.preempted[0].killed && log.preempted[1].killed);
  EXPECT_FALSE(log.preempted[2].killed) << "somebody cancelled it within its grace";
  ASSERT_EQ(log.limit_scans.size(), 1U) << "job 8 died by a pass";
  EXPECT_EQ(log.limit_scans[0], at(31500ms));
}

TEST(ControllerLog, TellsOfEachRunWhenItsNodesWereCleanWhereItWasTraced) {
  const ControllerLog log = read(
      "[2025-01-01T00:00:01.100] _job_complete: JobId=7 WEXITSTATUS 0\n"
      "[2025-01-01T00:00:01.600] TRACE_JOBS: cleanup_completing: JobId=7\n"
      "[2025-01-01T00:00:02.000] Time limit exhausted for JobId=8\n"
      "[2025-01-01T00:00:06.500] TRACE_JOBS: cleanup_completing: JobId=8\n"
      "[2025-01-01T00:05:00.000] requeue job JobId=8 due to failure of node n1\n"
      "[2025-01-01T00:05:00.010] TRACE_JOBS: cleanup_completing: JobId=8\n"
      "[2025-01-01T00:06:00.000] TRACE_JOBS: cleanup_completing: JobId=8\n");
  const auto times = clean_up_times(log);
  EXPECT_EQ(times.at(JobId{7})[0]->took, Duration{500'000});
  ASSERT_EQ(times.at(JobId{8}).size(), 3U);
  EXPECT_EQ(times.at(JobId{8})[0]->took, Duration{4'500'000});
  EXPECT_EQ(times.at(JobId{8})[1]->took, Duration{10'000});
  EXPECT_FALSE(times.at(JobId{8})[2]) << "nothing tells when that run ended";
}

TEST(ControllerLog, TellsWhenAPartitionWasUpdated) {
  const ControllerLog log = read(
      "[2025-01-01T00:00:01.100] update_part: setting max_time to 45 for partition gpu\n"
      "[2025-01-01T00:00:01.700] update_part: setting state_up to 0 for partition gpu2\n");
  ASSERT_EQ(log.commands.size(), 2U);
  EXPECT_EQ(log.commands[1].partition, "gpu2");
  std::vector<AdminCommandAt> commands;
  for (const char* name : {"gpu2", "gpu", "cpu"}) {
    commands.push_back({at(1s), "scontrol update PartitionName=" + std::string(name) + " State=UP",
                        UpdatePartition{}});
  }
  EXPECT_EQ(sharpen(commands, log.commands), 2U);
  EXPECT_EQ(commands[0].text.substr(29), "=cpu State=UP") << "the log does not tell";
  EXPECT_EQ(commands[1].at, at(1100ms));
  EXPECT_EQ(commands[2].at, at(1700ms));
}

TEST(ControllerLog, TellsWhenTheFilesWereReadAgain) {
  const ControllerLog log = read(
      "[2025-01-01T00:00:01.100] Processing Reconfiguration Request\n"
      "[2025-01-01T00:00:01.200] _slurm_rpc_reconfigure_controller: completed usec=141610\n");
  ASSERT_EQ(log.commands.size(), 1U);
  std::vector<AdminCommandAt> commands{{at(2s), "scontrol reconfigure", Reconfigure{}},
                                       {at(9s), "scontrol reconfigure", Reconfigure{}}};
  EXPECT_EQ(sharpen(commands, log.commands), 1U);
  EXPECT_EQ(commands[0].at, at(1100ms));
  EXPECT_EQ(commands[1].at, at(9s));
}

TEST(ControllerLog, EndsAllComponentsWhereTheLineOfAPreemptionNamesOne) {
  const ControllerLog log = read(
      "[2025-01-01T00:00:01.100] preempted JobId=6+0(6) has been requeued to reclaim resources for "
      "JobId=9\n"
      "[2025-01-01T00:00:03.300] TRACE_JOBS: cleanup_completing: JobId=6+1(7)\n"
      "[2025-01-01T00:00:04.000] TRACE_JOBS: cleanup_completing: JobId=6+0(6)\n"
      "[2025-01-01T00:05:00.000] Time limit exhausted for JobId=6+1(7)\n"
      "[2025-01-01T00:05:00.500] TRACE_JOBS: cleanup_completing: JobId=6+1(7)\n");
  EXPECT_EQ(log.preempted.size(), 1U);
  const auto times = clean_up_times(log);
  EXPECT_EQ(times.at(JobId{6})[0]->took, Duration{2'900'000});
  ASSERT_EQ(times.at(JobId{7}).size(), 2U);
  EXPECT_EQ(times.at(JobId{7})[0]->took, Duration{2'200'000});
  EXPECT_EQ(times.at(JobId{7})[1]->took, Duration{500'000});
}

TEST(ControllerLog, GivesUnnamedMessagesToTheNodesThatAnswerBesideASilentOne) {
  const std::string text =
      "[2025-01-01T00:00:00.000] sched: Allocate JobId=7 NodeList=n[1-3] #CPUs=12 Partition=p\n"
      "[2025-01-01T00:01:00.000] _job_complete: JobId=7 WEXITSTATUS 0\n"
      "[2025-01-01T00:01:11.000] TRACE_JOBS: job_epilog_complete: enter JobId=7\n";
  const std::string second =
      "[2025-01-01T00:01:11.001] TRACE_JOBS: job_epilog_complete: enter JobId=7\n";
  const std::string down =
      "[2025-01-01T00:04:00.000] TRACE_JOBS: cleanup_completing: JobId=7\n"
      "[2025-01-01T00:04:00.004] error: Nodes n2 not responding, setting DOWN\n";
  const auto times = clean_up_times(read(text + second + down));
  const KnownCleanUp& known = times.at(JobId{7})[0].value();
  EXPECT_EQ(known.took, Duration{180'000'000});
  ASSERT_EQ(known.before.size(), 2U);
  EXPECT_EQ(known.before[0].first, "n1");
  EXPECT_EQ(known.before[1].first, "n3");
  EXPECT_EQ(known.at - known.before[0].second, Duration{168'999'000});
  // One message of two: of which node it is no line tells.
  EXPECT_TRUE(clean_up_times(read(text + down)).at(JobId{7})[0]->before.empty());
}

TEST(ControllerLog, TakesLateMessagesOfALostRunForNoEndOfTheNext) {
  const ControllerLog log = read(
      "[2025-01-01T00:01:00.000] requeue job JobId=7 due to failure of node n3\n"
      "[2025-01-01T00:01:00.010] TRACE_JOBS: cleanup_completing: JobId=7\n"
      "[2025-01-01T00:01:01.000] _job_complete: JobId=7 WTERMSIG 15\n"
      "[2025-01-01T00:31:00.000] _job_complete: JobId=7 WEXITSTATUS 0\n"
      "[2025-01-01T00:31:00.500] TRACE_JOBS: cleanup_completing: JobId=7\n");
  const auto times = clean_up_times(log);
  ASSERT_EQ(times.at(JobId{7}).size(), 2U);
  EXPECT_EQ(times.at(JobId{7})[0]->took, Duration{10'000});
  EXPECT_EQ(times.at(JobId{7})[1]->took, Duration{500'000});
}

TEST(ControllerLog, TellsWhichNodesDoNotAnswer) {
  const ControllerLog log = read(
      "[2025-01-01T00:01:00.250] error: Nodes n[3-4] not responding\n"
      "[2025-01-01T00:03:00.100] requeue job JobId=5 due to failure of node n3\n"
      "[2025-01-01T00:03:04.000] requeue job JobId=6 due to failure of node n3\n"
      "[2025-01-01T00:03:06.500] error: Nodes n3 not responding, setting DOWN\n"
      "[2025-01-01T00:04:00.000] error: Nodes n4 not responding, setting DOWN\n"
      "[2025-01-01T00:05:00.000] error: Nodes n[4 not responding\n"
      "[2025-01-01T00:06:00.000] requeue job JobId=7 due to failure of node n4\n"
      "[2025-01-01T00:16:00.000] error: Nodes n4 not responding, setting DOWN\n");
  const auto& n3 = log.silences.at("n3");
  ASSERT_EQ(n3.size(), 2U);
  EXPECT_EQ(n3[0].at, at(60250ms));
  EXPECT_FALSE(n3[0].sets_down);
  EXPECT_EQ(n3[1].at, at(180100ms)) << "when the first of its jobs was seen to";
  EXPECT_TRUE(n3[1].sets_down);
  const auto& n4 = log.silences.at("n4");
  ASSERT_EQ(n4.size(), 3U);
  EXPECT_EQ(n4[1].at, at(240000ms));
  EXPECT_EQ(n4[2].at, at(960000ms)) << "another failure, long before";
}

TEST(ControllerLog, TellsWhenNodesWereSetDownAndWhenTheyCameBack) {
  const ControllerLog log = read(
      "[2025-01-01T00:01:00.250] update_node: node n3 reason set to: gpu\n"
      "[2025-01-01T00:01:00.300] update_node: node n3 state set to DOWN\n"
      "[2025-01-01T00:01:01.500] node_did_resp: node n3 returned to service\n"
      "[2025-01-01T00:02:00.000] update_node: node n4 state set to DRAINED\n"
      "[2025-01-01T00:03:00.000] Node n4 now responding\n"
      "[2025-01-01T00:04:00.000] node n3 returned to service later\n"
      "[2025-01-01T00:05:00.000] node_did_resp: node n3 is not back\n");
  ASSERT_EQ(log.node_updates.size(), 2U);
  EXPECT_EQ(log.node_updates[0].node, "n3");
  EXPECT_EQ(log.node_updates[0].at, at(60300ms));
  ASSERT_EQ(log.answers.at("n3").size(), 2U);
  EXPECT_EQ(log.answers.at("n3")[0], at(61500ms));
  EXPECT_EQ(log.answers.at("n4").size(), 1U);

  NamePool names;
  IdVector<NodeId, Node> nodes;
  for (int i = 0; i < 5; ++i) {
    Node node;
    node.name = names.intern("n" + std::to_string(i));
    nodes.push_back(std::move(node));
  }
  const auto set = [](Duration when, std::uint32_t node, NodeStateChange::To to) {
    UpdateNodes update;
    update.nodes = {NodeId{node}};
    update.change.to = to;
    return AdminCommandAt{at(0ms) + when, "", update};
  };
  using To = NodeStateChange::To;
  std::vector<AdminCommandAt> commands{set(Seconds{62}, 3, To::Down), set(Seconds{63}, 3, To::None),
                                       set(Seconds{64}, 3, To::Resume),
                                       set(Seconds{120}, 3, To::Drain)};
  EXPECT_EQ(sharpen(commands, nodes, names, log.node_updates), 1U);
  EXPECT_EQ(commands[0].at, at(60300ms));
  EXPECT_EQ(commands[1].at, at(63000ms)) << "a weight, say";
  EXPECT_EQ(commands[2].at, at(64000ms)) << "one line is of one command";
  EXPECT_EQ(commands[3].at, at(120000ms)) << "of another node";
  std::vector<AdminCommandAt> late{set(Seconds{69}, 3, To::Down)};
  EXPECT_EQ(sharpen(late, nodes, names, log.node_updates), 1U);
  EXPECT_EQ(late[0].at, at(60300ms)) << "scontrol returned nine seconds later";
  std::vector<AdminCommandAt> early{set(Seconds{54}, 3, To::Down)};
  EXPECT_EQ(sharpen(early, nodes, names, log.node_updates), 0U) << "it was noted before that";
}

TEST(ControllerLog, PutsASubmissionBeforeTheCycleThatCameToItsJob) {
  const ControllerLog log = read(
      "[2025-01-01T00:00:01.100] sched/backfill: _attempt_backfill: beginning\n"
      "[2025-01-01T00:00:01.300] sched/backfill: _attempt_backfill: BACKFILL: test for JobId=7 "
      "Prio=1 Partition=p Reservation=NONE\n"
      "[2025-01-01T00:00:01.500] sched/backfill: _attempt_backfill: completed testing 1(1) jobs\n"
      "[2025-01-01T00:00:01.600] _slurm_rpc_submit_batch_job: JobId=7 InitPrio=1 usec=550000\n"
      "[2025-01-01T00:00:01.700] _slurm_rpc_submit_batch_job: JobId=8 InitPrio=1 usec=900000\n");
  const Time began = log.cycles.at(0).began;
  EXPECT_EQ(log.submitted.at(0).at, began - Duration{1});
  EXPECT_EQ(log.submitted.at(1).at, began + Duration{600'000}) << "no cycle knew it";
}

TEST(ControllerLog, TellsWhichNodesWereCleanBeforeTheLastWhereMessagesWereLogged) {
  const ControllerLog log = read(
      "[2025-01-01T00:00:01.000] Time limit exhausted for JobId=5_2(7)\n"
      "[2025-01-01T00:00:02.000] ROUTE: _slurm_rpc_epilog_complete: node_name = n3, "
      "JobId=5_2(7)\n"
      "[2025-01-01T00:00:02.500] ROUTE: _slurm_rpc_epilog_complete: node_name = n1, JobId=8\n"
      "[2025-01-01T00:00:04.000] TRACE_JOBS: cleanup_completing: JobId=5_2(7)\n"
      "[2025-01-01T00:00:05.000] ROUTE: _slurm_rpc_epilog_complete: node_name = n4, "
      "JobId=5_2(7)\n");
  const auto times = clean_up_times(log);
  const KnownCleanUp& known = times.at(JobId{7}).at(0).value();
  ASSERT_EQ(known.before.size(), 1U);
  EXPECT_EQ(known.before[0].first, "n3");
  EXPECT_EQ(known.at - known.before[0].second, Duration{2'000'000});
}

TEST(ControllerLog, TellsTheTimeSlicesOfGangScheduling) {
  const ControllerLog log = read(
      "[2025-01-01T00:01:00.000] GANG: gang: _timeslicer_thread: scanning partitions\n"
      "[2025-01-01T00:01:30.500] _job_complete: JobId=7 WEXITSTATUS 0\n"
      "[2025-01-01T00:01:31.000] GANG: gang: entering gs_job_fini for JobId=7\n"
      "[2025-01-01T00:02:00.010] GANG: gang: _timeslicer_thread: scanning partitions\n");
  EXPECT_EQ(log.slices.size(), 2U);
  EXPECT_EQ(clean_up_times(log).at(JobId{7})[0]->took, Duration{500'000});
}

TEST(ControllerLog, TellsWhenACycleCameToEachJobAndWhenItSlept) {
  const std::string head = "sched/backfill: _attempt_backfill: ";
  const ControllerLog log = read(
      "[2025-01-01T00:01:00.000] " + head + "BACKFILL: test for JobId=1 Prio=1 Partition=p\n" +
      "[2025-01-01T00:01:30.000] " + head + "beginning\n" + "[2025-01-01T00:01:30.100] " + head +
      "BACKFILL: test for JobId=7 Prio=1 Partition=p\n" + "[2025-01-01T00:01:30.200] " + head +
      "BACKFILL: test for JobId=5_* Prio=4760 Partition=p\n" + "[2025-01-01T00:01:32.000] " + head +
      "yielding locks after testing 2(2) jobs, usec=2\n" + "[2025-01-01T00:01:32.300] " + head +
      "BACKFILL: test for JobId=5_2(9) Prio=\n" + "[2025-01-01T00:01:34.000] " + head +
      "yielding locks after testing 3(1) jobs, usec=2\n" + "[2025-01-01T00:01:35.000] " + head +
      "completed testing 3(1) jobs, usec=1000\n" + "[2025-01-01T00:02:00.000] " + head +
      "beginning\n");
  ASSERT_EQ(log.cycles.size(), 1U) << "one that has not ended is not told";
  const KnownCycle& cycle = log.cycles[0];
  EXPECT_EQ(cycle.began, at(90'000ms));
  ASSERT_EQ(cycle.tries.size(), 3U);
  EXPECT_EQ(cycle.tries[0].job, JobId{7});
  EXPECT_EQ(cycle.tries[1].job, JobId{5}) << "the record of an array";
  EXPECT_EQ(cycle.tries[1].priority, 4760U);
  EXPECT_EQ(cycle.tries[2].job, JobId{9}) << "a task";
  EXPECT_EQ(cycle.tries[2].priority, 0U) << "not told";
  ASSERT_EQ(cycle.sleeps.size(), 2U);
  EXPECT_EQ(cycle.sleeps[0].after, JobId{5});
  EXPECT_EQ(cycle.sleeps[0].awake, at(92'300ms)) << "with the next try";
  EXPECT_EQ(cycle.sleeps[1].awake, Time::max()) << "nobody was tried behind it";
}

TEST(ControllerLog, PassesOverTornLines) {
  const ControllerLog log = read(
      "_job_complete: JobId=1 done\n[2025-01-01T00:00:0\n[soon] _job_complete: JobId=1 done\n"
      "[2025-01-01T00:00:02.500] _job_complete: JobId=x\n"
      "[2025-01-01T00:00:02.500] _job_complete: JobId=5_2(\n"
      "[2025-01-01T00:00:02.500] _job_compl");
  EXPECT_TRUE(log.completed.empty());
  EXPECT_TRUE(read("").submitted.empty());
}

TEST(Sharpen, TakesSubmissionsAndEndsToTheirPartOfTheSecond) {
  TraceJobs jobs = one(ended_job(7, 9s, 60s));
  const ControllerLog log = read(
      "[2025-01-01T00:00:09.001] _slurm_rpc_submit_batch_job: JobId=7 InitPrio=3 usec=42\n"
      "[2025-01-01T00:01:00.900] _job_complete: JobId=7 WEXITSTATUS 0\n");
  EXPECT_EQ(sharpen(jobs, log), 2U);
  EXPECT_EQ(jobs.specs()[0].submit, at(9001ms));
  EXPECT_EQ(jobs.specs()[0].run.last_second, Duration{900ms});
}

TEST(Sharpen, TakesTheComponentsOfAHeterogeneousJobToTheLineOfTheirLeader) {
  TraceJobs jobs = one(ended_job(8, 9s, 60s));
  jobs.change([](JobSpec& spec) {
    spec.extras = std::make_unique<JobExtras>();
    spec.extras->het_leader = JobId{7};
    spec.extras->het_offset = 1;
  });
  EXPECT_EQ(sharpen(jobs, read("[2025-01-01T00:00:09.700] _slurm_rpc_submit_batch_het_job: "
                               "JobId=7 usec=62312\n"
                               "[2025-01-01T00:01:00.200] _job_complete: JobId=7+0(7) done\n"
                               "[2025-01-01T00:01:00.900] _job_complete: JobId=7+1(8) done\n")),
            2U);
  EXPECT_EQ(jobs.specs()[0].submit, at(9700ms));
  EXPECT_EQ(jobs.specs()[0].run.last_second, Duration{900ms});
}

TEST(Sharpen, KeepsTheSecondThatSacctGives) {
  TraceJobs late = one(ended_job(7, 9s, 60s));
  (void)sharpen(late, read("[2025-01-01T00:00:10.100] _slurm_rpc_submit_batch_job: JobId=7 x\n"));
  EXPECT_EQ(late.specs()[0].submit, at(9999999us)) << "the line is written when the work is done";
  TraceJobs other = one(ended_job(7, 9s, 60s));
  EXPECT_EQ(sharpen(other, read("[2025-01-01T01:00:00.100] _job_complete: JobId=7 done\n")), 0U)
      << "another run of the same id";
  EXPECT_FALSE(other.specs()[0].run.last_second);
}

TEST(Sharpen, TakesTheFirstSubmissionWhereSacctLacksTheFirstRun) {
  TraceJobs jobs = one(ended_job(7, 900s, 960s));
  EXPECT_EQ(
      sharpen(jobs, read("[2025-01-01T00:00:09.100] _slurm_rpc_submit_batch_job: JobId=7 x\n")),
      1U);
  EXPECT_EQ(jobs.specs()[0].submit, at(9100ms));
}

TEST(Sharpen, TakesTheEndOfTheRecordedRunOfARequeuedJob) {
  TraceJobs jobs = one(ended_job(7, 9s, 60s));
  (void)sharpen(jobs, read("[2025-01-01T00:00:30.250] _job_complete: JobId=7 done\n"
                           "[2025-01-01T00:01:00.750] _job_complete: JobId=7 done\n"));
  EXPECT_EQ(jobs.specs()[0].run.last_second, Duration{750ms});
}

TEST(Sharpen, KnowsATimeoutThatEndedByItself) {
  JobSpec spec = ended_job(7, 9s, 93s);
  spec.recorded_start = second(10s);
  spec.time_limit = Minutes{1};
  spec.run.outcome = RunOutcome::UntilKilled;
  TraceJobs killed = one(spec);
  (void)sharpen(killed, read("[2025-01-01T00:01:33.100] Time limit exhausted for JobId=7\n"));
  EXPECT_EQ(killed.specs()[0].run.outcome, RunOutcome::UntilKilled);
  TraceJobs ended = one(std::move(spec));
  (void)sharpen(ended, read("[2025-01-01T00:01:33.250] _job_complete: JobId=7 WEXITSTATUS 0\n"));
  EXPECT_EQ(ended.specs()[0].run.outcome, RunOutcome::Completed);
  EXPECT_EQ(ended.specs()[0].run.runtime, 83s);
  EXPECT_EQ(ended.specs()[0].run.last_second, Duration{250ms});
  EXPECT_TRUE(ended.specs()[0].run.outlived_limit);
}

TEST(FindControllerLog, ReadsACompressedLogOrNone) {
  const ScratchFolder folder;
  EXPECT_FALSE(find_controller_log(folder.path(), TimeZone::utc()));
  folder.write("slurmctld.log.xz",
               compress_xz("[2025-01-01T00:00:02.500] _job_complete: JobId=3 done\n"));
  const auto log = find_controller_log(folder.path(), TimeZone::utc());
  ASSERT_TRUE(log);
  EXPECT_EQ(log->completed.at(0).id, JobId{3});
}

// As slurmctld 22.05.8 wrote it; `now` was resolved a second before.
TEST(ControllerLog, TellsWhenAReservationWasMadeAndForWhen) {
  const ControllerLog log = read_controller_log(
      "[2027-01-15T08:58:41.150] sched: Created reservation=demo accounts=ml nodes=node04 cores=64 "
      "licenses=(null) tres=cpu=64 watts=4294967294 start=2027-01-15T09:28:40 "
      "end=2027-01-15T10:28:40 MaxStartDelay=\n",
      TimeZone::utc());
  ASSERT_EQ(log.reservations.size(), 1U);
  EXPECT_EQ(log.reservations[0].name, "demo");
  EXPECT_EQ(TimeZone::utc().print(log.reservations[0].start), "2027-01-15T09:28:40");

  std::vector<AdminCommandAt> commands(1);
  commands[0].at = TimeZone::utc().read_instant("2027-01-15T08:58:41").value();
  ReservationCommand create;
  create.words.name = "demo";
  commands[0].action = create;
  EXPECT_EQ(sharpen(commands, log.reservations), 1U);
  EXPECT_EQ(commands[0].at, TimeZone::utc().read_instant("2027-01-15T08:58:41.150").value());
  EXPECT_EQ(std::get<ReservationCommand>(commands[0].action).words.end,
            TimeZone::utc().read("2027-01-15T10:28:40"));
}

// Likewise of `StartTime=now+20minutes Duration=120 Flags=TIME_FLOAT`.
TEST(ControllerLog, LeavesAFloatingReservationItsOwnTimes) {
  const ControllerLog log = read_controller_log(
      "[2027-01-15T08:12:01.204] sched: Created reservation=fl users=root nodes=c6 cores=8 "
      "licenses=(null) tres=cpu=8 watts=4294967294 start=1970-01-01T00:20:00 "
      "end=2027-01-15T10:32:01 MaxStartDelay=\n",
      TimeZone::utc());
  ASSERT_EQ(log.reservations.size(), 1U);
  const auto start = TimeZone::utc().read("2027-01-15T08:32:01");
  std::vector<AdminCommandAt> commands(1);
  commands[0].at = TimeZone::utc().read_instant("2027-01-15T08:12:01").value();
  ReservationCommand create;
  create.words.name = "fl";
  create.words.set.set(ReservationFlag::TimeFloat);
  create.words.start = start;
  create.words.duration = Minutes{120};
  commands[0].action = create;
  EXPECT_EQ(sharpen(commands, log.reservations), 1U);
  EXPECT_EQ(commands[0].at, TimeZone::utc().read_instant("2027-01-15T08:12:01.204").value());
  EXPECT_EQ(std::get<ReservationCommand>(commands[0].action).words.start, start);
  EXPECT_EQ(std::get<ReservationCommand>(commands[0].action).words.duration, Minutes{120});
}

TEST(ControllerLog, DatesWhatWasTypedAboutJobs) {
  const ControllerLog log = read_controller_log(
      "[2027-01-15T08:23:20.013] _slurm_rpc_kill_job: REQUEST_KILL_JOB JobId=98_[2-4] uid 0\n"
      "[2027-01-15T08:23:20.056] job_signal: 9 of running JobId=98_2(131) successful 0x8004\n"
      "[2027-01-15T08:24:00.500] _slurm_rpc_update_job: complete JobId=7 uid=0 usec=900\n"
      "[2027-01-15T08:24:01.000] _slurm_rpc_kill_job: REQUEST_KILL_JOB JobId=x uid 0\n",
      TimeZone::utc());
  ASSERT_EQ(log.commands.size(), 2U);
  EXPECT_EQ(log.commands[0].id, JobId{98});
  EXPECT_EQ(log.commands[1].kind, LoggedCommand::Kind::Update);
  ASSERT_EQ(log.ended.size(), 1U);
  EXPECT_EQ(log.ended[0].id, JobId{131});

  const auto at = [](std::int64_t second) {
    return Time{from_epoch_seconds(1'800'001'400 + second)};  // 08:23:20
  };
  CancelJobs array, other;
  array.targets.emplace_back().id = JobId{98};
  other.targets.emplace_back().id = JobId{99};
  ActOnJobs hold;
  hold.targets.emplace_back().id = JobId{7};
  std::vector<AdminCommandAt> typed = {
      {at(1), "", array}, {at(1), "", other}, {at(41), "", hold}, {at(48), "", hold}};
  EXPECT_EQ(sharpen(typed, log.commands), 2U);
  EXPECT_EQ(typed[0].at, at(0) + Duration{13'000});
  EXPECT_EQ(typed[1].at, at(1)) << "another job's";
  EXPECT_EQ(typed[2].at, at(40) + Duration{500'000});
  EXPECT_EQ(typed[3].at, at(48)) << "a line is one command's";
}

}  // namespace
}  // namespace rehearse::test
