// tests/unit/controller/prolog_test.cpp — what prologs do to ends and limits (lifecycle.md §4).
#include <gtest/gtest.h>

#include "tests/unit/controller/run_site.hpp"

namespace rehearse::test {
namespace {

using namespace std::chrono_literals;

constexpr const char* kConf =
    "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nPriorityType=priority/basic\n"
    "NodeName=n1 CPUs=1\nPartitionName=p Nodes=ALL Default=YES\n";

using Ran = std::pair<std::int64_t, std::string>;

/// How long a job of `runtime` is RUNNING, and how it ends.
Ran run_of(const std::string& more, std::int64_t runtime) {
  RunSite site(more + kConf);
  site.site().controller.prolog = 20s;
  site.site().controller.prolog_slurmctld = 40s;
  site.job(1, 10, runtime).time_limit = Minutes{2};
  site.run();
  const std::string end = site.lines("end 1").at(0);
  return {std::stoll(end) - site.second_of("start 1"), end.substr(end.rfind(' ') + 1)};
}

TEST(Prolog, IsNothingWhereSlurmConfNamesNone) {
  EXPECT_EQ(run_of("", 100), Ran(100, "COMPLETED"));
}

TEST(Prolog, OnTheNodeIsPartOfTheJobsTime) {
  EXPECT_EQ(run_of("Prolog=/p\n", 90), Ran(110, "COMPLETED"));
  const auto [elapsed, state] = run_of("Prolog=/p\n", 200);
  EXPECT_EQ(state, "TIMEOUT");
  EXPECT_LT(elapsed, 120 + 31);
}

TEST(Prolog, AtTheAllocationAndOfTheControllerComeBeforeTheLimit) {
  EXPECT_EQ(run_of("PrologSlurmctld=/p\n", 110), Ran(150, "COMPLETED"));
  EXPECT_EQ(run_of("Prolog=/p\nPrologFlags=Alloc\nPrologSlurmctld=/q\n", 110),
            Ran(170, "COMPLETED"));
}

}  // namespace
}  // namespace rehearse::test
