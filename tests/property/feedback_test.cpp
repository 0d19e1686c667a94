// tests/property/feedback_test.cpp — users who wait for their jobs: where the schedule is the one
// of the record, every submission is too; and whatever the cluster is, think times are kept.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "sim/controller/controller.hpp"
#include "tests/support/ask_request.hpp"
#include "workloads/closed_replay.hpp"

namespace rehearse::test {
namespace {

constexpr std::int64_t kZero = 1'000'000'020;

/// What an observer saw of each job, by id; of an array when its last task ended.
struct Seen {
  std::map<JobId, Time> submit;
  std::map<JobId, SlurmTime> end;
  std::map<JobId, std::pair<SlurmTime, SlurmTime>> runs;  ///< start and end, by JobIDRaw
  std::set<JobId> refused;
  LoopCounts counts;
};

class Watch final : public Observer {
 public:
  Watch(Seen& seen, Observer* next) : seen_(seen), next_(next) {}

 private:
  void job_submitted(const Job& job, SlurmTime /*now*/) override {
    if (job.restarts == 0) seen_.submit.emplace(whole(job), job.submit);
  }
  void job_ended(const Job& job, bool requeued, SlurmTime now) override {
    SlurmTime& end = seen_.end[whole(job)];
    end = std::max(end, *job.end);
    seen_.runs[job.id] = {*job.start, *job.end};
    if (next_ != nullptr) next_->job_ended(job, requeued, now);
  }
  void job_cancelled(const Job& job, SlurmTime now) override {
    SlurmTime& end = seen_.end[whole(job)];
    end = std::max(end, now);
    if (next_ != nullptr) next_->job_cancelled(job, now);
  }
  void job_rejected(const JobSpec& spec, std::string_view why, SlurmTime now) override {
    seen_.refused.insert(spec.id);
    if (next_ != nullptr) next_->job_rejected(spec, why, now);
  }
  void run_ended(const Cluster& /*cluster*/, SlurmTime /*now*/, const LoopCounts& counts) override {
    seen_.counts = counts;
  }
  static JobId whole(const Job& job) { return job.array_job != JobId{} ? job.array_job : job.id; }

  Seen& seen_;
  Observer* next_;
};

/// A few users on nodes of four cores, some of whose jobs are arrays, cancelled or too long.
struct World {
  SiteInputs inputs;
  NamePool names;
  RequestTable requests;
  std::vector<JobSpec> specs;

  explicit World(std::size_t nodes) { set_nodes(nodes); }

  void set_nodes(std::size_t nodes) {
    SlurmConf& conf = inputs.slurm_conf;
    conf.nodes.clear();
    conf.partitions.clear();
    conf.select_type = SelectType::ConsTres;
    conf.select_type_parameters.unit = ConsumableUnit::Core;
    PartitionConf& batch = conf.partitions.emplace_back();
    batch.name = "batch";
    for (std::size_t i = 0; i < nodes; ++i) {
      NodeConf& node = conf.nodes.emplace_back();
      node.name = fmt::format("n{}", i);
      node.cpus = node.cores_per_socket = 4;
      batch.nodes.push_back(node.name);
    }
  }

  void draw_jobs() {
    const auto count = *rc::gen::inRange<std::uint32_t>(5, 40);
    const NameId batch = names.intern("batch");
    for (std::uint32_t i = 0; i < count; ++i) {
      JobSpec& spec = specs.emplace_back();
      spec.id = JobId{10 * (i + 1)};
      spec.user = names.intern(fmt::format("user{}", *rc::gen::inRange(0, 4)));
      spec.partitions = batch;
      spec.submit = Time{from_epoch_seconds(kZero + *rc::gen::inRange(0, 9000))};
      spec.time_limit = Minutes{*rc::gen::inRange(1, 40)};
      // No more than a node has: what no cluster can hold never ends, nor what waits for it.
      spec.request =
          requests.intern(ask_request(fmt::format("-n {}", *rc::gen::inRange(1, 5)), names));
      spec.run.runtime = Seconds{*rc::gen::inRange(1, 1500)};
      if (*rc::gen::inRange(0, 6) == 0) {
        spec.cancel_at = whole_second(spec.submit) + Seconds{*rc::gen::inRange(1, 900)};
      }
      if (*rc::gen::inRange(0, 5) == 0) add_tasks(spec);
      if (i > 0 && *rc::gen::inRange(0, 6) == 0) {
        if (!spec.extras) spec.extras = std::make_unique<JobExtras>();
        spec.extras->dependency = fmt::format("afterany:{}", 10 * *rc::gen::inRange(1U, i + 1));
      }
    }
  }

