// tests/unit/controller/memory_test.cpp — a program that uses more memory than its job holds.
#include "models/memory/enforcement.hpp"

#include <gtest/gtest.h>

#include "tests/unit/controller/run_site.hpp"

namespace rehearse::test {
namespace {

/// How a job with 1000 MiB and a MaxRSS of `used` MiB ends after 100 s under that configuration.
std::string end_of(const std::string& conf, std::uint64_t used, const CgroupConf& cgroup = {}) {
  RunSite site(conf +
               "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core_Memory\n"
               "NodeName=n1 CPUs=4 RealMemory=4000\nPartitionName=p Nodes=ALL Default=YES\n");
  site.inputs().cgroup = cgroup;
  site.site().memory.peak_at = 0.5;
  Request request;
  request.memory_mode = MemoryMode::PerNode;
  request.memory_mib = 1000;
  JobSpec& job = site.job(1, 10, 100, request);
  job.run.max_rss_mib = used;
  site.run();
  const std::string end = site.lines("end 1").at(0);
  const std::int64_t ran = std::stoll(end) - site.second_of("start 1");
  return fmt::format("{} after {}", end.substr(end.rfind(' ') + 1), ran);
}

TEST(Memory, BeyondWhatTheJobHoldsEndsItWhereItIsConstrained) {
  CgroupConf constrained;
  constrained.constrain_ram_space = true;
  EXPECT_EQ(end_of("TaskPlugin=task/affinity,task/cgroup\n", 1500, constrained),
            "OUT_OF_MEMORY after 50");
  EXPECT_EQ(end_of("JobAcctGatherParams=OverMemoryKill\n", 1500), "OUT_OF_MEMORY after 50");
}

TEST(Memory, IsNotEnforcedByDefault) {
  EXPECT_EQ(end_of("", 1500), "COMPLETED after 100");
  EXPECT_EQ(end_of("TaskPlugin=task/cgroup\n", 1500), "COMPLETED after 100");
}

TEST(Memory, CountsForNothingWithoutThePluginThatEnforcesIt) {
  CgroupConf constrained;
  constrained.constrain_ram_space = true;
  EXPECT_EQ(end_of("", 1500, constrained), "COMPLETED after 100");
}

TEST(Memory, MayBeUsedToTheLastMebibyte) {
  CgroupConf constrained;
  constrained.constrain_ram_space = true;
  EXPECT_EQ(end_of("TaskPlugin=task/cgroup\n", 1000, constrained), "COMPLETED after 100");
  constrained.allowed_ram_percent = 160;
  EXPECT_EQ(end_of("TaskPlugin=task/cgroup\n", 1500, constrained), "COMPLETED after 100");
}

}  // namespace
}  // namespace rehearse::test
