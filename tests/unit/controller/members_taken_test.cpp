// tests/unit/controller/members_taken_test.cpp — which members of a reservation are refused at
// their submission (lifecycle.md §13; asked of a running slurmctld:
// scripts/reference/experiments/members_taken.py).
#include <gtest/gtest.h>

#include "tests/unit/controller/run_site.hpp"

namespace rehearse::test {
namespace {

struct Reserved {
  std::string own;    ///< the nodes of r, of which the job asks to be
  std::string other;  ///< … of m, over them; empty: there is none
};

/// What a member of r on that many CPUs comes to, with a feature and nodes if asked for: the nodes
/// it has, what it waits for, or that it is refused.
std::string became(const Reserved& reserved, std::uint32_t cpus, const std::string& feature = "",
                   const std::string& node = "") {
  RunSite site(
      "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nPriorityType=priority/basic\n"
      "NodeName=n[1-2] CPUs=4 Feature=g\nNodeName=n[3-4] CPUs=4 Feature=f\n"
      "PartitionName=p Nodes=ALL Default=YES\n");
  site.command(5,
               "scontrol create reservation ReservationName=r Users=root StartTime=now "
               "Duration=600 " +
                   reserved.own);
  if (!reserved.other.empty()) {
    site.command(6,
                 "scontrol create reservation ReservationName=m Users=nobody StartTime=now "
                 "Duration=600 " +
                     reserved.other);
  }
  Request request;
  request.min_nodes = 1;
  request.min_cpus = cpus;
  request.num_tasks = cpus;
  if (!feature.empty()) request.features = site.names().intern(feature);
  if (!node.empty()) request.required_nodes = {site.names().intern(node)};
  JobSpec& member = site.job(1, 30, 100, request);
  member.extras = std::make_unique<JobExtras>();
  member.extras->reservation = "r";
  site.command(900, "scancel 1");
  site.run();
  if (!site.lines("reject 1").empty()) return "refused";
  if (site.lines("start 1").empty()) return site.told[1];
  return site.lines("start 1").front().substr(site.lines("start 1").front().find("n"));
}

constexpr const char* kTaken = "ReqNodeNotAvail,_Reserved_for_maintenance";

TEST(MembersTaken, AreThoseThatItsNodesServeWhateverCoresOfThemItHas) {
  const Reserved cores{"CoreCnt=2 Nodes=n3", ""};
  EXPECT_EQ(became(cores, 3), "Resources");
  EXPECT_EQ(became(cores, 9), "refused");
  EXPECT_EQ(became(cores, 1, "g"), "refused");
  EXPECT_EQ(became(cores, 1, "", "n1"), "refused");
}

TEST(MembersTaken, AreAllWhereOthersHaveItsNodesButThoseThatNameOne) {
  for (const Reserved& reserved :
       {Reserved{"CoreCnt=2 Nodes=n3 Flags=OVERLAP", "Nodes=n3 Flags=MAINT,OVERLAP"},
        Reserved{"Nodes=n3 Flags=OVERLAP", "Nodes=n3 Flags=MAINT,OVERLAP"},
        Reserved{"Nodes=n3", "Nodes=n3 Flags=OVERLAP"}}) {
    EXPECT_EQ(became(reserved, 1), kTaken) << reserved.own;
    EXPECT_EQ(became(reserved, 9), kTaken) << reserved.own;
    EXPECT_EQ(became(reserved, 1, "g"), kTaken) << reserved.own;
    EXPECT_EQ(became(reserved, 1, "", "n3"), "refused") << reserved.own;
  }
}

TEST(MembersTaken, GoByTheNodesThatOthersLeaveIt) {
  const Reserved left{"Nodes=n3,n4 Flags=OVERLAP", "Nodes=n3 Flags=MAINT,OVERLAP"};
  EXPECT_EQ(became(left, 3).substr(0, 2), "n4");
  EXPECT_EQ(became(left, 9), "refused");
  EXPECT_EQ(became(left, 1, "g"), "refused");
  EXPECT_EQ(became(left, 1, "", "n3"), "refused");
}

}  // namespace
}  // namespace rehearse::test
