// workloads/recorded_history.cpp — rows as runs, in order of their starts.
#include "workloads/recorded_history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

#include "sim/config/hostlist.hpp"
#include "workloads/record_reader.hpp"
#include "workloads/tres_request.hpp"

namespace rehearse {
namespace {

StartedBy loop_of(std::string_view flags) {
  if (flags.find("SchedBackfill") != std::string_view::npos) return StartedBy::Backfill;
  if (flags.find("SchedMain") != std::string_view::npos) return StartedBy::Main;
  if (flags.find("SchedSubmit") != std::string_view::npos) return StartedBy::Submit;
  return StartedBy::Nobody;
}

JobState outcome_of(RowState state) {
  switch (state) {
    case RowState::Failed:
      return JobState::Failed;
    case RowState::OutOfMemory:
      return JobState::OutOfMemory;
    case RowState::Timeout:
      return JobState::Timeout;
    case RowState::Deadline:
      return JobState::Deadline;
    case RowState::Cancelled:
      return JobState::Cancelled;
    case RowState::NodeFail:
      return JobState::NodeFail;
    case RowState::CutShort:
      return JobState::Preempted;
    default:
      return JobState::Completed;
  }
}

class Reader {
 public:
  Reader(InputStream input, const SacctOptions& options, const Cluster& cluster, Diagnostics& found,
         HistoryUse use)
      : options_(options),
        use_(use),
        cluster_(cluster),
        found_(found),
        findings_(input.name(), options.unusable_rows, found),
        records_(options, names_, requests_, report_, findings_),
        table_(TextWindow(std::move(input)), options.form, report_, findings_) {}

  std::vector<ForcedRun> read() {
    SacctRow row;
    while (table_.next(row)) {
      const bool is_whole = row.has(Column::Flags) && row.has(Column::NodeList);
      if (!is_whole && use_ == HistoryUse::Decisions) {
        found_.error(findings_.at(1, 0), "decisions need the columns Flags and NodeList",
                     "sacct -a -X -D -P --format=ALL prints them");
        break;
      }
      TraceRecord record;
      if (records_.read(row, record)) add(row, record);
    }
    findings_.close();
    std::stable_sort(runs_.begin(), runs_.end(), [](const ForcedRun& a, const ForcedRun& b) {
      return std::tie(a.start, a.job) < std::tie(b.start, b.job);
    });
    mark_requeued();
    return std::move(runs_);
  }

 private:
  void add(const SacctRow& row, const TraceRecord& record) {
    if (!record.started || !record.start) return;
    if ((options_.from && record.submit < *options_.from) ||
        (options_.to && record.submit >= *options_.to)) {
      return;
    }
    ForcedRun run;
    run.job = JobId{record.raw_id != 0 ? record.raw_id : record.job_id};
    run.submit = record.submit;
    run.start = *record.start;
    run.partition = partition_of(row);
    run.end = record.end;
    run.by = loop_of(row[Column::Flags]);
    run.outcome = outcome_of(record.state);
    run.resizes = record.state == RowState::Resizing;
    const auto held = parse_tres_text(row[Column::AllocTres]);
    run.cpus = held.cpus;
    run.memory_mib = held.memory_mib;
    if (!read_nodes(row, run.nodes)) return;
    runs_.push_back(std::move(run));
  }

  /// False: the run is of no use.
  bool read_nodes(const SacctRow& row, std::vector<NodeId>& nodes) {
    const bool must = use_ == HistoryUse::Decisions;
    const HostlistResult hosts = expand_hostlist(row[Column::NodeList]);
    if (!hosts.error.empty()) {
      if (!must) return true;
      found_.error(findings_.at(row.line, 0), fmt::format("NodeList: {}", hosts.error), {});
      return false;
    }
    for (const std::string& host : hosts.hosts) {
      const auto name = cluster_.names.find(host);
      const auto node = name ? cluster_.find_node(*name) : std::nullopt;
      if (!node && !must) {
        nodes.clear();
        return true;
      }
      if (!node) {
        found_.error(findings_.at(row.line, 0),
                     fmt::format("NodeList: slurm.conf has no node '{}'", host),
                     "give the slurm.conf under which the jobs ran");
        return false;
      }
      nodes.push_back(*node);
    }
    std::sort(nodes.begin(), nodes.end());
    return !must || !nodes.empty();
  }

  /// The partition it ran in; that of the queue where the row tells none or several.
  [[nodiscard]] PartitionId partition_of(const SacctRow& row) const {
    const auto name = cluster_.names.find(row[Column::Partition]);
    const auto partition = name ? cluster_.find_partition(*name) : std::nullopt;
    return partition.value_or(cluster_.default_partition.value_or(PartitionId{}));
  }

  /// A run that another run of the job follows ended in a requeue.
  void mark_requeued() {
    std::map<JobId, std::size_t> last;
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      const auto [at, is_new] = last.emplace(runs_[i].job, i);
      if (is_new) continue;
      ForcedRun& before = runs_[at->second];
      if (before.resizes) {
        runs_[i].resized = true;
        runs_[i].by = StartedBy::Nobody;
      } else {
        before.requeued = runs_[i].submit;
        // What started a run after the failure of a node, sacct does not tell: its Flags stay.
        runs_[i].keeps_loop = before.outcome == JobState::NodeFail;
      }
      at->second = i;
    }
  }

  const SacctOptions& options_;
  HistoryUse use_;
  const Cluster& cluster_;
  Diagnostics& found_;
  NamePool names_;         // of the rows: what the jobs name is known already
  RequestTable requests_;  // likewise
  ImportReport report_;
  RowFindings findings_;
  RecordReader records_;
  SacctTable table_;
  std::vector<ForcedRun> runs_;
};

}  // namespace

std::vector<ForcedRun> read_recorded_runs(InputStream input, const SacctOptions& options,
                                          const Cluster& cluster, Diagnostics& found,
                                          HistoryUse use) {
  return Reader(std::move(input), options, cluster, found, use).read();
}

}  // namespace rehearse
