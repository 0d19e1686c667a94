// workloads/swf.cpp — Standard Workload Format 2.2 (formats.md §16).
//
// -1 is "not known" everywhere. A job of several bursts has a line of its own for the whole (status
// 0, 1 or 5) and one a burst (2, 3, 4); only the first kind is a job.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <string>

#include "sim/config/text.hpp"
#include "workloads/import.hpp"
#include "workloads/local_time.hpp"
#include "workloads/row_findings.hpp"
#include "workloads/sacct_lines.hpp"

namespace rehearse {

std::string import_swf(const InputText&, const ImportOptions&, ImportReport&, Diagnostics&);

namespace {

constexpr std::size_t kFields = 18;
constexpr SlurmTime kOrigin{Seconds{1672617600}};  // 2023-01-02T00:00:00Z, a Monday

/// The fields by their numbers in the definition of the format.
struct SwfJob {
  std::array<std::int64_t, kFields + 1> field{};
  [[nodiscard]] std::int64_t id() const { return field[1]; }
  [[nodiscard]] std::int64_t submit() const { return field[2]; }
  [[nodiscard]] std::int64_t wait() const { return field[3]; }
  [[nodiscard]] std::int64_t run() const { return field[4]; }
  [[nodiscard]] std::int64_t processors() const { return field[8] > 0 ? field[8] : field[5]; }
  [[nodiscard]] std::int64_t limit() const { return field[9]; }
  [[nodiscard]] std::int64_t memory_kib() const { return field[10]; }
  [[nodiscard]] std::int64_t status() const { return field[11]; }
  [[nodiscard]] std::int64_t queue() const { return field[15]; }
  [[nodiscard]] std::int64_t partition() const { return field[16]; }
  [[nodiscard]] std::int64_t preceding() const { return field[17]; }
  [[nodiscard]] std::int64_t think() const { return field[18]; }
  [[nodiscard]] bool is_burst() const { return status() >= 2 && status() <= 4; }
};

/// An integer, or a decimal number whose fraction is cut.
std::optional<std::int64_t> number(std::string_view text) {
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{}) return std::nullopt;
  if (stop == end) return value;
  const bool decimal = *stop == '.' && std::all_of(stop + 1, end, is_digit);
  return decimal ? std::optional{value} : std::nullopt;
}

/// Of the header, where a remark may stand behind it: `338 (batch alone)`, and `1,152`.
std::optional<std::int64_t> header_number(std::string_view text) {
  std::string digits(text.substr(0, text.find_first_of(" \t(")));
  std::erase(digits, ',');
  return number(digits);
}

class SwfReader {
 public:
  SwfReader(const ImportOptions& options, ImportReport& report, RowFindings& found)
      : options_(options), report_(report), found_(found) {}

  std::string read(std::string_view text);

 private:
  void read_header(std::string_view line);
  void read_job(std::string_view line);
  void write_job(const SwfJob& job, std::uint64_t line);
  bool write_end(const SwfJob& job, std::uint64_t line, SacctLine& out);
  void find_node_size();
  [[nodiscard]] std::uint64_t gpus_of(const SwfJob& job) const;
  [[nodiscard]] SlurmTime at(std::int64_t second) const;

