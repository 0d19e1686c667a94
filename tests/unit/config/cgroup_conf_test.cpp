// tests/unit/config/cgroup_conf_test.cpp — cgroup.conf, and the words of slurm.conf about power and
// memory.
#include "sim/config/cgroup_conf.hpp"

#include <gtest/gtest.h>

#include "sim/config/slurm_conf.hpp"
#include "tests/unit/scratch_folder.hpp"

namespace rehearse::test {
namespace {

TEST(CgroupConf, TellsWhatEndsJobs) {
  const ScratchFolder folder;
  const auto file = folder.write("cgroup.conf",
                                 "CgroupAutomount=yes\nConstrainCores=yes\nConstrainRAMSpace=yes\n"
                                 "AllowedRAMSpace=98.5 # percent\nConstrainSwapSpace=no\n");
  Diagnostics found;
  const CgroupConf conf = read_cgroup_conf(file, found);
  EXPECT_TRUE(found.all().empty());
  EXPECT_TRUE(conf.constrain_ram_space);
  EXPECT_FALSE(conf.constrain_swap_space);
  EXPECT_DOUBLE_EQ(conf.allowed_ram_percent, 98.5);
}

TEST(CgroupConf, IsNothingWithoutTheFile) {
  Diagnostics found;
  const CgroupConf conf = read_cgroup_conf("/nowhere/cgroup.conf", found);
  EXPECT_TRUE(found.all().empty());
  EXPECT_FALSE(conf.constrain_ram_space);
}

TEST(CgroupConf, TellsEveryValueThatItDoesNotUnderstand) {
  const ScratchFolder folder;
  const auto file = folder.write("cgroup.conf", "ConstrainRAMSpace=perhaps\nAllowedRAMSpace=-3\n");
  Diagnostics found;
  (void)read_cgroup_conf(file, found);
  ASSERT_EQ(found.all().size(), 2U);
  EXPECT_EQ(found.all()[0].where.line, 1U);
  EXPECT_EQ(found.all()[1].where.line, 2U);
}

SlurmConf conf_of(const std::string& text, Diagnostics& found) {
  return parse_slurm_conf("ClusterName=c\nSlurmctldHost=h\n" + text + "NodeName=n1\n", "slurm.conf",
                          ".", {}, found);
}

TEST(PowerWords, AreFoundAmongSlurmctldParameters) {
  Diagnostics found;
  const SlurmConf conf =
      conf_of("SlurmctldParameters=idle_on_node_suspend,power_save_interval=30,cloud_dns\n", found);
  EXPECT_EQ(conf.power_save_interval, Seconds{30});
  EXPECT_EQ(conf.power_save_min_interval, Seconds{0});
  EXPECT_TRUE(conf.idle_on_node_suspend);
  (void)conf_of("SlurmctldParameters=power_save_interval=soon\n", found);
  ASSERT_FALSE(found.all().empty());
  EXPECT_NE(found.all().back().what.find("power_save_interval"), std::string::npos);
}

TEST(MemoryWords, AreFoundInTheirLists) {
  Diagnostics found;
  const SlurmConf conf = conf_of(
      "TaskPlugin=task/affinity,task/cgroup\nJobAcctGatherParams=NoShared,OverMemoryKill\n", found);
  EXPECT_TRUE(conf.has_task_cgroup);
  EXPECT_TRUE(conf.over_memory_kill);
  EXPECT_FALSE(conf_of("TaskPlugin=task/affinity\n", found).has_task_cgroup);
}

}  // namespace
}  // namespace rehearse::test
