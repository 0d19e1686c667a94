// tests/unit/controller/license_victims_test.cpp — jobs that are preempted for their licences, and
// jobs to which one of several licences will do (preemption.md §4.1, scheduling.md §10).
#include <gtest/gtest.h>

#include "tests/unit/controller/run_site.hpp"

namespace rehearse::test {
namespace {

constexpr SlurmVersion k2205{22, 5}, k2302{23, 2}, k2505{25, 5};

/// Two nodes each; the high partition takes from the low one.
const std::string kConf =
    "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nPriorityType=priority/basic\n"
    "Licenses=lic:2,other:1\nPreemptType=preempt/partition_prio\nPreemptMode=CANCEL\n"
    "NodeName=n[1-4] CPUs=1\n"
    "PartitionName=low Nodes=n[1-2] Default=YES PriorityTier=1\n"
    "PartitionName=high Nodes=n[3-4] PriorityTier=10\n";
const std::string kReclaim = "PreemptParameters=reclaim_licenses\n";

JobSpec& ask(RunSite& site, std::uint32_t id, std::int64_t at, const std::string& partition,
             std::vector<std::pair<std::string, std::uint32_t>> licenses, bool any = false) {
  Request request;
  request.max_nodes = 1;
  for (const auto& [name, count] : licenses) {
    request.licenses.push_back({site.names().intern(name), count});
  }
  request.any_license = any;
  JobSpec& spec = site.job(id, at, 3000, request);
  spec.partitions = site.names().intern(partition);
  return spec;
}

TEST(LicenseVictims, GoWhereverTheyRunForALicenceThatIsLacking) {
  RunSite site(kConf + kReclaim, k2302);
  ask(site, 1, 0, "low", {{"lic", 1}});
  ask(site, 2, 10, "low", {{"lic", 1}});
  ask(site, 3, 600, "high", {{"lic", 1}});
  site.run();
  // The list is in order of creation: the first one alone is enough.
  const std::int64_t end = site.second_of("end 1 PREEMPTED");
  EXPECT_GE(end, 600);
  EXPECT_LE(end, 640);
  EXPECT_GE(site.second_of("start 3"), end) << "a licence returns with the clean-up";
  EXPECT_LE(site.second_of("start 3"), end + 5);
  EXPECT_EQ(site.lines("end 2 COMPLETED").size(), 1U);
}

TEST(LicenseVictims, AreThoseOnlyThatHoldWhatIsLacking) {
  RunSite site(kConf + kReclaim, k2302);
  ask(site, 1, 0, "low", {{"other", 1}});
  ask(site, 2, 10, "low", {{"lic", 2}});
  ask(site, 3, 600, "high", {{"lic", 1}});
  site.run();
  EXPECT_EQ(site.lines("end 1 COMPLETED").size(), 1U);
  EXPECT_EQ(site.lines("end 2 PREEMPTED").size(), 1U);
}

TEST(LicenseVictims, AreNoneWhereAllOfThemTogetherDoNotHoldEnough) {
  RunSite site(kConf + kReclaim, k2302);
  ask(site, 1, 0, "high", {{"lic", 1}});
  ask(site, 2, 10, "low", {{"lic", 1}}).run.runtime = Seconds{2000};  // it ends first
  ask(site, 3, 600, "high", {{"lic", 2}});
  site.run();
  EXPECT_EQ(site.lines("PREEMPTED").size(), 0U);
  EXPECT_GE(site.second_of("start 3"), site.second_of("end 1"));
}

TEST(LicenseVictims, AreNoneUnlessReclaimLicensesIsSetAndKnown) {
  for (const auto& [conf, version] :
       {std::pair(kConf, k2302),
        std::pair(kConf + "SchedulerParameters=preempt_reclaim_licenses\n", k2205)}) {
    RunSite site(conf, version);
    ask(site, 1, 0, "low", {{"lic", 2}});
    ask(site, 2, 600, "high", {{"lic", 1}});
    site.run();
    EXPECT_EQ(site.lines("PREEMPTED").size(), 0U);
    EXPECT_GE(site.second_of("start 2"), site.second_of("end 1"));
  }
}

TEST(LicenseVictims, AreNotLookedForByAJobThatOneOfSeveralWillDo) {
  RunSite site(kConf + kReclaim, k2505);
  ask(site, 1, 0, "low", {{"lic", 2}});
  ask(site, 2, 10, "low", {{"other", 1}});
  ask(site, 3, 600, "high", {{"lic", 1}, {"other", 1}}, true);
  site.run();
  EXPECT_EQ(site.lines("PREEMPTED").size(), 0U);
}

TEST(LicencesWithOr, AreTakenInTheirOrderAndOneOnly) {
  RunSite site(kConf, k2505);
  ask(site, 1, 0, "low", {{"lic", 2}, {"other", 1}}, true);
  ask(site, 2, 10, "low", {{"lic", 2}, {"other", 1}}, true);
  ask(site, 3, 20, "high", {{"lic", 2}, {"other", 1}}, true);
  std::vector<std::uint32_t> used;
  site.at_each_event = [&](const Cluster& cluster) {
    if (cluster.licenses_used[0] == 2 && cluster.licenses_used[1] == 1)
      used = cluster.licenses_used;
  };
  site.run();
  EXPECT_EQ(used, (std::vector<std::uint32_t>{2, 1})) << "the second job took the second licence";
  EXPECT_LT(site.second_of("start 2"), 100);
  EXPECT_GE(site.second_of("start 3"), site.second_of("end 1"));
  EXPECT_EQ(site.cluster().licenses_used, (std::vector<std::uint32_t>{0, 0}));
}

TEST(LicencesWithOr, AreRefusedBefore2505) {
  RunSite site(kConf, k2302);
  ask(site, 1, 0, "low", {{"lic", 1}, {"other", 1}}, true);
  site.run();
  EXPECT_NE(site.lines("reject 1").at(0).find("Invalid license"), std::string::npos);
}

}  // namespace
}  // namespace rehearse::test
