// workloads/cluster_logs.cpp — Helios 2020 and Acme 2023: a row a job, with start, end and state.
//
// Neither logs a time limit: one that ended TIMEOUT had that of its run time, for others the next
// round limit above 1.5 times the run time is invented. Helios writes the wall clock of its site
// without a zone, Acme a zone; Kalos, one of Acme's two clusters, counts the queueing into its
// duration, so the run time is end minus start.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "workloads/csv_trace.hpp"
#include "workloads/sacct_lines.hpp"

namespace rehearse {

std::string import_helios(const InputText&, const ImportOptions&, ImportReport&, Diagnostics&);
std::string import_acme(const InputText&, const ImportOptions&, ImportReport&, Diagnostics&);

namespace {

enum Field : std::size_t {
  kId,
  kUser,
  kQueue,
  kKind,
  kGpus,
  kCpus,
  kNodes,
  kMemory,
  kState,
  kSubmit,
  kStart,
  kEnd
};
constexpr std::array<TraceColumn, 12> kHelios{{{"job_id"},
                                               {"user"},
                                               {"vc"},
                                               {"name", false},
                                               {"gpu_num"},
                                               {"cpu_num"},
                                               {"node_num"},
                                               {"mem", false},
                                               {"state"},
                                               {"submit_time"},
                                               {"start_time"},
                                               {"end_time"}}};
constexpr std::array<TraceColumn, 12> kAcme{{{"job_id"},
                                             {"user"},
                                             {"vc", false},
                                             {"type"},
                                             {"gpu_num"},
                                             {"cpu_num"},
                                             {"node_num"},
                                             {"mem_per_pod_GB", false},
                                             {"state"},
                                             {"submit_time"},
                                             {"start_time"},
                                             {"end_time"}}};

constexpr std::array<std::string_view, 6> kStates{"COMPLETED", "FAILED",    "CANCELLED",
                                                  "TIMEOUT",   "NODE_FAIL", "OUT_OF_MEMORY"};

class ClusterLog {
 public:
  ClusterLog(std::span<const TraceColumn> columns, const InputText& input, ImportReport& report,
             RowFindings& found)
      : rows_(input.text, columns, report, found), report_(report), clock_("UTC") {}

  std::string read() {
    while (rows_.next()) {
      SacctLine line;
      if (read_row(line)) add(line);
    }
    report_.jobs = report_.tasks = report_.job_rows;
    report_.notes.push_back(
        "no limits logged: invented, the next round value at or above 1.5 times the run time");
    report_.notes.push_back("jobs are numbered by row; the trace's own ids may be words");
    const auto note = [&](std::uint64_t rows, std::string_view what) {
      if (rows > 0) report_.notes.push_back(fmt::format("{} {}", rows, what));
    };
    note(timed_out_, "jobs ended TIMEOUT: their limit is their run time, in whole minutes");
    note(late_, "rows have a submission after the start: Submit = Start");
    note(without_node_, "jobs have no nodes: they count as one");
    return sacct_text_of(std::move(lines_));
  }

 private:
  bool read_row(SacctLine& line) {
    const auto gpus = rows_.whole(kGpus, "a number of GPUs");
    const auto cpus = gpus ? rows_.whole(kCpus, "a number of CPUs") : std::nullopt;
    const auto nodes = cpus ? rows_.whole(kNodes, "a number of nodes") : std::nullopt;
    if (!nodes) return false;
    line.gpus = *gpus;
    line.cpus = std::max<std::uint64_t>(1, *cpus);
    line.nodes = std::max<std::uint64_t>(1, *nodes);
    if (*nodes == 0) ++without_node_;
    const auto state = std::find(kStates.begin(), kStates.end(), rows_[kState]);
    if (state == kStates.end()) return rows_.refuse(kState, "is not a state of these traces");
    line.state = *state;
    line.exit_code = line.state == "FAILED" ? 1 : 0;
    if (!rows_[kMemory].empty()) {
      const auto each = rows_.number(kMemory, "GB of memory of a pod");
      if (!each) return false;
      line.memory_mib = static_cast<std::uint64_t>(std::llround(*each * 1024)) * line.nodes;
    }
    return read_times(line);
  }

  bool read_times(SacctLine& line) {
    std::optional<SlurmTime> submit;
    if (!rows_.time(kSubmit, clock_, submit) || !rows_.time(kStart, clock_, line.start) ||
        !rows_.time(kEnd, clock_, line.end)) {
      return false;
    }
    if (!submit) return rows_.refuse(kSubmit, "is not a time");
    line.submit = *submit;
    if (line.start && line.end && *line.end < *line.start) {
      return rows_.refuse(kEnd, "is before the start");
    }
    if (!line.start && line.state != "CANCELLED") {
      return rows_.refuse(kStart, "is no start of a job that ran");
    }
    if (line.start && !line.end) return rows_.refuse(kEnd, "is no end");
    if (!line.start) return true;
    line.elapsed = *line.end - *line.start;
    if (line.submit > *line.start) {
      ++late_;
      line.submit = *line.start;
    }
    return true;
  }

  void add(SacctLine& line) {
    line.job_id = static_cast<std::uint32_t>(rows_.row());
    line.user = rows_[kUser];
    line.name = rows_[kKind].empty() ? "job" : rows_[kKind];
    const std::string_view queue = rows_[kQueue];
    line.account = line.partition = queue.empty() ? "acme" : std::string(queue);
    if (line.start && line.state == "TIMEOUT") {
      ++timed_out_;
      line.time_limit = std::max(Minutes{1}, std::chrono::floor<Minutes>(line.elapsed));
    } else if (line.start) {
      line.time_limit = invented_limit(line.elapsed);
    }
    report_.add_run(line.gpus * 1000, line.elapsed);
    ++report_.job_rows;
    lines_.push_back(std::move(line));
  }

  CsvTrace rows_;
  ImportReport& report_;
  LocalClock clock_;
  std::vector<SacctLine> lines_;
  std::uint64_t without_node_ = 0, timed_out_ = 0, late_ = 0;
};

std::string read_log(std::span<const TraceColumn> columns, const InputText& input,
                     ImportReport& report, Diagnostics& found, const std::string& note) {
  RowFindings findings(input.name, UnusableRows::AreErrors, found);
  std::string text = ClusterLog(columns, input, report, findings).read();
  report.notes.push_back(note);
  findings.close();
  return text;
}

}  // namespace

std::string import_helios(const InputText& input, const ImportOptions&, ImportReport& report,
                          Diagnostics& found) {
  return read_log(kHelios, input, report, found,
                  "times are the wall clock of the cluster, of no told zone (it stood in China); "
                  "account and partition are the virtual cluster");
}

std::string import_acme(const InputText& input, const ImportOptions&, ImportReport& report,
                        Diagnostics& found) {
  return read_log(kAcme, input, report, found,
                  "times are UTC: time_zone: UTC in site.yaml; no account or partition logged: "
                  "all are acme");
}

}  // namespace rehearse
