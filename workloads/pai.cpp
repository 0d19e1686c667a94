// workloads/pai.cpp — Alibaba PAI 2020 (cluster-trace-gpu-v2020): pai_task_table, with or without
// pai_job_table, or the list of jobs of its simulator (pai_job_no_estimate_100K).
//
// A job of PAI is several tasks of several instances that run together: they become one job with
// the sum of what they plan. Plans are percent of one CPU or GPU. The tables have no header line,
// and their seconds keep the time of the day and the day of the week at UTC+8, but no date
// (README.md of the trace).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "sim/config/text.hpp"
#include "sim/config/units.hpp"
#include "workloads/csv_trace.hpp"
#include "workloads/sacct_lines.hpp"

namespace rehearse {

std::string import_pai(const InputText&, const ImportOptions&, ImportReport&, Diagnostics&);

namespace {

enum ListField : std::size_t { kId, kInstances, kSubmit, kCpus, kGpus, kType, kDuration, kUser };
constexpr std::array<TraceColumn, 8> kList{{{"job_id"},
                                            {"num_inst"},
                                            {"submit_time"},
                                            {"num_cpu"},
                                            {"num_gpu"},
                                            {"gpu_type"},
                                            {"duration"},
                                            {"user"}}};
enum TaskField : std::size_t {
  kJobName,
  kTaskName,
  kInstNum,
  kStatus,
  kStart,
  kEnd,
  kPlanCpu,
  kPlanMem,
  kPlanGpu,
  kGpuType
};
constexpr std::array<TraceColumn, 10> kTask{{{"job_name"},
                                             {"task_name"},
                                             {"inst_num"},
                                             {"status"},
                                             {"start_time"},
                                             {"end_time"},
                                             {"plan_cpu"},
                                             {"plan_mem"},
                                             {"plan_gpu"},
                                             {"gpu_type"}}};
enum JobField : std::size_t { kName, kInstId, kJobUser, kJobStatus, kSubmitted, kEnded };
constexpr std::array<TraceColumn, 6> kJob{
    {{"job_name"}, {"inst_id"}, {"user"}, {"status"}, {"start_time"}, {"end_time"}}};

// 2020-07-02T00:00:00Z: whole weeks after the epoch, so that the day of the week stays.
constexpr std::int64_t kSecondZero = 1593648000;
constexpr std::uint64_t kShards = 8;
constexpr double kCpusOfMachine = 96;

SlurmTime second(std::uint64_t of_trace) {
  return from_epoch_seconds(kSecondZero + static_cast<std::int64_t>(of_trace));
}

std::uint64_t rounded_up(double amount) {
  return static_cast<std::uint64_t>(std::ceil(amount - 1e-9));
}

/// The plan of a job: the sum over its instances.
struct Plan {
  double instances = 0, cpus = 0, memory_gb = 0, gpus = 0;
  std::string type;  ///< of its GPUs, lower case; `,` between several
};

class PaiReader {
 public:
  PaiReader(const InputText& input, const ImportOptions& options, ImportReport& report,
            RowFindings& found)
      : input_(input), options_(options), report_(report), found_(found) {}

  std::string read() {
    if (input_.text.starts_with("job_id,")) {
      if (!options_.more.empty()) {
        found_.fail(1, 1,
                    fmt::format("is a list of jobs, which is one file; {} are given",
                                options_.more.size() + 1),
                    "give it alone; two files are a pai_task_table and its pai_job_table");
        return {};
      }
      read_list();
    } else {
      read_jobs();
      read_tasks();
    }
    tell();
    return sacct_text_of(std::move(lines_));
  }

 private:
  struct Job {
    std::uint64_t row = 0;
    Plan plan;
    std::uint64_t start = UINT64_MAX, end = 0;
    bool failed = false, runs = false;
  };
  struct Launch {
    std::string user;
    std::optional<std::uint64_t> submit;
    bool found = false;
  };

  void read_list();
  void read_jobs();
  void read_tasks();
  bool read_task(CsvTrace& rows);
  void add(const std::string& name, const Job& job);
  void ask(const Plan& plan, SacctLine& line);
  void tell();

