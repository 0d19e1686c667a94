// sim/output/export/batsim.cpp — Batsim: a workload with delay profiles, and the schedule as its
// jobs.csv. A resource is a node. Times are seconds from the begin of the run.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "sim/output/export/export.hpp"
#include "sim/output/export/json_text.hpp"
#include "sim/output/sacct_writer.hpp"

namespace rehearse {
namespace {

std::uint32_t nodes_of(const RunColumns& r, std::uint32_t row) {
  return std::max(1U, r.start[row] != kNoTime ? r.nodes[row] : r.requested_nodes[row]);
}

/// `0-2 5`: intervals, as Batsim writes them.
std::string intervals_text(std::vector<std::uint32_t> ids) {
  std::sort(ids.begin(), ids.end());
  std::string text;
  for (std::size_t i = 0; i < ids.size();) {
    std::size_t end = i + 1;
    while (end < ids.size() && ids[end] == ids[end - 1] + 1) ++end;
    text += text.empty() ? "" : " ";
    text += end - i == 1 ? fmt::format("{}", ids[i]) : fmt::format("{}-{}", ids[i], ids[end - 1]);
    i = end;
  }
  return text;
}

std::string_view final_state(std::uint8_t state) {
  switch (static_cast<JobState>(state)) {
    case JobState::Completed:
      return "COMPLETED_SUCCESSFULLY";
    case JobState::Timeout:
      return "COMPLETED_WALLTIME_REACHED";
    case JobState::Cancelled:
    case JobState::Preempted:
    case JobState::Deadline:
      return "COMPLETED_KILLED";
    default:
      return "COMPLETED_FAILED";
  }
}

std::map<std::uint32_t, std::vector<std::uint32_t>> nodes_by_run(const Result& result) {
  std::map<std::uint32_t, std::vector<std::uint32_t>> nodes;
  for (std::size_t i = 0; i < result.holdings.size(); ++i) {
    nodes[result.holdings.run[i]].push_back(result.holdings.node[i]);
  }
  return nodes;
}

}  // namespace

void export_batsim(const Result& result, const ExportOptions&, const TextSink& sink) {
  const RunColumns& r = result.runs;
  const std::vector<ExportedJob> jobs = exported_jobs(result);
  sink(fmt::format(
      R"({{"description":"{}: jobs of a rehearsal; a resource is a node","nb_res":{},"jobs":[)",
      json_text(result.cluster.cluster_name), result.cluster.nodes.size()));
  const char* comma = "\n";
  for (const ExportedJob& job : jobs) {
    const std::uint32_t row = job.first;
    if (r.start[row] == kNoTime) continue;  // how long it would have run is not known
    const std::string limit =
        r.limit_min[row] >= kLimitNone
            ? std::string()
            : fmt::format(R"(,"walltime":{})", std::uint64_t{r.limit_min[row]} * 60);
    sink(fmt::format(R"({}{{"id":"{}","subtime":{}{},"res":{},"profile":"{}"}})", comma,
                     json_text(job_id_text(result, row)),
                     std::max<std::int64_t>(0, r.submit[row] - result.begin), limit,
                     nodes_of(r, row), std::max<std::int64_t>(1, job.run_s)));
    comma = ",\n";
  }
  sink("],\n\"profiles\":{");
  std::vector<std::int64_t> lengths;
  for (const ExportedJob& job : jobs) {
    if (r.start[job.first] != kNoTime) lengths.push_back(std::max<std::int64_t>(1, job.run_s));
  }
  std::sort(lengths.begin(), lengths.end());
  lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
  comma = "\n";
  for (const std::int64_t length : lengths) {
    sink(fmt::format(R"({}"{}":{{"type":"delay","delay":{}}})", comma, length, length));
    comma = ",\n";
  }
  sink("}}\n");
}

void export_batsim_jobs(const Result& result, const ExportOptions& options, const TextSink& sink) {
  const RunColumns& r = result.runs;
  const auto nodes = nodes_by_run(result);
  if (!options.no_header) {
    sink(
        "job_id,workload_name,profile,submission_time,requested_number_of_resources,requested_time,"
        "success,final_state,starting_time,execution_time,finish_time,waiting_time,turnaround_time,"
        "stretch,allocated_resources,consumed_energy,metadata\n");
  }
  for (const ExportedJob& job : exported_jobs(result)) {
    const std::uint32_t row = job.first;
    const std::uint32_t last = job.last;
    if (r.start[row] == kNoTime || r.end[last] == kNoTime)
      continue;  // not in a schedule that is over
    const std::int64_t run = std::max<std::int64_t>(1, job.run_s);
    const std::int64_t wait = r.start[row] - r.submit[row];
    const std::int64_t turnaround = r.end[last] - r.submit[row];
    const auto held = nodes.find(last);
    sink(fmt::format(
        "{},rehearse,{},{},{},{},{},{},{},{},{},{},{},{:.6f},{},-1,\n", job_id_text(result, row),
        run, r.submit[row] - result.begin, nodes_of(r, row),
        r.limit_min[row] >= kLimitNone ? std::string("-1")
                                       : fmt::format("{}", std::uint64_t{r.limit_min[row]} * 60),
        r.state[last] == static_cast<std::uint8_t>(JobState::Completed) ? 1 : 0,
        final_state(r.state[last]), r.start[row] - result.begin, run, r.end[last] - result.begin,
        wait, turnaround, static_cast<double>(turnaround) / static_cast<double>(run),
        held != nodes.end() ? intervals_text(held->second) : std::string()));
  }
}

}  // namespace rehearse
