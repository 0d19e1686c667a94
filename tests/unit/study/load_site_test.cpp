// tests/unit/study/load_site_test.cpp — whose jobs a site takes over, and when it reads its own.
#include "sim/study/load_site.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sim/study/simulate.hpp"
#include "tests/unit/scratch_folder.hpp"

namespace rehearse::test {
namespace {

class LoadSite : public testing::Test {
 protected:
  LoadSite() {
    (void)folder_.write("slurm.conf",
                        "ClusterName=mine\nSlurmctldHost=ctl\nSelectType=select/cons_tres\n"
                        "SelectTypeParameters=CR_Core\nNodeName=n[1-2] CPUs=8 RealMemory=32000\n"
                        "NodeName=spare CPUs=4 RealMemory=32000\n"
                        "PartitionName=batch Nodes=n[1-2] Default=YES MaxTime=1-0\n");
    // The second job held more CPUs than it asked for: is that a whole node? The reader asks.
    (void)folder_.write(
        "sacct.txt",
        "JobIDRaw|JobID|User|Partition|Submit|Start|End|ElapsedRaw|TimelimitRaw|State|ExitCode|"
        "NNodes|NCPUS|ReqTRES|AllocTRES|NodeList\n"
        "1|1|ann|batch|2025-01-01T00:00:01|2025-01-01T00:00:02|2025-01-01T00:01:02|60|20|COMPLETED|"
        "0:0|1|1|cpu=1,node=1|cpu=1,node=1|n1\n"
        "2|2|bob|batch|2025-01-01T00:00:03|2025-01-01T00:00:04|2025-01-01T00:02:04|120|20|"
        "COMPLETED|0:0|1|8|cpu=1,node=1|cpu=8,node=1|n2\n");
  }

  std::unique_ptr<LoadedSite> load(const std::vector<std::string>& set,
                                   const std::vector<const LoadedSite*>& readers = {},
                                   const std::string& from = {}) {
    LoadOptions options;
    options.set = set;
    options.from = from;
    Diagnostics found;
    return load_site(folder_.path(), options, found, readers);
  }
  static std::uint64_t schedule_of(LoadedSite& site) {
    return simulate(site, {}, nullptr).result.loops.schedule_fingerprint;
  }

  ScratchFolder folder_;
};

TEST_F(LoadSite, AChangeOfPolicyReadsNoJobsAgain) {
  const auto reader = load({});
  const auto site = load({"KillWait=31"}, {reader.get()});
  EXPECT_EQ(site->jobs_of, reader.get());
  EXPECT_EQ(&site->jobs(), &reader->jobs());
  EXPECT_TRUE(site->trace.jobs.specs().empty());
}

TEST_F(LoadSite, SharedJobsRunAsOnesOwnDo) {
  const auto reader = load({});
  const auto shared = load({}, {reader.get()});
  const auto again = load({}, {reader.get()});
  const auto own = load({});
  const std::uint64_t schedule = schedule_of(*own);
  EXPECT_EQ(schedule_of(*shared), schedule);
  EXPECT_EQ(schedule_of(*again), schedule);
}

TEST_F(LoadSite, OtherJobsAreRead) {
  const auto reader = load({});
  EXPECT_EQ(load({}, {reader.get()}, "2025-01-01T00:00:02")->jobs_of, nullptr);
  EXPECT_EQ(load({"site.yaml:time_zone=Europe/Oslo"}, {reader.get()})->jobs_of, nullptr);
}

TEST_F(LoadSite, NodesMatterWhereTheRowsAskedForThem) {
  const auto reader = load({});
  ASSERT_EQ(reader->cpus_asked.size(), 1U);
  EXPECT_EQ(load({"NodeName=spare:CPUs=2"}, {reader.get()})->jobs_of, reader.get());
  EXPECT_EQ(load({"NodeName=n2:CPUs=16"}, {reader.get()})->jobs_of, nullptr);
}

}  // namespace
}  // namespace rehearse::test
