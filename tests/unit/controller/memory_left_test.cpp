// tests/unit/controller/memory_left_test.cpp — the memory and CPUs of jobs of two partitions, of
// which one has defaults by GPU: what a running slurmctld gave (gres.md §2.3).
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "tests/support/ask_request.hpp"
#include "tests/unit/controller/run_site.hpp"

namespace rehearse::test {
namespace {

/// Partitions `gpu` (n1: 3000 MB and 4 CPUs for each GPU) and `short` (n2), of four GPUs each.
/// Their GPUs are all taken, those of `short` until `frees` seconds.
class TwoPartitions {
 public:
  explicit TwoPartitions(const std::string& in_short = "", std::int64_t frees = 300)
      : site(
            "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core_Memory\n"
            "PriorityType=priority/basic\nGresTypes=gpu\nDefMemPerCPU=500\n"
            "NodeName=n[1-2] CPUs=16 CoresPerSocket=16 RealMemory=64000 Gres=gpu:4\n"
            "PartitionName=gpu Nodes=n1 MaxTime=INFINITE DefMemPerGPU=3000 DefCpuPerGPU=4\n"
            "PartitionName=short Nodes=n2 Default=YES MaxTime=INFINITE " +
            in_short + "\n") {
    submit(1, 0, 100000, "gpu", "-N1 -n1 --mem=100 --gres=gpu:4");
    if (frees > 0) submit(2, 0, frees, "short", "-N1 -n1 --mem=100 --gres=gpu:4");
    site.at_each_event = [this](const Cluster& cluster) { note(cluster); };
  }

  void submit(std::uint32_t id, std::int64_t at, std::int64_t runtime,
              const std::string& partitions, const std::string& options) {
    JobSpec& spec = site.job(id, at, runtime, ask_request(options, site.names()));
    spec.partitions = site.names().intern(partitions);
    spec.time_limit = Minutes{2000};
  }
  /// Only these partitions take jobs from then on.
  void only(std::int64_t at, const std::string& partition) {
    for (const std::string name : {"gpu", "short"}) {
      site.command(at, "scontrol update partitionname=" + name +
                           " state=" + (name == partition ? "up" : "down"));
    }
  }
  /// `64000 MB 4 CPUs` of the runs of a job, in order.
  const std::string& run(std::uint32_t id) {
    site.run();
    return runs[id];
  }

  RunSite site;
  std::map<std::uint32_t, std::string> runs;

