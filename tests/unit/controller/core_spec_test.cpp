// tests/unit/controller/core_spec_test.cpp — a job with --core-spec is one of --exclusive, as
// core_spec_alone.py asked (scheduling.md §6.3) [V].
#include <gtest/gtest.h>

#include "tests/support/ask_request.hpp"
#include "tests/unit/controller/run_site.hpp"

namespace rehearse::test {
namespace {

std::string conf_of(bool allows, const std::string& more) {
  return "SelectType=select/cons_tres\nSelectTypeParameters=CR_CPU\nPriorityType=priority/basic\n"
         "AllowSpecResourcesUsage=" +
         std::string(allows ? "YES" : "NO") + "\nNodeName=k[1-2] CPUs=8 RealMemory=96000\n" + more;
}

const std::string kCalm =
    "PartitionName=p Nodes=k[1-2] Default=YES MaxTime=INFINITE\n"
    "PartitionName=shared Nodes=k[1-2] OverSubscribe=YES:2 MaxTime=INFINITE\n"
    "PartitionName=alone Nodes=k[1-2] OverSubscribe=EXCLUSIVE MaxTime=INFINITE\n";

JobSpec& ask(RunSite& site, std::uint32_t id, std::int64_t at, const std::string& options) {
  return site.job(id, at, 1000, ask_request(options, site.names()));
}

/// Both nodes have a job each until 1000 s; this one comes at 60 s, and may be changed then. All
/// share, or none.
std::string beside(bool allows, const std::string& options, const std::string& update = "",
                   bool shares = false) {
  RunSite site(conf_of(allows, kCalm));
  const std::string sharing = shares ? " --oversubscribe" : "";
  const NameId partition = site.names().intern(shares ? "shared" : "p");
  ask(site, 1, 0, "-n1 -w k1" + sharing).partitions = partition;
  ask(site, 2, 0, "-n1 -w k2" + sharing).partitions = partition;
  JobSpec& spec = ask(site, 3, 60, options + sharing);
  spec.partitions = partition;
  spec.held = true;
  if (!update.empty()) site.command(70, "scontrol update JobId=3 " + update);
  site.command(80, "scontrol release 3");
  site.run();
  EXPECT_TRUE(site.lines("refuse").empty() || !allows) << update;
  return site.second_of("start 3 ") < 200 ? "runs" : "waits";
}

TEST(CoreSpecJobs, HaveNoNodeWithAnotherJobWhereTheSiteAllowsThem) {
  EXPECT_EQ(beside(true, "-n1 --core-spec=1"), "waits");
  EXPECT_EQ(beside(true, "-n1 --core-spec=1", "", true), "waits");
  EXPECT_EQ(beside(true, "-n1", "", true), "runs");
  EXPECT_EQ(beside(false, "-n1 --core-spec=1"), "runs");
  EXPECT_EQ(beside(true, "-n1"), "runs");
}

TEST(CoreSpecJobs, AreMadeByAnUpdateAndStayWholeWhateverAnotherSaysOfSharing) {
  EXPECT_EQ(beside(true, "-n1", "CoreSpec=1"), "waits");
  EXPECT_EQ(beside(true, "-n1 --core-spec=1", "OverSubscribe=YES"), "waits");
  EXPECT_EQ(beside(true, "-n1", "CoreSpec=1", true), "waits");
  EXPECT_EQ(beside(true, "-n1 --exclusive", "OverSubscribe=YES"), "runs");
}

std::string first_reason(bool allows, const std::string& options,
                         const std::string& partition = "p") {
  RunSite site(conf_of(allows, kCalm));
  ask(site, 1, 0, "-n1 -w k1");
  ask(site, 2, 0, "-n1 -w k2");
  ask(site, 3, 60, options).partitions = site.names().intern(partition);
  site.run();
  return site.reasons[3].front();
}

TEST(CoreSpecJobs, LackResourcesFromTheirSubmissionOnWhereNoNodeIsIdle) {
  for (const char* options : {"-n2 --core-spec=1", "-n2 --core-spec=0"}) {
    EXPECT_EQ(first_reason(true, options), "Resources");
    EXPECT_EQ(first_reason(false, options), "None");
  }
  for (const bool allows : {false, true}) {
    EXPECT_EQ(first_reason(allows, "-n2"), "None");
    EXPECT_EQ(first_reason(allows, "-n2 --exclusive"), "Resources");
    EXPECT_EQ(first_reason(allows, "-n2 --reboot"), "Resources");
    EXPECT_EQ(first_reason(allows, "-n2", "alone"), "Resources") << "OverSubscribe=EXCLUSIVE";
  }
}

/// Beside a core of k1 that is reserved until 2000 s.
std::string beside_a_reserved_core(bool allows, const std::string& options) {
  RunSite site(conf_of(allows, kCalm));
  site.command(10,
               "scontrol create reservation ReservationName=r Users=ada StartTime=now Duration=33 "
               "Nodes=k1 CoreCnt=1");
  ask(site, 1, 60, "-w k1 " + options);
  site.run();
  EXPECT_TRUE(site.lines("refuse").empty());
  return site.second_of("start 1 ") < 200 ? "runs" : "waits";
}

TEST(CoreSpecJobs, HaveNoNodeOfWhichACoreIsReserved) {
  EXPECT_EQ(beside_a_reserved_core(true, "-n2"), "runs");
  EXPECT_EQ(beside_a_reserved_core(true, "-n2 --exclusive"), "waits");
  EXPECT_EQ(beside_a_reserved_core(true, "-n2 --core-spec=1"), "waits");
  EXPECT_EQ(beside_a_reserved_core(true, "-n2 --core-spec=0"), "waits");
  EXPECT_EQ(beside_a_reserved_core(false, "-n2 --core-spec=1"), "runs");
}

/// Ada's jobs on both nodes, and one of bob's that may preempt them: is one preempted?
bool preempts(bool allows, const std::string& of_ada, const std::string& of_bob) {
  RunSite site(conf_of(allows,
                       "PreemptType=preempt/partition_prio\nPreemptMode=REQUEUE\n"
                       "PartitionName=low Nodes=ALL Default=YES PriorityTier=1\n"
                       "PartitionName=high Nodes=ALL PriorityTier=3\n"));
  for (const std::uint32_t id : {1U, 2U}) {
    ask(site, id, 0, "-w k" + std::to_string(id) + " " + of_ada).user = site.names().intern("ada");
  }
  JobSpec& spec = ask(site, 3, 100, of_bob);
  spec.user = site.names().intern("bob");
  spec.partitions = site.names().intern("high");
  site.run();
  return site.second_of("start 3 ") < 300;
}

TEST(CoreSpecJobs, OwnTheirNodesByThemselvesAndLoseThemToWhoeverMayPreempt) {
  EXPECT_FALSE(preempts(true, "-n2", "-n2 --exclusive=user"));
  EXPECT_TRUE(preempts(true, "-n2 --core-spec=1", "-n2 --exclusive=user"));
  EXPECT_TRUE(preempts(true, "-n2 --core-spec=1 --exclusive=user", "-n2"));
  EXPECT_TRUE(preempts(true, "-n2", "-n2 --core-spec=1 --exclusive=user"));
  EXPECT_FALSE(preempts(false, "-n2 --core-spec=1", "-n2 --exclusive=user"));
  EXPECT_FALSE(preempts(false, "-n2 --core-spec=1 --exclusive=user", "-n2"));
  EXPECT_FALSE(preempts(false, "-n2", "-n2 --core-spec=1 --exclusive=user"));
}

}  // namespace
}  // namespace rehearse::test