  const ImportOptions& options_;
  ImportReport& report_;
  RowFindings& found_;
  std::map<std::string, std::string> header_;
  std::vector<std::pair<SwfJob, std::uint64_t>> jobs_;
  std::vector<SacctLine> lines_;
  std::uint64_t line_ = 0;
  std::uint64_t processors_per_node_ = 0;
  SlurmTime origin_ = kOrigin;
};

std::string SwfReader::read(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    ++line_;
    if (line.empty()) continue;
    if (line.front() == ';') {
      read_header(line.substr(1));
    } else {
      read_job(line);
    }
  }
  find_node_size();
  if (const auto start = header_number(header_["UnixStartTime"]); start && *start > 0) {
    origin_ = from_epoch_seconds(*start);
  } else {
    report_.notes.push_back("no UnixStartTime: second 0 is 2023-01-02T00:00:00 UTC (invented)");
  }
  std::map<std::int64_t, bool> has_summary;
  std::map<std::int64_t, std::uint64_t> lines_of;
  for (const auto& [job, line] : jobs_) has_summary[job.id()] |= !job.is_burst();
  for (const auto& [job, line] : jobs_) {
    const bool last_burst = job.status() == 3 || job.status() == 4;
    if (job.is_burst() && (has_summary[job.id()] || !last_burst)) {
      report_.explain(Explained::EarlierRun, line);
    } else if (const auto [first, is_new] = lines_of.emplace(job.id(), line); is_new) {
      write_job(job, line);
    } else {  // sacct has several rows of a job only where it was requeued
      found_.unusable(line, 1, fmt::format("job {} is on line {}, too", job.id(), first->second),
                      "each job has a number of its own");
      report_.explain(Explained::Unusable, line);
    }
  }
  report_.notes.push_back(
      "users, groups, queues and applications are the numbers of the log, -1 where it has none");
  report_.jobs = report_.tasks = report_.job_rows;
  return sacct_text_of(std::move(lines_));
}

void SwfReader::read_header(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return;
  header_.emplace(trimmed(line.substr(0, colon)), trimmed(line.substr(colon + 1)));
}

void SwfReader::read_job(std::string_view line) {
  ++report_.rows_read;
  SwfJob job;
  std::size_t count = 0;
  for (std::string_view rest = line; !rest.empty(); rest = trimmed(rest)) {
    const std::size_t end = std::min(rest.find_first_of(" \t"), rest.size());
    const std::string_view text = rest.substr(0, end);
    rest.remove_prefix(end);
    const auto value = number(text);
    if (++count > kFields) break;
    if (!value) {
      found_.unusable(line_, column_in(line, text),
                      fmt::format("{} is not a number (field {})", shown(text), count));
      report_.explain(Explained::Unusable, line_);
      return;
    }
    job.field[count] = *value;
  }
  if (count != kFields) {
    found_.unusable(line_, 1, fmt::format("has {} fields, SWF has {}", count, kFields));
    report_.explain(Explained::Unusable, line_);
    return;
  }
  jobs_.emplace_back(job, line_);
}

void SwfReader::find_node_size() {
  processors_per_node_ = options_.processors_per_node;
  if (processors_per_node_ > 0) return;
  const auto nodes = header_number(header_["MaxNodes"]);
  const auto processors = header_number(header_["MaxProcs"]);
  if (nodes && processors && *nodes > 0 && *processors >= *nodes) {
    processors_per_node_ = static_cast<std::uint64_t>(*processors / *nodes);
    report_.notes.push_back(
        fmt::format("{} processors a node: MaxProcs / MaxNodes", processors_per_node_));
    return;
  }
  found_.fail(0, 0, "does not say how many processors a node has (MaxNodes and MaxProcs)",
              "name it: rehearse import swf … --processors-per-node N");
  processors_per_node_ = 1;
}

SlurmTime SwfReader::at(std::int64_t second) const {
  return origin_ + Seconds{second};
}

std::uint64_t SwfReader::gpus_of(const SwfJob& job) const {
  const auto by = [&](const std::map<std::uint32_t, GpuRate>& rates,
                      std::int64_t key) -> std::uint64_t {
    if (key < 0) return 0;
    const auto rate = rates.find(static_cast<std::uint32_t>(key));
    if (rate == rates.end() || rate->second.processors == 0) return 0;
    const auto asked = static_cast<std::uint64_t>(job.processors()) * rate->second.gpus;
    return (asked + rate->second.processors - 1) / rate->second.processors;
  };
  return std::max(by(options_.queue_gpus, job.queue()),
                  by(options_.partition_gpus, job.partition()));
}

