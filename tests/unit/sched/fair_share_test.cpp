// tests/unit/sched/fair_share_test.cpp — Fair Tree and the classic formula, against priority.md.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "sim/sched/priority/classic.hpp"
#include "sim/sched/priority/fair_tree.hpp"
#include "tests/unit/sched/site_builder.hpp"
#include "tests/unit/sched/worked_tree.hpp"

namespace rehearse::test {
namespace {

constexpr double kPrinted = 5e-7;  // half of the last digit of %f

struct Row {
  const char *account, *user;
  double shares_norm, usage_norm, effective, fair_share, level_fs;
};
constexpr double kInf = std::numeric_limits<double>::infinity();

TEST(FairTree, RanksTheWorkedTreeWithTiesToThePrintedDigit) {
  SiteBuilder site;
  add_worked_tree(site);
  Cluster& cluster = site.build();
  add_worked_usage(site);
  FairTree tree(cluster.accounts);
  tree.update();
  const Row rows[] = {
      {"root", "root", 0.012346, 0, 0, 1, kInf},
      {"chem", "", 0.246914, 0.2, 0.2, 0, 1.234568},
      {"chem", "emil", 0.5, 0.15, 0.75, 0.777778, 0.666667},
      {"chem", "fred", 0.5, 0.05, 0.25, 0.888889, 2},
      {"math", "", 0.246914, 0.2, 0.2, 0, 1.234568},
      {"math", "gina", 0.5, 0.075, 0.375, 0.777778, 1.333333},
      {"math", "hugo", 0.5, 0.125, 0.625, 0.555556, 0.8},
      {"phys", "", 0.493827, 0.6, 0.6, 0, 0.823045},
      {"astro", "", 0.25, 0.225, 0.375, 0, 0.666667},
      {"astro", "carl", 1, 0.225, 1, 0.111111, 1},
      {"astro", "dora", 0.25, 0, 0, 0.222222, kInf},
      {"hep", "", 0.75, 0.375, 0.625, 0, 1.2},
      {"hep", "anna", 0.5, 0.1875, 0.5, 0.444444, 1},
      {"hep", "bela", 0.5, 0.1875, 0.5, 0.444444, 1},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(std::string(row.account) + "/" + row.user);
    const Association& a = site.association(row.account, row.user);
    EXPECT_NEAR(a.shares_norm, row.shares_norm, kPrinted);
    EXPECT_NEAR(static_cast<double>(a.usage_norm), row.usage_norm, kPrinted);
    EXPECT_NEAR(static_cast<double>(a.usage_effective), row.effective, kPrinted);
    EXPECT_NEAR(a.fair_share, row.fair_share, kPrinted);
    if (std::isinf(row.level_fs)) {
      EXPECT_TRUE(std::isinf(a.level_fs));
    } else {
      EXPECT_NEAR(static_cast<double>(a.level_fs), row.level_fs, kPrinted);
    }
  }
  EXPECT_EQ(site.association("root").shares_norm, 0.0);
}

TEST(FairTree, GivesTheFirstOfTiedAccountsItsOwnRanksWhenNamesTurnTheListAround) {
  // As above with math named before chem: gina 8/9, hugo 7/9, fred 7/9, emil 5/9.
  SiteBuilder site;
  site.user("root", "root", 1);
  site.account("a_math", "root", 20);
  site.account("chem", "root", 20);
  site.account("phys", "root", 40);
  site.user("emil", "chem", 5);
  site.user("fred", "chem", 5);
  site.user("gina", "a_math", 1);
  site.user("hugo", "a_math", 1);
  site.user("p1", "phys", 1);
  site.user("p2", "phys", 1);
  site.user("p3", "phys", 1);
  site.user("p4", "phys", 1);
  Cluster& cluster = site.build();
  site.use("chem", "emil", 600);
  site.use("chem", "fred", 200);
  site.use("a_math", "gina", 300);
  site.use("a_math", "hugo", 500);
  site.use("phys", "p1", 2400);
  FairTree(cluster.accounts).update();
  EXPECT_EQ(site.association("a_math", "gina").fair_share, 8.0 / 9);
  EXPECT_EQ(site.association("a_math", "hugo").fair_share, 7.0 / 9);
  EXPECT_EQ(site.association("chem", "fred").fair_share, 7.0 / 9);
  EXPECT_EQ(site.association("chem", "emil").fair_share, 5.0 / 9);
}

/// The live observation of priority.md §7.2: users in list order root 1, chem{alice 1, bob 0},
/// math{cy 1, dan 0}, phys{eve 1, sub[parent]{fay 3}}.
void add_observed_tree(SiteBuilder& site) {
  site.user("root", "root", 1);
  site.account("chem", "root", 20);
  site.account("math", "root", 20);
  site.account("phys", "root", 40);
  site.account("sub", "phys", std::nullopt);
  site.user("alice", "chem", 1);
  site.user("bob", "chem", 0);
  site.user("cy", "math", 1);
  site.user("dan", "math", 0);
  site.user("eve", "phys", 1);
  site.user("fay", "sub", 3);
}

TEST(FairTree, RanksAsAControllerWithoutAnyUsageDid) {
  SiteBuilder site;
  add_observed_tree(site);
  Cluster& cluster = site.build();
  FairTree tree(cluster.accounts);
  tree.update();
  EXPECT_EQ(site.association("root", "root").fair_share, 1.0);
  EXPECT_EQ(site.association("chem", "alice").fair_share, 1.0);
  EXPECT_EQ(site.association("chem", "bob").fair_share, 5.0 / 7);
  EXPECT_EQ(site.association("math", "cy").fair_share, 5.0 / 7);
  EXPECT_EQ(site.association("math", "dan").fair_share, 3.0 / 7);
  EXPECT_EQ(site.association("phys", "eve").fair_share, 3.0 / 7);
  EXPECT_EQ(site.association("sub", "fay").fair_share, 3.0 / 7);
  // Eve alone has used something: phys ties no longer.
  site.use("phys", "eve", 1000);
  tree.update();
  EXPECT_EQ(site.association("sub", "fay").fair_share, 2.0 / 7);
  EXPECT_EQ(site.association("phys", "eve").fair_share, 1.0 / 7);
  EXPECT_EQ(static_cast<double>(site.association("sub").level_fs), 4294967294.0);
  EXPECT_NEAR(static_cast<double>(site.association("phys").level_fs), 40.0 / 81, 1e-12);
  EXPECT_NEAR(site.association("sub").shares_norm, 40.0 / 81, 1e-12);
}

struct ClassicRow {
  const char *account, *user;
  double shares, usage, effective, factor, factor2, deep, deep_factor;
};
constexpr ClassicRow kClassic[] = {
    {"root", "root", 0.012346, 0, 0, 1, 1, 0, 1},
    {"chem", "", 0.246914, 0.2, 0.2, 0.570382, 0.755236, 0.2, 0.570382},
    {"chem", "emil", 0.123457, 0.15, 0.175, 0.374360, 0.611850, 0.121186, 0.506416},
    {"chem", "fred", 0.123457, 0.05, 0.125, 0.495687, 0.704050, 0.05, 0.755236},
    {"math", "gina", 0.123457, 0.075, 0.1375, 0.462091, 0.679773, 0.075, 0.656333},
    {"math", "hugo", 0.123457, 0.125, 0.1625, 0.401577, 0.633701, 0.111155, 0.535756},
    {"phys", "", 0.493827, 0.6, 0.6, 0.430773, 0.656333, 0.6, 0.430773},
    {"astro", "", 0.123457, 0.225, 0.31875, 0.167024, 0.408685, 0.225, 0.282731},
    {"astro", "carl", 0.123457, 0.225, 0.31875, 0.167024, 0.408685, 0.225, 0.282731},
    {"astro", "dora", 0.123457, 0, 0.31875, 0.167024, 0.408685, 0.225, 0.282731},
    {"hep", "", 0.370370, 0.375, 0.54375, 0.361452, 0.601209, 0.409796, 0.464436},
    {"hep", "anna", 0.185185, 0.1875, 0.365625, 0.254480, 0.504460, 0.204898, 0.464436},
    {"hep", "bela", 0.185185, 0.1875, 0.365625, 0.254480, 0.504460, 0.204898, 0.464436},
};

TEST(ClassicShares, GivesTheWorkedTableInAllThreeForms) {
  SiteBuilder site;
  add_worked_tree(site);
  Cluster& cluster = site.build();
  add_worked_usage(site);
  const auto compute = [&](ClassicShares::Options options) {
    ClassicShares shares(cluster.accounts, options);
    shares.update_accounts();
    shares.settle_all();
  };
  const auto check = [&](auto effective, auto factor) {
    for (const ClassicRow& row : kClassic) {
      SCOPED_TRACE(std::string(row.account) + "/" + row.user);
      const Association& a = site.association(row.account, row.user);
      EXPECT_NEAR(a.shares_norm, row.shares, kPrinted);
      EXPECT_NEAR(static_cast<double>(a.usage_norm), row.usage, kPrinted);
      EXPECT_NEAR(static_cast<double>(a.usage_effective), effective(row), kPrinted);
      EXPECT_NEAR(a.fair_share, factor(row), kPrinted);
    }
    EXPECT_EQ(site.association("root").shares_norm, 1.0);
    EXPECT_EQ(static_cast<double>(site.association("root").usage_effective), 1.0);
  };
  compute({.damping = 1});
  check([](const auto& r) { return r.effective; }, [](const auto& r) { return r.factor; });
  EXPECT_EQ(site.association("root").fair_share, 0.5);
  compute({.damping = 2});
  check([](const auto& r) { return r.effective; }, [](const auto& r) { return r.factor2; });
  compute({.depth_oblivious = true});
  check([](const auto& r) { return r.deep; }, [](const auto& r) { return r.deep_factor; });
}

TEST(ClassicShares, FollowsTheLiveNumbersOfParentSharesAndSmallShares) {
  // priority.md §11.2 [V]: chem 20 of 82, E 0.197588 → F 0.570339; eve 1 of 4 shares of phys:
  // 0.537489 + (0.802412 − 0.537489)/4 = 0.603720 → F 0.032341; fay 3 of 4: 0.667882 → 0.282135.
  EXPECT_NEAR(classic_factor(0.197588L, 20.0 / 82, 1), 0.570339, 1e-6);
  EXPECT_NEAR(classic_factor(0.603720L, 40.0 / 82 / 4, 1), 0.032341, 1e-6);
  EXPECT_NEAR(classic_factor(0.802412L, 40.0 / 82, 1), 0.319759, 1e-6);
  EXPECT_NEAR(classic_factor(0.667882L, 40.0 / 82 * 3 / 4, 1), 0.282135, 1e-6);
  EXPECT_EQ(classic_factor(0.066073L, 0, 1), 0.0);

  SiteBuilder site;
  site.user("root", "root", 2);
  site.account("chem", "root", 20);
  site.account("math", "root", 20);
  site.account("phys", "root", 40);
  site.account("sub", "phys", std::nullopt);
  site.user("alice", "chem", 1);
  site.user("bob", "chem", 0);
  site.user("eve", "phys", 1);
  site.user("fay", "sub", 3);
  Cluster& cluster = site.build();
  site.use("chem", "alice", 131515.0L);
  site.use("chem", "bob", 66073.0L);
  site.use("phys", "eve", 537489.0L);
  site.use("sub", "fay", 264923.0L);
  ClassicShares shares(cluster.accounts, {});
  shares.update_accounts();
  shares.settle_all();
  EXPECT_NEAR(site.association("chem").fair_share, 0.570339, 1e-6);
  EXPECT_NEAR(static_cast<double>(site.association("chem", "alice").usage_effective), 0.197588,
              1e-6);
  EXPECT_EQ(site.association("chem", "bob").fair_share, 0.0);
  EXPECT_NEAR(site.association("phys", "eve").fair_share, 0.032341, 1e-6);
  EXPECT_NEAR(site.association("sub").shares_norm, 0.487805, kPrinted);
  EXPECT_NEAR(static_cast<double>(site.association("sub").usage_effective), 0.802412, 1e-6);
  EXPECT_NEAR(site.association("sub").fair_share, 0.319759, 1e-6);
  // Fay stands here at what phys leaves, 0.264923: E = 0.264923/4 + 0.802412·3/4.
  EXPECT_NEAR(static_cast<double>(site.association("sub", "fay").usage_effective), 0.668040, 1e-6);
}

TEST(ClassicShares, AreShownAsAskedForWithoutBeingAsked) {
  SiteBuilder site;
  add_worked_tree(site);
  Cluster& cluster = site.build();
  add_worked_usage(site);
  for (const bool depth_oblivious : {false, true}) {
    ClassicShares shares(cluster.accounts, {.depth_oblivious = depth_oblivious});
    shares.update_accounts();
    shares.settle_all();
    site.use("chem", "fred", 5000);
    shares.update_accounts();
    const std::vector<ShareFactors> kept = kept_shares(cluster.accounts);
    const std::vector<ShareFactors> shown = shares.shown();
    EXPECT_EQ(kept_shares(cluster.accounts), kept) << "nothing was settled";
    shares.settle_all();
    EXPECT_EQ(kept_shares(cluster.accounts), shown);
    EXPECT_NE(kept, shown);
  }
}

TEST(ClassicShares, JobsOfWhoSharesAsParentGoByTheShareParent) {
  SiteBuilder site;  // recording `resource_classic`: sshare 0.936874 for cyd, sprio 0.870551
  site.account("blue", "root", std::nullopt);
  site.account("phys", "root", 1);
  site.user("cyd", "blue", std::nullopt);
  site.user("dora", "phys", std::nullopt);
  site.user("eve", "phys", 1);
  Cluster& cluster = site.build();
  site.use("blue", "cyd", 470367.0L);
  site.use("phys", "eve", 529633.0L);
  ClassicShares shares(cluster.accounts, {.damping = 5});
  shares.update_accounts();
  shares.settle_all();
  const Association& cyd = site.association("blue", "cyd");
  EXPECT_NEAR(cyd.fair_share, 0.936874, 1e-6);
  EXPECT_NEAR(shares.job_factor(cyd.id), 0.870551, 1e-6);
  EXPECT_EQ(shares.job_factor(site.association("phys", "dora").id),
            site.association("phys").fair_share);
  const Association& eve = site.association("phys", "eve");
  EXPECT_EQ(shares.job_factor(eve.id), eve.fair_share);
}

TEST(ClassicShares, AccountsLagATickAndUsersAreComputedOnce) {
  SiteBuilder site;
  site.account("chem", "root", 1);
  site.account("phys", "root", 1);
  site.user("alice", "chem", 1);
  site.user("eve", "phys", 1);
  Cluster& cluster = site.build();
  site.use("chem", "alice", 100);
  site.use("phys", "eve", 100);
  ClassicShares shares(cluster.accounts, {});
  shares.update_accounts();
  site.use("chem", "alice", 200);  // charged after the accounts were computed
  const AssociationId alice = site.association("chem", "alice").id;
  shares.settle(alice);
  EXPECT_NEAR(static_cast<double>(site.association("chem").usage_norm), 0.5, 1e-12);
  EXPECT_NEAR(static_cast<double>(site.association("chem", "alice").usage_norm), 0.75, 1e-12);
  // 0.75 + (0.5 − 0.75)·1/1 = 0.5
  EXPECT_NEAR(static_cast<double>(site.association("chem", "alice").usage_effective), 0.5, 1e-12);
  site.use("phys", "eve", 1000);
  shares.settle(alice);
  EXPECT_NEAR(static_cast<double>(site.association("chem", "alice").usage_norm), 0.75, 1e-12);
}

}  // namespace
}  // namespace rehearse::test
