// workloads/generator/workload_job.cpp — from a trace's jobs, and into the text of sacct.
#include "workloads/generator/workload_job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "sim/config/text_scan.hpp"
#include "workloads/sacct_lines.hpp"

namespace rehearse {
namespace {

constexpr std::int64_t kMinute = 60;

std::uint64_t cpus_of(const Request& request) {
  const std::uint64_t by_tasks = std::uint64_t{request.num_tasks.value_or(1)} *
                                 std::uint64_t{request.cpus_per_task.value_or(1)};
  return std::max<std::uint64_t>({request.min_cpus, by_tasks, request.min_nodes});
}

std::uint64_t count_of(const GresRequest& gres, const Request& request) {
  if (gres.per_job > 0) return gres.per_job;
  if (gres.per_task > 0) return gres.per_task * request.num_tasks.value_or(request.min_nodes);
  return std::max<std::uint64_t>(gres.per_node, gres.per_socket) * request.min_nodes;
}

void set_size(const Request& request, const NamePool& names, WorkloadJob& job) {
  job.nodes = std::max<std::uint64_t>(1, request.min_nodes);
  job.cpus = cpus_of(request);
  for (const GresRequest& gres : request.gres) {
    const std::uint64_t count = count_of(gres, request);
    if (count == 0) continue;
    job.gres += fmt::format("{}{}", job.gres.empty() ? "" : ",", names.text(gres.name));
    if (gres.type != kNoName) job.gres += fmt::format(":{}", names.text(gres.type));
    job.gres += fmt::format("={}", count);
  }
  switch (request.memory_mode) {
    case MemoryMode::None:
      break;
    case MemoryMode::PerNode:
      job.memory_mib = request.memory_mib * job.nodes;
      break;
    case MemoryMode::PerCpu:
      job.memory_mib = request.memory_mib * job.cpus;
      break;
    case MemoryMode::PerGpu:
      job.memory_mib = request.memory_mib * job.gpus();
      break;
  }
}

DrawnRun run_of(const TrueRun& truth, const std::optional<SlurmTime>& cancel_at,
                const std::optional<SlurmTime>& start, const JobSpec& spec,
                std::optional<std::int64_t> limit) {
  DrawnRun run{truth.runtime.count(), JobEnd::Completed};
  if (cancel_at && !start) {
    const auto waited = *cancel_at - whole_second(spec.submit);
    return {std::max<std::int64_t>(0, std::chrono::duration_cast<Seconds>(waited).count()),
            JobEnd::CancelledPending};
  }
  switch (truth.outcome) {
    case RunOutcome::Completed:
    case RunOutcome::NodeFailure:
      break;
    case RunOutcome::Failed:
      run.end = JobEnd::Failed;
      break;
    case RunOutcome::Cancelled:
      run.end = JobEnd::Cancelled;
      break;
    case RunOutcome::OutOfMemory:
      run.end = JobEnd::OutOfMemory;
      break;
    case RunOutcome::UntilKilled:
      run.end = limit ? JobEnd::Timeout : JobEnd::Completed;
      if (limit) run.seconds = *limit * kMinute;
      break;
  }
  return run;
}

std::string_view state_of(JobEnd end) {
  return end == JobEnd::CancelledPending ? to_text(JobEnd::Cancelled) : to_text(end);
}

/// `gpu:a100=2` as `gres/gpu:a100=2,gres/gpu=2`: sacct counts typed ones twice.
std::string tres_of(const std::string& gres) {
  std::string typed;
  std::map<std::string, std::uint64_t, std::less<>> whole;
  for (const text::Piece& piece : text::split_at(gres, ',')) {
    if (piece.text.empty()) continue;
    const std::size_t equals = std::min(piece.text.find('='), piece.text.size());
    const std::size_t colon = piece.text.find(':');
    const std::uint64_t count =
        text::parse_decimal(piece.text.substr(std::min(equals + 1, piece.text.size()))).value_or(1);
    if (colon != std::string_view::npos) typed += fmt::format(",gres/{}", piece.text);
    whole[std::string(piece.text.substr(0, std::min(colon, equals)))] += count;
  }
  for (const auto& [name, count] : whole) typed += fmt::format(",gres/{}={}", name, count);
  return typed;
}

/// The options that no column tells.
std::string submit_line_of(const WorkloadJob& job, const std::vector<std::uint32_t>& ids) {
  std::string text;
  if (job.after) text += fmt::format(" --dependency={}:{}", job.dependency, ids[*job.after]);
  if (job.is_array) {
    text += fmt::format(" --array=0-{}", job.runs.size() - 1);
    if (job.throttle > 0) text += fmt::format("%{}", job.throttle);
  }
  return text.empty() ? text : "sbatch" + text + " job.sh";
}

SacctLine line_of(const WorkloadJob& job, std::uint32_t id, const DrawnRun& run) {
  SacctLine line;
  line.job_id = id;
  line.name = job.name;
  line.user = job.user;
  line.account = job.account;
  line.partition = job.partition;
  line.qos = job.qos.empty() ? "normal" : job.qos;
  line.submit = job.submit;
  if (job.limit) line.time_limit = Minutes{*job.limit};
  line.nodes = job.nodes;
  line.cpus = job.cpus;
  line.memory_mib = job.memory_mib;
  line.gres = tres_of(job.gres);
  line.state = state_of(run.end);
  line.exit_code = run.end == JobEnd::Failed ? 1 : 0;
  line.end = job.submit + Seconds{run.seconds};
  if (run.end == JobEnd::CancelledPending) return line;
  line.start = job.submit;
  line.elapsed = Seconds{run.seconds};
  return line;
}

}  // namespace

std::uint64_t WorkloadJob::gpus() const {
  std::uint64_t sum = 0;
  for (const text::Piece& piece : text::split_at(gres, ',')) {
    if (piece.text != "gpu" && !piece.text.starts_with("gpu:") && !piece.text.starts_with("gpu=")) {
      continue;
    }
    const std::size_t equals = piece.text.find('=');
    sum += equals == std::string_view::npos
               ? 1
               : text::parse_decimal(piece.text.substr(equals + 1)).value_or(1);
  }
  return sum;
}

std::vector<WorkloadJob> workload_of(const TraceJobs& jobs, const NamePool& names,
                                     const RequestTable& requests) {
  std::vector<WorkloadJob> list;
  for (const JobSpec& spec : jobs.specs()) {
    WorkloadJob& job = list.emplace_back();
    job.user = names.text(spec.user);
    job.account = names.text(spec.account);
    job.partition = names.text(spec.partitions);
    job.qos = names.text(spec.qos);
    job.name = names.text(spec.name);
    job.submit = whole_second(spec.submit);
    set_size(requests[spec.request], names, job);
    if (spec.time_limit && *spec.time_limit != kUnlimited) job.limit = spec.time_limit->count();
    if (spec.extras && !spec.extras->array.empty()) {
      job.is_array = true;
      job.throttle = spec.extras->array_max_running;
      for (const ArrayTask& task : spec.extras->array) {
        job.runs.push_back(run_of(task.run, task.cancel_at, task.recorded_start, spec, job.limit));
      }
    } else {
      job.runs.push_back(run_of(spec.run, spec.cancel_at, spec.recorded_start, spec, job.limit));
    }
  }
  return list;
}

std::string sacct_text_of(const std::vector<WorkloadJob>& jobs, const TimeZone& zone,
                          std::uint64_t first_id) {
  std::vector<std::uint32_t> ids;
  auto id = static_cast<std::uint32_t>(first_id);
  for (const WorkloadJob& job : jobs) {
    ids.push_back(id);
    id += static_cast<std::uint32_t>(job.runs.size());  // a task of an array has an id of its own
  }
  std::vector<SacctLine> lines;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    for (std::size_t task = 0; task < jobs[i].runs.size(); ++task) {
      SacctLine& line = lines.emplace_back(line_of(jobs[i], ids[i], jobs[i].runs[task]));
      if (jobs[i].is_array) line.array_task = static_cast<std::uint32_t>(task);
      line.submit_line = submit_line_of(jobs[i], ids);
    }
  }
  return sacct_text_of(std::move(lines), zone);
}

