// tests/property/jobs_test.cpp — random dependencies, arrays, heterogeneous jobs and commands about
// them: what waits for another starts after it, components start at one instant, all runs end.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/unit/controller/small_site.hpp"

namespace rehearse::test {
namespace {

constexpr std::uint32_t kIdsApart = 20;  // room for the ids of tasks

class Watched final : public SmallSite {
 public:
  using SmallSite::SmallSite;
  std::vector<AdminCommandAt> commands;
  std::size_t started = 0, ended = 0;
  std::string wrong;

  void run_with_commands() {
    cluster = std::make_unique<Cluster>(inputs, names, requests, found);
    Controller controller(*cluster, *this, commands, *this);
    (void)controller.run();
    for (const Job& job : cluster->jobs) {
      // What pends for ever is held, waits in vain for another, or is too large beside its others.
      const bool stuck = job.is_pending() && (job.held || job.reason == Reason::Dependency ||
                                              job.reason == Reason::DependencyNeverSatisfied ||
                                              job.spec->extras->het_leader != JobId{});
      if ((!job.is_finished() && !stuck) || job.completing) tell("left over", job, job);
    }
  }

 private:
  /// At the start of `job`: what it depends on, by the words of its own dependency.
  void check_dependency(const Job& job, SlurmTime now) {
    if (!job.spec->extras || job.spec->extras->dependency.empty()) return;
    const std::string& text = job.spec->extras->dependency;
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos) return;
    const std::string kind = text.substr(0, colon);
    const JobId target{static_cast<std::uint32_t>(std::stoul(text.substr(colon + 1)))};
    for (const Job& other : cluster->jobs) {
      const JobId leader = other.spec->extras ? other.spec->extras->het_leader : JobId{};
      if (other.id != target && other.array_job != target && leader != target) continue;
      if (kind == "aftercorr" && job.array_task && other.array_task &&
          other.array_task != job.array_task) {
        continue;
      }
      if (kind == "aftercorr" && job.array_task && other.is_array_meta() &&
          std::none_of(other.pending_tasks.begin(), other.pending_tasks.end(),
                       [&](std::uint32_t at) {
                         return other.spec->extras->array[at].index == *job.array_task;
                       })) {
        continue;  // its own partner is a record of its own
      }
      const bool purged = other.is_finished() && *other.end + Seconds{300} < now;
      if (purged) continue;
      if (kind == "after") {
        if (other.is_pending() && other.restarts == 0) tell("after", job, other);
      } else if (!other.is_finished() || other.completing) {
        // A target that was requeued after the dependency was met is open again.
        if (other.restarts == 0 && !other.requeues) tell("open", job, other);
      } else if ((kind == "afterok" || kind == "aftercorr") && other.state != JobState::Completed) {
        tell("not ok", job, other);
      }
    }
  }
  void tell(const std::string& what, const Job& job, const Job& other) {
    wrong += fmt::format("{}: {} of {}\n", what, static_cast<std::uint32_t>(job.id),
                         static_cast<std::uint32_t>(other.id));
  }
  void job_started(const Job& job, SlurmTime now) override {
    ++started;
    check_dependency(job, now);
    const JobId leader = job.spec->extras ? job.spec->extras->het_leader : JobId{};
    if (leader != JobId{}) het_starts_[{leader, job.restarts}].insert(*job.start);
    if (het_starts_[{leader, job.restarts}].size() > 1 && leader != JobId{})
      tell("apart", job, job);
    if (job.spec->name == kNoName) return;
    // Tasks of an array are fulfilled together; a decided item stays so through a requeue (§8).
    for (const Job& other : cluster->jobs) {
      const bool alike = other.spec->name == job.spec->name && other.index != job.index &&
                         (job.array_job == JobId{} || other.array_job != job.array_job);
      if (alike && other.has_started() && other.restarts + job.restarts == 0) {
        tell("not single", job, other);
      }
    }
  }
  void job_ended(const Job& job, bool requeued, SlurmTime now) override {
    ++ended;
    SmallSite::job_ended(job, requeued, now);
  }
  std::map<std::pair<JobId, std::uint32_t>, std::set<SlurmTime>> het_starts_;
};

void add_job(Watched& site, std::uint32_t number, std::int64_t submit) {
  const auto draw = [](int most) { return *rc::gen::inRange(0, most); };
  const auto nodes = 1 + draw(2);
  JobSpec& spec = site.job(submit, "p", fmt::format("-N{} -n{}", nodes, nodes * (1 + draw(4))),
                           Minutes{30}, Seconds{*rc::gen::inRange<std::int64_t>(10, 1500)});
  spec.id = JobId{number * kIdsApart};
  if (draw(5) == 0) spec.run.outcome = RunOutcome::Failed;
  spec.extras = std::make_unique<JobExtras>();
  if (number > 1 && draw(2) == 0) {
    const std::string kind =
        *rc::gen::element<std::string>("after", "afterany", "afterok", "afternotok", "aftercorr");
    spec.extras->dependency =
        fmt::format("{}:{}", kind, *rc::gen::inRange<std::uint32_t>(1, number) * kIdsApart);
  } else if (draw(6) == 0) {
    spec.extras->dependency = "singleton";
    spec.name = site.names.intern("one");
  }
  const int shape = draw(4);
  if (shape == 0) {
    const int tasks = 2 + draw(4);
    for (int i = 0; i < tasks; ++i) {
      spec.extras->array.push_back({static_cast<std::uint32_t>(i), JobId{}, spec.run, {}, {}, {}});
    }
    spec.extras->array_max_running = static_cast<std::uint32_t>(draw(3));
  } else if (shape == 1 && spec.name == kNoName) {
    spec.extras->het_leader = spec.id;
    const std::string dependency = spec.extras->dependency;
    JobSpec& second = site.job(submit, "p", "-N1 -n1", Minutes{30}, Seconds{500});
    second.id = JobId{number * kIdsApart + 1};
    second.extras = std::make_unique<JobExtras>();
    second.extras->het_leader = JobId{number * kIdsApart};
    second.extras->het_offset = 1;
    second.extras->dependency = dependency;
  }
}

AdminCommandAt random_command(std::uint32_t jobs) {
  AdminCommandAt command;
  command.at =
      Time{from_epoch_seconds(SmallSite::kZero + *rc::gen::inRange<std::int64_t>(1, 6000))};
  JobTarget target;
  target.id = JobId{*rc::gen::inRange<std::uint32_t>(1, jobs + 1) * kIdsApart};
  if (*rc::gen::inRange(0, 3) == 0) target.tasks = {*rc::gen::inRange<std::uint32_t>(0, 3)};
  const int what = *rc::gen::inRange(0, 6);
  if (what == 0) {
    CancelJobs cancel;
    cancel.targets = {target};
    command.action = cancel;
  } else if (what == 1) {
    UpdateJobs update;
    update.targets = {target};
    update.time_limit = Minutes{*rc::gen::inRange<std::int64_t>(1, 90)};
    update.nice = *rc::gen::inRange(-100, 100);
    update.request.emplace().min_nodes = 1;
    command.action = update;
  } else {
    ActOnJobs act;
    act.action = *rc::gen::element(JobAction::Requeue, JobAction::Hold, JobAction::Release,
                                   JobAction::Top, JobAction::UserHold);
    act.targets = {target};
    command.action = act;
  }
  return command;
}

RC_GTEST_PROP(Jobs, OfRandomKindsKeepTheirOrderUnderRandomCommands, ()) {
  Watched site(4);
  site.partition("p", 1);
  site.inputs.slurm_conf.kill_invalid_depend = *rc::gen::arbitrary<bool>();
  const auto jobs = *rc::gen::inRange<std::uint32_t>(3, 20);
  std::int64_t submit = 0;
  for (std::uint32_t i = 1; i <= jobs; ++i) {
    submit += *rc::gen::inRange<std::int64_t>(0, 300);
    add_job(site, i, submit);
  }
  const auto commands = *rc::gen::inRange(0, 12);
  for (int i = 0; i < commands; ++i) site.commands.push_back(random_command(jobs));
  std::stable_sort(site.commands.begin(), site.commands.end(),
                   [](const auto& a, const auto& b) { return a.at < b.at; });
  site.run_with_commands();
  if (!site.wrong.empty()) RC_FAIL(site.wrong);
  RC_ASSERT(site.started == site.ended);
}

}  // namespace
}  // namespace rehearse::test
