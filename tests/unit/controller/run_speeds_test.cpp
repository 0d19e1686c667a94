// tests/unit/controller/run_speeds_test.cpp — whole runs on shared GPUs against ends that are
// calculated by hand, and what holds for any mix (gpu-models.md §6).
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "sim/config/config_node.hpp"
#include "sim/config/performance_conf.hpp"
#include "sim/config/time_zone.hpp"
#include "sim/controller/controller.hpp"
#include "tests/support/ask_request.hpp"

namespace rehearse::test {
namespace {

/// Two nodes of two GPUs without a Type, each of four shards; programs that fill a GPU, whose time
/// is split equally. So n of them on one GPU go at 1/n.
class SharedSite final : public JobSource, public Observer {
 public:
  static constexpr std::int64_t kStart = 1'800'000'000;

  explicit SharedSite(
      const std::string& performance = "{shard: proportional, default_class: saturating}",
      const std::string& more_conf = {}, const std::string& gpus = "gpu:2",
      const std::string& shared = "shard:8") {
    const bool is_mps = shared.starts_with("mps");
    inputs.slurm_conf = parse_slurm_conf(
        "ClusterName=c\nSlurmctldHost=h\nSelectType=select/cons_tres\n"
        "SelectTypeParameters=CR_Core\nPriorityType=priority/basic\nGresTypes=gpu,mps,shard\n" +
            more_conf + "NodeName=n[1-2] CPUs=64 Gres=" + gpus + "," + shared +
            "\nPartitionName=p Nodes=ALL Default=YES MaxTime=UNLIMITED\n",
        "slurm.conf", ".", {}, found);
    const std::string type = gpus.size() > 5 ? " Type=" + gpus.substr(4, gpus.size() - 6) : "";
    inputs.gres_conf = parse_gres_conf("Name=gpu" + type + " File=/dev/nvidia[0-1]\nName=" +
                                           (is_mps ? "mps Count=200" : "shard Count=8") + "\n",
                                       "gres.conf", ".", found);
    AssociationConf& root = inputs.accounting.associations.emplace_back();
    root.account = "root";
    root.qos = {"normal"};
    inputs.accounting.qos.emplace_back().name = "normal";
    inputs.site.controller.started_at = from_epoch_seconds(kStart);
    if (performance.empty()) return;
    const ConfigValue value = parse_yaml("performance: " + performance + "\n", "site.yaml", found);
    ConfigNode node(value, "", found);
    read_performance(node, inputs.site.performance);
  }

