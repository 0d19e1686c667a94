// tests/unit/controller/access_test.cpp — who may submit, where a closed partition sends its jobs,
// whose nodes are whose, and how many jobs there may be (limits.md §1.3, scheduling.md §5.2).
#include <gtest/gtest.h>

#include "sim/sched/partition_access.hpp"
#include "tests/support/ask_request.hpp"
#include "tests/unit/controller/run_site.hpp"

namespace rehearse::test {
namespace {

using Lines = std::vector<std::string>;

std::string site_with(const std::string& partition, const std::string& more = "") {
  return "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nPriorityType=priority/"
         "basic\n" +
         more + "NodeName=n[1-2] CPUs=4\nPartitionName=p Nodes=ALL Default=YES " + partition +
         "\nPartitionName=q Nodes=n2\n";
}

constexpr const char* kDenied = "reject 1 Access/permission denied";
constexpr const char* kNoMember = "reject 1 User's group not permitted to use this partition";

/// What becomes of one job of `user`, its seconds cut off.
std::string fate_of(RunSite& site, const std::string& user) {
  site.job(1, 10, 10).user = site.names().intern(user);
  site.run();
  for (const char* word : {"reject 1", "start 1"}) {
    const Lines lines = site.lines(word);
    if (!lines.empty()) return lines[0].substr(lines[0].find(' ') + 1);
  }
  return "";
}

TEST(PartitionAccess, OfRootOnlyIsRootsAlone) {
  RunSite mortal(site_with("RootOnly=YES"));
  EXPECT_EQ(fate_of(mortal, "alice"), "") << "it waits, and never starts";
  RunSite enforced(site_with("RootOnly=YES", "EnforcePartLimits=ANY\n"));
  EXPECT_EQ(fate_of(enforced, "alice"),
            "reject 1 Requested partition configuration not available now");
  RunSite root(site_with("RootOnly=YES"));
  EXPECT_EQ(fate_of(root, "root"), "start 1 n1");
}

TEST(PartitionAccess, IsDeniedToRootWhereRootJobsAreDisabled) {
  RunSite here(site_with("DisableRootJobs=YES"));
  EXPECT_EQ(fate_of(here, "root"), kDenied);
  RunSite everywhere(site_with("", "DisableRootJobs=YES\n"));
  EXPECT_EQ(fate_of(everywhere, "root"), kDenied);
  RunSite but_here(site_with("DisableRootJobs=NO", "DisableRootJobs=YES\n"));
  EXPECT_EQ(fate_of(but_here, "root"), "start 1 n1");
}

TEST(PartitionAccess, NeedsAReservationWhereReqResvSaysSo) {
  RunSite site(site_with("ReqResv=YES"));
  EXPECT_EQ(fate_of(site, "alice"), kDenied);
}

TEST(PartitionAccess, OfAGroupIsItsMembersAndRoots) {
  for (const auto& [user, fate] : {std::pair{"alice", "start 1 n1"},
                                   {"bob", "start 1 n1"},
                                   {"eve", kNoMember},
                                   {"root", "start 1 n1"}}) {
    RunSite site(site_with("AllowGroups=ml,vision"));
    site.site().groups = {{"ml", "alice"}, {"vision", "carol, bob"}, {"other", "eve"}};
    EXPECT_EQ(fate_of(site, user), fate) << user;
  }
}

/// What becomes of one job of alice that asks for p and q, as recorded (limits.md §1.3).
std::string fate_in_both(const std::string& partition, const std::string& more = "") {
  RunSite site(site_with(partition, more));
  site.site().groups = {{"ml", "bob"}};
  JobSpec& spec = site.job(1, 10, 10);
  spec.user = site.names().intern("alice");
  spec.partitions = site.names().intern("p,q");
  site.run();
  for (const char* word : {"reject 1", "start 1"}) {
    const Lines lines = site.lines(word);
    if (!lines.empty()) return lines[0].substr(lines[0].find(' ') + 1);
  }
  return "";
}

TEST(PartitionAccess, OfOneOfAListIsEnoughWhereNothingIsEnforced) {
  EXPECT_EQ(fate_in_both("AllowGroups=ml"), "start 1 n2");
  EXPECT_EQ(fate_in_both("AllowGroups=ml", "EnforcePartLimits=ANY\n"), kNoMember);
  EXPECT_EQ(fate_in_both("AllowGroups=ml", "EnforcePartLimits=ALL\n"), kNoMember);
}

TEST(PartitionAccess, AClosedOneOfAListIsPassedOverWhateverIsEnforced) {
  EXPECT_EQ(fate_in_both("State=INACTIVE"), "start 1 n2");
  EXPECT_EQ(fate_in_both("State=INACTIVE", "EnforcePartLimits=ALL\n"), "start 1 n2");
  EXPECT_EQ(fate_in_both("State=DOWN", "EnforcePartLimits=ALL\n"), "start 1 n2");
}

TEST(PartitionAccess, MemoryBeyondItsMaximumIsRefusedWhereLimitsAreEnforced) {
  const auto fate = [](const std::string& enforce, MemoryMode mode = MemoryMode::PerNode) {
    RunSite site(
        "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core_Memory\nPriorityType=priority/"
        "basic\nDefMemPerNode=2000\n" +
        enforce +
        "NodeName=n1 CPUs=4 RealMemory=4000\nPartitionName=p Nodes=ALL Default=YES "
        "MaxMemPerNode=1000\n");
    Request request;
    request.min_nodes = request.min_cpus = 1;
    request.memory_mode = mode;
    request.memory_mib = mode == MemoryMode::None ? 0 : 2000;
    site.job(1, 10, 10, request);
    site.run();
    const Lines lines = site.lines("reject 1");
    return lines.empty() ? "" : lines[0].substr(lines[0].find(' ') + 1);
  };
  EXPECT_EQ(fate(""), "") << "it waits with MaxMemPerLimit";
  EXPECT_EQ(fate("EnforcePartLimits=ALL\n", MemoryMode::None),
            "reject 1 Requested partition configuration not available now");
  EXPECT_EQ(fate("EnforcePartLimits=ANY\n"), "reject 1 Memory required by task is not available");
  EXPECT_EQ(fate("EnforcePartLimits=ALL\n"), "reject 1 Memory required by task is not available");
}

/// What becomes of a job that exceeds all of these keys of its partition: its Reason, or what
/// sbatch says. Asked of a running slurmctld by scripts/reference/experiments/limits_in_order.py.
std::string fate_beyond(const std::string& keys, const std::string& enforce) {
  RunSite site(
      "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core_Memory\nPriorityType=priority/"
      "basic\nAccountingStorageType=accounting_storage/slurmdbd\n" +
      enforce +
      "NodeName=n[1-3] CPUs=4 RealMemory=16000\n"
      "PartitionName=p Nodes=ALL Default=YES " +
      keys + "\n");
  Request request;
  request.min_nodes = 2;
  request.max_nodes = 2;
  request.min_cpus = 4;
  request.memory_mode = MemoryMode::PerNode;
  request.memory_mib = 5000;
  site.job(1, 10, 10, request);
  site.run();
  const Lines refused = site.lines("reject 1 ");
  return refused.empty() ? site.told[1] : refused[0].substr(refused[0].find("reject 1 ") + 9);
}

TEST(PartitionAccess, TheFirstOfSeveralLimitsThatAreExceededTells) {
  const std::string memory = "MaxMemPerNode=2000 ", time = "MaxTime=10 ", nodes = "MaxNodes=1 ",
                    qos = "AllowQos=other ", cpus = "MaxCPUsPerNode=1 ";
  EXPECT_EQ(fate_beyond(qos, "").find("Job's_QOS"), 0U) << fate_beyond(qos, "");
  EXPECT_EQ(fate_beyond(memory + qos, ""), "MaxMemPerLimit");
  EXPECT_EQ(fate_beyond(time + memory + qos, ""), "PartitionTimeLimit");
  EXPECT_EQ(fate_beyond(nodes + time + memory + qos, ""), "PartitionNodeLimit");
  EXPECT_EQ(fate_beyond(cpus + nodes + time + memory + qos, ""), "PartitionConfig");
  const std::string all = "EnforcePartLimits=ALL\n", account = "AllowAccounts=other ";
  EXPECT_EQ(fate_beyond(memory + qos, all), "Invalid qos specification");
  EXPECT_EQ(fate_beyond(memory + qos + account, all),
            "Invalid account or account/partition combination specified");
  EXPECT_EQ(fate_beyond(time + account, all),
            "Requested time limit is invalid (missing or exceeds some limit)");
  EXPECT_EQ(fate_beyond(nodes + time, all), "Node count specification invalid");
  EXPECT_EQ(fate_beyond(cpus + nodes, all), "More processors requested than permitted");
}

TEST(PartitionAccess, OfMoreNodesThanItHasIsRefusedOnlyWhereLimitsAreEnforced) {
  const auto fate = [](const std::string& partition, const std::string& enforce,
                       std::uint32_t least, std::uint32_t most) {
    RunSite site(site_with(partition, enforce));
    Request request;
    request.min_nodes = request.min_cpus = least;
    request.max_nodes = most;
    site.job(1, 10, 10, request);
    site.run();
    const Lines lines = site.lines(" 1 ");
    return lines.empty() ? "" : lines[0].substr(lines[0].find(' ') + 1);
  };
  constexpr const char* kInvalid = "reject 1 Node count specification invalid";
  EXPECT_EQ(fate("", "", 3, 3).find("reject"), std::string::npos);
  EXPECT_EQ(fate("", "EnforcePartLimits=ALL\n", 3, 3), kInvalid);
  // A range that reaches above MaxNodes waits for ever; one that begins below MinNodes is raised.
  EXPECT_EQ(fate("MaxNodes=1", "", 1, 2).find("start"), std::string::npos);
  EXPECT_EQ(fate("MaxNodes=1", "EnforcePartLimits=ANY\n", 1, 2), kInvalid);
  EXPECT_EQ(fate("MinNodes=2", "", 1, 2).find("reject"), std::string::npos);
  EXPECT_EQ(fate("MinNodes=2", "EnforcePartLimits=ANY\n", 1, 2), kInvalid);
}

TEST(PartitionAccess, OfAGroupWithoutKnownMembersIsEverybodysAndTold) {
  RunSite site(site_with("AllowGroups=ml"));
  EXPECT_EQ(fate_of(site, "eve"), "start 1 n1");
  SiteInputs inputs;
  Diagnostics found;
  inputs.slurm_conf.partitions.emplace_back().name = "p";
  inputs.slurm_conf.partitions[0].allow_groups = {"ml", "vision"};
  inputs.site.groups = {{"vision", "bob"}};
  note_unknown_groups(inputs, found);
  ASSERT_EQ(found.all().size(), 1U);
  EXPECT_NE(found.all()[0].what.find("group 'ml'"), std::string::npos);
}

TEST(Alternate, TakesTheJobsOfAClosedPartition) {
  RunSite site(site_with("State=DRAIN Alternate=q"));
  EXPECT_EQ(fate_of(site, "alice"), "start 1 n2");
}

TEST(Alternate, ThatIsClosedItselfIsNoHelp) {
  RunSite site(site_with("State=INACTIVE Alternate=p"));
  EXPECT_EQ(fate_of(site, "alice"),
            "reject 1 Required partition not available (inactive or drain)");
}

TEST(ExclusiveUser, KeepsOthersFromItsUsersNodes) {
  RunSite site(site_with("ExclusiveUser=YES"));
  site.job(1, 10, 100).user = site.names().intern("alice");
  site.job(2, 20, 100).user = site.names().intern("bob");
  site.job(3, 30, 100).user = site.names().intern("alice");
  site.job(4, 40, 100).user = site.names().intern("carol");
  site.run();
  EXPECT_NE(site.lines("start 1").at(0).find("n1"), std::string::npos);
  EXPECT_NE(site.lines("start 2").at(0).find("n2"), std::string::npos);
  EXPECT_NE(site.lines("start 3").at(0).find("n1"), std::string::npos) << "her own node";
  EXPECT_GE(site.second_of("start 4"), 110) << "no node is free of other users";
}

TEST(ExclusiveUser, IsAskedForByOneJobToo) {
  RunSite site(site_with(""));
  Request alone;
  alone.exclusive = ExclusiveRequest::User;
  site.job(1, 10, 100, alone).user = site.names().intern("alice");
  site.job(2, 20, 100).user = site.names().intern("bob");
  site.run();
  EXPECT_NE(site.lines("start 1").at(0).find("n1"), std::string::npos);
  EXPECT_NE(site.lines("start 2").at(0).find("n2"), std::string::npos);
}

/// scheduling.md §5.2, as asked by preempted_owners.py.
TEST(ExclusiveUser, HasTheNodesOfOthersWholeJobsThatItMayPreempt) {
  for (const auto held : {ExclusiveRequest::Exclusive, ExclusiveRequest::None}) {
    RunSite site(
        "SelectType=select/cons_tres\nSelectTypeParameters=CR_CPU\nPriorityType=priority/basic\n"
        "PreemptType=preempt/partition_prio\nPreemptMode=REQUEUE\n"
        "NodeName=k1 CPUs=8 RealMemory=96000\n"
        "PartitionName=low Nodes=k1 Default=YES PriorityTier=1\n"
        "PartitionName=high Nodes=k1 PriorityTier=3\n");
    Request whole;
    whole.exclusive = held;
    site.job(1, 10, 1000, whole).user = site.names().intern("alice");
    Request alone;
    alone.exclusive = ExclusiveRequest::User;
    JobSpec& spec = site.job(2, 100, 60, alone);
    spec.user = site.names().intern("bob");
    spec.partitions = site.names().intern("high");
    site.run();
    const bool preempts = site.second_of("start 2") < 300;
    EXPECT_EQ(preempts, held == ExclusiveRequest::Exclusive);
  }
}

/// scheduling.md §5.2, as asked by owned_since.py.
TEST(ExclusiveUser, IsThatOfTheStartForJobsThatRun) {
  for (const bool at_start : {false, true}) {
    RunSite site(
        "SelectType=select/cons_tres\nSelectTypeParameters=CR_CPU\nPriorityType=priority/basic\n"
        "NodeName=k1 CPUs=8 RealMemory=96000\n"
        "PartitionName=one Nodes=k1 Default=YES MaxTime=INFINITE\n"
        "PartitionName=late Nodes=k1 MaxTime=INFINITE ExclusiveUser=" +
        std::string(at_start ? "YES\n" : "NO\n"));
    JobSpec& first = site.job(1, 0, 1000, ask_request("-n2", site.names()));
    first.user = site.names().intern("alice");
    first.partitions = site.names().intern("late");
    site.command(50, std::string("scontrol update PartitionName=late ExclusiveUser=") +
                         (at_start ? "NO" : "YES"));
    site.job(2, 100, 60, ask_request("-n2", site.names())).user = site.names().intern("bob");
    site.run();
    EXPECT_EQ(site.second_of("start 2") > 1000, at_start);
  }
}

/// scheduling.md §5.2, as asked by owned_plans.py: k1 is held for ten minutes, k2 for 300.
TEST(ExclusiveUser, IsPlannedOnNoNodeOfOthersWholeJobs) {
  for (const std::string user : {"alice", "bob"}) {
    RunSite site(
        "SelectType=select/cons_tres\nSelectTypeParameters=CR_CPU\nPriorityType=priority/basic\n"
        "NodeName=k[1-2] CPUs=8 RealMemory=96000\n"
        "PartitionName=one Nodes=k[1-2] Default=YES MaxTime=INFINITE\n");
    for (const std::uint32_t id : {1U, 2U}) {
      JobSpec& spec = site.job(id, 0, id == 1 ? 600 : 18000,
                               ask_request("--exclusive -w k" + std::to_string(id), site.names()));
      spec.user = site.names().intern(user);
      spec.time_limit = Minutes{id == 1 ? 10 : 300};
    }
    JobSpec& spec = site.job(3, 10, 60, ask_request("-n2 --exclusive=user", site.names()));
    spec.user = site.names().intern("bob");
    spec.time_limit = Minutes{20};
    site.job(4, 100, 10);  // an event to look at
    bool is_planned = false;
    site.at_each_event = [&](const Cluster& cluster) {
      for (const Job& job : cluster.jobs) {
        is_planned = is_planned || (job.id == JobId{3} && job.planned_start);
      }
    };
    site.run();
    EXPECT_EQ(is_planned, user == "bob") << "who holds the nodes";
  }
}

TEST(MaxJobCount, MakesSbatchComeAgain) {
  RunSite site(site_with("", "MaxJobCount=3\nMinJobAge=5\n"));
  for (std::uint32_t id = 1; id <= 3; ++id) site.job(id, 10, id == 3 ? 10 : 30);
  site.run();
  // Two records and one more are not fewer than three; they end at 40 and go five seconds later.
  const Lines third = site.lines("start 3");
  ASSERT_EQ(third.size(), 1U);
  EXPECT_GE(std::stoi(third[0]), 45);
  EXPECT_LE(std::stoi(third[0]), 62)
      << "tries lie 1, 3, 6, 10, 15, 21, 28, 36, 45 s after the first";
}

TEST(MaxJobCount, IsGivenUpOnAfterTwoMinutes) {
  RunSite site(site_with("", "MaxJobCount=2\n"));
  site.job(1, 10, 600);
  site.job(2, 20, 10);
  site.run();
  ASSERT_EQ(site.lines("reject 2").size(), 1U);
  EXPECT_EQ(site.lines("reject 2")[0], "140 reject 2 Resource temporarily unavailable");
}

TEST(Arrays, BeyondTheLargestIndexOrTheMostTasksAreRefused) {
  const auto fate = [](const std::string& more, std::uint32_t last) {
    RunSite site(site_with("", more));
    JobSpec& spec = site.job(1, 10, 10);
    spec.extras = std::make_unique<JobExtras>();
    for (std::uint32_t i = last - 1; i <= last; ++i) {
      ArrayTask& task = spec.extras->array.emplace_back();
      task.index = i;
      task.run = spec.run;
    }
    site.run();
    return site.lines("reject 1").empty() ? "accepted" : site.lines("reject 1")[0].substr(3);
  };
  EXPECT_EQ(fate("", 1000), "accepted");
  EXPECT_EQ(fate("", 1001), "reject 1 Invalid job array specification");
  EXPECT_EQ(fate("MaxArraySize=11\n", 11), "reject 1 Invalid job array specification");
  EXPECT_EQ(fate("SchedulerParameters=max_array_tasks=2\n", 7), "accepted");
  EXPECT_EQ(fate("SchedulerParameters=max_array_tasks=1\n", 7),
            "reject 1 Invalid job array specification");
}

// priority.md §4.3 [V: 663 of 663].
TEST(Access, ARefusedJobThatAccountsKeepHasItsPriority) {
  RunSite site(
      "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\n"
      "PriorityType=priority/multifactor\nPriorityWeightPartition=500\n"
      "AccountingStorageType=accounting_storage/slurmdbd\n"
      "NodeName=n[1-2] CPUs=1 RealMemory=16000\n"
      "PartitionName=all Nodes=n[1-2] Default=YES\n");
  Request request;
  request.min_nodes = 1;
  request.max_nodes = 1;
  request.min_cpus = 2;
  site.job(1, 0, 60, request);
  std::uint32_t priority = 0;
  site.at_each_event = [&](const Cluster& cluster) {
    if (cluster.jobs.size() > 0) priority = cluster.jobs[JobIndex{0}].priority;
  };
  EXPECT_EQ(site.run().back(), "0 cancel 1 FAILED");
  EXPECT_EQ(priority, 500U);
}

// [V] scripts/reference/experiments/all_partitions.py.
TEST(EnforcePartLimits, AllTestsEachPartitionOfAListAtTheSubmission) {
  for (const std::string_view enforce : {"ANY", "ALL"}) {
    RunSite site(fmt::format(
        "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nPriorityType=priority/basic\n"
        "EnforcePartLimits={}\nNodeName=n[1-2] CPUs=2\n"
        "PartitionName=x Nodes=n1 OverSubscribe=EXCLUSIVE PriorityTier=1\n"
        "PartitionName=y Nodes=n2 PriorityTier=5 Default=YES\n",
        enforce));
    site.job(1, 10, 300).partitions = site.names().intern("x,y");
    site.job(2, 20, 100).partitions = site.names().intern("y");
    site.run();
    const auto second = site.lines("start 2");
    ASSERT_EQ(second.size(), 1U);
    const bool waits = std::stoll(second.front()) > 300;
    EXPECT_EQ(waits, enforce == "ALL") << "the node of job 1 is its own";
  }
}

}  // namespace
}  // namespace rehearse::test
