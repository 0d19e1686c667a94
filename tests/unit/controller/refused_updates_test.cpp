// tests/unit/controller/refused_updates_test.cpp — what NumNodes= leaves behind where it is
// refused, as asked of a slurmctld (scripts/reference/experiments/refused_updates.py).
#include <gtest/gtest.h>

#include "tests/support/ask_request.hpp"
#include "tests/unit/controller/run_site.hpp"

namespace rehearse::test {
namespace {

constexpr const char* kConf =
    "ClusterName=c\nSelectType=select/cons_tres\nSelectTypeParameters=CR_Core\n"
    "AccountingStorageEnforce=associations,limits\n"
    "NodeName=n[1-4] CPUs=8 RealMemory=64000\n"
    "PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP\n";

/// `refused` or nothing, then whether a job starts that its account's four CPUs stopped before.
std::string after(const std::string& options, const std::string& update) {
  RunSite site(kConf);
  AssociationConf& user = site.accounting().associations.emplace_back();
  user.account = user.user = "root";
  user.is_default_account = true;
  user.limits.grp_tres = {{"cpu", 4}};
  site.job(1, 10, 100, ask_request(options, site.names()));
  site.command(70, "scontrol update JobId=1 " + update);
  site.run();
  const std::string said = site.lines("refuse").empty() ? "" : "refused, ";
  return said + (site.lines("start 1").empty() ? "PENDING" : "RUNNING");
}

TEST(RefusedUpdates, ToMoreNodesThanCpusLiftTheLimitOnThem) {
  EXPECT_EQ(after("-N1 --exclusive", "NumNodes=2"), "refused, RUNNING");
  EXPECT_EQ(after("-N1-2 --exclusive", "NumNodes=3"), "refused, RUNNING");
  EXPECT_EQ(after("-N2 --exclusive", "NumNodes=3"), "refused, RUNNING");
  EXPECT_EQ(after("-N1 --exclusive", "NumNodes=2 TimeLimit=30"), "refused, RUNNING");
  EXPECT_EQ(after("-N1 -n8", "NumNodes=2"), "refused, PENDING") << "it has more CPUs";
}

TEST(Updates, ToMoreNodesThanCpusLiftTheLimitOnThem) {
  EXPECT_EQ(after("-N1-3 --exclusive", "NumNodes=2"), "RUNNING");
  EXPECT_EQ(after("-N2 --exclusive", "NumNodes=3-4"), "RUNNING");
  EXPECT_EQ(after("-N1 --exclusive", "NumNodes=1"), "PENDING");
  EXPECT_EQ(after("-N2 --exclusive", "NumNodes=2"), "PENDING");
  EXPECT_EQ(after("-n8", "NumNodes=2"), "PENDING");
  EXPECT_EQ(after("-n8 -N1-2", "NumNodes=2"), "PENDING");
}

}  // namespace
}  // namespace rehearse::test
