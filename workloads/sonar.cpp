// workloads/sonar.cpp — samples of Slurm's jobs by NordicHPC's sonar: JSON documents one after the
// other, each with the jobs and steps of the last while (sonar's new data format, type `job`).
//
// A job stands in every sample until it has ended: its last one counts. Times have a zone.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>

#include "sim/config/text.hpp"
#include "sim/config/units.hpp"
#include "workloads/import.hpp"
#include "workloads/local_time.hpp"
#include "workloads/row_findings.hpp"
#include "workloads/sacct_lines.hpp"

namespace rehearse {

std::string import_sonar(const InputText&, const ImportOptions&, ImportReport&, Diagnostics&);

namespace {

using Json = nlohmann::json;

constexpr std::array<std::string_view, 12> kStates{
    "PENDING", "RUNNING",   "SUSPENDED", "COMPLETED", "FAILED",   "CANCELLED",
    "TIMEOUT", "PREEMPTED", "NODE_FAIL", "BOOT_FAIL", "DEADLINE", "OUT_OF_MEMORY"};

std::string text_of(const Json& object, const char* key) {
  const auto at = object.find(key);
  return at != object.end() && at->is_string() ? at->get<std::string>() : std::string{};
}

std::uint64_t count_of(const Json& object, const char* key) {
  const auto at = object.find(key);
  return at != object.end() && at->is_number_unsigned() ? at->get<std::uint64_t>() : 0;
}

/// The end of the JSON value that begins at `begin`: behind its closing brace; npos: it is cut.
std::size_t end_of_object(std::string_view text, std::size_t begin) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = begin; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      if (c == '"') quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if (c == '}' || c == ']') {
      if (--depth == 0) return i + 1;
    }
  }
  return std::string_view::npos;
}

class SonarReader {
 public:
  SonarReader(ImportReport& report, RowFindings& found)
      : clock_("UTC"), report_(report), found_(found) {}

