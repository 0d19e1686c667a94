// tests/unit/sched/gang_test.cpp — the rules of preemption.md §8, each by hand.
#include "sim/sched/gang.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>

#include "sim/core/rng.hpp"

namespace rehearse::test {
namespace {

/// Nodes n0 … of four cores and partitions of given tiers over all of them.
class GangCluster {
 public:
  GangCluster(std::size_t nodes, const std::vector<std::uint32_t>& tiers,
              SelectType select = SelectType::ConsTres) {
    SlurmConf& conf = inputs_.slurm_conf;
    conf.preempt_gang = true;
    conf.preempt_mode = PreemptMode::Suspend;
    conf.preempt_type = PreemptType::PartitionPrio;
    conf.select_type = select;
    conf.select_type_parameters.unit = ConsumableUnit::Core;
    for (std::size_t i = 0; i < nodes; ++i) {
      NodeConf node;
      node.name = "n" + std::to_string(i);
      node.cores_per_socket = node.cpus = 4;
      conf.nodes.push_back(node);
    }
    for (const std::uint32_t tier : tiers) {
      PartitionConf partition;
      partition.name = "p" + std::to_string(conf.partitions.size());
      partition.priority_tier = tier;
      conf.partitions.push_back(partition);
    }
  }
  SlurmConf& conf() { return inputs_.slurm_conf; }
  PartitionConf& partition(std::size_t at) { return inputs_.slurm_conf.partitions[at]; }

  /// A job on cores [first, last] of each of `nodes`; the orders that its start gives.
  std::string start(std::size_t partition, const std::vector<std::uint32_t>& nodes,
                    std::size_t first, std::size_t last) {
    Job& job = cluster().jobs.add();
    job.spec = &spec_;
    job.state = JobState::Running;
    job.partition = id_at<PartitionId>(partition);
    for (const std::uint32_t node : nodes) {
      NodeShare share;
      share.node = NodeId{node};
      share.cpus = static_cast<std::uint32_t>(last - first + 1);
      for (std::size_t core = first; core <= last; ++core) share.cores.set(core);
      job.allocation.nodes.push_back(share);
    }
    runs_[job.index] = true;
    return obey(gang().add(job));
  }
  std::string end(std::size_t job) {
    const Job& gone = cluster().jobs[id_at<JobIndex>(job)];
    runs_.erase(gone.index);
    return obey(gang().remove(gone));
  }
  /// As `scontrol update PartitionName=… PriorityTier=` does.
  void set_tier(std::size_t partition, std::uint32_t tier) {
    cluster().partitions[id_at<PartitionId>(partition)].conf.priority_tier = tier;
    gang().partitions_changed();
  }
  std::string slice() { return obey(gang().end_slice()); }

  Gang& gang() {
    if (!gang_) gang_ = std::make_unique<Gang>(cluster());
    return *gang_;
  }
  [[nodiscard]] bool runs(std::size_t job) { return runs_.at(id_at<JobIndex>(job)); }
  [[nodiscard]] std::vector<std::size_t> started() const {
    std::vector<std::size_t> jobs;
    for (const auto& [job, runs] : runs_) jobs.push_back(index_of(job));
    return jobs;
  }
  Cluster& cluster() {
    if (!cluster_) cluster_ = std::make_unique<Cluster>(inputs_, names_, requests_, found_);
    return *cluster_;
  }

 private:
  /// `-1 +0`: job 1 stands still, job 0 goes on; `x2`: cancelled, `r2`: requeued.
  std::string obey(const std::vector<GangOrder>& orders) {
    std::string text;
    for (const GangOrder& order : orders) {
      const char* const sign = order.action == GangAction::Suspend  ? "-"
                               : order.action == GangAction::Resume ? "+"
                               : order.action == GangAction::Cancel ? "x"
                                                                    : "r";
      text += (text.empty() ? "" : " ") + std::string(sign) + std::to_string(index_of(order.job));
      EXPECT_EQ(runs_.at(order.job), order.action != GangAction::Resume) << text;
      runs_[order.job] = order.action == GangAction::Resume;
    }
    return text;
  }

