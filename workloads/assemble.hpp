// workloads/assemble.hpp — records into jobs: runs of one job joined, tasks of one array gathered.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/cluster/job_spec.hpp"
#include "sim/config/time_zone.hpp"
#include "workloads/import_report.hpp"
#include "workloads/sacct_options.hpp"
#include "workloads/trace_jobs.hpp"
#include "workloads/trace_records.hpp"

namespace rehearse {

/// Turns the records of a trace into JobSpecs by formats.md §10.4 and §17. Every record given ends
/// as a job row of the report or is explained in it.
class Assembler {
 public:
  Assembler(const SacctOptions& options, NamePool& names, ImportReport& report, RowFindings& found);

  [[nodiscard]] TraceJobs assemble(TraceRecords records);

 private:
  /// All records of one job or array task: its runs, in order.
  struct Runs {
    std::vector<const TraceRecord*> records;  // of use, by submit, start, line
    [[nodiscard]] const TraceRecord& first() const { return *records.front(); }
    [[nodiscard]] const TraceRecord& last() const { return *records.back(); }
  };
  /// What the runs say about the truth.
  struct Truth {
    TrueRun run;
    std::optional<SlurmTime> cancel_at, recorded_start, recorded_end;
    /// Ended as DEADLINE without a run: then it could no longer end in time.
    std::optional<SlurmTime> missed_deadline_at;
  };

  /// A row that others may depend on.
  struct Target {
    std::uint32_t id;
    std::optional<SlurmTime> start, end;
  };

  void job_of_id(const TraceRecord* const* begin, const TraceRecord* const* end);
  std::vector<Runs> split_runs(const TraceRecord* const* begin, const TraceRecord* const* end);
  Runs clean_runs(std::vector<const TraceRecord*> records);
  Truth truth_of(const Runs& runs, std::uint32_t id);
  void end_of_started(const Runs& runs, const RuntimeRow* given, Truth& truth);
  void plain_job(const Runs& runs, std::uint32_t id);
  void array_job(std::vector<Runs> tasks, const TraceRecord* rest);
  void add_rest(const TraceRecord& rest, JobSpec& spec);
  void add_waiting(const std::vector<Runs>& tasks, JobSpec& spec);
  void give_ids(JobSpec& spec);
  void finish_array(const TraceRecord& first, JobSpec spec);
  void check_tasks(const std::vector<Runs>& tasks, JobSpec& spec);
  JobSpec spec_of(const TraceRecord& first, std::optional<SlurmTime> eligible, bool started);
  void apply_submit_line(const TraceRecord& first, JobSpec& spec);
  void leave_updated_out(const TraceRecord& first, JobSpec& spec);
  void set_priority(const TraceRecord& first, const SbatchArgs& args, JobExtras& extras);
  void set_deadline(const Truth& truth, const TraceRecord& last, JobSpec& spec);
  void set_begin(const TraceRecord& first, std::optional<SlurmTime> eligible, bool started,
                 JobSpec& spec);
  void note_targets(const TraceRecords& records);
  [[nodiscard]] bool waits_for_jobs_not_there(const std::string& dependency,
                                              SlurmTime eligible) const;
  void finish(JobSpec spec);
  [[nodiscard]] std::optional<Explained> outside_window(const JobSpec& spec,
                                                        const TraceRecord& last) const;
  void explain_outside(const Runs& runs, Explained reason);
  [[nodiscard]] const RuntimeRow* runtime_of(std::uint32_t id) const;
  void count_run(const Runs& runs, std::uint32_t id);

  const SacctOptions& options_;
  TimeZone zone_;
  NamePool& names_;
  ImportReport& report_;
  RowFindings& found_;
  std::vector<RuntimeRow> runtimes_;  // ascending id
  std::vector<Target> targets_;       // ascending id
  std::uint32_t id_next_ = 1;         // above all ids of the trace
  std::vector<JobSpec> specs_;
  std::vector<RecordedRuns> requeued_;
};

}  // namespace rehearse
