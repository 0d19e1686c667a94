// workloads/philly.cpp — Microsoft Philly 2017: the CSV extract, or the publishers' own JSON.
//
// Neither logs CPUs, memory or limits: 4 CPUs and 16 GiB a GPU, 8 GPUs a node and the next round
// limit above 1.5 times the run time are invented. A retried job is one job, its run time the sum
// of its attempts, as in the extract.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>

#include "sim/config/text.hpp"
#include "workloads/import.hpp"
#include "workloads/local_time.hpp"
#include "workloads/row_findings.hpp"
#include "workloads/sacct_lines.hpp"

namespace rehearse {

std::string import_philly(const InputText&, const ImportOptions&, ImportReport&, Diagnostics&);

namespace {

using Json = nlohmann::json;

constexpr std::uint64_t kGpusPerNode = 8, kCpusPerGpu = 4, kMibPerGpu = 16384;

/// What both forms tell of a job.
struct PhillyJob {
  std::string name = "job", virtual_cluster, user;
  SlurmTime submit;
  std::optional<SlurmTime> start;
  Seconds run_time{0};
  std::uint64_t gpus = 0;
  std::string_view state = "COMPLETED";
};

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view rest = text.substr(static_cast<std::size_t>(stop - text.data()));
  const bool fraction =
      rest.substr(0, 1) == "." && rest.find_first_not_of('0', 1) == std::string_view::npos;
  if (error != std::errc{} || value < 0 || (!rest.empty() && !fraction)) return std::nullopt;
  return value;
}

class PhillyReader {
 public:
  PhillyReader(ImportReport& report, RowFindings& found)
      : clock_("UTC"), report_(report), found_(found) {}

  std::string read(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    const bool is_json = first != std::string_view::npos && text[first] == '[';
    is_json ? read_json(text) : read_csv(text);
    report_.jobs = report_.tasks = report_.job_rows;
    return sacct_text_of(std::move(lines_));
  }

 private:
  void read_csv(std::string_view text);
  bool read_csv_row(std::string_view line, std::uint64_t number, PhillyJob& job);
  void read_json(std::string_view text);
  bool read_json_job(const Json& object, std::uint64_t number, PhillyJob& job);
  void read_attempts(const Json& attempts, PhillyJob& job, bool& has_end);
  std::optional<SlurmTime> time_of(const Json& object, const char* key);
  void add(const PhillyJob& job, std::uint64_t row);

  LocalClock clock_;
  ImportReport& report_;
  RowFindings& found_;
  std::vector<SacctLine> lines_;
};

void PhillyReader::add(const PhillyJob& job, std::uint64_t row) {
  SacctLine& out = lines_.emplace_back();
  out.job_id = static_cast<std::uint32_t>(row);
  out.name = job.name;
  out.account = out.partition = "vc_" + job.virtual_cluster;
  out.user = job.user.empty() ? out.account : job.user;
  out.submit = job.submit;
  out.start = job.start.value_or(job.submit);
  out.elapsed = job.run_time;
  out.end = *out.start + job.run_time;
  out.time_limit = invented_limit(job.run_time);
  out.state = job.state;
  out.exit_code = job.state == "FAILED" ? 1 : 0;
  out.gpus = job.gpus;
  out.nodes = (job.gpus + kGpusPerNode - 1) / kGpusPerNode;
  out.cpus = job.gpus * kCpusPerGpu;
  out.memory_mib = job.gpus * kMibPerGpu;
  ++report_.job_rows;
  report_.add_run(job.gpus * 1000, job.run_time);
}

void PhillyReader::read_csv(std::string_view text) {
  constexpr std::string_view kHeader = "timestamp,duration,num_gpus,gpu_time,cluster";
  std::uint64_t number = 0, row = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    if (line.empty()) continue;
    if (row == 0 && line == kHeader) continue;
    if (row == 0 && number == 1) {
      found_.fail(1, 1, "is not the Philly extract", fmt::format("its first line is {}", kHeader));
      return;
    }
    ++report_.rows_read;
    ++row;
    PhillyJob job;
    if (read_csv_row(line, number, job)) {
      add(job, row);
    } else {
      report_.explain(Explained::Unusable, number);
    }
  }
  report_.notes.push_back(
      "no start, user or status logged: Start = Submit, COMPLETED, the user is "
      "the virtual cluster");
}