  /// In order of submission.
  JobSpec& job(std::int64_t at, std::int64_t runtime, const std::string& asks = "--gres=shard:1") {
    JobSpec& spec = specs_.emplace_back();
    spec.id = JobId{static_cast<std::uint32_t>(specs_.size())};
    spec.user = names.intern("root");
    spec.name = names.intern("job");
    spec.submit = Time{from_epoch_seconds(kStart + at)};
    spec.run.runtime = Seconds{runtime};
    spec.run.last_second = Duration{0};
    spec.time_limit = Minutes{10'000};
    spec.request = requests.intern(ask_request(asks, names));
    return spec;
  }
  void command(std::int64_t at, const std::string& text) {
    lines_.push_back({TimeZone::utc().print(from_epoch_seconds(kStart + at)), text, {}});
  }

  void run() {
    Cluster cluster(inputs, names, requests, found);
    const auto commands = understand_commands(lines_, cluster, names, found);
    for (const Diagnostic& finding : found.all()) {
      if (finding.severity == Severity::Error) ADD_FAILURE() << to_text(finding);
    }
    Controller controller(cluster, *this, commands, *this);
    EXPECT_EQ(controller.run(), RunStatus::Complete);
    fingerprint = controller.counts().schedule_fingerprint;
  }

  struct Run {
    std::int64_t start = 0, end = 0;
    JobState state = JobState::Pending;
    std::int32_t exit_code = 0;
    RunPace pace;
    std::uint32_t neighbours = 0;
    bool lacked_memory = false;
    std::string device;
  };
  std::map<std::uint32_t, std::vector<Run>> runs;
  [[nodiscard]] std::int64_t end_of(std::uint32_t job) { return runs[job].back().end; }

  SiteInputs inputs;
  NamePool names;
  RequestTable requests;
  Diagnostics found;
  std::uint64_t fingerprint = 0;

 private:
  const JobSpec* next() override { return next_ == specs_.size() ? nullptr : &specs_[next_++]; }
  void run_paced(const Job& /*job*/, const PacedRun& run) override {
    paced_ = Run{};
    paced_.pace = run.pace;
    paced_.neighbours = run.most_neighbours;
    paced_.lacked_memory = run.lacked_memory;
    paced_.device = run.device;
  }
  void job_ended(const Job& job, bool /*requeued*/, SlurmTime /*now*/) override {
    Run run = std::exchange(paced_, Run{});
    run.start = epoch_seconds(*job.start) - kStart;
    run.end = epoch_seconds(*job.end) - kStart;
    run.state = job.state;
    run.exit_code = job.run.exit_code;
    runs[static_cast<std::uint32_t>(job.id)].push_back(run);
  }

  std::vector<JobSpec> specs_;
  std::size_t next_ = 0;
  std::vector<AdminCommand> lines_;
  Run paced_;
};

TEST(SharedGpu, OfThreeProgramsHasTheEndsThatAreCalculatedByHand) {
  // 0–300 a alone: 300 of 600 done. 300–600 two at 1/2: a 450, b 150. From 600 three at 1/3: a
  // needs 150 · 3 and ends at 1050, where b has 300 and c 150 of 300. Two at 1/2: c ends at 1350, b
  // has 450 and ends alone at 1500.
  SharedSite site;
  site.job(100, 600);
  site.job(400, 600);
  site.job(700, 300);
  site.run();
  EXPECT_EQ(site.end_of(1), 1150);
  EXPECT_EQ(site.end_of(2), 1600);
  EXPECT_EQ(site.end_of(3), 1450);
  const auto& first = site.runs[1].back();
  EXPECT_EQ(first.pace.reference, Seconds{600});
  EXPECT_EQ(first.pace.by_device, Seconds{0});
  EXPECT_EQ(first.pace.by_neighbours, Seconds{450});
  EXPECT_EQ(first.neighbours, 2U);
  EXPECT_EQ(site.runs[2].back().pace.by_neighbours, Seconds{600});
  EXPECT_EQ(site.runs[3].back().pace.by_neighbours, Seconds{450});
}

TEST(SharedGpu, WithoutTheSectionChangesNothing) {
  SharedSite site("");
  site.job(100, 600);
  site.job(400, 600);
  site.run();
  EXPECT_EQ(site.end_of(1), 700);
  EXPECT_EQ(site.end_of(2), 1000);
  EXPECT_EQ(site.runs[1].back().pace.reference, Seconds{0});  // nobody tells
}

TEST(SharedGpu, WithoutInterferenceIsTheScheduleWithoutTheSection) {
  std::uint64_t fingerprints[2];
  for (const bool is_there : {false, true}) {
    SharedSite site(is_there ? "{interference: 0, default_class: saturating}" : "");
    for (int i = 0; i < 30; ++i) site.job(100 + 37 * i, 300 + 41 * (i % 7));
    site.run();
    fingerprints[is_there ? 1 : 0] = site.fingerprint;
  }
  EXPECT_EQ(fingerprints[0], fingerprints[1]);
}

TEST(SharedGpu, TurnsACompletedIntoATimeout) {
  SharedSite site;
  site.job(100, 480).time_limit = Minutes{10};
  site.job(100, 6000);
  site.run();
  EXPECT_EQ(site.runs[1].back().state, JobState::Timeout);
  EXPECT_GE(site.end_of(1), 700);
  EXPECT_LE(site.end_of(1), 760);  // the next scan
  EXPECT_EQ(site.runs[2].back().state, JobState::Completed);
}

TEST(SharedGpu, BesideASuspendedJobIsAsAlone) {
  // 2 is suspended from 300 to 500: 1 has done 100 by 300, all of its 300 at 500; 2 has then 100 of
  // 300 and ends alone at 700.
  SharedSite site;
  site.job(100, 300);
  site.job(100, 300);
  site.command(300, "scontrol suspend 2");
  site.command(500, "scontrol resume 2");
  site.run();
  EXPECT_EQ(site.end_of(1), 500);
  EXPECT_EQ(site.end_of(2), 700);
  EXPECT_EQ(site.runs[2].back().pace.by_neighbours, Seconds{100});
}

TEST(MpsServer, OfOneUserLetsTheOthersWaitUntilItsLastClientHasEnded) {
  // The program leaves the GPU idle, so that nothing but the server matters. With one server for
  // all 1 to 3 end after their run times. With one user at a time 3, of the user of 1, joins 1; 2
  // begins at the end of 3.
  for (const bool one_user : {false, true}) {
    SharedSite site(fmt::format("{{mps: {}, default_class: idle, classes: [{{name: idle, h: 1, c: "
                                "0, b: 0, u: 0, w: 0}}]}}",
                                one_user ? "mps_one_user" : "mps"),
                    {}, "gpu:2", "mps:200");
    site.job(100, 600, "--gres=mps:30");
    site.job(200, 300, "--gres=mps:30").user = site.names.intern("other");
    site.job(300, 600, "--gres=mps:30");
    site.run();
    EXPECT_EQ(site.end_of(1), 700);
    EXPECT_EQ(site.end_of(2), one_user ? 1200 : 500);
    EXPECT_EQ(site.end_of(3), 900);
  }
}

TEST(MpsServer, OfOneUserTakesUsersAsTheyCameAndLeavesShardsAlone) {
  // 2 and 3 wait for 1; then 2, of the user who came first, and at its end 3. Shards need no
  // server.
  const std::string idle =
      "default_class: idle, classes: [{name: idle, h: 1, c: 0, b: 0, u: 0, w: 0}]}";
  SharedSite site("{mps: mps_one_user, " + idle, {}, "gpu:2", "mps:200");
  site.job(100, 100, "--gres=mps:30");
  site.job(110, 100, "--gres=mps:30").user = site.names.intern("second");
  site.job(120, 100, "--gres=mps:30").user = site.names.intern("third");
  site.run();
  EXPECT_EQ(site.end_of(1), 200);
  EXPECT_EQ(site.end_of(2), 300);
  EXPECT_EQ(site.end_of(3), 400);
  SharedSite shards("{mps: mps_one_user, " + idle);
  shards.job(100, 100);
  shards.job(110, 100).user = shards.names.intern("second");
  shards.run();
  EXPECT_EQ(shards.end_of(2) - shards.runs[2].back().start, 100);
}

TEST(MpsServer, OfOneUserCanMakeATimeoutOfAWait) {
  SharedSite site(
      "{mps: mps_one_user, default_class: idle, classes: [{name: idle, h: 1, c: 0, b: 0, u: 0, w: "
      "0}]}",
      {}, "gpu:2", "mps:200");
  site.job(100, 6000, "--gres=mps:30");
  JobSpec& waits = site.job(110, 100, "--gres=mps:30");
  waits.user = site.names.intern("second");
  waits.time_limit = Minutes{10};
  site.run();
  EXPECT_EQ(site.runs[2].back().state, JobState::Timeout);
}

TEST(SharedGpu, IsLeftByAJobThatIsCancelled) {
  // Both have 100 at 300; the rest of 1 goes at full speed.
  SharedSite site;
  site.job(100, 300);
  site.job(100, 9000);
  site.command(300, "scancel 2");
  site.run();
  EXPECT_EQ(site.end_of(1), 500);
}

TEST(SharedGpu, SlowsAJobOnSeveralNodesToItsSlowest) {
  // The wide one has a GPU of each node; one of them is shared until the other ends at 500.
  SharedSite site;
  site.job(100, 300, "-N2 --gres=shard:1");
  site.job(100, 200, "-w n2 --gres=shard:1");
  site.run();
  EXPECT_EQ(site.end_of(2), 500);
  EXPECT_EQ(site.end_of(1), 600);  // 200 of 300 at 500
}

TEST(SharedGpu, DoesNotHurryClocksNorUsers) {
  SharedSite site;
  site.job(100, 300).run.sleeps = true;
  site.job(100, 300).run.outcome = RunOutcome::Cancelled;
  site.run();
  EXPECT_EQ(site.end_of(1), 400);
  EXPECT_EQ(site.end_of(2), 400);
}

TEST(SharedGpu, StretchesTheProgramAndNotItsProlog) {
  SharedSite site("{shard: proportional, default_class: saturating}", "Prolog=/etc/prolog\n");
  site.inputs.site.controller.prolog = Seconds{30};
  site.job(100, 300);
  site.job(100, 300);
  site.run();
  EXPECT_EQ(site.end_of(1), 100 + 30 + 600);
}

TEST(SharedGpu, LetsARequeuedJobKeepWhatItHasDone) {
  // At half speed 1 has done 250 in 500 s; two intervals of 100 are saved. Its second run begins
  // when 2 has ended, and has 800 to do.
  SharedSite site;
  site.inputs.site.checkpoint.interval = Seconds{100};
  site.job(100, 1000);
  site.job(100, 350);
  site.command(600, "scontrol requeue 1");
  site.run();
  ASSERT_EQ(site.runs[1].size(), 2U);
  EXPECT_EQ(site.end_of(2), 700);  // 250 at 600, then alone
  const auto& again = site.runs[1].back();
  EXPECT_GE(again.start, 700);
  EXPECT_EQ(again.end - again.start, 800);
}

TEST(DeviceMemory, ThatIsFullFailsTheOneWhoComesLast) {
  SharedSite site(
      "{shard: none, devices: [{type: x, memory_mib: 40000}], "
      "classes: [{name: big, preset: medium, memory_mib: 30000}], default_class: big}",
      {}, "gpu:x:2");
  site.job(100, 1000);
  site.job(200, 1000);
  // Not on n1: by Slurm's own defect the end of 2 makes its GPU look free (gres.md §4.5).
  site.job(300, 1000, "-w n2 --gres=gpu:x:1");
  site.run();
  EXPECT_EQ(site.end_of(1), 1100);
  EXPECT_EQ(site.runs[2].back().state, JobState::Failed);
  EXPECT_EQ(site.runs[2].back().exit_code, 1);
  EXPECT_TRUE(site.runs[2].back().lacked_memory);
  EXPECT_EQ(site.end_of(2), 260);
  EXPECT_EQ(site.end_of(3), 1300);
}

TEST(DeviceMemory, IsNotLookedAtWhereTheSiteSaysSo) {
  SharedSite site(
      "{shard: none, memory_fails: false, devices: [{type: x, memory_mib: 4000}], "
      "classes: [{name: big, preset: medium, memory_mib: 30000}], default_class: big}",
      {}, "gpu:x:2");
  site.job(100, 1000);
  site.run();
  EXPECT_EQ(site.end_of(1), 1100);
}

TEST(DeviceSpeed, IsThatOfTheClassBetweenTheRecordedDeviceAndThisOne) {
  SharedSite site("{classes: [{name: train, speed: {a100: 1, h100: 2.5}}], default_class: train}",
                  {}, "gpu:h100:2");
  site.job(100, 1000, "--gres=gpu:h100:1").run.gpu_type = site.names.intern("a100");
  site.job(100, 1000, "--gres=gpu:h100:1").run.gpu_type = site.names.intern("h100");
  site.job(100, 1000, "-w n2 --gres=gpu:h100:1");  // recorded nobody knows where
  site.job(100, 1000, "-w n2");
  site.run();
  EXPECT_EQ(site.end_of(1), 500);
  EXPECT_EQ(site.runs[1].back().pace.by_device, Seconds{-600});
  EXPECT_EQ(site.end_of(2), 1100);
  EXPECT_EQ(site.end_of(3), 1100);
  EXPECT_EQ(site.runs[3].back().device, "h100");
  EXPECT_EQ(site.end_of(4), 1100);
  EXPECT_EQ(site.runs[4].back().pace.reference, Seconds{0});  // no GPU
}

TEST(SharedByMps, HasTheWorkedValues) {
  // §6.3: two saturating jobs take 1.872 times as long.
  SharedSite site("{default_class: saturating}", {}, "gpu:2", "mps:200");
  site.job(100, 1000, "--gres=mps:100 -w n1");
  site.job(200, 100, "--gres=mps:25 -w n2");
  site.run();
  EXPECT_EQ(site.end_of(1), 1100);
  EXPECT_EQ(site.end_of(2), 200 + 280);  // within 25 %: 0.6 · 4 + 0.4
  SharedSite both("{default_class: saturating}", {}, "gpu:2", "mps:200");
  both.job(100, 1000, "--gres=mps:50 -w n1");
  both.job(100, 1000, "--gres=mps:50 -w n1");
  both.run();
  EXPECT_EQ(both.end_of(1), 100 + 1872);
  EXPECT_EQ(both.end_of(2), 100 + 1872);
}

RC_GTEST_PROP(SharedGpuProperty, ConservesWorkAndHurriesNobody, ()) {
  const auto model =
      *rc::gen::element<std::string>("pairwise_sum", "proportional", "fixed_penalty");
  SharedSite site("{shard: " + model + ", default_class: heavy-bandwidth}");
  const auto count = *rc::gen::inRange<std::size_t>(1, 25);
  std::map<std::uint32_t, std::int64_t> work;
  std::int64_t at = 100;
  for (std::size_t i = 0; i < count; ++i) {
    at += *rc::gen::inRange<std::int64_t>(0, 400);
    const auto runtime = *rc::gen::inRange<std::int64_t>(1, 2000);
    site.job(at, runtime,
             *rc::gen::element<std::string>("--gres=shard:1", "--gres=shard:2", "--gres=gpu:1",
                                            "-N2 --gres=shard:1"));
    work[static_cast<std::uint32_t>(i + 1)] = runtime;
  }
  site.run();
  RC_ASSERT(site.runs.size() == count);
  for (const auto& [job, runs] : site.runs) {
    const SharedSite::Run& run = runs.back();
    RC_ASSERT(run.state == JobState::Completed);
    RC_ASSERT(run.pace.reference == Seconds{work[job]});
    RC_ASSERT(run.pace.by_neighbours >= Duration{0});
    RC_ASSERT(run.end - run.start >= work[job]);
    const Duration awake = run.pace.reference + run.pace.by_device + run.pace.by_neighbours;
    const Duration apart = Seconds{run.end - run.start} - awake;
    RC_ASSERT(apart >= -Seconds{1} && apart <= Seconds{1});
    if (run.neighbours == 0) RC_ASSERT(run.end - run.start == work[job]);
  }
}

}  // namespace
}  // namespace rehearse::test
