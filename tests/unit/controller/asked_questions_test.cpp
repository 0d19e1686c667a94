// tests/unit/controller/asked_questions_test.cpp — what a running slurmctld made of single jobs,
// line by line (tests/data/placements/README.md).
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "sim/config/gres_conf.hpp"
#include "sim/config/hostlist.hpp"
#include "sim/config/sbatch_args.hpp"
#include "tests/support/ask_request.hpp"
#include "tests/support/source_folder.hpp"
#include "tests/unit/controller/run_site.hpp"

namespace rehearse::test {
namespace {

/// The parts of each line, split at ` | `.
std::vector<std::vector<std::string>> lines_of(std::string_view file) {
  std::ifstream text(source_folder() / "tests/data/placements" / file);
  EXPECT_TRUE(text.is_open());
  std::vector<std::vector<std::string>> lines;
  for (std::string line; std::getline(text, line);) {
    auto& parts = lines.emplace_back();
    for (std::size_t begin = 0; begin < line.size();) {
      const std::size_t end = std::min(line.find(" | ", begin), line.size());
      parts.push_back(line.substr(begin, end - begin));
      begin = end + 3;
    }
  }
  return lines;
}

/// `[-p ]PARTITION OPTIONS`, or options alone.
JobSpec& ask(RunSite& site, std::uint32_t id, std::int64_t at, std::int64_t runtime,
             std::string words) {
  std::string partition;
  if (words.starts_with("-p ")) words.erase(0, 3);
  if (words[0] != '-') {
    partition = words.substr(0, words.find(' '));
    words.erase(0, partition.size());
  }
  JobSpec& spec = site.job(id, at, runtime, ask_request(words, site.names()));
  if (!partition.empty()) spec.partitions = site.names().intern(partition);
  return spec;
}

/// `runs`, `waits REASON` or `refused`: job 1, after all.
std::string became_of_first(RunSite& site) {
  if (!site.lines("start 1 ").empty()) return "runs";
  if (!site.lines("reject 1 ").empty()) return "refused";
  return "waits " + site.told[1];
}

/// scheduling.md §5.3, §6.3: a job runs, and another comes to its node.
TEST(Overlaid, AreThoseThatSlurmctldOverlays) {
  const std::string conf =
      "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nPriorityType=priority/basic\n"
      "PreemptType=preempt/partition_prio\nPreemptMode=SUSPEND,GANG\nSchedulerTimeSlice=600\n"
      "NodeName=n1 Sockets=2 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=16000\n"
      "PartitionName=lf1 Nodes=n1 PriorityTier=1 OverSubscribe=FORCE:1\n"
      "PartitionName=lf2 Nodes=n1 PriorityTier=1 OverSubscribe=FORCE:2\n"
      "PartitionName=lno Nodes=n1 PriorityTier=1\n"
      "PartitionName=lex Nodes=n1 PriorityTier=1 OverSubscribe=EXCLUSIVE\n"
      "PartitionName=hf1 Nodes=n1 PriorityTier=4 OverSubscribe=FORCE:1\n"
      "PartitionName=hf2 Nodes=n1 PriorityTier=4 OverSubscribe=FORCE:2\n"
      "PartitionName=hno Nodes=n1 PriorityTier=4\n"
      "PartitionName=hy2 Nodes=n1 PriorityTier=4 OverSubscribe=YES:2\n"
      "PartitionName=hex Nodes=n1 PriorityTier=4 OverSubscribe=EXCLUSIVE\n"
      "PartitionName=ef1 Nodes=n1 PriorityTier=1 OverSubscribe=FORCE:1\n"
      "PartitionName=ef2 Nodes=n1 PriorityTier=1 OverSubscribe=FORCE:2\n";
  const auto lines = lines_of("overlaid.txt");
  EXPECT_GT(lines.size(), 200U);
  for (const auto& line : lines) {
    RunSite site(conf);
    std::set<std::uint32_t> suspended;
    site.at_each_event = [&](const Cluster& now) {
      for (const Job& job : now.jobs) {
        if (job.is_suspended()) suspended.insert(static_cast<std::uint32_t>(job.id));
      }
    };
    constexpr std::int64_t kFirstEnds = 200;  // before anybody's time slice is over
    ask(site, 1, 0, kFirstEnds, line[0]);
    ask(site, 2, 60, 60, line[1]);
    site.run();
    const auto started = site.lines("start 2 ");
    ASSERT_EQ(started.size(), 1U) << line[0] << " | " << line[1];
    const bool waits = std::stoll(started.front()) >= kFirstEnds;
    const std::string comes = waits ? "waits" : suspended.contains(2) ? "suspended" : "runs";
    const std::string runs = !waits && suspended.contains(1) ? "suspended" : "runs";
    EXPECT_EQ(comes + ", " + runs, line[2]) << line[0] << " | " << line[1];
  }
}

/// scheduling.md §6.3: two full nodes, and a job that may be laid over either.
TEST(Overlaid, AreOfTheLowestTierAndOfEqualOnesTheLastListed) {
  const std::vector<std::pair<std::string, int>> tiers = {
      {"a1", 1}, {"b2", 2}, {"c1", 1}, {"d3", 3}, {"e2", 2}};
  std::string conf =
      "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nPriorityType=priority/basic\n"
      "PreemptType=preempt/partition_prio\nPreemptMode=SUSPEND,GANG\nSchedulerTimeSlice=600\n"
      "NodeName=n[1-2] Sockets=2 CoresPerSocket=4\nPartitionName=top Nodes=ALL PriorityTier=9\n";
  for (const auto& [name, tier] : tiers) {
    conf += fmt::format("PartitionName={} Nodes=ALL PriorityTier={}{}\n", name, tier,
                        name == "c1" ? " PreemptMode=REQUEUE" : "");
  }
  const std::vector<std::string> falling = {"d3", "b2", "e2", "a1", "c1"};
  const auto rank = [&](const std::string& name) {
    return std::find(falling.begin(), falling.end(), name) - falling.begin();
  };
  for (const auto& [first, first_tier] : tiers) {
    for (const auto& [second, second_tier] : tiers) {
      if (first == second) continue;
      RunSite site(conf);
      ask(site, 1, 0, 200, first + " -w n1 -n8");
      ask(site, 2, 1, 200, second + " -w n2 -n8");
      ask(site, 3, 60, 60, "top -n2");
      site.run();
      const std::string over = rank(first) > rank(second) ? "n1" : "n2";
      ASSERT_EQ(site.lines("start 3 ").size(), 1U);
      EXPECT_TRUE(site.lines("start 3 ").front().ends_with("start 3 " + over))
          << first << " " << second << ": " << site.lines("start 3 ").front();
    }
  }
}

/// limits.md §1.3: alone on an idle cluster.
TEST(TooLarge, AreRefusedWhereOneNodeIsAndWaitWhereThePartitionIsTooSmall) {
  const std::string conf =
      "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nPriorityType=priority/basic\n"
      "GresTypes=gpu\n"
      "NodeName=q[1-3] Sockets=4 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=16000 Gres=gpu:2\n"
      "NodeName=t[1-2] Sockets=2 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=16000\n"
      "PartitionName=q Nodes=q[1-3] Default=YES\n"
      "PartitionName=m Nodes=q[1-2] MaxNodes=1\n"
      "PartitionName=c Nodes=q[1-2] MaxCPUsPerNode=4\n"
      "PartitionName=t Nodes=t[1-2]\n";
  const auto lines = lines_of("too_large.txt");
  EXPECT_GT(lines.size(), 60U);
  for (const auto& line : lines) {
    RunSite site(conf);
    ask(site, 1, 0, 60, line[0]);
    site.run();
    EXPECT_EQ(became_of_first(site), line[1]) << line[0];
  }
}

/// scheduling.md §6.3: --exclusive beside jobs of a higher tier and of its own.
TEST(Overlaid, NodesOfExclusiveJobsAreThoseThatSlurmctldTakes) {
  const auto lines = lines_of("exclusive_over.txt");
  EXPECT_GE(lines.size(), 14U);
  for (const std::string select : {"CR_Core_Memory", "CR_CPU_Memory"}) {
    for (const auto& line : lines) {
      RunSite site("SelectType=select/cons_tres\nSelectTypeParameters=" + select +
                   "\nPriorityType=priority/basic\nPreemptType=preempt/partition_prio\n"
                   "PreemptMode=SUSPEND,GANG\nSchedulerTimeSlice=600\n"
                   "NodeName=n[1-3] Sockets=2 CoresPerSocket=4 RealMemory=16000\n"
                   "PartitionName=DEFAULT Nodes=ALL DefMemPerCPU=100\n"
                   "PartitionName=l1 PriorityTier=1 OverSubscribe=FORCE:1\n"
                   "PartitionName=l2 PriorityTier=1 OverSubscribe=FORCE:2\n"
                   "PartitionName=l3 PriorityTier=1 OverSubscribe=FORCE:3\n"
                   "PartitionName=h1 PriorityTier=4 OverSubscribe=FORCE:1\n");
      constexpr std::int64_t kHeld = 300;  // seconds
      std::uint32_t id = 1;
      for (std::size_t begin = 0; begin < line[0].size();) {
        const std::size_t end = std::min(line[0].find("; ", begin), line[0].size());
        ask(site, id, id, kHeld, line[0].substr(begin, end - begin));
        begin = end + 2;
        ++id;
      }
      ask(site, id, 60, 60, line[1]);
      site.run();
      const auto started = site.lines(fmt::format("start {} ", id));
      ASSERT_EQ(started.size(), 1U) << line[0] << " | " << line[1];
      const std::string& at = started.front();
      const std::string node = std::stoll(at) >= kHeld ? "waits" : at.substr(at.rfind(' ') + 1);
      EXPECT_EQ(node, line[2]) << select << ": " << line[0] << " | " << line[1];
    }
  }
}

/// The cluster of beyond_limits.py, which last_of_lists.py has too.
constexpr std::string_view kLimited =
    "SelectType=select/cons_tres\n"
    "SelectTypeParameters=CR_Core_Memory\n"
    "PriorityType=priority/basic\n"
    "AccountingStorageType=accounting_storage/slurmdbd\n"
    "AccountingStorageEnforce=associations,limits,qos\n"
    "GresTypes=gpu\n"
    "NodeName=a[1-2] CPUs=8 RealMemory=16000 Feature=slow\n"
    "NodeName=b1 CPUs=16 RealMemory=32000 Gres=gpu:2 Feature=fast\n"
    "PartitionName=all Nodes=ALL Default=YES DefMemPerCPU=100\n"
    "PartitionName=hour Nodes=a[1-2] MaxTime=60 DefMemPerCPU=100\n"
    "PartitionName=half Nodes=a[1-2] MaxTime=30 DefMemPerCPU=100\n"
    "PartitionName=down Nodes=a[1-2] State=DOWN DefMemPerCPU=100\n"
    "PartitionName=one Nodes=a[1-2] MaxNodes=1 DefMemPerCPU=100\n"
    "PartitionName=two Nodes=a[1-2] MinNodes=2 DefMemPerCPU=100\n"
    "PartitionName=others Nodes=a[1-2] AllowAccounts=other DefMemPerCPU=100\n"
    "PartitionName=rare Nodes=a[1-2] AllowQos=rare DefMemPerCPU=100\n";

/// What becomes of a job with these words there.
std::string became_of_limited(const std::string& conf, const std::string& words) {
  RunSite site(conf);
  AssociationConf& root = site.accounting().associations.emplace_back();
  root.account = root.user = "root";
  root.is_default_account = true;
  root.qos = {"normal", "rare"};
  root.default_qos = "normal";
  site.accounting().qos.emplace_back().name = "rare";
  QosConf& shut = site.accounting().qos.emplace_back();
  shut.name = "shut";
  shut.max_jobs_per_user = 0;
  JobSpec& spec = ask(site, 1, 0, 60, words);
  Diagnostics found;
  const SbatchArgs args = parse_submit_line("sbatch " + words, {}, found);
  if (args.time_limit) spec.time_limit = args.time_limit;
  spec.time_min = args.time_min;
  spec.held = args.hold;
  site.run();
  return became_of_first(site);
}

/// limits.md §1.3: jobs beyond the limits of a partition none of whose nodes could serve them.
TEST(BeyondLimits, JobsWaitWhateverTheyAskOfTheNodesOfTheOnePartitionTheyName) {
  const auto lines = lines_of("beyond_limits.txt");
  EXPECT_GE(lines.size(), 30U);
  for (const auto& line : lines) {
    EXPECT_EQ(became_of_limited(std::string(kLimited), line[0]), line[1]) << line[0];
  }
}

/// limits.md §1.3: of a list that cannot serve the job.
TEST(BeyondLimits, TheLastPartitionOfAListDecidesWhetherAJobThatNoneServesIsRefused) {
  const std::string conf =
      std::string(kLimited) +
      "PartitionName=high Nodes=a[1-2] MaxNodes=1 PriorityTier=5 DefMemPerCPU=100\n"
      "PartitionName=card Nodes=b1 DefMemPerCPU=100\n"
      "PartitionName=wide Nodes=ALL MaxNodes=2 DefMemPerCPU=100\n"
      "PartitionName=few Nodes=a[1-2] MaxCPUsPerNode=2 DefMemPerCPU=100\n"
      "PartitionName=lean Nodes=a[1-2] MaxMemPerNode=1000 DefMemPerCPU=100\n"
      "PartitionName=shut Nodes=a[1-2] QOS=shut DefMemPerCPU=100\n";
  const auto lines = lines_of("last_of_lists.txt");
  EXPECT_GE(lines.size(), 100U);
  const auto without_reason = [](const std::string& text) {
    return text.substr(0, text.find(' '));
  };
  for (const auto& line : lines) {
    const std::string ours = became_of_limited(conf, line[0]);
    EXPECT_EQ(without_reason(ours), without_reason(line[1])) << line[0];
  }
}

/// gres.md §2.1, §2.2: what sbatch and slurmctld make of texts of GRES, and of GPUs of tasks beside
/// others.
TEST(GresWords, AreTakenAndRefusedAsBySlurm) {
  const std::string conf =
      "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nPriorityType=priority/basic\n"
      "GresTypes=gpu\n"
      "NodeName=n[1-2] Sockets=2 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=16000 Gres=gpu:4\n"
      "NodeName=t1 Sockets=2 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=16000 "
      "Gres=gpu:a:2,gpu:b:2\n"
      "PartitionName=all Nodes=n[1-2] Default=YES\n"
      "PartitionName=typed Nodes=t1\n";
  const auto lines = lines_of("gres_words.txt");
  EXPECT_GE(lines.size(), 118U);
  for (const auto& line : lines) {
    const std::string& words = line[0];
    Diagnostics found;
    (void)parse_submit_line("sbatch " + words, {}, found);
    if (found.has_errors()) {
      EXPECT_EQ("refused", line[1]) << words << ": " << to_text(found.all().front());
      continue;
    }
    RunSite site(conf);
    site.inputs().gres_conf = parse_gres_conf(
        "NodeName=n[1-2] Name=gpu File=/dev/nvidia[0-3]\n"
        "NodeName=t1 Name=gpu Type=a File=/dev/nvidia[0-1]\n"
        "NodeName=t1 Name=gpu Type=b File=/dev/nvidia[2-3]\n",
        "gres.conf", ".", found);
    ask(site, 1, 0, 60, words);
    site.run();
    EXPECT_EQ(became_of_first(site), line[1]) << words;
  }
}

/// scheduling.md §6.1: jobs that want all memory of a node, or memory by GPU, under maxima of
/// memory.
TEST(AllMemory, OfANodeIsThatOfTheFirstOfThePartitionWhereMaximaAreHeldAgainstIt) {
  const std::string conf =
      "SelectType=select/cons_tres\n"
      "SelectTypeParameters=CR_Core_Memory\n"
      "PriorityType=priority/basic\n"
      "GresTypes=gpu\n"
      "NodeName=a[1-2] Sockets=2 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=16000\n"
      "NodeName=b[1-2] Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=32000\n"
      "NodeName=c1 Sockets=2 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=24000\n"
      "NodeName=g[1-2] Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=40000 Gres=gpu:4\n"
      "NodeName=t[1-2] Sockets=2 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=20000\n"
      "PartitionName=all Nodes=a[1-2],b[1-2],c1 Default=YES\n"
      "PartitionName=n20 Nodes=a[1-2],b[1-2],c1 MaxMemPerNode=20000\n"
      "PartitionName=n10 Nodes=a[1-2],b[1-2],c1 MaxMemPerNode=10000\n"
      "PartitionName=x10 Nodes=a[1-2],b[1-2],c1 MaxMemPerNode=10000 OverSubscribe=EXCLUSIVE\n"
      "PartitionName=bc28 Nodes=b[1-2],c1 MaxMemPerNode=28000\n"
      "PartitionName=bcc2 Nodes=b[1-2],c1 MaxMemPerCPU=2000\n"
      "PartitionName=bcc4 Nodes=b[1-2],c1 MaxMemPerCPU=4000\n"
      "PartitionName=c1000 Nodes=a[1-2],b[1-2],c1 MaxMemPerCPU=1000\n"
      "PartitionName=c3000 Nodes=a[1-2],b[1-2],c1 MaxMemPerCPU=3000\n"
      "PartitionName=c9000 Nodes=a[1-2],b[1-2],c1 MaxMemPerCPU=9000\n"
      "PartitionName=t3 Nodes=t[1-2] MaxMemPerCPU=3000\n"
      "PartitionName=dc Nodes=a[1-2],b[1-2],c1 MaxMemPerCPU=4000 DefMemPerCPU=1000\n"
      "PartitionName=dn Nodes=a[1-2],b[1-2],c1 MaxMemPerNode=28000 DefMemPerNode=5000\n"
      "PartitionName=g30 Nodes=g[1-2] MaxMemPerNode=30000\n"
      "PartitionName=gd30 Nodes=g[1-2] MaxMemPerNode=30000 DefMemPerGPU=3000\n"
      "PartitionName=gdc30 Nodes=g[1-2] MaxMemPerNode=30000 DefMemPerGPU=3000 DefMemPerCPU=1000\n"
      "PartitionName=gc4 Nodes=g[1-2] MaxMemPerCPU=4000\n"
      "PartitionName=gd4 Nodes=g[1-2] MaxMemPerCPU=4000 DefMemPerGPU=3000\n"
      "PartitionName=gdc4 Nodes=g[1-2] MaxMemPerCPU=4000 DefMemPerGPU=3000 DefMemPerCPU=1000\n"
      "PartitionName=gdn4 Nodes=g[1-2] MaxMemPerCPU=1000 DefMemPerGPU=3000 DefMemPerNode=5000\n";
  const auto lines = lines_of("all_memory.txt");
  EXPECT_GT(lines.size(), 190U);
  for (const auto& line : lines) {
    RunSite site(conf);
    Diagnostics found;
    site.inputs().gres_conf = parse_gres_conf("NodeName=g[1-2] Name=gpu File=/dev/nvidia[0-3]\n",
                                              "gres.conf", ".", found);
    std::string held;
    site.at_each_event = [&](const Cluster& now) {
      for (const Job& job : now.jobs) {
        if (!job.is_running()) continue;
        std::vector<std::string> names;
        for (const NodeShare& share : job.allocation.nodes) {
          names.push_back(now.names.text(now.nodes[share.node].name));
        }
        held = fmt::format(" {} {} {}", compress_hostlist(names),
                           job.alloc_tres[index_of(TresTable::kCpu)],
                           job.alloc_tres[index_of(TresTable::kMem)]);
      }
    };
    ask(site, 1, 0, 60, line[0]);
    site.run();
    EXPECT_EQ(became_of_first(site) + held, line[1]) << line[0];
  }
}

/// scheduling.md §6.5: with --contiguous the first set is one, and -w's; it grows as for others.
TEST(ContiguousSets, AreTheFirstOfTheNodesThatAJobIsGiven) {
  Diagnostics found;
  const std::vector<SwitchConf> tree = parse_topology_conf(
      "SwitchName=s1 Nodes=n[1-3]\nSwitchName=s2 Nodes=n[4-6]\nSwitchName=s3 Nodes=n[7-9]\n"
      "SwitchName=top Switches=s[1-3]\n",
      "topology.conf", ".", found);
  const auto lines = lines_of("contiguous_sets.txt");
  EXPECT_GT(lines.size(), 100U);
  for (const auto& line : lines) {
    const bool has_tree = line[0] == "tree";
    RunSite site(fmt::format(
        "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nPriorityType=priority/basic\n"
        "{}"
        "NodeName=n[1-3,7-9] CoresPerSocket=4 RealMemory=8000 Weight=1\n"
        "NodeName=n[4-6] CoresPerSocket=4 RealMemory=8000 Weight={}\n"
        "PartitionName=all Nodes=n[1-9] Default=YES\n",
        has_tree ? "TopologyPlugin=topology/tree\n" : "", line[0] == "weights" ? 5 : 1));
    if (has_tree) site.inputs().topology = tree;
    std::uint32_t id = 1;
    for (std::size_t begin = 0; begin < line[1].size();) {
      const std::size_t end = std::min(line[1].find("; ", begin), line[1].size());
      ask(site, ++id, 0, 3000, line[1].substr(begin, end - begin));
      begin = end + 2;
    }
    ask(site, 1, 100, 60, line[2]);
    site.run();
    const auto starts = site.lines(" start 1 ");
    std::string got = became_of_first(site) == "refused" ? "refused" : "waits";
    if (!starts.empty() && std::stoi(starts.front()) < 1000) {
      got = starts.front().substr(starts.front().rfind(' ') + 1);
    }
    EXPECT_EQ(got, fmt::format("{}", fmt::join(expand_hostlist(line[3]).hosts, ",")))
        << line[0] << " " << line[1] << " " << line[2];
  }
}

}  // namespace
}  // namespace rehearse::test
