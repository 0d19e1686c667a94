// workloads/eagle.cpp — NREL Eagle 2019: a row a job or array task, with the whole request.
//
// An id that stands in several rows is an array, whose tasks are numbered by row. Eagle gave whole
// nodes whatever was asked: that is the site's to say (OverSubscribe=EXCLUSIVE).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "workloads/csv_trace.hpp"
#include "workloads/sacct_lines.hpp"

namespace rehearse {

std::string import_eagle(const InputText&, const ImportOptions&, ImportReport&, Diagnostics&);

namespace {

enum Field : std::size_t {
  kId,
  kUser,
  kAccount,
  kPartition,
  kQos,
  kLimit,
  kNodes,
  kCpus,
  kGpus,
  kMemory,
  kSubmit,
  kStart,
  kEnd,
  kState,
  kName
};
constexpr std::array<TraceColumn, 15> kEagleColumns{{{"job_id"},
                                                     {"user"},
                                                     {"account"},
                                                     {"partition"},
                                                     {"qos"},
                                                     {"wallclock_req"},
                                                     {"nodes_req"},
                                                     {"processors_req"},
                                                     {"gpus_req"},
                                                     {"mem_req"},
                                                     {"submit_time"},
                                                     {"start_time"},
                                                     {"end_time"},
                                                     {"state"},
                                                     {"name", false}}};
constexpr std::array<std::string_view, 6> kStates{"COMPLETED", "FAILED",    "CANCELLED",
                                                  "TIMEOUT",   "NODE_FAIL", "OUT_OF_MEMORY"};

bool read_row(CsvTrace& rows, LocalClock& clock, SacctLine& line) {
  const auto id = rows.whole(kId, "a job's id");
  const auto limit = id ? rows.number(kLimit, "a time limit in seconds") : std::nullopt;
  const auto nodes = limit ? rows.whole(kNodes, "a number of nodes") : std::nullopt;
  const auto cpus = nodes ? rows.whole(kCpus, "a number of processors") : std::nullopt;
  const auto gpus = cpus ? rows.whole(kGpus, "a number of GPUs") : std::nullopt;
  const auto memory = gpus ? rows.number(kMemory, "MB of memory") : std::nullopt;
  if (!memory) return false;
  std::optional<SlurmTime> submit;
  if (!rows.time(kSubmit, clock, submit) || !rows.time(kStart, clock, line.start) ||
      !rows.time(kEnd, clock, line.end)) {
    return false;
  }
  if (!submit) return rows.refuse(kSubmit, "is not a time");
  if (line.start && (!line.end || *line.end < *line.start)) {
    return rows.refuse(kEnd, "is no end after the start");
  }
  const auto state = std::find(kStates.begin(), kStates.end(), rows[kState]);
  if (state == kStates.end()) return rows.refuse(kState, "is not a state of this trace");
  line.job_id = static_cast<std::uint32_t>(*id);
  line.user = rows[kUser];
  line.account = rows[kAccount];
  line.partition = rows[kPartition];
  line.qos = rows[kQos];
  line.name = rows[kName].empty() ? "job" : rows[kName];
  line.submit = *submit;
  line.time_limit = Minutes{static_cast<std::int64_t>(std::ceil(*limit / 60))};
  line.nodes = std::max<std::uint64_t>(1, *nodes);
  line.cpus = std::max<std::uint64_t>(1, *cpus);
  line.gpus = *gpus;
  line.memory_mib = static_cast<std::uint64_t>(std::llround(*memory));
  line.state = *state;
  line.exit_code = line.state == "FAILED" ? 1 : 0;
  if (line.start) line.elapsed = *line.end - *line.start;
  return true;
}

}  // namespace

std::string import_eagle(const InputText& input, const ImportOptions&, ImportReport& report,
                         Diagnostics& found) {
  RowFindings findings(input.name, UnusableRows::AreErrors, found);
  CsvTrace rows(input.text, kEagleColumns, report, findings);
  LocalClock clock("UTC");
  std::vector<SacctLine> lines;
  std::map<std::uint32_t, std::uint32_t> times;
  while (rows.next()) {
    SacctLine line;
    if (!read_row(rows, clock, line)) continue;
    ++times[line.job_id];
    report.add_run(line.gpus * 1000, line.elapsed);
    lines.push_back(std::move(line));
  }
  std::map<std::uint32_t, std::uint32_t> task;
  for (SacctLine& line : lines) {
    if (times[line.job_id] > 1) line.array_task = task[line.job_id]++;
  }
  report.tasks = report.job_rows = lines.size();
  report.jobs = times.size();
  report.arrays = static_cast<std::uint64_t>(
      std::count_if(times.begin(), times.end(), [](const auto& each) { return each.second > 1; }));
  report.notes.push_back(
      "times are the wall clock of the site: time_zone: America/Denver in site.yaml");
  report.notes.push_back(
      "whole nodes were given whatever was asked: OverSubscribe=EXCLUSIVE in slurm.conf");
  report.notes.push_back("submit lines, folders and names are hashed: options are not read");
  findings.close();
  return sacct_text_of(std::move(lines));
}

}  // namespace rehearse
