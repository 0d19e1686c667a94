// tests/unit/controller/share_questions_test.cpp — what an `sshare` of the recorded day settles
// (priority.md §4.1).
#include <gtest/gtest.h>

#include "tests/unit/controller/run_site.hpp"

namespace rehearse::test {
namespace {

/// The factor that stands at a user without jobs after a run in which `sshare` was run at these
/// seconds.
double factor_of_an_idle_user(const std::vector<std::int64_t>& asked, const std::string& flags) {
  RunSite site(
      "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nPriorityType=priority/"
      "multifactor\n"
      "AccountingStorageType=accounting_storage/slurmdbd\nPriorityCalcPeriod=1\n"
      "PriorityWeightFairshare=1000\n" +
      flags + "NodeName=n1 CPUs=1\nPartitionName=p Nodes=ALL Default=YES\n");
  AssociationConf& idle = site.accounting().associations.emplace_back();
  idle.account = idle.parent = "root";
  idle.user = "ida";
  site.job(1, 1, 500);
  site.recorded.emplace();
  for (const std::int64_t at : asked) {
    site.recorded->share_questions.emplace_back(from_epoch_seconds(RunSite::kStart + at));
  }
  site.run();
  for (const Association& each : site.cluster().accounts.associations) {
    if (each.user != kNoName && site.names().text(each.user) == "ida") return each.fair_share;
  }
  return -1;
}

TEST(ShareQuestions, SettleUsersOfTheClassicFormulaAlone) {
  const std::string classic = "PriorityFlags=NO_FAIR_TREE\n";
  EXPECT_EQ(factor_of_an_idle_user({}, classic), 0.0) << "nobody has asked";
  EXPECT_EQ(factor_of_an_idle_user({100}, classic), 1.0);
  EXPECT_EQ(factor_of_an_idle_user({}, ""), factor_of_an_idle_user({100}, ""));
}

}  // namespace
}  // namespace rehearse::test
