// sim/output/export/swf.cpp — Standard Workload Format 2.2 (formats.md §16): a line a job, -1 for
// what is not known.
//
// A job that was requeued is one line: from its first submission to its first start it waits, and
// runs for as long as all its runs together. SWF knows no GPUs.
#include <fmt/format.h>

#include <map>

#include "sim/output/export/export.hpp"

namespace rehearse {
namespace {

constexpr std::int64_t kUnknown = -1;

int status_of(const Result& result, std::size_t row) {
  switch (static_cast<JobState>(result.runs.state[row])) {
    case JobState::Completed:
      return 1;
    case JobState::Cancelled:
    case JobState::Preempted:
    case JobState::Deadline:
      return 5;
    case JobState::Pending:
    case JobState::Running:
    case JobState::Suspended:
      return -1;
    default:
      return 0;
  }
}

/// Numbers from 1 in the order of first use.
class Numbers {
 public:
  std::size_t of(std::uint32_t code) {
    return known_.emplace(code, known_.size() + 1).first->second;
  }

 private:
  std::map<std::uint32_t, std::size_t> known_;
};

void write_header(const Result& result, std::size_t jobs, std::int64_t origin,
                  const TextSink& sink) {
  std::uint64_t cpus = 0;
  for (const NodeFacts& node : result.cluster.nodes) cpus += node.effective_cpus;
  const std::size_t nodes = result.cluster.nodes.size();
  sink(fmt::format(
      "; Version: 2.2\n; Computer: {}\n; Conversion: rehearse export --format swf\n; MaxJobs: {}\n"
      "; MaxRecords: {}\n; UnixStartTime: {}\n; TimeZoneString: {}\n; MaxNodes: {}\n; MaxProcs: "
      "{}\n; MaxQueues: {}\n",
      result.cluster.cluster_name, jobs, jobs, origin, result.cluster.time_zone, nodes, cpus,
      result.cluster.partitions.size()));
  for (std::size_t i = 0; i < result.cluster.partitions.size(); ++i) {
    sink(fmt::format("; Queue: {} {}\n", i + 1, result.cluster.partitions[i].name));
  }
  sink(
      "; Note: simulated. Requeued jobs are one line: the run time is that of all their runs.\n"
      "; Note: users and groups (accounts) are numbered in the order of their first job. GPUs are "
      "not told.\n");
}

}  // namespace

void export_swf(const Result& result, const ExportOptions&, const TextSink& sink) {
  const RunColumns& r = result.runs;
  const std::vector<ExportedJob> jobs = exported_jobs(result);
  const std::int64_t origin = jobs.empty() ? result.begin : r.submit[jobs.front().first];
  write_header(result, jobs.size(), origin, sink);
  Numbers users;
  Numbers accounts;
  for (const ExportedJob& job : jobs) {
    const std::uint32_t row = job.first;
    const std::uint32_t last = job.last;
    const bool ran = r.start[row] != kNoTime;
    const bool is_over = r.end[last] != kNoTime;
    const std::int64_t wait = ran       ? r.start[row] - r.submit[row]
                              : is_over ? r.end[last] - r.submit[row]
                                        : kUnknown;
    const std::int64_t run = is_over ? (ran ? job.run_s : 0) : kUnknown;
    const std::uint32_t asked = r.requested_cpus[row];
    const std::uint64_t memory_kib = r.requested_memory_mib[row] * 1024;
    const std::int64_t limit =
        r.limit_min[row] >= kLimitNone ? kUnknown : std::int64_t{r.limit_min[row]} * 60;
    sink(fmt::format(
        "{} {} {} {} {} -1 -1 {} {} {} {} {} {} -1 {} -1 -1 -1\n", r.job_id[row],
        r.submit[row] - origin, wait, run, ran ? std::int64_t{r.cpus[row]} : kUnknown,
        asked > 0 ? std::int64_t{asked} : kUnknown, limit,
        memory_kib > 0 && asked > 0 ? static_cast<std::int64_t>(memory_kib / asked) : kUnknown,
        status_of(result, last), users.of(r.user[row]), accounts.of(r.account[row]),
        std::size_t{r.partition[row]} + 1));
  }
}

}  // namespace rehearse
