// tests/unit/output/scontrol_views_test.cpp — scontrol show job and show node at an instant, line
// by line (outputs.md §7–8, gres.md §8).
#include <gtest/gtest.h>

#include <algorithm>

#include "sim/core/error.hpp"
#include "sim/output/views/node_state.hpp"
#include "sim/output/views/view.hpp"
#include "tests/unit/output/fixture.hpp"

namespace rehearse::test {
namespace {

// Rows of small_result, as they are submitted.
constexpr std::uint32_t kFirst = 0, kThird = 2, kSecondAgain = 3, kTask = 4;

ViewOptions options_at(std::int64_t second) {
  ViewOptions options;
  options.at = kStart + second;
  return options;
}

/// The words `JobId=…` of a view, in order.
std::string ids_at(const Result& result, std::int64_t second) {
  ViewOptions options = options_at(second);
  options.one_line = true;
  const std::string text = job_view(result, options).text;
  std::string ids;
  for (std::size_t begin = 0; begin < text.size(); begin = text.find('\n', begin) + 1) {
    ids += text.substr(begin, text.find(' ', begin) - begin) + " ";
  }
  return ids;
}

std::string one(const Result& result, std::uint32_t row, std::int64_t second) {
  ViewOptions options = options_at(second);
  options.jobs = {row};
  options.one_line = true;
  return job_view(result, options).text;
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(ShowJob, HasTheLinesOfARunningJobAndOfPendingOnes) {
  const View view = job_view(small_result(), options_at(1500));
  EXPECT_EQ(view.text,
            "JobId=1 JobName=train\n"
            "   UserId=ann\n"
            "   Priority=5000 Nice=0 Account=ml QOS=normal\n"
            "   JobState=RUNNING Reason=None\n"
            "   Restarts=0 ExitCode=0:0\n"
            "   RunTime=00:24:00 TimeLimit=01:00:00\n"
            "   SubmitTime=2027-01-15T08:01:00 EligibleTime=2027-01-15T08:01:00\n"
            "   AccrueTime=Unknown\n"
            "   StartTime=2027-01-15T08:01:00 EndTime=2027-01-15T09:01:00\n"
            "   SuspendTime=None SecsPreSuspend=0 Scheduler=Main\n"
            "   Partition=gpu\n"
            "   NodeList=g01\n"
            "   BatchHost=g01\n"
            "   NumNodes=1 NumCPUs=8\n"
            "   TRES=cpu=8,mem=62.50G,node=1,billing=8,gres/gpu=8\n"
            "   Features=(null)\n"
            "   TresPerNode=gres:gpu:8\n"
            "\n"
            "JobId=2 JobName=train\n"
            "   UserId=bob\n"
            "   Priority=5000 Nice=0 Account=ds QOS=normal\n"
            "   JobState=PENDING Reason=BeginTime\n"
            "   Restarts=1 ExitCode=0:0\n"
            "   RunTime=00:00:00 TimeLimit=00:30:00\n"
            "   SubmitTime=2027-01-15T08:15:01 EligibleTime=2027-01-15T08:17:02\n"
            "   AccrueTime=Unknown\n"
            "   StartTime=Unknown EndTime=Unknown\n"
            "   SuspendTime=None SecsPreSuspend=0\n"
            "   Partition=gpu\n"
            "   NodeList=\n"
            "   NumNodes=1 NumCPUs=4\n"
            "   TRES=cpu=4,mem=2.50G,node=1,billing=4,gres/gpu=8\n"
            "   Features=(null)\n"
            "   TresPerNode=gres:gpu:8\n"
            "\n"
            "JobId=3 JobName=train\n"
            "   UserId=bob\n"
            "   Priority=5000 Nice=0 Account=ds QOS=normal\n"
            "   JobState=PENDING Reason=QOSMaxGRESPerUser\n"
            "   Restarts=0 ExitCode=0:0\n"
            "   RunTime=00:00:00 TimeLimit=01:00:00\n"
            "   SubmitTime=2027-01-15T08:10:00 EligibleTime=2027-01-15T08:10:00\n"
            "   AccrueTime=Unknown\n"
            "   StartTime=Unknown EndTime=Unknown\n"
            "   SuspendTime=None SecsPreSuspend=0\n"
            "   Partition=gpu\n"
            "   NodeList=\n"
            "   NumNodes=1 NumCPUs=64\n"
            "   TRES=cpu=64,mem=100000M,node=1,billing=64,gres/gpu=8\n"
            "   Features=(null)\n"
            "   TresPerNode=gres:gpu:8\n"
            "\n");
  EXPECT_EQ(view.note, "priorities of pending jobs are approximated, as in sprio");
}

TEST(ShowJob, EndedJobsAreKnownForMinJobAge) {
  Result result = small_result();
  EXPECT_EQ(ids_at(result, 3700), "JobId=1 JobId=2 JobId=3 JobId=4 ");  // job 2 ended at 3400
  EXPECT_EQ(ids_at(result, 3701), "JobId=1 JobId=3 JobId=4 ");
  result.cluster.min_job_age_s = 0;
  EXPECT_EQ(ids_at(result, 5000), "JobId=1 JobId=2 JobId=3 JobId=4 JobId=5 ");
}

TEST(ShowJob, WithoutAnyJobSaysSo) {
  EXPECT_EQ(job_view(small_result(), options_at(10)).text, "No jobs in the system\n");
}

TEST(ShowJob, AskedByIdAnEndedJobIsShownAsItEnded) {
  const Result result = small_result();
  const std::string first = one(result, kFirst, 7200);
  EXPECT_TRUE(holds(first, "JobState=TIMEOUT Reason=TimeLimit")) << first;
  EXPECT_TRUE(holds(first, "RunTime=01:00:00")) << first;
  EXPECT_TRUE(holds(first, "StartTime=2027-01-15T08:01:00 EndTime=2027-01-15T09:01:00")) << first;
  EXPECT_TRUE(holds(one(result, kSecondAgain, 7200), "JobState=COMPLETED Reason=None Restarts=1"));
  // At 800 s the first run of job 2, whichever of its rows is named.
  EXPECT_TRUE(holds(one(result, kSecondAgain, 800), "Scheduler=Backfill"));
}

TEST(ShowJob, ACancelledJobThatNeverRanStartedAndEndedThen) {
  const std::string third = one(small_result(), kThird, 7200);
  EXPECT_TRUE(holds(third, "JobState=CANCELLED Reason=QOSMaxGRESPerUser")) << third;
  EXPECT_TRUE(holds(third, "StartTime=2027-01-15T09:10:00 EndTime=2027-01-15T09:10:00")) << third;
  EXPECT_TRUE(holds(third, "RunTime=00:00:00")) << third;
  EXPECT_TRUE(holds(third, "NodeList= NumNodes=1 NumCPUs=64")) << third;
}

TEST(ShowJob, AJobBeforeItsSubmissionIsAnErrorThatTellsWhen) {
  const Result result = small_result();
  try {
    one(result, kThird, 599);
    FAIL();
  } catch (const InputError& error) {
    const std::string what = error.what();
    EXPECT_TRUE(holds(what, "job 3 is not submitted yet at 2027-01-15T08:09:59")) << what;
    EXPECT_TRUE(holds(what, "2027-01-15T08:10:00")) << what;
  }
}

TEST(ShowJob, WaitingTasksAreOneRecordAndARunningOneHasItsOwn) {
  const Result result = small_result();
  ViewOptions options = options_at(3700);
  options.jobs = {kTask};
  EXPECT_TRUE(holds(ids_at(result, 3700), "JobId=4 "));
  EXPECT_EQ(ids_at(result, 5000), "JobId=4 JobId=5 ");
  options = options_at(5000);
  const std::string text = job_view(result, options).text;
  EXPECT_TRUE(
      holds(text, "JobId=4 ArrayJobId=4 ArrayTaskId=1-2%1 ArrayTaskThrottle=1 JobName=train\n"))
      << text;
  EXPECT_TRUE(holds(text, "Reason=JobArrayTaskLimit"));
  EXPECT_TRUE(holds(text, "JobId=5 ArrayJobId=4 ArrayTaskId=0 ArrayTaskThrottle=1 JobName=train\n"))
      << text;
}

TEST(ShowJob, AnEndedJobThatKeepsItsNodesIsCompleting) {
  Result result = small_result();
  result.completing.kept = true;
  result.completing.run = {kFirst};
  result.completing.end = {kStart + 4100};
  EXPECT_TRUE(holds(one(result, kFirst, 3660), "JobState=COMPLETING Reason=TimeLimit"));
  EXPECT_TRUE(holds(one(result, kFirst, 4100), "JobState=TIMEOUT"));
  EXPECT_TRUE(holds(ids_at(result, 4099), "JobId=1 ")) << "longer than MinJobAge";
  EXPECT_FALSE(holds(ids_at(result, 4100), "JobId=1 "));
}

TEST(ShowJob, AStandstillIsNoRunTimeAndPutsTheEndOff) {
  Result result = small_result();
  result.suspensions.run = {kFirst};
  result.suspensions.begin = {kStart + 1000};
  result.suspensions.end = {kNoTime};
  result.suspensions.lends_cores = {0};
  const std::string text = one(result, kFirst, 1500);
  EXPECT_TRUE(holds(text, "JobState=SUSPENDED")) << text;
  EXPECT_TRUE(holds(text, "RunTime=00:15:40")) << text;
  EXPECT_TRUE(holds(text, "EndTime=2027-01-15T09:01:00")) << "it moves when the job goes on";
  EXPECT_TRUE(holds(text, "SuspendTime=2027-01-15T08:16:40 SecsPreSuspend=940")) << text;
  result.suspensions.end = {kStart + 1300};
  const std::string resumed = one(result, kFirst, 1500);
  EXPECT_TRUE(holds(resumed, "JobState=RUNNING")) << resumed;
  EXPECT_TRUE(holds(resumed, "RunTime=00:19:00")) << resumed;
  EXPECT_TRUE(holds(resumed, "EndTime=2027-01-15T09:06:00")) << resumed;
  EXPECT_TRUE(holds(resumed, "SuspendTime=2027-01-15T08:21:40 SecsPreSuspend=940")) << resumed;
}

TEST(ShowJob, APlanIsAStartToComeAndHasItsNodes) {
  Result result = small_result();
  result.plans.kept = true;
  result.plans.job_id = {3};
  result.plans.begin = {kStart + 1000};
  result.plans.end = {kStart + 1600};
  result.plans.start = {kStart + 3660};
  result.plans.node_list = {static_cast<std::uint32_t>(result.names.node_list.intern("g[01-02]"))};
  const std::string text = one(result, kThird, 1500);
  EXPECT_TRUE(holds(text, "StartTime=2027-01-15T09:01:00 EndTime=2027-01-15T10:01:00")) << text;
  EXPECT_TRUE(holds(text, "NodeList= SchedNodeList=g[01-02]")) << text;
}

TEST(ShowJob, AComponentNamesItsJobAndItsSisters) {
  Result result = small_result();
  result.runs.het_job = {2, 2, 3, 2, 0, 0};  // jobs 1 and 2 as components of one
  result.runs.het_offset = {1, 0, 0, 0, -1, -1};
  const std::string text = one(result, kFirst, 1500);
  EXPECT_TRUE(holds(text, "JobId=1 HetJobId=2 HetJobOffset=1 JobName=train HetJobIdSet=1-2 UserId"))
      << text;
}

TEST(ShowJob, AResizedRunKeepsItsBeginning) {
  Result result = small_result();
  RunColumns& r = result.runs;  // job 2 as if it had given back nodes at 900 s
  r.state[1] = kStateResizing;
  r.submit[kSecondAgain] = r.eligible[kSecondAgain] = r.start[kSecondAgain] = kStart + 900;
  const std::string text = one(result, kSecondAgain, 1500);
  EXPECT_TRUE(holds(text, "Restarts=0")) << text;
  EXPECT_TRUE(holds(text, "RunTime=00:20:00")) << text;
  EXPECT_TRUE(holds(text, "SubmitTime=2027-01-15T08:02:00")) << text;
  EXPECT_TRUE(holds(text, "ResizeTime=2027-01-15T08:15:00")) << text;
  EXPECT_TRUE(holds(text, "StartTime=2027-01-15T08:05:00")) << text;
}

TEST(ShowJob, DetailsTellTheDevicesOfARunningJob) {
  ViewOptions options = options_at(1500);
  options.details = true;
  const std::string text = job_view(small_result(), options).text;
  EXPECT_TRUE(holds(text,
                    "   JOB_GRES=gpu:8\n"
                    "     Nodes=g01 Mem=64000 GRES=gpu:8(IDX:0-7)\n"
                    "   Features="))
      << text;
}

TEST(ShowJob, ParsableHasARecordALineAndBarsBetweenFields) {
  ViewOptions options = options_at(1500);
  options.jobs = {kFirst};
  options.parsable = true;
  const std::string text = job_view(small_result(), options).text;
  EXPECT_EQ(text.find("JobId=1|JobName=train|UserId=ann|Priority=5000|"), 0U) << text;
  EXPECT_EQ(text.find('\n'), text.size() - 1);
}

TEST(ShowJob, AsRowsHasFieldsByNameAndNodesAsLists) {
  ViewOptions options = options_at(1500);
  options.jobs = {kFirst};
  options.json = options.details = true;
  const Result result = small_result();
  const View view = job_view(result, options);
  ASSERT_EQ(view.rows.size(), 1U);
  const std::string json = view_json(result, "job", options, view);
  EXPECT_EQ(json.find("{\"schema\":\"rehearse-show/1\",\"table\":\"job\",\"cluster\":\"small\","
                      "\"at\":1800001500,\"status\":\"complete\",\"note\":null,\"rows\":["
                      "{\"JobId\":\"1\",\"JobName\":\"train\","),
            0U)
      << json;
  EXPECT_TRUE(holds(json, "\"Nodes\":[\"g01\"],\"Mem\":[\"64000\"]")) << json;
}

TEST(ShowNode, HasTheLinesOfIdleBusyAndDrainedNodes) {
  ViewOptions options = options_at(1500);
  options.details = true;
  EXPECT_EQ(node_view(small_result(), options).text,
            "NodeName=c01 CoresPerSocket=16\n"
            "   CPUAlloc=0 CPUEfctv=32 CPUTot=32\n"
            "   AvailableFeatures=(null)\n"
            "   ActiveFeatures=(null)\n"
            "   Gres=(null)\n"
            "   GresDrain=N/A\n"
            "   GresUsed=gpu:0\n"
            "   RealMemory=128000 AllocMem=0 Sockets=2\n"
            "   State=IDLE ThreadsPerCore=1 TmpDisk=0 Weight=1\n"
            "   Partitions=cpu\n"
            "   CfgTRES=cpu=32,mem=125G,billing=32\n"
            "   AllocTRES=\n"
            "\n"
            "NodeName=g01 CoresPerSocket=32\n"
            "   CPUAlloc=8 CPUEfctv=64 CPUTot=64\n"
            "   AvailableFeatures=(null)\n"
            "   ActiveFeatures=(null)\n"
            "   Gres=gpu:8\n"
            "   GresDrain=N/A\n"
            "   GresUsed=gpu:8\n"
            "   RealMemory=512000 AllocMem=64000 Sockets=2\n"
            "   State=MIXED ThreadsPerCore=1 TmpDisk=0 Weight=1\n"
            "   Partitions=gpu\n"
            "   CfgTRES=cpu=64,mem=500G,billing=64,gres/gpu=8\n"
            "   AllocTRES=cpu=8,mem=62.50G,gres/gpu=8\n"
            "\n"
            "NodeName=g02 CoresPerSocket=32\n"
            "   CPUAlloc=0 CPUEfctv=64 CPUTot=64\n"
            "   AvailableFeatures=(null)\n"
            "   ActiveFeatures=(null)\n"
            "   Gres=gpu:8\n"
            "   GresDrain=N/A\n"
            "   GresUsed=gpu:0\n"
            "   RealMemory=512000 AllocMem=0 Sockets=2\n"
            "   State=IDLE+DRAIN ThreadsPerCore=1 TmpDisk=0 Weight=1\n"
            "   Partitions=gpu\n"
            "   CfgTRES=cpu=64,mem=500G,billing=64,gres/gpu=8\n"
            "   AllocTRES=\n"
            "   Reason=bad disk [2027-01-15T08:16:40]\n"
            "\n");
}

TEST(ShowNode, WithoutDetailsTellsNotWhichDevicesAreHeld) {
  const std::string text = node_view(small_result(), options_at(1500)).text;
  EXPECT_FALSE(holds(text, "GresUsed")) << text;
}

TEST(ShowNode, TellsMigDevicesByTypeAndOfSharesTheDevices) {
  Result result = small_result();
  result.cluster.tres = {"cpu",       "mem",  "energy", "node",     "billing",
                         "fs/disk",   "vmem", "pages",  "gres/gpu", "gres/gpu:1g.10gb",
                         "gres/shard"};
  result.cluster.nodes[1].gres = "gpu:1g.10gb:4,gpu:a100:2,shard:a100:40";
  result.cluster.nodes[1].gres_idle =
      "gpu:1g.10gb:0(IDX:N/A),gpu:a100:0(IDX:N/A),mps:0,shard:a100:0(IDX:N/A)";
  result.holdings.devices[0] = static_cast<std::uint32_t>(
      result.names.text.intern("gpu:1g.10gb:2(IDX:0,3),shard:a100:10(IDX:4)"));
  ViewOptions options = options_at(1500);
  options.details = true;
  options.nodes = "g01";
  const std::string text = node_view(result, options).text;
  EXPECT_TRUE(holds(text,
                    "   GresUsed=gpu:1g.10gb:2(IDX:0,3),gpu:a100:0(IDX:N/A),mps:0,"
                    "shard:a100:1(IDX:4)\n"))
      << text;
  EXPECT_TRUE(holds(
      text, "   CfgTRES=cpu=64,mem=500G,billing=64,gres/gpu=6,gres/gpu:1g.10gb=4,gres/shard=40\n"))
      << text;
  EXPECT_TRUE(
      holds(text, "   AllocTRES=cpu=8,mem=62.50G,gres/gpu=2,gres/gpu:1g.10gb=2,gres/shard=10\n"))
      << text;
}

TEST(ShowNode, WithoutGresTypesHasNoGresUsed) {
  Result result = small_result();
  for (NodeFacts& node : result.cluster.nodes) node.gres_idle.clear();
  ViewOptions options = options_at(1500);
  options.details = true;
  const std::string text = node_view(result, options).text;
  EXPECT_TRUE(holds(text, "GresDrain=N/A")) << text;
  EXPECT_FALSE(holds(text, "GresUsed")) << text;
}

// [V]: an admin's suspend frees the CPUs, memory and GRES stay; gang scheduling frees nothing.
TEST(ShowNode, CpusOfAJobThatAnAdminSuspendedAreFree) {
  Result result = small_result();
  result.suspensions.run = {kFirst};
  result.suspensions.begin = {kStart + 1000};
  result.suspensions.end = {kStart + 1600};
  result.suspensions.lends_cores = {1};
  ViewOptions options = options_at(1500);
  options.details = true;
  options.nodes = "g01";
  const std::string text = node_view(result, options).text;
  EXPECT_TRUE(holds(text, "CPUAlloc=0 ")) << text;
  EXPECT_TRUE(holds(text, "AllocMem=64000 ")) << text;
  EXPECT_TRUE(holds(text, "GresUsed=gpu:8\n")) << text;
  EXPECT_TRUE(holds(text, "State=IDLE ")) << text;
  EXPECT_TRUE(holds(text, "AllocTRES=mem=62.50G,gres/gpu=8\n")) << text;
  options.at = kStart + 1700;
  EXPECT_TRUE(holds(node_view(result, options).text, "CPUAlloc=8 "));
  options.at = kStart + 1500;
  result.suspensions.lends_cores = {0};
  EXPECT_TRUE(holds(node_view(result, options).text, "CPUAlloc=8 "));
}

TEST(ShowNode, CpusThatJobsShareAreNotMoreThanItHas) {
  Result result = small_result();
  result.holdings.cpus[0] = 100;
  ViewOptions options = options_at(1500);
  options.nodes = "g01";
  EXPECT_TRUE(holds(node_view(result, options).text, "CPUAlloc=64 "));
}

TEST(ShowNode, ANodeOfACompletingJobSaysSo) {
  Result result = small_result();
  result.completing.run = {kFirst};
  result.completing.end = {kStart + 3700};
  ViewOptions options = options_at(3699);
  options.nodes = "g01";
  EXPECT_TRUE(holds(node_view(result, options).text, "State=IDLE+COMPLETING "));
  options.at = kStart + 3700;
  EXPECT_TRUE(holds(node_view(result, options).text, "State=IDLE "));
}

TEST(ShowNode, OfAListHasThoseInItsOrderAndRefusesOthers) {
  ViewOptions options = options_at(1500);
  options.nodes = "g[01-02]";
  options.parsable = true;
  const std::string text = node_view(small_result(), options).text;
  EXPECT_EQ(text.find("NodeName=g01|CoresPerSocket=32|CPUAlloc=8|"), 0U) << text;
  EXPECT_TRUE(holds(text, "\nNodeName=g02|")) << text;
  options.nodes = "g1";
  try {
    (void)node_view(small_result(), options);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_TRUE(holds(error.what(), "there is no node g1")) << error.what();
    EXPECT_TRUE(holds(error.what(), "the nodes are c01,g[01-02]")) << error.what();
  }
  options.nodes = "g[01";
  EXPECT_THROW((void)node_view(small_result(), options), InputError);
}

// [V]: sinfo of a maintenance reservation's nodes.
TEST(ShowNode, InMaintenanceStatesBearADollarAndIdleOnesAreMaint) {
  const auto word = [](int flags, std::int64_t cpus) {
    return node_state(static_cast<std::uint16_t>(kNodeMaint | flags), cpus, 4, false).whole;
  };
  EXPECT_EQ(word(0, 4), "allocated$");
  EXPECT_EQ(word(0, 1), "mixed$");
  EXPECT_EQ(word(kNodeDrain, 1), "draining$");
  EXPECT_EQ(word(kNodeDrain, 0), "drained$");
  EXPECT_EQ(word(kNodeDown, 0), "down$");
  EXPECT_EQ(word(0, 0), "maint");
  EXPECT_EQ(word(kNodeFail, 0), "maint");
  const auto number = [](int flags, std::int64_t cpus) {
    return node_state(static_cast<std::uint16_t>(flags), cpus, 4, false).number;
  };
  // In sinfo's order.
  const std::vector<int> numbers{
      number(kNodeMaint, 1), number(kNodeMaint, 0), number(kNodeMaint | kNodeDown, 0),
      number(kNodeFail, 0),  number(kNodeDrain, 0), number(0, 1),
      number(0, 4),          number(0, 0),          number(kNodeDown, 0)};
  EXPECT_TRUE(std::is_sorted(numbers.rbegin(), numbers.rend()));
}

TEST(ShowNode, WordsOfStatesAreJoinedAsScontrolJoinsThem) {
  EXPECT_EQ(scontrol_node_state(0, 0, 64, false), "IDLE");
  EXPECT_EQ(scontrol_node_state(0, 64, 64, false), "ALLOCATED");
  EXPECT_EQ(scontrol_node_state(kNodeDrain, 8, 64, true), "MIXED+COMPLETING+DRAIN");
  EXPECT_EQ(scontrol_node_state(kNodeDown | kNodeDrain | kNodeNoRespond, 0, 64, false),
            "DOWN+DRAIN+NOT_RESPONDING");
  EXPECT_EQ(scontrol_node_state(kNodeMaint | kNodeDrain, 0, 64, false),
            "IDLE+DRAIN+MAINTENANCE+RESERVED");
  EXPECT_EQ(scontrol_node_state(kNodePoweredDown, 0, 64, false), "IDLE+POWERED_DOWN");
}

}  // namespace
}  // namespace rehearse::test