std::string associations_of(const std::vector<WorkloadJob>& jobs, const std::string& cluster) {
  std::set<std::string, std::less<>> qos{"normal"};
  std::map<std::string, std::set<std::string, std::less<>>, std::less<>> accounts;
  std::map<std::string, std::string, std::less<>> default_account;
  for (const WorkloadJob& job : jobs) {
    if (!job.qos.empty()) qos.insert(job.qos);
    accounts[job.account].insert(job.user);
    default_account.try_emplace(job.user, job.account);
  }
  std::string text = fmt::format("Cluster - '{}':Fairshare=1:QOS='{}'\nParent - 'root'\n", cluster,
                                 fmt::join(qos, ","));
  text += "User - 'root':DefaultAccount='root':AdminLevel='Administrator':Fairshare=1\n";
  for (const auto& [account, users] : accounts) {
    if (account == "root") continue;
    text +=
        fmt::format("Account - '{0}':Description='{0}':Organization='{0}':Fairshare=1\n", account);
  }
  for (const auto& [account, users] : accounts) {
    if (account == "root") continue;
    text += fmt::format("Parent - '{}'\n", account);
    for (const std::string& user : users) {
      text += fmt::format("User - '{}':DefaultAccount='{}':Fairshare=1\n", user,
                          default_account.find(user)->second);
    }
  }
  return text;
}

}  // namespace rehearse