  std::string read(std::string_view text) {
    std::size_t at = text.find_first_not_of(" \t\r\n");
    if (at == std::string_view::npos || text[at] != '{') {
      found_.fail(1, 1, "is not sonar's JSON",
                  "its sacct lines and Jobanalyzer's slurm-sacct.csv are sacct text: put them into "
                  "a site as sacct.txt, or give the columns to import sacct");
      return {};
    }
    while (at != std::string_view::npos) {
      const auto line = static_cast<std::uint64_t>(
          std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n') + 1);
      const std::size_t end = text[at] == '{' ? end_of_object(text, at) : std::string_view::npos;
      const bool whole = end != std::string_view::npos;
      const Json document = whole ? Json::parse(text.substr(at, end - at), nullptr, false)
                                  : Json(Json::value_t::discarded);
      if (document.is_discarded()) {
        found_.fail(line, 1, "is no whole JSON object", "the file is cut, or holds something else");
        return {};
      }
      read_sample(document, line);
      at = text.find_first_not_of(" \t\r\n", end);
    }
    tell();
    return sacct_text_of(std::move(lines_));
  }

 private:
  void read_sample(const Json& document, std::uint64_t line);
  void read_row(const Json& row);
  bool read_job(const Json& row, SacctLine& line);
  [[nodiscard]] std::uint64_t ask(const Json& row, SacctLine& line);
  std::optional<SlurmTime> time_of(const Json& object, const char* key);
  bool refuse(std::string_view what) {
    found_.unusable(report_.rows_read, 0, fmt::format("row {}: {}", report_.rows_read, what));
    report_.explain(Explained::Unusable, report_.rows_read);
    return false;
  }
  void tell();

  LocalClock clock_;
  ImportReport& report_;
  RowFindings& found_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::size_t> known_;  // by job and task
  std::vector<SacctLine> lines_;
  struct Origin {
    std::uint64_t row = 0;
    std::uint64_t gpus = 0;
  };
  std::vector<Origin> origins_;  // beside them
  std::uint64_t samples_ = 0, other_kinds_ = 0, late_ = 0, unasked_ = 0;
};

void SonarReader::read_sample(const Json& document, std::uint64_t line) {
  const Json& data = document.contains("data") ? document["data"] : document;
  const bool is_job = data.is_object() && text_of(data, "type") == "job";
  const auto attributes = is_job ? data.find("attributes") : data.end();
  if (!is_job || attributes == data.end() || !attributes->contains("slurm_jobs")) {
    ++other_kinds_;
    found_.warn(line, 1, "a document without slurm_jobs is left out");
    return;
  }
  ++samples_;
  for (const Json& row : (*attributes)["slurm_jobs"]) {
    ++report_.rows_read;
    read_row(row);
  }
}

void SonarReader::read_row(const Json& row) {
  if (!row.is_object()) {
    refuse("is no object");
    return;
  }
  if (!text_of(row, "job_step").empty()) {
    report_.explain(Explained::Step, report_.rows_read);
    return;
  }
  SacctLine line;
  if (!read_job(row, line)) return;
  const Origin origin{report_.rows_read, ask(row, line)};
  const std::uint64_t task = line.array_task ? std::uint64_t{*line.array_task} + 1 : 0;
  const auto [known, is_new] = known_.try_emplace({line.job_id, task}, lines_.size());
  if (is_new) {
    lines_.push_back(std::move(line));
    origins_.push_back(origin);
  } else {
    report_.explain(Explained::SameRowAgain, origins_[known->second].row);
    lines_[known->second] = std::move(line);
    origins_[known->second] = origin;
  }
}

std::optional<SlurmTime> SonarReader::time_of(const Json& object, const char* key) {
  const ParsedTime parsed = parse_sacct_time(text_of(object, key), clock_);
  return parsed.word == TimeWord::Told ? std::optional(parsed.utc.time) : std::nullopt;
}

bool SonarReader::read_job(const Json& row, SacctLine& line) {
  const std::uint64_t array = count_of(row, "array_job_id");
  const std::uint64_t id = array > 0 ? array : count_of(row, "job_id");
  if (id == 0 || id > UINT32_MAX) return refuse("has no job_id");
  const std::string word = text_of(row, "job_state");
  const auto state = std::find(kStates.begin(), kStates.end(), word.substr(0, word.find(' ')));
  if (state == kStates.end()) return refuse(fmt::format("{} is no state", shown(word)));
  const auto submit = time_of(row, "submit_time");
  if (!submit) return refuse("has no submit_time");
  line.job_id = static_cast<std::uint32_t>(id);
  if (array > 0) line.array_task = static_cast<std::uint32_t>(count_of(row, "array_task_id"));
  line.name = text_of(row, "job_name");
  line.user = text_of(row, "user_name");
  line.account = text_of(row, "account");
  line.partition = text_of(row, "partition");
  line.state = *state;
  line.submit = *submit;
  const bool waits = *state == "PENDING";
  if (!waits) line.start = time_of(row, "start_time");
  line.end = waits ? std::nullopt : time_of(row, "end_time");
  if (line.start && line.end && *line.end < *line.start) return refuse("ends before its start");
  if (line.start && *line.start < line.submit) {
    ++late_;
    line.submit = *line.start;
  }
  line.exit_code =
      static_cast<std::int32_t>(std::min<std::uint64_t>(count_of(row, "exit_code"), 255));
  const auto sacct = row.find("sacct");
  const Json& figures = sacct != row.end() && sacct->is_object() ? *sacct : row;
  line.elapsed = line.start && line.end
                     ? *line.end - *line.start
                     : Seconds{static_cast<std::int64_t>(count_of(figures, "ElapsedRaw"))};
  // Seconds, two more than the limit in minutes.
  const std::uint64_t limit = count_of(row, "time_limit");
  if (limit > 0) line.time_limit = Minutes{static_cast<std::int64_t>(limit / 60)};
  return true;
}

/// What it asks for, into the line; its GPUs.
std::uint64_t SonarReader::ask(const Json& row, SacctLine& line) {
  std::uint64_t gpus = 0;
  line.cpus = std::max<std::uint64_t>(1, count_of(row, "requested_cpus"));
  line.nodes = std::max<std::uint64_t>(1, count_of(row, "requested_node_count"));
  line.memory_mib = count_of(row, "requested_memory_per_node") / 1024 * line.nodes;
  std::string tres = text_of(row, "requested_resources");
  if (tres.empty()) tres = text_of(row, "allocated_resources");
  const auto sacct = row.find("sacct");
  if (tres.empty() && sacct != row.end() && sacct->is_object()) tres = text_of(*sacct, "AllocTRES");
  if (tres.empty()) ++unasked_;
  for (const std::string_view part : split_list(tres)) {
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos) continue;
    const std::string_view name = part.substr(0, equals), value = part.substr(equals + 1);
    if (name.starts_with("gres/")) line.gres += fmt::format(",{}", part);
    if (name == "mem") line.memory_mib = parse_memory_mib(value).value_or(line.memory_mib);
    std::uint64_t count = 0;
    for (const char c : value)
      count = c >= '0' && c <= '9' ? count * 10 + std::uint64_t(c - '0') : 0;
    if (name == "cpu" && count > 0) line.cpus = count;
    if (name == "node" && count > 0) line.nodes = count;
    if (name == "gres/gpu") gpus += count;
  }
  return gpus;
}

void SonarReader::tell() {
  const auto note = [&](std::uint64_t count, std::string_view what) {
    if (count > 0) report_.notes.push_back(fmt::format("{} {}", count, what));
  };
  report_.job_rows = report_.jobs = report_.tasks = lines_.size();
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    report_.add_run(origins_[i].gpus * 1000, lines_[i].elapsed);
  }
  note(samples_,
       "samples; rows are their jobs and steps, counted from 1; the last of a job counts");
  note(other_kinds_, "documents are of another kind and left out");
  note(late_, "rows have a submission after the start: Submit = Start");
  note(unasked_, "rows tell neither memory nor GPUs: only CPUs and nodes are asked for");
  report_.notes.push_back("no QOS logged: normal; limits in whole minutes; times are UTC");
}

}  // namespace

std::string import_sonar(const InputText& input, const ImportOptions&, ImportReport& report,
                         Diagnostics& found) {
  RowFindings findings(input.name, UnusableRows::AreErrors, found);
  std::string text = SonarReader(report, findings).read(input.text);
  findings.close();
  return text;
}

}  // namespace rehearse