  Seen run(JobSource& source, Observer* listener) {
    Diagnostics found;
    Cluster cluster(inputs, names, requests, found);
    RC_ASSERT(found.error_count() == 0U);
    Seen seen;
    Watch watch(seen, listener);
    Controller controller(cluster, source, {}, watch);
    RC_ASSERT(controller.run() == RunStatus::Complete);
    return seen;
  }

 private:
  static void add_tasks(JobSpec& spec) {
    spec.extras = std::make_unique<JobExtras>();
    const auto tasks = *rc::gen::inRange<std::uint32_t>(2, 5);
    for (std::uint32_t i = 0; i < tasks; ++i) {
      ArrayTask& task = spec.extras->array.emplace_back();
      task.index = i;
      task.id = JobId{static_cast<std::uint32_t>(spec.id) + i};
      task.run.runtime = Seconds{*rc::gen::inRange(1, 900)};
      task.cancel_at = spec.cancel_at;
    }
  }
};

FeedbackConf any_feedback() {
  FeedbackConf conf;
  conf.mode = FeedbackMode::ThinkTime;
  conf.think_time_limit = Duration{std::int64_t{*rc::gen::inRange(0, 3000)} * 1'000'000};
  conf.session_gap = Duration{std::int64_t{*rc::gen::inRange(0, 5000)} * 1'000'000};
  conf.sessions = *rc::gen::element(SessionStart::Recorded, SessionStart::Linked);
  return conf;
}

/// The jobs with the ends of a schedule as those of the record.
TraceJobs recorded(const World& world, const Seen& seen) {
  std::vector<JobSpec> specs = world.specs;
  for (JobSpec& spec : specs) {
    const auto set = [&](auto& job, JobId id) {
      const auto run = seen.runs.find(id);
      if (run == seen.runs.end()) return;
      job.recorded_start = run->second.first;
      job.recorded_end = run->second.second;
    };
    set(spec, spec.id);
    if (!spec.extras) continue;
    for (ArrayTask& task : spec.extras->array) set(task, task.id);
  }
  return TraceJobs(std::move(specs));
}

/// A schedule of drawn jobs, as a record, and what it tells of their users.
struct Recorded {
  Recorded() {
    world.draw_jobs();
    TraceJobs open(world.specs);
    seen = world.run(open, nullptr);
    jobs = recorded(world, seen);
    plan = plan_feedback(jobs, any_feedback(), {});
  }
  World world{*rc::gen::inRange<std::size_t>(1, 4)};
  Seen seen;
  TraceJobs jobs;
  FeedbackPlan plan;
};

RC_GTEST_PROP(Feedback, TheScheduleOfTheRecordGivesItsSubmissionsAgain, ()) {
  Recorded record;
  const Seen& before = record.seen;
  const FeedbackPlan& plan = record.plan;
  ClosedReplay closed(record.jobs, plan);
  const Seen after = record.world.run(closed, &closed);
  RC_CLASSIFY(plan.survey.of(SubmitRule::AfterEnd) > 0);
  RC_ASSERT(after.submit == before.submit);
  RC_ASSERT(after.runs == before.runs);
  RC_ASSERT(after.counts.event_fingerprint == before.counts.event_fingerprint);
  RC_ASSERT(after.counts.schedule_fingerprint == before.counts.schedule_fingerprint);
}

RC_GTEST_PROP(Feedback, ThinkTimesAndBatchesAreKeptOnAnyOtherCluster, ()) {
  Recorded record;
  const TraceJobs& jobs = record.jobs;
  const FeedbackPlan& plan = record.plan;
  record.world.set_nodes(*rc::gen::inRange<std::size_t>(1, 8));
  ClosedReplay closed(jobs, plan);
  const Seen after = record.world.run(closed, &closed);
  std::size_t given = 0;
  for (std::size_t at = 0; at < plan.links.size(); ++at) {
    const JobSpec& spec = jobs.specs()[at];
    const auto submit = after.submit.find(spec.id);
    if (submit == after.submit.end()) continue;  // refused: it has no record
    ++given;
    const SubmitLink& link = plan.links[at];
    const JobSpec& of = jobs.specs()[link.of];
    if (plan.named.contains(static_cast<std::uint32_t>(at))) continue;
    if (link.rule == SubmitRule::Recorded) RC_ASSERT(submit->second == spec.submit);
    if (link.rule == SubmitRule::WithBatch && after.submit.contains(of.id)) {
      RC_ASSERT(submit->second == after.submit.at(of.id) + link.distance);
    }
    if (link.rule == SubmitRule::AfterEnd && !after.refused.contains(of.id)) {
      RC_ASSERT(submit->second == Time{after.end.at(of.id)} + link.distance);
    }
  }
  RC_ASSERT(closed.held_back() == 0U);
  RC_ASSERT(given > 0U);
}

}  // namespace
}  // namespace rehearse::test
