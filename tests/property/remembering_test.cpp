// tests/property/remembering_test.cpp — what is remembered saves time and decides nothing: with all
// of it worked out anew, and the state recounted after each event, a run tells the same.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/ask_request.hpp"
#include "tests/unit/controller/run_site.hpp"

namespace rehearse::test {
namespace {

struct DrawnJob {
  std::int64_t at = 0, runtime = 1;
  std::string options, partition, qos, dependency;
  Minutes limit{10};
  std::optional<std::int64_t> begin, deadline;  ///< as `at`
  std::uint32_t tasks = 0, most_tasks = 0;      ///< of an array
};

struct DrawnCommand {
  std::int64_t at = 0;
  std::string text;
};

std::string draw_conf() {
  const bool linear = *rc::gen::inRange(0, 6) == 0;
  std::string conf = linear ? "SelectType=select/linear\n"
                            : "SelectType=select/cons_tres\nSelectTypeParameters=" +
                                  *rc::gen::element<std::string>("CR_Core", "CR_Core_Memory",
                                                                 "CR_CPU,CR_LLN", "CR_Socket") +
                                  "\n";
  conf += "AccountingStorageEnforce=associations,limits,qos\nPriorityCalcPeriod=1\n";
  conf += fmt::format("MinJobAge={}\n", *rc::gen::element(2, 300));
  conf +=
      "GresTypes=gpu\nAccountingStorageTRES=gres/"
      "gpu\nSchedulerParameters=bf_window=600,bf_resolution=" +
      *rc::gen::element<std::string>("60", "300") +
      *rc::gen::element<std::string>("", ",bf_continue", ",bf_max_job_user=3", ",bf_busy_nodes",
                                     ",bf_running_job_reserve", ",bf_max_job_test=6",
                                     ",bf_node_space_size=9") +
      "\n";
  conf += *rc::gen::element<std::string>(
      "", "PriorityType=priority/multifactor\nPriorityWeightJobSize=100000\n");
  const int mode = *rc::gen::inRange(0, 4);
  if (mode == 1) conf += "PreemptType=preempt/partition_prio\nPreemptMode=REQUEUE\n";
  if (mode == 2 && !linear) {
    conf += "PreemptType=preempt/partition_prio\nPreemptMode=SUSPEND,GANG\nSchedulerTimeSlice=30\n";
  }
  conf += *rc::gen::element<std::string>(
      "NodeName=n[1-3] CPUs=4 RealMemory=4000 Gres=gpu:2\n",
      "NodeName=n[1-3] CoresPerSocket=4 ThreadsPerCore=2 RealMemory=4000 Gres=gpu:2\n");
  // What whole nodes come to is known beforehand where all have as much.
  const bool alike = *rc::gen::inRange(0, 2) == 0;
  conf += fmt::format("NodeName=n[4-6] CPUs={} RealMemory=8000 Gres=gpu:{} Weight={}\n",
                      alike ? 4 : 8, *rc::gen::element(2, 4), *rc::gen::element(0, 1, 7));
  // Nobody asks for --oversubscribe: with YES rows are kept only where nothing is remembered.
  const auto draw_sharing = [] {
    return *rc::gen::element<std::string>("NO", "NO", "YES:2", "FORCE:2");
  };
  conf += fmt::format("PartitionName=low Nodes=ALL Default=YES PriorityTier=1 OverSubscribe={}\n",
                      mode == 2 && !linear ? "FORCE:2" : draw_sharing());
  conf += fmt::format(
      "PartitionName=high Nodes=n[2-5] PriorityTier=5 PreemptMode=OFF OverSubscribe={}\n",
      draw_sharing());
  return conf;
}

std::vector<DrawnJob> draw_jobs(const std::string& conf) {
  std::vector<DrawnJob> jobs;
  const auto count = *rc::gen::inRange<std::size_t>(5, 25);
  // Where all want GPUs no selection goes by the weights of another, and more is remembered.
  const bool takes_gpus = conf.find("select/linear") == std::string::npos;
  const bool all_want_gpus = takes_gpus && *rc::gen::inRange(0, 3) == 0;
  std::int64_t at = 5;
  for (std::size_t i = 0; i < count; ++i) {
    DrawnJob& job = jobs.emplace_back();
    at += *rc::gen::inRange<std::int64_t>(0, 120);
    job.at = at;
    job.runtime = *rc::gen::inRange<std::int64_t>(5, 1500);
    const int nodes = *rc::gen::inRange(1, 4);
    const int tasks = nodes * *rc::gen::inRange(1, 5);
    job.options = *rc::gen::inRange(0, 4) == 0 ? fmt::format("-n{}", tasks)
                                               : fmt::format("-N{} -n{}", nodes, tasks);
    if (all_want_gpus) {
      job.options += *rc::gen::element<std::string>(
          " --gres=gpu:1", " --gpus-per-task=1", fmt::format(" --gpus={}", nodes),
          fmt::format(" --gpus={}", 2 * nodes), fmt::format(" --gpus={} --mem=900", 3 * nodes));
    } else {
      job.options += *rc::gen::element<std::string>("", "", " --gres=gpu:1", " --gres=gpu:2",
                                                    " --gpus=4", " --mem=900", " --exclusive");
    }
    // What each of its nodes must have free, and which.
    job.options += *rc::gen::element<std::string>(
        "", "", "", " -c2", " -c3 --threads-per-core=1", " --ntasks-per-node=2", " --mincpus=3",
        " --overcommit", " --ntasks-per-core=1", " -w n3", " -w n[4-5]", " -w n2 -x n4");
    job.partition = *rc::gen::element<std::string>("low", "low", "high");
    job.qos = *rc::gen::element<std::string>("normal", "few");
    job.limit = Minutes{*rc::gen::element(5, 10, 20, 30)};
  }
  return jobs;
}

std::vector<DrawnCommand> draw_commands(int nodes = 6) {
  std::vector<DrawnCommand> commands;
  const auto count = *rc::gen::inRange<std::size_t>(0, 6);
  for (std::size_t i = 0; i < count; ++i) {
    const std::string node = fmt::format("n{}", *rc::gen::inRange(1, nodes + 1));
    const std::string id = fmt::format("{}", *rc::gen::inRange(1, 20));
    const std::string what = *rc::gen::element<std::string>(
        "scontrol update NodeName=" + node + " State=DRAIN Reason=x",
        "scontrol update NodeName=" + node + " State=RESUME",
        "scontrol update JobId=" + id + " TimeLimit=40", "scontrol hold " + id,
        "scontrol release " + id, "scancel " + id,
        fmt::format("sacctmgr -i modify qos few set GrpTRES=cpu={}", *rc::gen::inRange(2, 20)));
    commands.push_back({*rc::gen::inRange<std::int64_t>(10, 3000), what});
  }
  std::sort(commands.begin(), commands.end(),
            [](const auto& a, const auto& b) { return a.at < b.at; });
  commands.push_back({4000, fmt::format("scontrol update NodeName=n[1-{}] State=RESUME", nodes)});
  return commands;
}

/// What jobs of QOS `few` may use together.
LimitConf draw_limits() {
  LimitConf limits;
  switch (*rc::gen::inRange(0, 5)) {
    case 0:
      return limits;
    case 4:
      limits.grp_tres = {{"gres/gpu", *rc::gen::inRange<std::uint64_t>(1, 8)}};
      return limits;
    case 1:
      limits.grp_tres = {{"cpu", *rc::gen::inRange<std::uint64_t>(2, 20)}};
      return limits;
    case 2:
      limits.grp_tres = {{"node", *rc::gen::inRange<std::uint64_t>(1, 5)}};
      return limits;
    default:
      limits.grp_tres_mins = {{"cpu", *rc::gen::inRange<std::uint64_t>(10, 500)}};
      return limits;
  }
}

/// One partition, few kinds of jobs that hold their nodes long, and limits: most wait, many alike.
std::string draw_plain_conf() {
  return "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\n"
         "AccountingStorageEnforce=associations,limits,qos\nPriorityCalcPeriod=1\n"
         "GresTypes=gpu\nAccountingStorageTRES=gres/gpu\nPriorityType=priority/multifactor\n"
         "PriorityWeightJobSize=100000\nPriorityWeightAge=1000\nSchedulerParameters=bf_window=" +
         *rc::gen::element<std::string>("60", "600") +
         *rc::gen::element<std::string>("", "", ",bf_max_job_test=6", ",default_queue_depth=2",
                                        ",bf_max_job_user=4") +
         *rc::gen::element<std::string>("", "", "\nPreemptType=preempt/qos\nPreemptMode=REQUEUE",
                                        "\nPreemptType=preempt/qos\nPreemptMode=CANCEL") +
         "\nNodeName=n[1-4] CPUs=4 RealMemory=4000 Gres=gpu:4\n"
         "PartitionName=low Nodes=ALL Default=YES\n";
}

std::vector<DrawnJob> draw_waiting_jobs() {
  std::vector<DrawnJob> jobs;
  const bool with_gpus = *rc::gen::inRange(0, 2) == 0;
  const auto count = *rc::gen::inRange<std::size_t>(10, 25);
  std::int64_t at = 5;
  for (std::size_t i = 0; i < count; ++i) {
    DrawnJob& job = jobs.emplace_back();
    at += *rc::gen::inRange<std::int64_t>(0, 40);
    job.at = at;
    job.runtime = *rc::gen::inRange<std::int64_t>(60, 900);
    // Some with GPUs and some without would leave weights behind for each other (22.05).
    job.options = with_gpus
                      ? *rc::gen::element<std::string>("-N1 -n1 --gpus=1", "-N1 -n4 --gres=gpu:4",
                                                       "-N2 -n8 --gpus=8", "-N4 -n4 --gpus=4")
                      : *rc::gen::element<std::string>("-N1 -n2", "-N1 -n4", "-N2 -n3", "-N3 -n12");
    job.partition = "low";
    job.qos = *rc::gen::element<std::string>("normal", "few");
    job.limit = Minutes{*rc::gen::element(25, 40, 90)};
  }
  return jobs;
}

/// Nodes with GPUs beside nodes without, jobs that want them beside jobs that do not, in partitions
/// of their own and in one of all: tests for GPUs leave marks that some of the others go by
/// (22.05).
std::string draw_mixed_conf() {
  const std::string order = *rc::gen::element<std::string>("0", "1", "2", "9");
  return "SelectType=select/cons_tres\nSelectTypeParameters=" +
         *rc::gen::element<std::string>("CR_Core", "CR_Core_Memory", "CR_CPU,CR_LLN") +
         "\nAccountingStorageEnforce=associations,limits,qos\nPriorityCalcPeriod=1\n"
         "GresTypes=gpu\nAccountingStorageTRES=gres/gpu\nPriorityType=priority/multifactor\n"
         "PriorityWeightJobSize=100000\nPriorityWeightAge=1000\nSchedulerParameters=bf_window=600" +
         *rc::gen::element<std::string>("", ",bf_continue", ",bf_max_job_test=6") +
         "\nNodeName=n[1-3] CPUs=4 RealMemory=4000 Weight=" + order +
         "\nNodeName=n[4-6] Sockets=2 CoresPerSocket=4 RealMemory=8000 Gres=gpu:4 Weight=2\n"
         "PartitionName=cpu Nodes=n[1-3] Default=YES\nPartitionName=gpu Nodes=n[4-6]\n"
         "PartitionName=all Nodes=ALL\n";
}

std::vector<DrawnJob> draw_mixed_jobs() {
  std::vector<DrawnJob> jobs;
  const bool all_apart = *rc::gen::inRange(0, 3) == 0;
  const auto count = *rc::gen::inRange<std::size_t>(10, 30);
  std::int64_t at = 5;
  for (std::size_t i = 0; i < count; ++i) {
    DrawnJob& job = jobs.emplace_back();
    at += *rc::gen::inRange<std::int64_t>(0, 60);
    job.at = at;
    job.runtime = *rc::gen::inRange<std::int64_t>(60, 1200);
    const bool wants_gpus = *rc::gen::inRange(0, 2) == 0;
    if (wants_gpus) {
      job.options = *rc::gen::element<std::string>("-N1 -n1 --gres=gpu:1", "-N1 -n4 --gres=gpu:2",
                                                   "-N2 -n4 --gres=gpu:3", "-n2 --gpus=4",
                                                   "-N1 -n1 --gres=gpu:4");
      job.partition = all_apart ? "gpu" : *rc::gen::element<std::string>("gpu", "all");
    } else {
      job.options = *rc::gen::element<std::string>("-n1", "-N1 -n4", "-N2 -n4", "-n10", "-N3 -n6",
                                                   "-n3 --mem=2000", "-N1 --exclusive");
      job.partition =
          all_apart ? "cpu" : *rc::gen::element<std::string>("cpu", "cpu", "gpu", "all");
    }
    job.qos = *rc::gen::element<std::string>("normal", "few");
    job.limit = Minutes{*rc::gen::element(5, 20, 40)};
  }
  return jobs;
}

LimitConf draw_plain_limits() {
  LimitConf limits;
  const int kind = *rc::gen::inRange(0, 3);
  if (kind == 1) limits.grp_tres = {{"cpu", *rc::gen::inRange<std::uint64_t>(2, 14)}};
  if (kind == 2) limits.grp_tres = {{"gres/gpu", *rc::gen::inRange<std::uint64_t>(1, 12)}};
  return limits;
}

/// What the mere passing of time turns: begins, deadlines, dependencies, arrays with %N, records
/// for several partitions of other factors.
std::vector<DrawnJob> draw_timed_jobs() {
  std::vector<DrawnJob> jobs = draw_waiting_jobs();
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    DrawnJob& job = jobs[i];
    job.partition = *rc::gen::element<std::string>("low", "low,short", "short,low", "short");
    const int kind = *rc::gen::inRange(0, 8);
    if (kind == 0) job.begin = job.at + *rc::gen::inRange<std::int64_t>(1, 2000);
    if (kind == 1) job.deadline = job.at + *rc::gen::inRange<std::int64_t>(1600, 6000);
    if (kind == 2 && i > 0) {
      job.dependency = fmt::format(
          "{}:{}{}", *rc::gen::element<std::string>("after", "afterany", "afternotok"),
          *rc::gen::inRange<std::size_t>(1, i + 1), *rc::gen::element<std::string>("", "+3"));
    }
    if (kind == 3) {
      job.tasks = *rc::gen::inRange<std::uint32_t>(2, 6);
      job.most_tasks = *rc::gen::inRange<std::uint32_t>(0, 3);
    }
    if (kind == 4) job.dependency = "singleton";
  }
  return jobs;
}

struct DrawnSite {
  std::string conf;
  LimitConf limits;
  std::vector<DrawnJob> jobs;
  std::vector<DrawnCommand> commands;
  std::vector<std::string> prey{};  ///< of QOS `few`, where the site preempts by QOS
};

using Told = std::pair<std::vector<std::string>, std::map<std::uint32_t, std::vector<std::string>>>;

Told told_of(const DrawnSite& drawn, bool recalls, bool keeps_plans) {
  RunSite site(drawn.conf);
  site.recalls = recalls;
  site.keeps_plans = keeps_plans;
  QosConf& few = site.accounting().qos.emplace_back();
  few.name = "few";
  few.limits = drawn.limits;
  few.preempt = drawn.prey;
  AssociationConf& root = site.accounting().associations.emplace_back();
  root.account = root.user = "root";
  root.is_default_account = true;
  for (AssociationConf& each : site.accounting().associations) {
    each.qos = {"normal", "few"};
    each.default_qos = "normal";
  }
  std::uint32_t id = 0;
  for (const DrawnJob& one : drawn.jobs) {
    JobSpec& job = site.job(++id, one.at, one.runtime, ask_request(one.options, site.names()));
    job.partitions = site.names().intern(one.partition);
    job.qos = site.names().intern(one.qos);
    job.time_limit = one.limit;
    if (one.begin) job.begin = from_epoch_seconds(RunSite::kStart + *one.begin);
    if (one.dependency.empty() && !one.deadline && one.tasks == 0) continue;
    job.extras = std::make_unique<JobExtras>();
    job.extras->dependency = one.dependency;
    if (one.deadline) job.extras->deadline = from_epoch_seconds(RunSite::kStart + *one.deadline);
    job.extras->array_max_running = one.most_tasks;
    for (std::uint32_t task = 0; task < one.tasks; ++task) {
      ArrayTask& each = job.extras->array.emplace_back();
      each.index = task;
      each.run = job.run;
    }
    id += one.tasks;
  }
  for (const DrawnCommand& command : drawn.commands) site.command(command.at, command.text);
  std::vector<std::string> seen = site.run();
  return std::pair(std::move(seen), site.reasons);
}

/// Events, and after them the Reasons of each job.
std::vector<std::string> lines_of(const Told& told) {
  std::vector<std::string> lines = told.first;
  for (const auto& [job, reasons] : told.second) {
    for (const std::string& reason : reasons) lines.push_back(fmt::format("{}: {}", job, reason));
  }
  return lines;
}

/// The first line in which the runs differ, as one and the other tell it; empty: none.
std::string first_difference(const Told& one, const Told& other) {
  std::vector<std::string> a = lines_of(one), b = lines_of(other);
  const std::size_t count = std::max(a.size(), b.size());
  a.resize(count, "nothing");
  b.resize(count, "nothing");
  const auto [left, right] = std::mismatch(a.begin(), a.end(), b.begin());
  return left == a.end() ? "" : *left + " / " + *right;
}

/// Else the site has refused them all, and there is nothing to remember.
bool are_let_in(const std::vector<std::string>& told) {
  return std::any_of(told.begin(), told.end(), [](const std::string& line) {
    return line.find(" reject ") == std::string::npos;
  });
}

RC_GTEST_PROP(Remembering, ChangesNothingThatARunTells, ()) {
  const std::string conf = draw_conf();
  const DrawnSite site{conf, draw_limits(), draw_jobs(conf), draw_commands()};
  const auto naive = told_of(site, false, true);
  const bool is_limited = !site.limits.grp_tres.empty() || !site.limits.grp_tres_mins.empty();
  RC_ASSERT(is_limited || are_let_in(naive.first));
  RC_ASSERT(first_difference(told_of(site, true, true), naive) == "");
  RC_ASSERT(first_difference(told_of(site, true, false), naive) == "");
}

RC_GTEST_PROP(Remembering, ChangesNothingWhereTestsLeaveMarks, ()) {
  const DrawnSite site{draw_mixed_conf(), draw_limits(), draw_mixed_jobs(), draw_commands()};
  const auto naive = told_of(site, false, true);
  RC_ASSERT(are_let_in(naive.first));
  RC_ASSERT(first_difference(told_of(site, true, true), naive) == "");
  RC_ASSERT(first_difference(told_of(site, true, false), naive) == "");
}

RC_GTEST_PROP(Remembering, ChangesNothingWhereMostJobsWait, ()) {
  const bool preys = *rc::gen::inRange(0, 2) == 0;
  const std::vector<std::string> prey(preys ? 1 : 0, "normal");
  const DrawnSite site{draw_plain_conf(), draw_plain_limits(), draw_waiting_jobs(), {}, prey};
  const auto naive = told_of(site, false, true);
  RC_ASSERT(are_let_in(naive.first));
  RC_ASSERT(first_difference(told_of(site, true, true), naive) == "");
  RC_ASSERT(first_difference(told_of(site, true, false), naive) == "");
}

RC_GTEST_PROP(Remembering, ChangesNothingWhereTimePasses, ()) {
  const std::string conf =
      draw_plain_conf() +
      fmt::format("PartitionName=short Nodes=n[2-4] PriorityJobFactor={} PriorityTier={}\n",
                  *rc::gen::element(1, 500), *rc::gen::element(1, 1, 2)) +
      fmt::format("PriorityWeightPartition={}\nMinJobAge={}\n", *rc::gen::element(0, 1000),
                  *rc::gen::element(2, 300));
  const DrawnSite site{conf, draw_plain_limits(), draw_timed_jobs(), draw_commands(4)};
  const auto naive = told_of(site, false, true);
  RC_ASSERT(are_let_in(naive.first));
  RC_ASSERT(first_difference(told_of(site, true, true), naive) == "");
  RC_ASSERT(first_difference(told_of(site, true, false), naive) == "");
}

}  // namespace
}  // namespace rehearse::test
