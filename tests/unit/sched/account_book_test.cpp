// tests/unit/sched/account_book_test.cpp — the account tree: order, inheritance, QOS lists, errors.
#include "sim/cluster/account.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "sim/cluster/reason.hpp"
#include "sim/sched/limit_reason.hpp"
#include "tests/unit/sched/site_builder.hpp"

namespace rehearse::test {
namespace {

TEST(TresTable, KeepsSlurmsOrderAndFindsWithoutCase) {
  const TresTable tres({"GRES/gpu", "gres/gpu:A100", "cpu", "license/matlab", "gres/gpu"});
  EXPECT_EQ(tres.size(), 11U);
  EXPECT_EQ(tres.find("Gres/GPU"), id_at<TresIndex>(8));
  EXPECT_EQ(tres.find("gres/gpu:a100"), id_at<TresIndex>(9));
  EXPECT_EQ(tres.find("CPU"), TresTable::kCpu);
  EXPECT_EQ(tres.find("gpu"), std::nullopt);
}

TEST(TresTable, PrintsInBothOrders) {
  const TresTable tres({"gres/gpu"});
  TresVector amounts = tres.zero();
  amounts[0] = 8;
  amounts[1] = 65536;
  amounts[3] = 1;
  amounts[4] = 8;
  amounts[8] = 2;
  EXPECT_EQ(format_tres_sacct(tres, amounts), "billing=8,cpu=8,gres/gpu=2,mem=64G,node=1");
  EXPECT_EQ(format_tres_scontrol(tres, amounts), "cpu=8,mem=64G,node=1,billing=8,gres/gpu=2");
  amounts[1] = 2560;
  EXPECT_EQ(format_tres_sacct(tres, amounts), "billing=8,cpu=8,gres/gpu=2,mem=2.50G,node=1");
  EXPECT_EQ(format_tres_scontrol(tres, tres.zero()), "");
}

std::vector<std::string> children_of(SiteBuilder& site, const std::string& account) {
  std::vector<std::string> list;
  for (const AssociationId id : site.association(account).children) {
    const Association& child = site.cluster().accounts.associations[id];
    list.push_back(site.names.text(child.user == kNoName ? child.account : child.user));
  }
  return list;
}

TEST(AccountBook, PutsUsersBeforeAccountsEachByName) {
  SiteBuilder site;
  site.account("b", "root");
  site.account("a", "root");
  site.user("zoe", "root");
  site.user("root", "root");
  site.build();
  EXPECT_EQ(children_of(site, "root"), (std::vector<std::string>{"root", "zoe", "a", "b"}));
}

/// priority.md §7.3, experiments/siblings.py: what was added last stands first.
TEST(AccountBook, PutsAccountsInTheOrderOfTheDatabaseWhereItIsKnownOfAll) {
  for (const bool of_all : {true, false}) {
    SiteBuilder site;
    site.account("a", "root").left = 20;
    site.account("b", "root").left = 10;
    if (!of_all) site.account("c", "b");
    site.user("zoe", "root").left = 2;
    site.user("ann", "root").left = 4;
    site.inputs.accounting.associations.front().left = 1;
    site.build();
    EXPECT_EQ(children_of(site, "root"), of_all
                                             ? (std::vector<std::string>{"ann", "zoe", "b", "a"})
                                             : (std::vector<std::string>{"ann", "zoe", "a", "b"}));
    list_by_name(site.inputs.accounting);
    site.build();
    EXPECT_EQ(children_of(site, "root"), (std::vector<std::string>{"ann", "zoe", "a", "b"}));
  }
}

TEST(AccountBook, InheritsMaxLimitsByTresAndNothingOfGroups) {
  SiteBuilder site;
  AssociationConf& chem = site.account("chem", "root");
  chem.limits.max_tres_per_job = {{"cpu", 64}, {"mem", 1000}};
  chem.limits.grp_tres = {{"cpu", 256}};
  chem.limits.max_wall_per_job = Minutes{2880};
  chem.max_jobs = 50;
  chem.priority = 7;
  AssociationConf& emil = site.user("emil", "chem");
  emil.limits.max_tres_per_job = {{"cpu", 128}};
  emil.priority = 0;
  site.user("fred", "chem");
  site.build();
  const Association& of_emil = site.association("chem", "emil");
  EXPECT_EQ(of_emil.limits.max_tres_per_job[0], 128U);
  EXPECT_EQ(of_emil.limits.max_tres_per_job[1], 1000U);
  EXPECT_TRUE(of_emil.limits.grp_tres.empty());
  EXPECT_EQ(of_emil.limits.max_wall_min, 2880U);
  EXPECT_EQ(of_emil.max_jobs, 50U);
  EXPECT_EQ(of_emil.priority, 0U);
  EXPECT_EQ(site.association("chem", "fred").priority, 7U);
  EXPECT_EQ(site.cluster().accounts.max_association_priority, 7U);
}

TEST(AccountBook, AppliesQosEditsFromTheTopDown) {
  SiteBuilder site;
  site.qos("high");
  site.qos("low");
  AssociationConf& chem = site.account("chem", "root");
  chem.qos = {"+high"};
  chem.qos_is_edit = true;
  AssociationConf& emil = site.user("emil", "chem");
  emil.qos = {"-normal", "+low"};
  emil.qos_is_edit = true;
  site.user("fred", "chem").qos = {"low"};
  site.user("gina", "chem");
  site.build();
  using List = std::vector<QosId>;
  EXPECT_EQ(site.association("chem", "emil").qos, (List{QosId{1}, QosId{2}}));
  EXPECT_EQ(site.association("chem", "fred").qos, (List{QosId{2}}));
  EXPECT_EQ(site.association("chem", "gina").qos, (List{QosId{0}, QosId{1}}));
}

TEST(AccountBook, FindsPartitionAssociationsBeforeGeneralOnes) {
  SiteBuilder site;
  site.nodes(1, 1, 100);
  site.partition("gpu", 1);
  site.user("emil", "root");
  site.user("emil", "root").partition = "gpu";
  Cluster& cluster = site.build();
  const NameId root = site.names.intern("root"), emil = site.names.intern("emil");
  const auto in_gpu = cluster.accounts.find(root, emil, site.names.intern("gpu"));
  const auto elsewhere = cluster.accounts.find(root, emil, site.names.intern("cpu"));
  ASSERT_TRUE(in_gpu && elsewhere);
  EXPECT_NE(*in_gpu, *elsewhere);
  EXPECT_EQ(cluster.accounts.default_account(emil), root);
}

TEST(AccountBook, ExistsWithoutAnyRow) {
  NamePool names;
  Diagnostics found;
  const TresTable tres({});
  const AccountBook book = make_account_book({}, tres, names, found);
  EXPECT_TRUE(found.all().empty());
  ASSERT_EQ(book.associations.size(), 1U);
  EXPECT_EQ(book.qos.size(), 1U);
  EXPECT_EQ(book.find_qos(*names.find("normal")), QosId{0});
  EXPECT_EQ(book.associations[AssociationId{0}].qos, std::vector<QosId>{QosId{0}});
}

TEST(AccountBook, TellsEveryUnknownNameWithAHint) {
  SiteBuilder site;
  site.inputs.slurm_conf.accounting_storage_tres = {"gres/gpu"};
  AssociationConf& chem = site.account("chem", "roott");
  chem.where = {"assoc.dump", 3, 1};
  AssociationConf& phys = site.account("phys", "root");
  phys.limits.grp_tres = {{"gpu", 8}};
  phys.qos = {"norml"};
  site.qos("high").preempt = {"hihg"};
  NamePool names;
  Diagnostics found;
  const TresTable tres(site.inputs.slurm_conf.accounting_storage_tres);
  (void)make_account_book(site.inputs.accounting, tres, names, found);
  std::vector<std::string> texts;
  for (const Diagnostic& one : found.all()) texts.push_back(to_text(one));
  const auto told = [&](const std::string& part) {
    return std::any_of(texts.begin(), texts.end(),
                       [&](const std::string& text) { return text.find(part) != text.npos; });
  };
  EXPECT_EQ(texts.size(), 4U);
  EXPECT_TRUE(told("assoc.dump:3:1: error: account 'chem': there is no account 'roott'"));
  EXPECT_TRUE(told("GrpTRES: no TRES is known as 'gpu'"));
  EXPECT_TRUE(told("hint: write gres/gpu"));
  EXPECT_TRUE(told("QOS 'norml' is not defined"));
  EXPECT_TRUE(told("QOS 'hihg' is not defined"));
  EXPECT_TRUE(told("did you mean 'normal'?"));
}

TEST(LimitReason, EveryCellOfTheTableHasItsOwnWord) {
  // Spot checks of limits.md §10, among them its oddities.
  const auto word = [](LimitOwner owner, TresLimitKind kind, TresClass tres) {
    return to_text(limit_reason(owner, kind, tres));
  };
  constexpr auto kAssoc = LimitOwner::Association, kQos = LimitOwner::Qos;
  EXPECT_EQ(word(kAssoc, TresLimitKind::Grp, TresClass::Cpu), "AssocGrpCpuLimit");
  EXPECT_EQ(word(kAssoc, TresLimitKind::GrpMins, TresClass::Gres), "AssocGrpGRESMinutes");
  EXPECT_EQ(word(kAssoc, TresLimitKind::MaxPerNode, TresClass::Node), "AssocMaxUnknownPerNode");
  EXPECT_EQ(word(kQos, TresLimitKind::MaxMins, TresClass::BurstBuffer), "AssocMaxBBMinutesPerJob");
  EXPECT_EQ(word(kQos, TresLimitKind::GrpRunMins, TresClass::Mem), "QOSGrpMemoryRunMinutes");
  EXPECT_EQ(word(kQos, TresLimitKind::MaxPerUser, TresClass::License), "QOSMaxLicensePerUser");
  EXPECT_EQ(word(kQos, TresLimitKind::MaxPerAccount, TresClass::Gres), "MaxGRESPerAccount");
  EXPECT_EQ(word(kQos, TresLimitKind::MinPerJob, TresClass::Cpu), "QOSMinCpuNotSatisfied");
  EXPECT_EQ(tres_class("gres/gpu:a100"), TresClass::Gres);
  EXPECT_EQ(tres_class("fs/lustre"), TresClass::Other);
  for (std::size_t k = 0; k < kTresLimitKindCount; ++k) {
    for (std::size_t c = 0; c < kTresClassCount; ++c) {
      const auto kind = static_cast<TresLimitKind>(k);
      const auto tres = static_cast<TresClass>(c);
      EXPECT_NE(limit_reason(kQos, kind, tres), Reason::None);
      EXPECT_EQ(limit_reason(kAssoc, kind, tres) == Reason::None, k >= 6);
    }
  }
  EXPECT_EQ(to_text(Reason::QOSTimeLimit), "QOSTimeLimit");  // the table of words is complete
  EXPECT_TRUE(is_policy_blocked(Reason::QOSGrpMemLimit));
  EXPECT_FALSE(is_policy_blocked(Reason::AssocGrpGRES));
  EXPECT_FALSE(is_policy_blocked(Reason::AssocGrpGRES, {23, 11}));
  EXPECT_TRUE(is_policy_blocked(Reason::AssocGrpGRES, {24, 5}));
  EXPECT_FALSE(is_policy_blocked(Reason::Resources, {24, 5}));
}

}  // namespace
}  // namespace rehearse::test
