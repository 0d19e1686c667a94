// tests/unit/controller/mig_keeper_test.cpp — whole runs on GPUs that are cut anew, with times that
// are calculated by hand.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "models/gpu/mig_plan.hpp"
#include "sim/config/config_node.hpp"
#include "sim/controller/controller.hpp"
#include "tests/support/ask_request.hpp"

namespace rehearse::test {
namespace {

/// Node n1 with two A100-40 in two 3g each, and no loop but what events ask for and backfill. The
/// run begins at 08:00 UTC on a Friday; seconds count from there.
class MigSite final : public JobSource, public Observer {
 public:
  static constexpr std::int64_t kStart = 1'800'000'000;

  explicit MigSite(const std::string& mig) {
    inputs.slurm_conf = parse_slurm_conf(
        "ClusterName=c\nSlurmctldHost=h\nSelectType=select/cons_tres\nSchedulerType=sched/"
        "backfill\n"
        "SelectTypeParameters=CR_Core\nPriorityType=priority/basic\nGresTypes=gpu\n"
        "NodeName=n1 CPUs=64 Gres=gpu:a100-40_3g.20gb:4\n"
        "PartitionName=p Nodes=ALL Default=YES MaxTime=UNLIMITED\n",
        "slurm.conf", ".", {}, found);
    inputs.gres_conf.auto_detect = true;
    AssociationConf& root = inputs.accounting.associations.emplace_back();
    root.account = "root";
    root.qos = {"normal"};
    inputs.accounting.qos.emplace_back().name = "normal";
    inputs.site.controller.started_at = from_epoch_seconds(kStart);
    const ConfigValue value =
        parse_yaml("mig:\n  layouts: [{nodes: n1, gpus: 0-1, layout: [2*3g.20gb]}]\n" + mig,
                   "site.yaml", found);
    ConfigNode node(value, "", found);
    read_mig_keys(node, inputs.site.gpu.mig);
  }