 private:
  void note(const Cluster& cluster) {
    for (const Job& job : cluster.jobs) {
      const auto id = static_cast<std::uint32_t>(job.id);
      if (!job.is_running() || job.run_number == noted_[id]) continue;
      noted_[id] = job.run_number;
      std::uint64_t mib = 0;
      for (const NodeShare& share : job.allocation.nodes) mib += share.memory_mib;
      std::string& text = runs[id];
      text += (text.empty() ? "" : ", ") + fmt::format("{} MB {} CPUs", mib, job.allocation.cpus);
    }
  }
  std::map<std::uint32_t, std::uint64_t> noted_;
};

TEST(MemoryLeft, IsNoneAfterTheSubmissionsTestInThePartitionNamedFirst) {
  TwoPartitions first("", 0);
  first.submit(3, 60, 100, "gpu,short", "--gres=gpu:1");
  EXPECT_EQ(first.run(3), "64000 MB 4 CPUs");
  TwoPartitions other("", 0);
  other.submit(3, 60, 100, "short,gpu", "--gres=gpu:1");
  EXPECT_EQ(other.run(3), "500 MB 1 CPUs");
}

TEST(MemoryLeft, IsTheDefaultAgainAfterATestThatFindsNoPlace) {
  TwoPartitions site;
  site.only(30, "short");
  site.submit(3, 60, 100, "gpu,short", "--gres=gpu:1");
  EXPECT_EQ(site.run(3), "2000 MB 4 CPUs");
  TwoPartitions named("DefMemPerNode=7000");
  named.only(30, "short");
  named.submit(3, 60, 100, "gpu,short", "--gres=gpu:1");
  EXPECT_EQ(named.run(3), "7000 MB 4 CPUs");
}

TEST(MemoryLeft, IsThatOfThePartitionTestedLast) {
  TwoPartitions site;
  site.submit(3, 60, 100, "gpu,short", "--gres=gpu:1");  // both are tested, short last
  site.only(290, "");
  site.only(320, "short");
  EXPECT_EQ(site.run(3), "2000 MB 4 CPUs");
  TwoPartitions other;
  other.submit(3, 60, 100, "short,gpu", "--gres=gpu:1");
  other.only(290, "");
  other.only(320, "short");
  EXPECT_EQ(other.run(3), "64000 MB 1 CPUs");
}

TEST(MemoryLeft, IsAllOfTheNodeWhateverTheMaximum) {
  TwoPartitions site("MaxMemPerNode=10000", 0);
  site.submit(3, 60, 100, "gpu,short", "--gres=gpu:1");
  EXPECT_EQ(site.run(3), "64000 MB 4 CPUs");
}

TEST(MemoryLeft, ConcernsNoJobWithAMemoryOptionAndNoPartitionWithDefaultsOfItsOwn) {
  TwoPartitions asked("", 0);
  asked.submit(3, 60, 100, "gpu,short", "--gres=gpu:1 --mem=700");
  EXPECT_EQ(asked.run(3), "700 MB 4 CPUs");
  TwoPartitions own("DefMemPerGPU=5000 DefCpuPerGPU=6", 0);
  own.submit(3, 60, 100, "gpu,short", "--gres=gpu:1");
  EXPECT_EQ(own.run(3), "5000 MB 4 CPUs");
  TwoPartitions other("DefMemPerGPU=5000 DefCpuPerGPU=6", 0);
  other.submit(3, 60, 100, "short,gpu", "--gres=gpu:1");
  EXPECT_EQ(other.run(3), "5000 MB 6 CPUs");
}

TEST(MemoryLeft, IsTheDefaultAfterAStart) {
  TwoPartitions site("", 0);
  site.submit(3, 60, 1000, "gpu,short", "--gres=gpu:1");
  site.only(200, "");
  site.site.command(210, "scontrol requeue 3");
  site.only(400, "short");
  EXPECT_EQ(site.run(3), "64000 MB 4 CPUs, 2000 MB 4 CPUs");
}

TEST(MemoryLeft, IsNoneForAJobThatAnAdminMoves) {
  TwoPartitions site("", 0);
  site.submit(3, 60, 100, "gpu", "--gres=gpu:1");
  site.site.command(200, "scontrol update jobid=3 partition=short");
  EXPECT_EQ(site.run(3), "64000 MB 4 CPUs");
}

TEST(MemoryLeft, IsTheSameWhereNothingIsRemembered) {
  for (const bool recalls : {true, false}) {
    TwoPartitions site;
    site.site.recalls = recalls;
    site.submit(3, 60, 100, "short,gpu", "--gres=gpu:1");
    EXPECT_EQ(site.run(3), "64000 MB 1 CPUs");
  }
}

/// One GPU of n1 is held for 60 minutes and three for 20, then planned for 5; n3 is two minutes
/// behind, and `gpu` full. When a job of two GPUs is planned, in whole minutes (rounded up).
std::int64_t planned_minute(const std::string& partitions, const std::string& options,
                            bool recalls = true) {
  RunSite site(
      "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core_Memory\n"
      "PriorityType=priority/basic\nGresTypes=gpu\nDefMemPerCPU=500\n"
      "SchedulerParameters=sched_interval=-1,bf_interval=10\n"
      "NodeName=n[1-3] CPUs=16 CoresPerSocket=16 RealMemory=64000 Gres=gpu:4\n"
      "PartitionName=gpu Nodes=n2 MaxTime=INFINITE DefMemPerGPU=3000\n"
      "PartitionName=short Nodes=n1 Default=YES MaxTime=INFINITE\n"
      "PartitionName=third Nodes=n3 MaxTime=INFINITE\n");
  site.recalls = recalls;
  std::uint32_t last = 0;
  const auto submit = [&](std::int64_t at, const std::string& where, const std::string& asked,
                          std::int64_t minutes) {
    JobSpec& spec = site.job(++last, at, 60 * minutes, ask_request(asked, site.names()));
    spec.partitions = site.names().intern(where);
    spec.time_limit = Minutes{minutes};
  };
  submit(0, "gpu", "--mem=100 --gres=gpu:4", 4320);
  submit(0, "short", "--mem=100 --gres=gpu:1", 60);
  submit(0, "short", "--mem=100 --gres=gpu:3", 20);
  submit(0, "third", "--mem=100 --gres=gpu:1", 62);
  submit(0, "third", "--mem=100 --gres=gpu:3", 22);
  submit(60, "short", "--mem=100 --gres=gpu:3", 5);
  submit(60, "third", "--mem=100 --gres=gpu:3", 5);
  submit(60, partitions, options, 10);
  std::int64_t held = 0, planned = 0;
  site.at_each_event = [&](const Cluster& cluster) {
    for (const Job& job : cluster.jobs) {
      if (job.id == JobId{1} && job.is_running()) held = epoch_seconds(*job.start);
      if (job.id != JobId{last} || !job.planned_start || planned > 0) continue;
      planned = (epoch_seconds(*job.planned_start) - held + 59) / 60;
    }
  };
  site.command(120, "scontrol update jobid=1 timelimit=4320");  // an event, to look at the plans
  site.run();
  return planned;
}

/// All estimates of one record go by it, those from a later instant on too.
TEST(MemoryLeft, IsTakenBackAtTheEndOfABackfillRecord) {
  for (const bool recalls : {true, false}) {
    EXPECT_EQ(planned_minute("short", "--gres=gpu:2", recalls), 25);
    EXPECT_EQ(planned_minute("gpu,short", "--gres=gpu:2", recalls), 60);
    EXPECT_EQ(planned_minute("short,gpu", "--gpus=2", recalls), 60);
    EXPECT_EQ(planned_minute("gpu,short", "--gres=gpu:2 --mem=100", recalls), 25);
    EXPECT_EQ(planned_minute("third", "--gres=gpu:2", recalls), 27);
    EXPECT_EQ(planned_minute("gpu,short,third", "--gres=gpu:2", recalls), 27);
    EXPECT_EQ(planned_minute("gpu,third,short", "--gres=gpu:2", recalls), 25);
  }
}

TEST(CpusOfTheFirstPartition, DoNotStayWithOneTask) {
  TwoPartitions one("", 0);
  one.submit(3, 60, 100, "gpu,short", "-n1 --gres=gpu:1 --mem=100");
  EXPECT_EQ(one.run(3), "100 MB 1 CPUs");
  TwoPartitions three("", 0);
  three.submit(3, 60, 100, "gpu,short", "-n3 --gres=gpu:2 --mem=100");
  EXPECT_EQ(three.run(3), "100 MB 8 CPUs");
}

/// Two nodes with 16 CPUs and four GPUs free: they offer as many as the partition that is tested
/// has CPUs for.
TEST(CpusOfTheFirstPartition, AreNotThoseThatANodeMustHaveBesideItsGpus) {
  const auto gpus = [](const std::string& partitions, const std::string& up) {
    RunSite site(
        "SelectType=select/cons_tres\nSelectTypeParameters=CR_CPU_Memory\n"
        "PriorityType=priority/basic\nGresTypes=gpu\nDefMemPerCPU=10\n"
        "NodeName=n[1-2] Sockets=2 CoresPerSocket=10 ThreadsPerCore=2 CPUs=40 RealMemory=64000 "
        "Gres=gpu:4\nPartitionName=none Nodes=n[1-2] Default=YES\n"
        "PartitionName=two Nodes=n[1-2] DefCpuPerGPU=2\n"
        "PartitionName=six Nodes=n[1-2] DefCpuPerGPU=6\n");
    const auto submit = [&](std::uint32_t id, std::int64_t at, const std::string& where,
                            const std::string& options) {
      JobSpec& spec = site.job(id, at, 1000, ask_request(options, site.names()));
      spec.partitions = site.names().intern(where);
    };
    submit(1, 0, "none", "-n24 -w n1");
    submit(2, 0, "none", "-n24 -w n2");
    for (const std::string name : {"none", "two", "six"}) {
      if (name != up) site.command(30, "scontrol update partitionname=" + name + " state=down");
    }
    submit(3, 60, partitions, "--gpus=4");
    std::string nodes;
    site.at_each_event = [&](const Cluster& cluster) {
      for (const Job& job : cluster.jobs) {
        if (job.id != JobId{3} || !job.is_running() || !nodes.empty()) continue;
        for (const NodeShare& share : job.allocation.nodes) {
          std::uint64_t units = 0;
          for (const DeviceShare& device : share.devices) units += device.units;
          nodes += fmt::format("{}{}", nodes.empty() ? "" : " ", units);
        }
      }
    };
    site.run();
    return nodes;
  };
  EXPECT_EQ(gpus("none,six", "six"), "3 1");
  EXPECT_EQ(gpus("two,six", "six"), "3 1");
  EXPECT_EQ(gpus("none,two", "two"), "4");
  EXPECT_EQ(gpus("two,none", "none"), "4");
}

/// What is left of an array is tested next where its last task started, and has the CPUs of that
/// partition.
TEST(CpusOfTheFirstPartition, AreThoseOfTheTaskBeforeInTheRestOfAnArray) {
  const auto cpus = [](const std::string& partitions, const std::string& tier,
                       const std::string& words = "--gres=gpu:1 --mem=100") {
    RunSite site(
        "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core_Memory\n"
        "PriorityType=priority/basic\nGresTypes=gpu\nDefMemPerCPU=100\n"
        "NodeName=n[1-3] CPUs=16 CoresPerSocket=16 RealMemory=64000 Gres=gpu:2\n"
        "PartitionName=six Nodes=n1 DefCpuPerGPU=6" +
        tier +
        "\n"
        "PartitionName=none Nodes=n2 Default=YES\nPartitionName=two Nodes=n3 DefCpuPerGPU=2\n");
    JobSpec& spec = site.job(1, 10, 100, ask_request(words, site.names()));
    spec.partitions = site.names().intern(partitions);
    spec.extras = std::make_unique<JobExtras>();
    for (std::uint32_t i = 0; i < 6; ++i) {
      ArrayTask& task = spec.extras->array.emplace_back();
      task.index = i;
      task.run = spec.run;
    }
    std::map<std::uint32_t, std::string> runs;
    site.at_each_event = [&](const Cluster& cluster) {
      for (const Job& job : cluster.jobs) {
        if (!job.is_running()) continue;
        runs[*job.array_task] =
            cluster.partitions[job.partition].conf.name + ":" + std::to_string(job.allocation.cpus);
      }
    };
    site.run();
    std::string all;
    for (const auto& [task, run] : runs) all += (all.empty() ? "" : " ") + run;
    return all;
  };
  EXPECT_EQ(cpus("six,none,two", ""), "six:6 six:6 none:6 none:1 two:1 two:2");
  EXPECT_EQ(cpus("none,six,two", ""), "none:1 none:1 six:1 six:6 two:6 two:2");
  EXPECT_EQ(cpus("two,none,six", ""), "two:2 two:2 none:2 none:1 six:1 six:6");
  EXPECT_EQ(cpus("two,none,six", " PriorityTier=5"), "six:6 six:6 two:6 two:2 none:2 none:1");
  EXPECT_EQ(cpus("six", "", "-n2 --ntasks-per-gpu=1 --mem=100"),
            "six:2 six:12 six:12 six:12 six:12 six:12");
}

/// PARTITION:CPUS of a job of these partitions; the user is at MaxJobsPU of `limited`, and the node
/// of `full` is taken (scripts/reference/experiments/tested_first.py).
std::string tested_first(const std::string& partitions, const std::string& limited,
                         const std::string& full, const std::string& words) {
  RunSite site(
      "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nPriorityType=priority/basic\n"
      "GresTypes=gpu\nAccountingStorageEnforce=associations,limits,qos\n"
      "NodeName=n[1-3] CPUs=48 CoresPerSocket=24 Sockets=2 Gres=gpu:8\n"
      "PartitionName=six Nodes=n1 DefCpuPerGPU=6 QOS=q_six\n"
      "PartitionName=none Nodes=n2 Default=YES QOS=q_none\n"
      "PartitionName=two Nodes=n3 DefCpuPerGPU=2 QOS=q_two\n");
  for (const std::string name : {"six", "none", "two"}) {
    QosConf& qos = site.accounting().qos.emplace_back();
    qos.name = "q_" + name;
    if (name == limited) qos.max_jobs_per_user = 1;
  }
  AssociationConf& root = site.accounting().associations.emplace_back();
  root.account = root.user = "root";
  for (AssociationConf& each : site.accounting().associations) {
    each.qos = {"normal"};
    each.default_qos = "normal";
  }
  const auto submit = [&](std::uint32_t id, std::int64_t at, const std::string& where,
                          const std::string& options) -> JobSpec& {
    JobSpec& spec = site.job(id, at, 1000, ask_request(options, site.names()));
    spec.partitions = site.names().intern(where);
    spec.account = site.names().intern("root");
    spec.qos = site.names().intern("normal");
    return spec;
  };
  if (!limited.empty()) submit(1, 0, limited, "-n1");
  if (!full.empty()) submit(2, 0, full, "-n48");
  const bool held = words.starts_with("-H ");
  submit(3, 60, partitions, held ? words.substr(3) : words).held = held;
  if (held) site.command(90, "scontrol release 3");
  std::string found = "waits";
  site.at_each_event = [&](const Cluster& cluster) {
    for (const Job& job : cluster.jobs) {
      if (job.id != JobId{3} || !job.is_running() || found != "waits") continue;
      found = cluster.partitions[job.partition].conf.name + fmt::format(":{}", job.allocation.cpus);
    }
  };
  site.run();
  return found;
}

TEST(CpusOfTheFirstPartition, AreOfTheOneThatTestsTheJobFirst) {
  struct Case {
    const char *list, *limited, *full, *words, *told;
  };
  const Case cases[] = {{"six,two", "six", "", "--gres=gpu:2", "two:4"},
                        {"six,none", "six", "", "--gres=gpu:2", "none:1"},
                        {"none,six", "none", "", "--gres=gpu:2", "six:12"},
                        {"none,two,six", "none", "two", "--gres=gpu:2", "six:4"},
                        {"two,six", "", "two", "--gres=gpu:2", "six:4"},
                        {"six,two", "", "six", "--gres=gpu:2", "two:12"},
                        {"six,two", "six", "", "-H --gres=gpu:2", "two:4"},
                        {"six,two", "", "six", "-H --gres=gpu:2", "two:12"},
                        {"six,two", "six", "", "--gpus=2 -n2", "two:4"},
                        {"six,two", "", "six", "--gres=gpu:2 -n1", "two:4"},
                        {"six,none", "", "six", "--gres=gpu:2 -n1", "none:1"},
                        {"none,six", "", "none", "--gres=gpu:2 -n1", "six:1"},
                        {"none,six", "none", "", "--gres=gpu:2 -n1", "six:12"},
                        {"six,two", "six", "", "--gpus-per-task=1 -n2", "two:4"},
                        {"none,six", "none", "", "--gpus-per-task=1 -n2", "six:12"},
                        {"six,none", "six", "", "--gpus-per-task=1 -n2", "none:2"}};
  for (const Case& each : cases) {
    EXPECT_EQ(tested_first(each.list, each.limited, each.full, each.words), each.told)
        << each.list << ", limit " << each.limited << ", full " << each.full << ", " << each.words;
  }
}

/// CPUs of a job of these partitions that starts in `start`; each has a node of 48 cores and eight
/// GPUs, `two` and `six` so many CPUs a GPU.
std::uint32_t cpus_in(const std::string& start, const std::string& partitions,
                      const std::string& options) {
  RunSite site(
      "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nPriorityType=priority/basic\n"
      "GresTypes=gpu\nSchedulerParameters=sched_interval=50000,bf_interval=-1\n"
      "NodeName=n[1-3] CPUs=48 CoresPerSocket=24 Sockets=2 Gres=gpu:8\n"
      "PartitionName=none Nodes=n1 MaxTime=INFINITE Default=YES\n"
      "PartitionName=two Nodes=n2 MaxTime=INFINITE DefCpuPerGPU=2\n"
      "PartitionName=six Nodes=n3 MaxTime=INFINITE DefCpuPerGPU=6\n");
  for (const std::string name : {"none", "two", "six"}) {
    site.command(10, "scontrol update partitionname=" + name + " state=down");
  }
  JobSpec& spec = site.job(1, 20, 100, ask_request(options, site.names()));
  spec.partitions = site.names().intern(partitions);
  site.command(50, "scontrol update partitionname=" + start + " state=up");
  std::uint32_t cpus = 0;
  site.at_each_event = [&](const Cluster& cluster) {
    for (const Job& job : cluster.jobs) cpus = std::max(cpus, job.allocation.cpus);
  };
  site.run();
  return cpus;
}

/// As many as the first partition makes of them, but no more than the one where it starts.
TEST(CpusOfTheFirstPartition, OfTasksThatBringGpusStayWithTheJobInAll) {
  struct Case {
    const char* words;
    const char* list;
    std::uint32_t in_first, in_second;
  };
  const Case cases[] = {{"-n2 --gpus-per-task=1", "none,two", 2, 2},
                        {"-n2 --gpus-per-task=1", "two,none", 4, 4},
                        {"-n2 --gpus-per-task=1", "two,six", 4, 4},
                        {"-n2 --gpus-per-task=1", "six,two", 12, 4},
                        {"-n2 --gpus-per-task=1", "none,six", 2, 2},
                        {"-n2 --gpus-per-task=2", "none,two", 2, 2},
                        {"-n2 --gpus-per-task=2", "two,six", 8, 8},
                        {"-n2 --gpus-per-task=2", "six,two", 24, 8},
                        {"-n1 --gpus-per-task=1", "two,six", 2, 2},
                        {"-n1 --gpus-per-task=1", "six,two", 6, 2},
                        {"-n1 --gpus-per-task=1", "none,six", 1, 1},
                        {"-n4 --gpus-per-task=1", "two,none", 8, 8},
                        {"-n4 --gpus-per-task=1", "two,six", 8, 6},
                        {"-n4 --gpus-per-task=1", "six,two", 24, 8},
                        {"-n4 --gpus-per-task=1", "none,six", 4, 4},
                        {"-N1 --ntasks-per-node=2 --gpus-per-task=1", "two,six", 4, 4},
                        {"-N1 --ntasks-per-node=2 --gpus-per-task=1", "six,two", 12, 4},
                        {"-N1 --ntasks-per-node=2 --gpus-per-task=1", "none,six", 2, 2}};
  for (const Case& each : cases) {
    const std::string list = each.list;
    const std::string first = list.substr(0, list.find(','));
    const std::string second = list.substr(list.find(',') + 1);
    EXPECT_EQ(cpus_in(first, list, each.words), each.in_first) << each.words << " " << list;
    EXPECT_EQ(cpus_in(second, list, each.words), each.in_second) << each.words << " " << list;
  }
}

}  // namespace
}  // namespace rehearse::test
