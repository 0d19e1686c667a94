// tests/unit/controller/changed_sizes_test.cpp — nodes of jobs whose sizes an operator changed
// while they pended, as a slurmctld gave them (recording sizes_changed, and two days like it).
#include <gtest/gtest.h>

#include "tests/support/ask_request.hpp"
#include "tests/unit/controller/run_site.hpp"

namespace rehearse::test {
namespace {

constexpr const char* kConf =
    "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nLicenses=sim:4\n"
    "NodeName=n[1-4] CPUs=8 RealMemory=64000\n"
    "PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP\n";

/// `start 1 NODES`, behind `refused, ` where the update is; `never`.
std::string after(const std::string& options, const std::string& update) {
  RunSite site(kConf);
  site.job(1, 10, 100, ask_request(options, site.names())).held = true;
  if (!update.empty()) site.command(70, "scontrol update JobId=1 " + update);
  site.command(80, "scontrol release 1");
  site.run();
  const auto started = site.lines("start 1");
  const std::string start = started.empty() ? "never" : started.front();
  const std::size_t word = start.find("start");
  return (site.lines("refuse").empty() ? "" : "refused, ") +
         (word == std::string::npos ? start : start.substr(word));
}

TEST(ChangedSizes, OfNodesAskForTheLeast) {
  EXPECT_EQ(after("-N4 -n16", "NumNodes=2"), "start 1 n1,n2");
  EXPECT_EQ(after("-N4 -n16", "NumNodes=2-4"), "start 1 n1,n2");
  EXPECT_EQ(after("-N4 -n8", "NumNodes=1-4"), "start 1 n1");
  EXPECT_EQ(after("-N2-4 -n8", "NumNodes=1"), "start 1 n1");
  EXPECT_EQ(after("-N2-4 -n8", "NumNodes=2-3"), "start 1 n1,n2") << "the most is another";
  EXPECT_EQ(after("-N2 -n12", "NumNodes=1"), "start 1 n1,n2") << "twelve CPUs";
  EXPECT_EQ(after("-N4 -n8 --spread-job", "NumNodes=2"), "start 1 n1,n2");
}

TEST(ChangedSizes, OfNodesThatAreTheSameAskForTheMost) {
  EXPECT_EQ(after("-N2-4 -n8", ""), "start 1 n1,n2,n3,n4");
  EXPECT_EQ(after("-N2-4 -n8", "NumNodes=2"), "start 1 n1,n2,n3,n4");
  EXPECT_EQ(after("-n8", "NumNodes=1-3"), "start 1 n1,n2,n3") << "there was no most";
}

TEST(ChangedSizes, OfNodesHaveTheCpusOfTheTasks) {
  EXPECT_EQ(after("-N4 -n32", "NumNodes=2-2 NumCPUs=16"), "never");
  EXPECT_EQ(after("-N4 -n32", "NumCPUs=16"), "start 1 n1,n2,n3,n4");
  EXPECT_EQ(after("-N4 -n32", "NumNodes=3-4 NumCPUs=16"), "start 1 n1,n2,n3,n4");
  EXPECT_EQ(after("-N1 -n4", "NumNodes=1-4 NumTasks=20"), "start 1 n1,n2,n3");
  EXPECT_EQ(after("-N2 --ntasks-per-node=4", "NumNodes=1-1"), "never");
}

TEST(ChangedSizes, OfMoreListedNodesThanTheMostLetNoneServe) {
  EXPECT_EQ(after("-N2 -n4", "ReqNodeList=n[1-3]"), "never");
  EXPECT_EQ(after("-N2 -n4", "ReqNodeList=n[2-3]"), "start 1 n2,n3");
}

TEST(ChangedSizes, OfLicensesThatCannotBeAreRefused) {
  EXPECT_EQ(after("-n4 -L sim:2", "Licenses=sim:5"), "refused, start 1 n1");
  EXPECT_EQ(after("-n4 -L sim:2", "Licenses=none:1"), "refused, start 1 n1");
  EXPECT_EQ(after("-n4 -L sim:2", "Licenses=sim:4"), "start 1 n1");
}

}  // namespace
}  // namespace rehearse::test
