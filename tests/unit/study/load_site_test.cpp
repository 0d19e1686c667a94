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

/// A maintenance of all nodes, one of n2 alone, and commands that name n2.
class NodesThatGo : public LoadSite {
 protected:
  NodesThatGo() {
    const std::string record =
        "StartTime=2025-02-01T00:00:00 EndTime=2025-02-01T01:00:00\n   Nodes=";
    const std::string rest = "\n   Users=root Accounts=(null)\n\n";
    (void)folder_.write("reservations.txt", "ReservationName=maint " + record +
                                                "n[1-2] Flags=MAINT,SPEC_NODES,ALL_NODES" + rest +
                                                "ReservationName=course " + record +
                                                "n2 Flags=SPEC_NODES" + rest);
    (void)folder_.write("events.csv",
                        "time,command\n"
                        "2025-01-01T00:00:30,scontrol update NodeName=n2 State=DRAIN Reason=x\n"
                        "2025-01-01T00:00:31,scancel --nodelist=n2 -u bob\n");
  }
  /// Names of the nodes of each reservation, and what was told.
  std::string reserved(const std::string& count) {
    LoadOptions options;
    options.set = {"Nodes=n[1-2]:Count=" + count};
    Diagnostics found;
    const auto site = load_site(folder_.path(), options, found, {});
    std::string text;
    for (const ReservationId id : site->cluster->reservations.live()) {
      const Reservation& each = site->cluster->reservations[id];
      text += site->names.text(each.name) + ":";
      for (const Node& node : site->cluster->nodes) {
        if (each.nodes.test(index_of(node.id))) text += " " + site->names.text(node.name);
      }
      text += "\n";
    }
    for (const Diagnostic& each : found.all()) {
      if (each.what.find("taken away") != std::string::npos) text += each.what + "\n";
    }
    return text;
  }
};

TEST_F(NodesThatGo, LeaveReservationsAndCommands) {
  EXPECT_EQ(
      reserved("1"),
      "maint: n1\n"
      "1 of the 2 nodes of reservation maint are taken away by a change: it keeps the others\n"
      "1 of the 1 nodes of reservation course are taken away by a change: it is left out\n"
      "1 of the 1 nodes named are taken away by a change: the command does without them\n"
      "1 of the 1 nodes named are taken away by a change: the command does without them\n");
}

TEST_F(NodesThatGo, AndThoseThatComeAreReservedWhereAllNodesAre) {
  EXPECT_EQ(reserved("3"), "maint: n1 n2 n3\ncourse: n2\n");
}

TEST_F(NodesThatGo, ACancellationOfTheirJobsCancelsNobodyElse) {
  const auto site = load({"Nodes=n[1-2]:Count=1"});
  const Result result = simulate(*site, {}, nullptr).result;
  for (std::size_t row = 0; row < result.runs.size(); ++row) {
    EXPECT_EQ(result.runs.state[row], static_cast<std::uint8_t>(JobState::Completed));
  }
}

TEST_F(LoadSite, KeepsNodesThatAChangeAddedWhenARowChangesTheirPartition) {
  (void)folder_.write("events.csv",
                      "time,command\n"
                      "2025-01-01T00:00:30,scontrol update PartitionName=batch MaxTime=2-0\n");
  const auto site = load({"Nodes=n[1-2]:Count=4"});
  (void)simulate(*site, {}, nullptr);
  const Partition& batch = site->cluster->partitions[id_at<PartitionId>(0)];
  EXPECT_EQ(batch.conf.max_time, Minutes{2 * 1440});
  EXPECT_EQ(batch.nodes.count(), 4U);
}

// lifecycle.md §12.2.
TEST_F(LoadSite, KnowsPartitionsThatALaterFileHas) {
  (void)folder_.write("march.conf",
                      "ClusterName=mine\nSlurmctldHost=ctl\nSelectType=select/cons_tres\n"
                      "SelectTypeParameters=CR_Core\nNodeName=n[1-2] CPUs=8 RealMemory=32000\n"
                      "NodeName=spare CPUs=4 RealMemory=32000\n"
                      "PartitionName=batch Nodes=n[1-2] Default=YES MaxTime=1-0\n"
                      "PartitionName=late Nodes=spare MaxTime=1-0 PriorityJobFactor=9\n");
  (void)folder_.write("events.csv",
                      "time,command\n"
                      "2025-01-01T00:01:00,slurm.conf march.conf\n"
                      "2025-01-01T00:02:00,scontrol reconfigure\n");
  (void)folder_.write(
      "sacct.txt",
      "JobIDRaw|JobID|User|Partition|Submit|Start|End|ElapsedRaw|TimelimitRaw|State|ExitCode|"
      "NNodes|NCPUS|ReqTRES|AllocTRES|NodeList\n"
      "1|1|ann|late|2025-01-01T00:01:30|2025-01-01T00:01:31|2025-01-01T00:02:31|60|20|COMPLETED|"
      "0:0|1|1|cpu=1,node=1|cpu=1,node=1|spare\n"
      "2|2|ann|late|2025-01-01T00:02:30|2025-01-01T00:02:31|2025-01-01T00:03:31|60|20|COMPLETED|"
      "0:0|1|1|cpu=1,node=1|cpu=1,node=1|spare\n");
  const auto site = load({});
  EXPECT_EQ(site->cluster->partitions.size(), 2U);
  EXPECT_EQ(site->cluster->max_priority_job_factor, 1U) << "it is not there yet";
  const Result result = simulate(*site, {}, nullptr).result;
  ASSERT_EQ(result.rejections.size(), 1U) << "before the file was read";
  ASSERT_EQ(result.runs.size(), 1U);
  EXPECT_EQ(result.runs.job_id[0], 2U);
  EXPECT_EQ(site->cluster->max_priority_job_factor, 9U);
}

}  // namespace
}  // namespace rehearse::test
