// tests/unit/controller/suspension_test.cpp — whole runs with gang scheduling: what holds for every
// job and at every instant, whatever the mix (preemption.md §8, lifecycle.md §6).
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "sim/controller/controller.hpp"
#include "sim/core/rng.hpp"

namespace rehearse::test {
namespace {

class Jobs final : public JobSource {
 public:
  explicit Jobs(std::vector<JobSpec> specs) : specs_(std::move(specs)) {}
  const JobSpec* next() override { return at_ == specs_.size() ? nullptr : &specs_[at_++]; }

 private:
  std::vector<JobSpec> specs_;
  std::size_t at_ = 0;
};

/// Knows what it was told, and looks at it whenever time has gone on.
class Watch final : public Observer {
 public:
  explicit Watch(const Cluster& cluster) : cluster_(cluster) {}

  void job_started(const Job& job, SlurmTime now) override {
    look(now);
    runs_[job.index] = true;
  }
  void job_suspended(const Job& job, SlurmTime now) override {
    look(now);
    EXPECT_EQ(job.state, JobState::Suspended);
    EXPECT_GE(job.ran_until(now), Seconds{0});
    runs_[job.index] = false;
    ++suspensions;
  }
  void job_resumed(const Job& job, SlurmTime now) override {
    look(now);
    EXPECT_EQ(*job.end - now + job.ran_until(now), Seconds{*job.time_limit})
        << "the limit stood still";
    runs_[job.index] = true;
  }
  void job_ended(const Job& job, bool /*requeued*/, SlurmTime now) override {
    look(now);
    runs_.erase(job.index);
    const Seconds ran = *job.end - *job.start - job.suspension.total;
    // Instants are cut to seconds: each suspension may lose or win one.
    const Seconds apart = ran - job.run.runtime;
    EXPECT_LE(std::abs(apart.count()), 1 + static_cast<std::int64_t>(job.stint / 2))
        << "job " << static_cast<std::uint32_t>(job.id);
    EXPECT_EQ(job.state, JobState::Completed);
    ++ended;
  }
  void run_ended(const Cluster& /*cluster*/, SlurmTime /*now*/,
                 const LoopCounts& /*counts*/) override {
    EXPECT_TRUE(runs_.empty());
  }

  std::size_t suspensions = 0, ended = 0;

 private:
  /// No core runs two jobs; memory of the suspended counts.
  void look(SlurmTime now) {
    if (now == last_) return;
    last_ = now;
    std::set<std::pair<NodeId, std::size_t>> running;
    std::map<NodeId, std::uint64_t> memory;
    for (const auto& [index, runs] : runs_) {
      for (const NodeShare& share : cluster_.jobs[index].allocation.nodes) {
        memory[share.node] += share.memory_mib;
        if (!runs) continue;
        share.cores.for_each(
            [&](std::size_t core) { EXPECT_TRUE(running.emplace(share.node, core).second); });
      }
    }
    for (const auto& [node, held] : memory) EXPECT_LE(held, cluster_.nodes[node].memory_mib);
  }

  const Cluster& cluster_;
  std::map<JobIndex, bool> runs_;
  SlurmTime last_;
};

SiteInputs gang_site(std::uint32_t rows) {
  SiteInputs inputs;
  SlurmConf& conf = inputs.slurm_conf;
  conf.preempt_gang = true;
  conf.preempt_mode = PreemptMode::Suspend;
  conf.preempt_type = PreemptType::PartitionPrio;
  conf.select_type = SelectType::ConsTres;
  conf.select_type_parameters.unit = ConsumableUnit::Core;
  conf.select_type_parameters.memory = true;
  for (const char* name : {"n0", "n1"}) {
    NodeConf node;
    node.name = name;
    node.cores_per_socket = node.cpus = 8;
    node.real_memory_mib = 16000;
    conf.nodes.push_back(node);
  }
  for (const std::uint32_t tier : {1U, 9U}) {
    PartitionConf partition;
    partition.name = tier == 1 ? "low" : "high";
    partition.nodes = {"n0", "n1"};
    partition.is_default = tier == 1;
    partition.priority_tier = tier;
    partition.over_subscribe = OverSubscribe::Force;
    partition.over_subscribe_count = rows;
    conf.partitions.push_back(partition);
  }
  return inputs;
}

TEST(GangRuns, EndEveryJobAfterItsRunTimeAndNeverRunTwoOnACore) {
  Rng rng{7, "gang_runs"};
  for (const std::uint32_t rows : {1U, 2U, 3U}) {
    const SiteInputs inputs = gang_site(rows);
    NamePool names;
    RequestTable requests;
    Diagnostics found;
    Cluster cluster(inputs, names, requests, found);
    std::vector<JobSpec> specs;
    std::int64_t at = 1'800'000'000;
    constexpr std::size_t count = 60;
    for (std::uint32_t id = 1; id <= count; ++id) {
      at += rng.between(0, 40);
      Request request;
      request.min_nodes = static_cast<std::uint32_t>(rng.between(1, 2));
      request.min_cpus = request.min_nodes * static_cast<std::uint32_t>(rng.between(1, 8));
      request.num_tasks = request.min_cpus;
      request.memory_mode = MemoryMode::PerNode;
      request.memory_mib = static_cast<std::uint64_t>(rng.between(500, 6000));
      JobSpec spec;
      spec.id = JobId{id};
      spec.user = names.intern("ann");
      spec.partitions = names.intern(rng.between(0, 2) == 0 ? "high" : "low");
      spec.request = requests.intern(request);
      spec.submit = Time{from_epoch_seconds(at)};
      spec.time_limit = Minutes{60};
      spec.run.runtime = Seconds{rng.between(5, 400)};
      specs.push_back(std::move(spec));
    }
    Jobs jobs(std::move(specs));
    Watch watch(cluster);
    Controller controller(cluster, jobs, {}, watch);
    EXPECT_EQ(controller.run(), RunStatus::Complete);
    EXPECT_EQ(watch.ended, count) << "every job makes progress, with FORCE:" << rows;
    EXPECT_GT(watch.suspensions, 0U);
  }
}

}  // namespace
}  // namespace rehearse::test