  SiteInputs inputs_;
  NamePool names_;
  RequestTable requests_;
  Diagnostics found_;
  JobSpec spec_;
  std::unique_ptr<Cluster> cluster_;
  std::unique_ptr<Gang> gang_;
  std::map<JobIndex, bool> runs_;
};

TEST(Gang, LetsTwoJobsOnTheSameCoresTakeTurns) {
  GangCluster two(1, {1});
  EXPECT_EQ(two.start(0, {0}, 0, 3), "");
  EXPECT_FALSE(two.gang().has_waiting());
  EXPECT_EQ(two.start(0, {0}, 0, 3), "-1") << "no room in the active row: it starts suspended";
  EXPECT_TRUE(two.gang().has_waiting());
  // Job 0 came in as a filler, so the first slice keeps it in its place.
  EXPECT_EQ(two.slice(), "");
  EXPECT_EQ(two.slice(), "-0 +1");
  EXPECT_EQ(two.slice(), "-1 +0");
  EXPECT_EQ(two.end(0), "+1") << "what the row has room for goes on at once";
  EXPECT_FALSE(two.gang().has_waiting());
}

TEST(Gang, FillsARowInTheOrderOfTheListWithAllThatFits) {
  GangCluster nodes(2, {1});
  EXPECT_EQ(nodes.start(0, {0}, 0, 3), "");
  EXPECT_EQ(nodes.start(0, {0, 1}, 0, 3), "-1") << "n0 is taken";
  EXPECT_EQ(nodes.start(0, {1}, 0, 3), "") << "a filler beside job 0";
  EXPECT_EQ(nodes.slice(), "");
  EXPECT_EQ(nodes.slice(), "-0 -2 +1") << "list 1 0 2: only job 1 fits";
  EXPECT_EQ(nodes.slice(), "-1 +0 +2") << "list 0 2 1";
}

TEST(Gang, StopsLowerTiersAsLongAsTheShadowLasts) {
  GangCluster tiers(1, {1, 9});
  tiers.start(0, {0}, 0, 1);
  tiers.start(0, {0}, 2, 3);
  EXPECT_EQ(tiers.start(1, {0}, 0, 1), "-0");
  EXPECT_EQ(tiers.slice(), "") << "no turns between tiers";
  EXPECT_EQ(tiers.slice(), "");
  EXPECT_EQ(tiers.end(2), "+0");
}

TEST(Gang, GoesByTheTiersThatPartitionsHaveNow) {
  GangCluster tiers(1, {1, 9});
  tiers.start(0, {0}, 0, 1);
  tiers.set_tier(0, 20);
  EXPECT_EQ(tiers.start(1, {0}, 0, 1), "-1");
  EXPECT_EQ(tiers.end(0), "+1");
}

TEST(Gang, MovesShadowsWithTheSlicesOfTheirTier) {
  GangCluster tiers(2, {1, 9});
  tiers.start(0, {1}, 0, 3);
  tiers.start(1, {0}, 0, 3);
  EXPECT_EQ(tiers.start(1, {0, 1}, 0, 3), "-2");
  EXPECT_EQ(tiers.slice(), "");
  EXPECT_EQ(tiers.slice(), "-1 +2 -0") << "job 2 casts its shadow on n1 now";
  EXPECT_EQ(tiers.slice(), "-2 +1 +0");
}

TEST(Gang, StopsAJobOfALowTierThatStartsInAShadow) {
  GangCluster tiers(1, {1, 9});
  tiers.start(1, {0}, 0, 3);
  EXPECT_EQ(tiers.start(0, {0}, 0, 0), "-1");
  EXPECT_EQ(tiers.end(0), "+1");
}

TEST(Gang, CastsNoShadowOfAJobThatStandsStill) {
  GangCluster tiers(1, {1, 5, 9});
  tiers.start(0, {0}, 0, 3);
  EXPECT_EQ(tiers.start(1, {0}, 0, 1), "-0");
  EXPECT_EQ(tiers.start(2, {0}, 1, 1), "-1") << "job 0 is stopped by job 2 now";
  EXPECT_EQ(tiers.end(2), "+1");
  EXPECT_EQ(tiers.end(1), "+0");
}

TEST(Gang, AppliesTheModeOfThePartitionToWhatAShadowMeets) {
  GangCluster modes(1, {1, 2, 3, 9});
  modes.partition(0).preempt_mode = PreemptMode::Cancel;
  modes.partition(1).preempt_mode = PreemptMode::Requeue;
  modes.partition(2).preempt_mode = PreemptMode::Off;
  modes.start(0, {0}, 0, 0);
  modes.start(1, {0}, 1, 1);
  modes.start(2, {0}, 2, 2);
  EXPECT_EQ(modes.start(3, {0}, 0, 3), "r1 x0") << "OFF: job 2 goes on beside it";
}

TEST(Gang, ComparesNodesWhereWholeNodesAreGiven) {
  GangCluster linear(2, {1}, SelectType::Linear);
  EXPECT_EQ(linear.start(0, {0}, 0, 0), "");
  EXPECT_EQ(linear.start(0, {0}, 1, 1), "-1") << "other cores of the same node";
  EXPECT_EQ(linear.start(0, {1}, 1, 1), "");
}

TEST(Gang, CountsCpusWhereNoTaskPluginBindsThem) {
  GangCluster counted(1, {1, 9});
  counted.conf().select_type_parameters.unit = ConsumableUnit::Cpu;
  counted.start(0, {0}, 0, 1);
  EXPECT_EQ(counted.start(1, {0}, 0, 1), "") << "two and two of four, if on the same cores";
  EXPECT_EQ(counted.start(1, {0}, 3, 3), "-0") << "five, if on other cores";
  EXPECT_EQ(counted.end(1), "+0");

  GangCluster bound(1, {1, 9});
  bound.conf().select_type_parameters.unit = ConsumableUnit::Cpu;
  bound.conf().has_task_cgroup = true;
  bound.start(0, {0}, 0, 1);
  EXPECT_EQ(bound.start(1, {0}, 0, 1), "-0");
}

TEST(Gang, DoesNothingWithoutTheMode) {
  GangCluster off(1, {1});
  off.cluster();
  SiteInputs plain;
  NamePool names;
  RequestTable requests;
  Diagnostics found;
  const Cluster cluster(plain, names, requests, found);
  Gang gang(cluster);
  EXPECT_TRUE(gang.end_slice().empty());
  EXPECT_FALSE(gang.has_waiting());
}

/// Whatever starts and ends: no core runs two jobs of one tier or of two, and every job of the
/// highest tier gets its turn.
TEST(Gang, NeverRunsTwoJobsOnACoreAndStarvesNobodyOfTheHighestTier) {
  Rng rng{42, "gang"};
  for (int round = 0; round < 50; ++round) {
    GangCluster random(3, {1, 1, 7});
    for (int step = 0; step < 40; ++step) {
      const auto at = static_cast<std::uint32_t>(rng.between(0, 2));
      const auto first = static_cast<std::size_t>(rng.between(0, 3));
      const auto last = static_cast<std::size_t>(rng.between(static_cast<std::int64_t>(first), 3));
      const std::vector<std::size_t> alive = random.started();
      if (!alive.empty() && rng.between(0, 2) == 0) {
        const auto which = rng.between(0, static_cast<std::int64_t>(alive.size()) - 1);
        random.end(alive[static_cast<std::size_t>(which)]);
      } else {
        // Of partitions 0 and 1 each has nodes of its own, as cons_tres gives them.
        random.start(at,
                     at == 2 ? std::vector<std::uint32_t>{0, 1} : std::vector<std::uint32_t>{at},
                     first, last);
      }
      std::map<std::pair<NodeId, std::size_t>, std::size_t> holders;
      for (const std::size_t job : random.started()) {
        if (!random.runs(job)) continue;
        for (const NodeShare& share :
             random.cluster().jobs[id_at<JobIndex>(job)].allocation.nodes) {
          share.cores.for_each([&](std::size_t core) {
            EXPECT_TRUE(holders.emplace(std::pair(share.node, core), job).second)
                << "core " << core << " runs " << job;
          });
        }
      }
    }
    std::map<std::size_t, bool> ran;
    const std::vector<std::size_t> alive = random.started();
    for (std::size_t turn = 0; turn < 2 * alive.size() + 2; ++turn) {
      for (const std::size_t job : alive) ran[job] = ran[job] || random.runs(job);
      random.slice();
    }
    for (const std::size_t job : alive) {
      const bool highest = random.cluster().jobs[id_at<JobIndex>(job)].partition == PartitionId{2};
      EXPECT_TRUE(ran[job] || !highest) << "job " << job << " of round " << round;
    }
  }
}

}  // namespace
}  // namespace rehearse::test