bool PhillyReader::read_csv_row(std::string_view line, std::uint64_t number, PhillyJob& job) {
  constexpr std::size_t kFields = 5;
  std::string_view field[kFields];
  std::size_t count = 0;
  for (std::string_view rest = line;;) {
    const std::size_t comma = rest.find(',');
    if (count < kFields) field[count] = rest.substr(0, comma);
    ++count;
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  if (count != kFields) {
    found_.unusable(number, 1, fmt::format("has {} fields, not {}", count, kFields));
    return false;
  }
  const auto bad = [&](std::size_t i, std::string_view what) {
    found_.unusable(number, column_in(line, field[i]), fmt::format("{} {}", shown(field[i]), what));
    return false;
  };
  const ParsedTime submit = parse_sacct_time(field[0], clock_);
  const auto run_time = whole_number(field[1]);
  const auto gpus = whole_number(field[2]);
  constexpr std::int64_t kMost = 1LL << 32U;
  if (submit.word != TimeWord::Told) return bad(0, "is not a time");
  if (!run_time || *run_time > kMost) return bad(1, "is not a run time in seconds");
  if (!gpus || *gpus == 0 || *gpus > kMost) return bad(2, "is not a number of GPUs");
  job.submit = submit.utc.time;
  job.run_time = Seconds{*run_time};
  job.gpus = static_cast<std::uint64_t>(*gpus);
  job.virtual_cluster = field[4];
  return true;
}

std::optional<SlurmTime> PhillyReader::time_of(const Json& object, const char* key) {
  const auto at = object.find(key);
  if (at == object.end() || !at->is_string()) return std::nullopt;
  const ParsedTime parsed = parse_sacct_time(at->get_ref<const std::string&>(), clock_);
  if (parsed.word != TimeWord::Told) return std::nullopt;
  return parsed.utc.time;
}

void PhillyReader::read_json(std::string_view text) {
  const Json jobs = Json::parse(text, nullptr, false);
  if (!jobs.is_array()) {
    found_.fail(0, 0, "is not an array of JSON", "expected cluster_job_log of philly-traces");
    return;
  }
  std::uint64_t number = 0;
  for (const Json& object : jobs) {
    ++number;
    ++report_.rows_read;
    PhillyJob job;
    if (read_json_job(object, number, job)) add(job, number);
  }
  report_.notes.push_back("rows are the objects of the array, counted from 1");
}

/// Adds up the attempts; GPUs are those of the attempt that had most.
void PhillyReader::read_attempts(const Json& attempts, PhillyJob& job, bool& has_end) {
  for (const Json& attempt : attempts) {
    if (!attempt.is_object()) continue;
    std::uint64_t gpus = 0;
    if (const auto detail = attempt.find("detail"); detail != attempt.end() && detail->is_array()) {
      for (const Json& machine : *detail) {
        if (!machine.is_object()) continue;
        const auto list = machine.find("gpus");
        if (list != machine.end() && list->is_array()) gpus += list->size();
      }
    }
    job.gpus = std::max(job.gpus, gpus);
    const auto start = time_of(attempt, "start_time");
    const auto end = time_of(attempt, "end_time");
    if (start && (!job.start || *start < *job.start)) job.start = start;
    if (!start || !end || *end < *start) continue;
    job.run_time += *end - *start;
    has_end = true;
  }
}

bool PhillyReader::read_json_job(const Json& object, std::uint64_t number, PhillyJob& job) {
  const auto unusable = [&](std::string_view what) {
    found_.warn(number, 0, fmt::format("job {}", what));
    report_.explain(Explained::Unusable, number);
    return false;
  };
  if (!object.is_object()) return unusable("is not an object");
  const auto text = [&](const char* key) {
    const auto at = object.find(key);
    return at != object.end() && at->is_string() ? at->get<std::string>() : std::string{};
  };
  const auto submit = time_of(object, "submitted_time");
  if (!submit) return unusable("has no submitted_time");
  job.submit = *submit;
  job.name = text("jobid");
  job.virtual_cluster = text("vc");
  job.user = text("user");
  const std::string status = text("status");
  job.state = status == "Failed" ? "FAILED" : status == "Killed" ? "CANCELLED" : "COMPLETED";
  bool has_end = false;
  const auto attempts = object.find("attempts");
  if (attempts != object.end() && attempts->is_array()) read_attempts(*attempts, job, has_end);
  if (!job.start && status == "Killed") {
    report_.explain(Explained::NotCalled, number);
    return false;
  }
  if (!has_end) return unusable("has no attempt with a start and an end");
  if (job.gpus == 0) return unusable("has no GPUs");
  return true;
}

}  // namespace

std::string import_philly(const InputText& input, const ImportOptions&, ImportReport& report,
                          Diagnostics& found) {
  RowFindings findings(input.name, UnusableRows::AreErrors, found);
  std::string text = PhillyReader(report, findings).read(input.text);
  report.notes.push_back(
      fmt::format("invented: {} CPUs and {} GiB a GPU, {} GPUs a node, QOS normal", kCpusPerGpu,
                  kMibPerGpu / 1024, kGpusPerNode));
  report.notes.push_back(
      "invented: limits, the next round value (15, 30 min, 1, 2, 4, 8, 12 h, 1, "
      "2, 3, 5, 7, 14, 30 d) at or above 1.5 times the run time");
  report.notes.push_back(
      "a retried job is one job; its run time is the sum of its attempts; its "
      "end is its start and that");
  report.notes.push_back("times without a zone are taken as UTC");
  findings.close();
  return text;
}

}  // namespace rehearse
