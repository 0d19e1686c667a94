// sim/output/export/registry.cpp — the one list of formats. Adding one takes a word and a line.
#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "sim/output/export/export.hpp"

namespace rehearse {
namespace {

constexpr std::array kFormats{
    ExportFormat{"sacct",
                 "sacct -P text, in the order of fields that Open XDMoD reads; without SubmitLine",
                 export_sacct},
    ExportFormat{"csv", "a row a run of a job, for spreadsheets and data frames", export_csv},
    ExportFormat{"perfetto", "Chrome trace JSON: who held which GPU, and the queue",
                 export_perfetto},
    ExportFormat{"openmetrics", "what Prometheus exporters of Slurm and NVIDIA would have told",
                 export_openmetrics},
    ExportFormat{"batsim", "a workload of Batsim: jobs, and delay profiles as long as they ran",
                 export_batsim},
    ExportFormat{"batsim-jobs", "the schedule as Batsim's jobs.csv, for Evalys",
                 export_batsim_jobs},
    ExportFormat{"swf", "Standard Workload Format 2.2: a line a job, 18 fields", export_swf},
};

}  // namespace

std::span<const ExportFormat> export_formats() {
  return kFormats;
}

const ExportFormat* find_export_format(std::string_view name) {
  for (const ExportFormat& format : kFormats) {
    if (format.name == name) return &format;
  }
  return nullptr;
}

std::vector<ExportedJob> exported_jobs(const Result& result) {
  const RunColumns& runs = result.runs;
  std::vector<ExportedJob> jobs;
  std::map<std::tuple<std::uint32_t, std::int32_t>, std::size_t> place;
  for (std::uint32_t row = 0; row < runs.size(); ++row) {
    const std::tuple key{runs.job_id[row], runs.array_task[row]};
    const auto known = place.find(key);
    const bool goes_on =
        known != place.end() &&
        (runs.restarts[row] > 0 || runs.state[jobs[known->second].last] == kStateResizing);
    if (!goes_on) {
      place[key] = jobs.size();
      jobs.push_back({row, row, 0});
    }
    ExportedJob& job = jobs[place[key]];
    job.last = row;
    if (runs.start[row] == kNoTime) continue;
    const std::int64_t end = runs.end[row] == kNoTime ? result.end : runs.end[row];
    job.run_s += end - runs.start[row] - std::int64_t{runs.suspended_s[row]};
  }
  std::stable_sort(jobs.begin(), jobs.end(), [&](const ExportedJob& a, const ExportedJob& b) {
    return std::tuple(runs.submit[a.first], runs.job_id[a.first]) <
           std::tuple(runs.submit[b.first], runs.job_id[b.first]);
  });
  return jobs;
}

std::string partition_name(const Result& result, std::size_t row) {
  if (result.runs.start[row] == kNoTime) {
    return text_of(result.names.partition_list, result.runs.requested_partitions[row]);
  }
  return result.cluster.partitions[result.runs.partition[row]].name;
}

std::string qos_name(const Result& result, std::size_t row) {
  const std::uint16_t at = result.runs.qos[row];
  return at < result.cluster.qos.size() ? result.cluster.qos[at].name : std::string();
}

}  // namespace rehearse