  const InputText& input_;
  const ImportOptions& options_;
  ImportReport& report_;
  RowFindings& found_;
  std::map<std::string, Job, std::less<>> jobs_;
  std::map<std::string, Launch, std::less<>> launches_;
  std::vector<SacctLine> lines_;
  std::uint64_t shared_ = 0, added_up_ = 0, several_types_ = 0, no_plan_ = 0, running_ = 0,
                unknown_ = 0, late_ = 0, merged_ = 0;
};

/// GPUs, nodes, CPUs and memory of a plan.
void PaiReader::ask(const Plan& plan, SacctLine& line) {
  const bool one = plan.instances <= 1;
  const std::uint64_t gpus = rounded_up(plan.gpus);
  const bool several = plan.type.find(',') != std::string::npos;
  line.cpus = std::max<std::uint64_t>(1, rounded_up(plan.cpus));
  line.memory_mib = rounded_up(plan.memory_gb * 1024);
  if (several) ++several_types_;
  if (gpus > 0 && one && plan.gpus < 1) {
    ++shared_;
    line.gres = fmt::format(",gres/shard={}", rounded_up(plan.gpus * kShards));
  } else if (gpus > 0 && !several && !plan.type.empty()) {
    line.gres = fmt::format(",gres/gpu:{0}={1},gres/gpu={1}", plan.type, gpus);
  } else {
    line.gpus = gpus;
  }
  const double fraction = plan.gpus - std::floor(plan.gpus);
  if (!one && fraction > 1e-9) ++added_up_;
  const bool small = plan.type == "p100" || plan.type == "t4";
  const double of_machine = small ? 2 : 8;
  line.nodes = std::max<std::uint64_t>(
      1, std::max(rounded_up(static_cast<double>(gpus) / of_machine),
                  rounded_up(static_cast<double>(line.cpus) / kCpusOfMachine)));
  line.cpus = std::max(line.cpus, line.nodes);
  report_.add_run(static_cast<std::uint64_t>(std::llround(plan.gpus * 1000)), line.elapsed);
}

void PaiReader::read_list() {
  CsvTrace rows(input_.text, kList, report_, found_);
  while (rows.next()) {
    const auto id = rows.whole(kId, "a job's id");
    const auto instances = id ? rows.whole(kInstances, "a number of instances") : std::nullopt;
    const auto submit = instances ? rows.whole(kSubmit, "a second of the trace") : std::nullopt;
    const auto cpus = submit ? rows.number(kCpus, "a number of CPUs") : std::nullopt;
    const auto gpus = cpus ? rows.number(kGpus, "a number of GPUs") : std::nullopt;
    const auto duration = gpus ? rows.whole(kDuration, "a run time in seconds") : std::nullopt;
    if (!duration) continue;
    const auto count = static_cast<double>(std::max<std::uint64_t>(1, *instances));
    SacctLine line;
    line.job_id = static_cast<std::uint32_t>(rows.row());
    line.name = fmt::format("pai_{}", *id);
    line.user = line.account = rows[kUser].empty() ? "unknown" : rows[kUser];
    line.partition = "pai";
    line.submit = second(*submit);
    line.start = line.submit;
    line.elapsed = Seconds{static_cast<std::int64_t>(*duration)};
    line.end = *line.start + line.elapsed;
    line.time_limit = invented_limit(line.elapsed);
    const std::string type = to_lower(rows[kType]);
    ask({count, *cpus * count, 0, *gpus * count, type == "cpu" ? "" : type}, line);
    lines_.push_back(std::move(line));
    ++report_.job_rows;
  }
  report_.notes.push_back("no start, memory or status logged: Start = Submit, COMPLETED");
}

/// Who submitted which job, and when; not rows of the import.
void PaiReader::read_jobs() {
  if (options_.more.empty()) return;
  const InputText& table = options_.more.front();
  ImportReport rows_of_jobs;
  RowFindings findings(table.name, UnusableRows::AreErrors, found_.diagnostics());
  CsvTrace rows(table.text, kJob, rows_of_jobs, findings, CsvHeader::MayBeAbsent);
  while (rows.next()) {
    Launch launch{std::string(rows[kJobUser]), std::nullopt};
    if (!rows[kSubmitted].empty()) {
      launch.submit = rows.whole(kSubmitted, "a second of the trace");
      if (!launch.submit) continue;
    }
    launches_.emplace(std::string(rows[kName]), std::move(launch));
  }
  findings.close();
}

void PaiReader::read_tasks() {
  CsvTrace rows(input_.text, kTask, report_, found_, CsvHeader::MayBeAbsent);
  while (rows.next()) {
    if (read_task(rows)) ++report_.job_rows;
  }
  for (const auto& [name, job] : jobs_) add(name, job);
}

bool PaiReader::read_task(CsvTrace& rows) {
  if (rows[kStart].empty()) {
    report_.explain(Explained::NotCalled, rows.line());
    return false;
  }
  const auto amount = [&](std::size_t field, std::string_view what, double absent) {
    return rows[field].empty() ? std::optional(absent) : rows.number(field, what);
  };
  const auto instances = amount(kInstNum, "a number of instances", 1);
  const auto start = instances ? rows.whole(kStart, "a second of the trace") : std::nullopt;
  const auto cpus = start ? amount(kPlanCpu, "percent of a CPU", 0) : std::nullopt;
  const auto memory = cpus ? amount(kPlanMem, "GB of memory", 0) : std::nullopt;
  const auto gpus = memory ? amount(kPlanGpu, "percent of a GPU", 0) : std::nullopt;
  if (!gpus) return false;
  std::optional<std::uint64_t> end;
  if (!rows[kEnd].empty()) {
    end = rows.whole(kEnd, "a second of the trace");
    if (!end) return false;
    if (*end < *start) return rows.refuse(kEnd, "is before the start");
  }
  if (rows[kPlanCpu].empty()) ++no_plan_;
  Job& job = jobs_[std::string(rows[kJobName])];
  if (job.row == 0) {
    job.row = rows.row();
  } else {
    ++merged_;
  }
  job.start = std::min(job.start, *start);
  job.end = std::max(job.end, end.value_or(*start));
  job.runs = job.runs || !end;
  job.failed = job.failed || rows[kStatus] == "Failed";
  job.plan.instances += *instances;
  job.plan.cpus += *instances * *cpus / 100;
  job.plan.memory_gb += *instances * *memory;
  job.plan.gpus += *instances * *gpus / 100;
  const std::string type = to_lower(rows[kGpuType]);
  std::string& types = job.plan.type;
  if (*gpus > 0 && !type.empty() && type != "cpu" && types.find(type) == std::string::npos) {
    types += types.empty() ? type : "," + type;
  }
  return true;
}

void PaiReader::add(const std::string& name, const Job& job) {
  SacctLine& line = lines_.emplace_back();
  line.job_id = static_cast<std::uint32_t>(job.row);
  line.name = name;
  line.user = "unknown";
  line.partition = "pai";
  line.start = second(job.start);
  line.submit = *line.start;
  const auto launch = launches_.find(name);
  if (launch != launches_.end()) {
    launch->second.found = true;
    if (!launch->second.user.empty()) line.user = launch->second.user;
    const std::uint64_t submit = launch->second.submit.value_or(job.start);
    if (submit > job.start) ++late_;
    line.submit = second(std::min(submit, job.start));
  } else {
    ++unknown_;
  }
  line.account = line.user;
  if (job.runs) {
    ++running_;
    line.state = "RUNNING";
    line.elapsed = Seconds{static_cast<std::int64_t>(job.end - job.start)};
  } else {
    line.end = second(job.end);
    line.elapsed = *line.end - *line.start;
    line.time_limit = invented_limit(line.elapsed);
    line.state = job.failed ? "FAILED" : "COMPLETED";
    line.exit_code = job.failed ? 1 : 0;
  }
  ask(job.plan, line);
}

void PaiReader::tell() {
  const auto note = [&](std::uint64_t count, std::string_view what) {
    if (count > 0) report_.notes.push_back(fmt::format("{} {}", count, what));
  };
  report_.jobs = report_.tasks = lines_.size();
  report_.notes.push_back(
      "second 0 is 2020-07-02T00:00:00Z, an invented date: time of day and day of the week are the "
      "trace's at UTC+8 (time_zone: Asia/Shanghai in site.yaml); times are written as UTC");
  note(merged_,
       "rows are further tasks of a job: its tasks are one job with the sum of their plans");
  note(report_[Explained::NotCalled].count, "tasks have no start: they never ran and are left out");
  note(shared_, "jobs plan a part of one GPU: gres/shard, 8 of them a GPU, rounded up");
  note(added_up_, "jobs of several instances plan parts of GPUs, which are added up to whole ones");
  note(several_types_, "jobs have GPUs of several types, and ask for any");
  note(no_plan_, "tasks plan no CPU: one is asked for the job at least");
  note(running_, "jobs have no end: still running");
  note(late_, "jobs started before they were submitted: Submit = Start");
  if (options_.more.empty()) {
    if (!jobs_.empty()) {
      report_.notes.push_back(
          "the table of tasks tells no user and no submission: user unknown, Submit = Start; give "
          "pai_job_table as the second file");
    }
  } else {
    note(unknown_, "jobs are not in the table of jobs: user unknown, Submit = Start");
    const auto unused = std::count_if(launches_.begin(), launches_.end(),
                                      [](const auto& each) { return !each.second.found; });
    note(static_cast<std::uint64_t>(unused),
         "jobs of the table of jobs have no task that started: they are left out");
  }
  report_.notes.push_back(
      "invented: account = user, QOS normal, nodes (2 P100 or T4 a machine, else 8 GPUs, 96 CPUs), "
      "limits, the next round value at or above 1.5 times the run time");
}

}  // namespace

std::string import_pai(const InputText& input, const ImportOptions& options, ImportReport& report,
                       Diagnostics& found) {
  RowFindings findings(input.name, UnusableRows::AreErrors, found);
  std::string text = PaiReader(input, options, report, findings).read();
  findings.close();
  return text;
}

}  // namespace rehearse