/// Start, end and state; false: it cannot be told, and is explained.
bool SwfReader::write_end(const SwfJob& job, std::uint64_t line, SacctLine& out) {
  const bool cancelled = job.status() == 5;
  if (cancelled && job.run() <= 0) {
    if (job.wait() < 0) {
      report_.explain(Explained::NotCalled, line);
      return false;
    }
    out.state = "CANCELLED";
    out.end = out.submit + Seconds{job.wait()};
    return true;
  }
  if (job.run() < 0) {
    found_.warn(line, 0, "has no run time and was not cancelled; it is left out");
    report_.explain(Explained::Unusable, line);
    return false;
  }
  out.start = out.submit + Seconds{std::max<std::int64_t>(job.wait(), 0)};
  out.elapsed = Seconds{job.run()};
  out.end = *out.start + out.elapsed;
  const bool failed = job.status() == 0 || job.status() == 4;
  out.state = cancelled ? "CANCELLED" : failed ? "FAILED" : "COMPLETED";
  out.exit_code = failed ? 1 : 0;
  return true;
}

void SwfReader::write_job(const SwfJob& job, std::uint64_t line) {
  constexpr std::int64_t kMost = 1LL << 36U;
  const bool in_range = job.id() > 0 && job.id() < (1LL << 31U) && job.processors() > 0 &&
                        job.processors() < (1LL << 31U) &&
                        std::all_of(job.field.begin(), job.field.end(), [](std::int64_t value) {
                          return value < kMost && value > -kMost;
                        });
  if (!in_range || job.submit() < 0) {
    found_.warn(line, 0, "has no job number, submit time or processors; it is left out");
    report_.explain(Explained::Unusable, line);
    return;
  }
  SacctLine out;
  out.job_id = static_cast<std::uint32_t>(job.id());
  out.name = fmt::format("app{}", job.field[14]);
  out.user = fmt::format("u{}", job.field[12]);
  out.account = fmt::format("g{}", job.field[13]);
  out.partition =
      job.queue() >= 0 ? fmt::format("q{}", job.queue()) : fmt::format("p{}", job.partition());
  out.submit = at(job.submit());
  if (!write_end(job, line, out)) return;
  if (std::max(out.submit, out.end.value_or(out.submit)) >= kTimesEnd) {
    found_.warn(line, 0, "ends in 2106 or later, which no clock of 32 bits tells; it is left out");
    report_.explain(Explained::Unusable, line);
    return;
  }
  const auto processors = static_cast<std::uint64_t>(job.processors());
  out.cpus = processors;
  out.nodes = (processors + processors_per_node_ - 1) / processors_per_node_;
  out.gpus = gpus_of(job);
  if (job.memory_kib() > 0) {
    constexpr std::uint64_t kKibPerMib = 1024;
    out.memory_mib =
        (static_cast<std::uint64_t>(job.memory_kib()) * processors + kKibPerMib - 1) / kKibPerMib;
  }
  if (job.limit() > 0) {
    out.time_limit = std::chrono::ceil<Minutes>(Seconds{job.limit()});
  } else if (options_.invent_limits) {
    out.time_limit = invented_limit(out.elapsed);
  }
  if (job.preceding() > 0) {
    out.submit_line = fmt::format("sbatch --dependency=afterany:{} job", job.preceding());
    if (job.think() > 0) report_.assume(Assumed::ThinkTime, line);
  }
  ++report_.job_rows;
  report_.add_run(out.gpus * 1000, out.elapsed);
  lines_.push_back(std::move(out));
}

}  // namespace

std::string import_swf(const InputText& input, const ImportOptions& options, ImportReport& report,
                       Diagnostics& found) {
  RowFindings findings(input.name, UnusableRows::AreErrors, found);
  std::string text = SwfReader(options, report, findings).read(input.text);
  report.notes.push_back(options.invent_limits
                             ? "limits not logged are invented: the next round value at or above "
                               "1.5 times the run time"
                             : "no limit logged: Partition_Limit, the partition's own");
  findings.close();
  return text;
}

}  // namespace rehearse
