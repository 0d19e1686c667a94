// tests/unit/controller/quotas_test.cpp — accounts borrow what is idle, and give it back when its
// owner asks.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "sim/sched/preempt/quotas.hpp"
#include "tests/unit/controller/component.hpp"
#include "tests/unit/controller/quota_site.hpp"

namespace rehearse::test {
namespace {

constexpr Seconds kLong{4 * 3600};

/// Runs by account at an instant.
std::map<std::string, int> running_at(const QuotaSite& site, std::int64_t when) {
  std::map<std::string, int> counts;
  for (const SmallSite::Run& run : site.runs) {
    if (run.start <= when && when < run.end) ++counts[site.accounts.at(run.job)];
  }
  return counts;
}

TEST(Quotas, AnOwnerGetsWhatItIsGuaranteedFromTheYoungestBorrowers) {
  QuotaSite site(1);
  site.account("a", 2);
  site.account("b", 2);
  for (int i = 0; i < 4; ++i) site.ask(i * 10, "b", 1, kLong);  // jobs 1 to 4
  site.ask(600, "a", 1, Seconds{3600});
  site.ask(601, "a", 1, Seconds{3600});
  site.ask(602, "a", 1, Seconds{3600});  // beyond its quota: it waits like any borrower
  site.run();
  ASSERT_EQ(site.warnings.size(), 2U);
  EXPECT_EQ(site.warnings[0].victim, 4U);
  EXPECT_EQ(site.warnings[1].victim, 3U);
  const auto counts = running_at(site, 1500);
  EXPECT_EQ(counts.at("a"), 2);
  EXPECT_EQ(counts.at("b"), 2);
}

TEST(Quotas, NobodyWithinItsQuotaIsEvicted) {
  QuotaSite site(1);
  site.account("a", 2);
  site.account("b", 2);
  site.account("c", 0);
  for (int i = 0; i < 2; ++i) site.ask(i, "a", 1, kLong);
  for (int i = 0; i < 2; ++i) site.ask(i + 5, "b", 1, kLong);
  site.ask(600, "a", 1, kLong);
  site.ask(600, "c", 1, kLong);
  site.run();
  EXPECT_TRUE(site.warnings.empty());
}

TEST(Quotas, WhatIsNotPreemptibleWaitsRatherThanBorrow) {
  QuotaSite site(2);
  site.account("a", 2);
  site.account("b", 6);
  for (int i = 0; i < 3; ++i) site.ask(i, "a", 1, Seconds{3600}, "firm");
  site.run();
  const auto last = site.runs_of(3);
  ASSERT_EQ(last.size(), 1U);
  EXPECT_GE(last[0].start, 3600) << "the cluster was idle, but its quota was not";
  EXPECT_TRUE(site.warnings.empty());
}

TEST(Quotas, WhatIsNotPreemptibleTakesFromItsOwnAccountsBorrowers) {
  QuotaSite site(1);
  site.account("a", 2);
  site.account("b", 2);
  for (int i = 0; i < 4; ++i) site.ask(i, "a", 1, kLong);
  site.ask(600, "a", 1, Seconds{3600}, "firm");
  site.run();
  ASSERT_EQ(site.warnings.size(), 1U);
  EXPECT_EQ(site.warnings[0].victim, 4U);
  EXPECT_LE(site.runs_of(5).at(0).start, 660);
}

TEST(Quotas, WhatIsIdleIsBorrowedByWeight) {
  QuotaSite site(2);
  site.account("a", 1, 1);
  site.account("b", 1, 2);
  site.account("c", 8);
  site.ask(0, "c", 4, Seconds{3600}, "firm");
  site.ask(0, "c", 4, Seconds{3600}, "firm");
  for (int i = 0; i < 8; ++i) {
    site.ask(60 + i, "a", 1, kLong);
    site.ask(60 + i, "b", 1, kLong);
  }
  site.run();
  const auto counts = running_at(site, 3900);
  EXPECT_EQ(counts.at("a"), 3);  // its quota and 2
  EXPECT_EQ(counts.at("b"), 5);  // its quota and 4
}

/// Of four CPUs, an account that is guaranteed none of two that another borrowed comes later.
std::map<std::string, int> after_late_borrower(Reclaim reclaim) {
  QuotaSite site(1, reclaim);
  site.account("a", 1);
  site.account("b", 1);
  for (int i = 0; i < 4; ++i) site.ask(i, "a", 1, kLong);
  for (int i = 0; i < 3; ++i) site.ask(600 + i, "b", 1, kLong);
  site.run();
  return running_at(site, 1800);
}

TEST(Quotas, AFairShareOfWhatIsIdleIsReclaimedOnlyWhereAskedFor) {
  EXPECT_EQ(after_late_borrower(Reclaim::Quota), (std::map<std::string, int>{{"a", 3}, {"b", 1}}));
  EXPECT_EQ(after_late_borrower(Reclaim::FairShare),
            (std::map<std::string, int>{{"a", 2}, {"b", 2}}));
}

/// A heterogeneous job of one component a node, all at once.
void ask_het(QuotaSite& site, std::int64_t submit, const std::string& account,
             const std::vector<unsigned>& cpus, Seconds runtime,
             const std::vector<std::string>& qos) {
  std::uint32_t leader = 0;
  for (std::uint32_t i = 0; i < cpus.size(); ++i) {
    JobSpec& spec = site.ask(submit, account, cpus[i], runtime, qos[i % qos.size()]);
    if (i == 0) leader = static_cast<std::uint32_t>(spec.id);
    make_component(spec, leader, i);
  }
}

TEST(Quotas, AHeterogeneousJobIsOneRequest) {
  QuotaSite site(2);
  site.account("a", 4);
  site.account("b", 4);
  // Each component is within the quota of 4 CPUs, both together are not: it never starts.
  ask_het(site, 0, "a", {3, 3}, Seconds{600}, {"firm"});
  ask_het(site, 5, "b", {2, 2}, Seconds{600}, {"firm"});  // just its quota
  site.run();
  EXPECT_TRUE(site.runs_of(1).empty());
  EXPECT_TRUE(site.runs_of(2).empty());
  ASSERT_EQ(site.runs_of(3).size(), 1U);
  EXPECT_EQ(site.runs_of(3).front().start, site.runs_of(4).front().start);
}

TEST(Quotas, AHeterogeneousBorrowerGoesWholeAndOneWithAFirmPartStays) {
  QuotaSite site(2);
  site.account("a", 4);
  site.account("b", 4);
  ask_het(site, 0, "b", {3, 3}, kLong, {"normal"});  // borrows 2, and holds 3 of each node
  site.ask(600, "a", 4, Seconds{600});
  site.run();
  ASSERT_FALSE(site.runs_of(1).empty());
  ASSERT_FALSE(site.runs_of(2).empty());
  EXPECT_TRUE(site.runs_of(1).front().requeued);
  EXPECT_TRUE(site.runs_of(2).front().requeued);
  EXPECT_EQ(site.runs_of(1).front().end, site.runs_of(2).front().end);

  QuotaSite firm(2);
  firm.account("a", 2);
  firm.account("b", 6);
  ask_het(firm, 0, "b", {3, 3}, Seconds{3600}, {"normal", "firm"});
  firm.ask(600, "a", 2, Seconds{600});
  firm.run();
  EXPECT_TRUE(firm.warnings.empty());
}

TEST(Quotas, LinesThatCannotBeAreTold) {
  QuotaSite site(1);
  site.account("a", 2);
  site.account("b", 3);
  site.inputs.site.policy.quotas.push_back({"nobody", "cpu=1", {}, 1});
  site.inputs.site.policy.quotas.push_back({"a", "cpu=1,gres/gpu=1", {}, 1});
  site.inputs.site.policy.quotas.push_back({"root", "cpu=1", {}, 1});
  site.inputs.site.policy.non_preemptible = {"frm"};
  const Cluster cluster(site.inputs, site.names, site.requests, site.found);
  check_quotas(cluster, site.found);
  std::string told;
  for (const Diagnostic& each : site.found.all()) told += to_text(each) + "\n";
  for (const char* what : {"there is no account 'nobody'", "'a' is there twice",
                           "gres/gpu is not tracked", "b is below root, which has a quota too",
                           "promise 8 cpu, and the nodes have 4", "there is no QOS 'frm'"}) {
    EXPECT_NE(told.find(what), std::string::npos) << what << " in\n" << told;
  }
}

}  // namespace
}  // namespace rehearse::test