  void job(std::int64_t at, std::int64_t runtime, const std::string& type, int count = 1) {
    JobSpec& spec = specs_.emplace_back();
    spec.id = JobId{static_cast<std::uint32_t>(specs_.size())};
    spec.user = names.intern("root");
    spec.submit = Time{from_epoch_seconds(kStart + at)};
    spec.run.runtime = Seconds{runtime};
    spec.run.last_second = Duration{0};
    spec.time_limit = Minutes{10'000};
    const std::string ask =
        type.empty() ? "" : fmt::format("--gres=gpu:a100-40_{}:{}", type, count);
    spec.request = requests.intern(ask_request(ask, names));
  }
  void command(std::int64_t at, const std::string& text) {
    lines_.push_back({TimeZone::utc().print(from_epoch_seconds(kStart + at)),
                      text,
                      {"events.csv", static_cast<std::uint32_t>(lines_.size() + 2), 1}});
  }

  void run() {
    Cluster cluster(inputs, names, requests, found);
    const GpuCatalogue catalogue(inputs.site.gpu, found);
    const GpuInventory inventory(cluster, catalogue, found);
    const GpuLayouts layouts(cluster, inventory, found);
    const auto commands = understand_commands(lines_, cluster, names, found);
    std::vector<MigLine> events;
    for (const AdminCommandAt& command : commands) {
      if (const auto* cut = std::get_if<CutGpus>(&command.action)) events.push_back(cut->line);
    }
    MigPlan plan(cluster, inventory, layouts, events, found);
    for (const Diagnostic& finding : found.all()) {
      if (finding.severity == Severity::Error) ADD_FAILURE() << to_text(finding);
    }
    plan.equip(cluster);
    Controller controller(cluster, *this, commands, *this);
    controller.follow_mig(plan);
    EXPECT_EQ(controller.run(), RunStatus::Complete);
  }

  std::map<std::uint32_t, std::int64_t> starts, ends;
  std::vector<std::string> recuts;    ///< `GPU due idle done to`
  std::vector<std::string> refused;   ///< `job why`
  std::vector<std::string> nodes;     ///< `time drained|up`
  std::vector<std::string> withheld;  ///< `time thousandths`
  std::map<std::uint32_t, std::string> reasons;

  SiteInputs inputs;
  NamePool names;
  RequestTable requests;
  Diagnostics found;

 private:
  static std::int64_t at(SlurmTime time) { return epoch_seconds(time) - kStart; }
  const JobSpec* next() override { return next_ == specs_.size() ? nullptr : &specs_[next_++]; }
  void job_started(const Job& job, SlurmTime now) override {
    starts[static_cast<std::uint32_t>(job.id)] = at(now);
  }
  void job_ended(const Job& job, bool /*requeued*/, SlurmTime now) override {
    ends[static_cast<std::uint32_t>(job.id)] = at(now);
  }
  void job_rejected(const JobSpec& spec, std::string_view why, SlurmTime /*now*/) override {
    refused.push_back(fmt::format("{} {}", static_cast<std::uint32_t>(spec.id), why));
  }
  void reason_changed(const Job& job, SlurmTime /*now*/) override {
    reasons[static_cast<std::uint32_t>(job.id)] = to_text(job.reason);
  }
  void node_changed(const Node& node, SlurmTime now) override {
    nodes.push_back(fmt::format("{} {}", at(now), node.state.drain ? node.state.reason : "up"));
  }
  void gpus_withheld(NodeId /*node*/, std::uint32_t milli, SlurmTime now) override {
    withheld.push_back(fmt::format("{} {}", at(now), milli));
  }
  void gpu_recut(const Cluster& /*cluster*/, const GpuRecut& recut, SlurmTime now) override {
    recuts.push_back(
        fmt::format("{} {} {} {} {}", recut.gpu, at(recut.due), at(recut.idle), at(now), recut.to));
  }

  std::vector<JobSpec> specs_;
  std::size_t next_ = 0;
  std::vector<AdminCommand> lines_;
};

using Lines = std::vector<std::string>;

TEST(MigChange, WaitsForTheJobsOfTheDrainedNodeAndThenTakesItsCost) {
  // Job 1 is on GPU 0 or 1 until 700: with the whole node drained GPU 0 is cut then, 300 s long.
  MigSite site("  cost: 300s\n");
  site.job(100, 600, "3g.20gb");
  site.command(200, "mig n1 0 7*1g.5gb");
  site.job(300, 60, "3g.20gb");  // GPU 1 would have one
  site.run();
  ASSERT_EQ(site.starts[1], 100);
  EXPECT_EQ(site.recuts, Lines{"0 200 700 1000 1g.5gb:0,1g.5gb:1,1g.5gb:2,1g.5gb:3,1g.5gb:4,"
                               "1g.5gb:5,1g.5gb:6"});
  EXPECT_EQ(site.nodes, (Lines{"200 MIG layout", "1000 up"}));
  // An instance of GPU 0 is free, 42 of 108 SMs, and both of GPU 1, which never changes: each of
  // those counts as a GPU. Then GPU 0 is cut.
  EXPECT_EQ(site.withheld, (Lines{"200 2388", "700 3000", "1000 0"}));
  EXPECT_GE(site.starts[2], 1000);
  EXPECT_LE(site.starts[2], 1060);  // the next pass
}

TEST(MigChange, OfAGpuAloneLeavesTheOthersInService) {
  MigSite site("  cost: 300s\n  drain: gpu\n");
  site.job(100, 600, "3g.20gb", 3);  // devices 0 to 2: GPU 0 and half of GPU 1
  site.command(200, "mig n1 0 whole");
  site.job(300, 60, "3g.20gb");
  site.job(1200, 60, "3g.20gb");
  site.run();
  EXPECT_EQ(site.starts[2], 300);
  EXPECT_EQ(site.recuts, Lines{"0 200 700 1000 whole"});
  EXPECT_EQ(site.nodes, Lines{});
  EXPECT_EQ(site.withheld, (Lines{"700 1000", "1000 0"})) << "held by job 1 until then";
}

TEST(MigChange, OfAnIdleGpuNeedsNothingButItsCost) {
  MigSite site("  cost: 90s\n");
  site.command(200, "mig n1 0-1 7g.40gb");
  site.job(400, 60, "7g.40gb", 2);
  site.run();
  EXPECT_EQ(site.recuts, (Lines{"0 200 200 290 7g.40gb:0", "1 200 200 290 7g.40gb:0"}));
  EXPECT_EQ(site.starts[1], 400);
}

TEST(MigChange, ComesByTheClockEveryDay) {
  // 08:10 is second 600; back at 08:30, and both again a day later.
  MigSite site(
      "  cost: 0s\n  changes:\n"
      "    - {nodes: n1, gpus: 0, layout: [7g.40gb], at: '08:10'}\n"
      "    - {nodes: n1, gpus: 0, layout: [2*3g.20gb], at: '08:30:00', days: [mon-sun]}\n");
  site.job(700, 60, "7g.40gb");
  site.job(87'200, 60, "7g.40gb");
  site.run();
  EXPECT_EQ(site.recuts, (Lines{"0 600 600 600 7g.40gb:0", "0 1800 1800 1800 3g.20gb:0,3g.20gb:4",
                                "0 87000 87000 87000 7g.40gb:0"}));
  EXPECT_EQ(site.starts[1], 700);
  EXPECT_EQ(site.starts[2], 87'200);
}

TEST(MigChange, RefusesATypeThatSlurmDoesNotKnowYetUnlessTheSiteLetsItWait) {
  for (const bool waits : {false, true}) {
    MigSite site(std::string("  cost: 0s\n  changes: [{nodes: n1, gpus: 0, layout: [7g.40gb], at: "
                             "'08:10'}]\n") +
                 (waits ? "  absent_types: wait\n" : ""));
    site.job(100, 60, "7g.40gb");
    site.job(700, 60, "7g.40gb");
    site.run();
    if (waits) {
      EXPECT_EQ(site.refused, Lines{});
      EXPECT_GE(site.starts[1], 600);
      EXPECT_LE(site.starts[1], 660);
    } else {
      EXPECT_EQ(site.refused, Lines{"1 Requested node configuration is not available"});
    }
    EXPECT_EQ(site.starts[2], 700);
  }
}

TEST(MigChange, HoldsAPendingJobWhoseTypeIsGone) {
  MigSite site("  cost: 0s\n");
  site.job(100, 600, "3g.20gb", 4);
  site.job(150, 60, "3g.20gb", 4);
  site.command(200, "mig n1 0-1 7g.40gb");
  site.run();
  EXPECT_EQ(site.starts.count(2), 0U);
  EXPECT_EQ(site.reasons[2], "BadConstraints");
}

TEST(MigChange, ThatIsTakenBackBeforeItBeganIsNone) {
  MigSite site("  cost: 300s\n");
  site.job(100, 600, "3g.20gb");
  site.command(200, "mig n1 0 7*1g.5gb");
  site.command(300, "mig n1 0 2*3g.20gb");
  site.run();
  EXPECT_EQ(site.recuts, Lines{});
  EXPECT_EQ(site.nodes, (Lines{"200 MIG layout", "300 up"}));
}

TEST(MigPolicyRun, OnDemandCutsAnIdleGpuForTheHeadOfTheQueue) {
  // Job 1 holds half of GPU 0. Job 2 wants a 7g, which nothing has: GPU 1 is idle and is cut.
  MigSite site("  cost: 30s\n  drain: gpu\n  policy: on_demand\n  profiles: [3g.20gb, 7g.40gb]\n");
  site.job(100, 600, "3g.20gb");
  site.job(200, 60, "7g.40gb");
  site.run();
  ASSERT_EQ(site.recuts.size(), 1U);
  EXPECT_EQ(site.recuts[0].substr(0, 1), "1");
  EXPECT_GE(site.starts[2], 230);
  EXPECT_LE(site.starts[2], 330);  // a pass, 30 s, and the next pass
}

TEST(MigPolicyRun, WithoutAPolicySuchAJobIsRefused) {
  MigSite site("  cost: 30s\n");
  site.job(200, 60, "7g.40gb");
  site.run();
  EXPECT_EQ(site.refused, Lines{"1 Requested node configuration is not available"});
}

TEST(MigPolicyRun, PackedCutsBesideARunningJob) {
  // GPUs 0 and 1 are both half held; a 2g is cut out of a free half, beside the job.
  MigSite site(
      "  cost: 30s\n  drain: gpu\n  policy: packed\n  profiles: [1g.5gb, 2g.10gb, 3g.20gb]\n");
  site.job(100, 600, "3g.20gb", 3);
  site.job(200, 60, "2g.10gb");
  site.run();
  ASSERT_EQ(site.recuts.size(), 1U);
  EXPECT_NE(site.recuts[0].find("3g.20gb"), std::string::npos);
  EXPECT_LE(site.starts[2], 330);
  EXPECT_EQ(site.ends[1], 700);
}

}  // namespace
}  // namespace rehearse::test
