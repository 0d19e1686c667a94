// tests/unit/controller/het_waiting_test.cpp — heterogeneous jobs that cannot start yet, and whom
// they keep waiting (scheduling.md §11; asked of a running slurmctld:
// scripts/reference/experiments/het_in_loops.py).
#include <gtest/gtest.h>

#include "tests/unit/controller/component.hpp"
#include "tests/unit/controller/run_site.hpp"

namespace rehearse::test {
namespace {

/// Partition p has n1 and n2, q has n3.
std::string conf(const std::string& parameters) {
  return "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nPriorityType=priority/"
         "multifactor\n"
         "PriorityWeightPartition=1000\nSchedulerParameters=" +
         parameters +
         "\nLicenses=lic:1\nNodeName=n[1-3] CPUs=1\n"
         "PartitionName=p Nodes=n[1-2] Default=YES PriorityJobFactor=2\n"
         "PartitionName=q Nodes=n3 PriorityJobFactor=1\n";
}

class OfTheMainLoop : public testing::TestWithParam<const char*> {};

TEST_P(OfTheMainLoop, AComponentClosesItsPartitionToLowerJobs) {
  RunSite site(conf(std::string("bf_interval=-1,") + GetParam()));
  make_component(site.job(1, 10, 500), 1, 0);
  make_component(site.job(2, 10, 500), 1, 1).partitions = site.names().intern("q");
  site.job(3, 20, 100);
  site.command(900, "scancel 1");
  site.run();
  EXPECT_GE(site.second_of("start 3"), 900) << GetParam();
}

INSTANTIATE_TEST_SUITE_P(Whatever, OfTheMainLoop,
                         testing::Values("defer", "bf_min_prio_reserve=1000000",
                                         "bf_min_age_reserve=100000"));

/// When a job of q begins that would run for long, beside a heterogeneous job whose component of q
/// could start at once and whose first one cannot.
std::int64_t start_beside(const std::string& parameters, bool wants_license) {
  RunSite site(conf("defer,sched_interval=-1," + parameters));
  Request request;
  request.max_nodes = 1;
  if (wants_license) request.licenses = {{site.names().intern("lic"), 1}};
  site.job(9, 5, 1000, request).time_limit = Minutes{30};
  request.licenses.clear();
  site.job(8, 5, 1000, request).time_limit = Minutes{30};
  if (wants_license) request.licenses = {{site.names().intern("lic"), 1}};
  make_component(site.job(10, 60, 100, request), 10, 0).time_limit = Minutes{5};
  request.licenses.clear();
  JobSpec& second = make_component(site.job(11, 60, 100, request), 10, 1);
  second.partitions = site.names().intern("q");
  second.time_limit = Minutes{5};
  JobSpec& low = site.job(12, 60, 5000, request);
  low.partitions = site.names().intern("q");
  low.time_limit = Minutes{100};
  low.nice = 100;
  site.run();
  return site.second_of("start 12");
}

TEST(HetJobs, KeepNodesForAComponentBehindOneThatIsPlanned) {
  EXPECT_GT(start_beside("bf_continue", false), 1000);
}

TEST(HetJobs, TryNoComponentBehindOneThatTheCycleCannotStart) {
  EXPECT_LT(start_beside("bf_min_prio_reserve=1000000", false), 200);
  EXPECT_LT(start_beside("bf_min_age_reserve=100000", false), 200);
  EXPECT_LT(start_beside("bf_continue", true), 200) << "its licence is not free";
}

/// What both components of a job that waits show at last, beside a job that holds the nodes of the
/// first: asked of a running slurmctld by scripts/reference/experiments/het_reasons.py.
std::string reasons_beside(const std::string& parameters, bool wants_license) {
  RunSite site(conf("defer,sched_interval=-1," + parameters));
  Request request;
  request.max_nodes = 1;
  if (wants_license) request.licenses = {{site.names().intern("lic"), 1}};
  site.job(8, 5, 1000, request).time_limit = Minutes{30};
  make_component(site.job(10, 60, 100, request), 10, 0);
  request.licenses.clear();
  if (!wants_license) site.job(9, 5, 1000, request).time_limit = Minutes{30};
  make_component(site.job(11, 60, 100, request), 10, 1).partitions = site.names().intern("q");
  site.command(900, "scancel 10");
  site.run();
  return site.told[10] + " " + site.told[11];
}

TEST(HetJobs, WaitForResourcesOnceACycleComesToThem) {
  EXPECT_EQ(reasons_beside("bf_continue", false), "Resources Resources");
  EXPECT_EQ(reasons_beside("bf_continue", true), "Resources Resources")
      << "its licence is not free";
  EXPECT_EQ(reasons_beside("bf_max_job_part=1", false), "Resources Resources");
  EXPECT_EQ(reasons_beside("bf_interval=-1", false), "None None") << "no cycle";
}

/// The limits of both components of a job with --time-min, which run into them.
std::vector<std::int64_t> seconds_run(const std::string& parameters) {
  RunSite site(conf("defer,sched_interval=-1," + parameters));
  for (std::uint32_t i = 0; i < 2; ++i) {
    JobSpec& spec = make_component(site.job(1 + i, 10, 5000), 1, i);
    if (i == 1) spec.partitions = site.names().intern("q");
    spec.time_limit = Minutes{30};
    spec.time_min = Minutes{3};
  }
  site.run();
  std::vector<std::int64_t> seconds;
  for (const char* id : {"1", "2"}) {
    seconds.push_back(site.second_of(std::string("end ") + id) -
                      site.second_of(std::string("start ") + id));
  }
  return seconds;
}

TEST(HetJobs, KeepTimeMinAsTheirLimit) {
  for (const std::int64_t seconds : seconds_run("bf_continue")) {
    EXPECT_GE(seconds, 180);
    EXPECT_LT(seconds, 300);
  }
}

}  // namespace
}  // namespace rehearse::test
