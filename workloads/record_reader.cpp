// workloads/record_reader.cpp — identity, state, times and limits of a row.
#include "workloads/record_reader.hpp"

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <cmath>
#include <utility>

#include "sim/config/text.hpp"
#include "sim/config/units.hpp"

namespace rehearse {
namespace {

template <typename Number>
std::optional<Number> number(std::string_view text) {
  Number value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

struct StateName {
  std::string_view name;
  RowState state;
};

constexpr StateName kStates[] = {
    {"COMPLETED", RowState::Completed},       {"FAILED", RowState::Failed},
    {"CANCELLED", RowState::Cancelled},       {"TIMEOUT", RowState::Timeout},
    {"OUT_OF_MEMORY", RowState::OutOfMemory}, {"NODE_FAIL", RowState::NodeFail},
    {"PREEMPTED", RowState::CutShort},        {"REQUEUED", RowState::CutShort},
    {"BOOT_FAIL", RowState::CutShort},        {"DEADLINE", RowState::Deadline},
    {"RUNNING", RowState::Running},           {"SUSPENDED", RowState::Running},
    {"COMPLETING", RowState::Running},        {"CONFIGURING", RowState::Running},
    {"STOPPED", RowState::Running},           {"SIGNALING", RowState::Running},
    {"STAGE_OUT", RowState::Running},         {"PENDING", RowState::Pending},
    {"REQUEUE_FED", RowState::Pending},       {"REQUEUE_HOLD", RowState::Pending},
    {"RESV_DEL_HOLD", RowState::Pending},     {"SPECIAL_EXIT", RowState::Pending},
    {"RESIZING", RowState::Resizing},         {"REVOKED", RowState::Revoked},
    {"LAUNCH_FAILED", RowState::CutShort},    {"RECONFIG_FAIL", RowState::CutShort},
    {"POWER_UP_NODE", RowState::Running},     {"UPDATE_DB", RowState::Running},
    {"EXPEDITING", RowState::Pending},
};

constexpr Seconds kSlack{1};  // sacct's own rounding (formats.md §17 rule 11)

}  // namespace

bool parse_job_id(std::string_view text, TraceRecord& record) {
  const std::size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
  const auto id = number<std::uint32_t>(text.substr(0, end));
  if (!id || *id == 0) return false;
  record.job_id = *id;
  if (end == text.size()) return true;
  const std::string_view rest = text.substr(end + 1);
  if (text[end] == '+') {
    record.het_offset = number<std::uint32_t>(rest);
    return record.het_offset.has_value();
  }
  if (text[end] != '_') return false;
  if (!rest.empty() && rest.front() == '[') {
    const std::size_t close = rest.find(']');
    record.rest = rest.substr(1, close == std::string_view::npos ? close : close - 1);
    return true;
  }
  record.task = number<std::uint32_t>(rest);
  return record.task.has_value();
}

std::optional<RowState> parse_row_state(std::string_view text) {
  std::string_view word = text.substr(0, text.find(' '));
  if (!word.empty() && word.back() == '+') word.remove_suffix(1);
  for (const StateName& known : kStates) {
    if (known.name == word) return known.state;
  }
  return std::nullopt;
}

RecordReader::RecordReader(const SacctOptions& options, NamePool& names, RequestTable& requests,
                           ImportReport& report, RowFindings& found)
    : options_(options),
      names_(names),
      requests_(requests),
      report_(report),
      found_(found),
      clock_(options.time_zone),
      cluster_(options.cluster) {}

bool RecordReader::bad(const SacctRow& row, Column column, std::string_view what,
                       std::string hint) {
  found_.unusable(row.line, column_in(row.text, row[column]),
                  fmt::format("{} {}", shown(row[column]), what), std::move(hint));
  report_.explain(Explained::Unusable, row.line);
  return false;
}

std::optional<std::uint64_t> RecordReader::max_rss_mib(const SacctRow& row) {
  const std::string_view text = row[Column::MaxRss];
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc{} || !(value > 0 && value < 1e15)) return std::nullopt;
  const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  constexpr std::string_view kUnits = "KMGTP";
  const std::size_t at = unit.empty() ? std::string_view::npos : kUnits.find(unit.front());
  double mib = value / (1024 * 1024);  // bytes
  for (std::size_t i = 0; at != std::string_view::npos && i <= at; ++i) mib *= 1024;
  return static_cast<std::uint64_t>(std::ceil(mib));
}

bool RecordReader::read(const SacctRow& row, TraceRecord& record) {
  if (row.is_step) {
    report_.explain(Explained::Step, row.line);
    return false;
  }
  record.line = row.line;
  if (!is_of_our_cluster(row) || !read_identity(row, record)) return false;
  if (!read_run(row, record)) {
    report_.unread.push_back(record.job_id);
    return false;
  }
  read_names(row, record);
  read_submit_line(row, record);
  read_request(row, record);
  record.max_rss_mib = max_rss_mib(row);
  return true;
}

bool RecordReader::read_run(const SacctRow& row, TraceRecord& record) {
  if (!read_state(row, record)) return false;
  if (record.state == RowState::Revoked) {
    report_.explain(Explained::Revoked, row.line);
    return false;
  }
  return read_times(row, record) && read_elapsed(row, record) && read_limit(row, record) &&
         read_exit_code(row, record);
}

bool RecordReader::is_of_our_cluster(const SacctRow& row) {
  const std::string_view cluster = row[Column::Cluster];
  if (cluster.empty() || cluster == cluster_) return true;
  if (cluster_.empty()) {
    cluster_ = cluster;
    return true;
  }
  if (options_.cluster.empty()) {
    return bad(row, Column::Cluster, fmt::format("is a second cluster, beside '{}'", cluster_),
               "job ids are of one cluster: name the one to read");
  }
  if (report_[Explained::OtherCluster].count == 0) {
    report_.notes.push_back(
        fmt::format("jobs are read of cluster {}, those of {} are not (ClusterName in slurm.conf)",
                    shown(cluster_), shown(cluster)));
  }
  report_.explain(Explained::OtherCluster, row.line);
  return false;
}

void RecordReader::tell_zone() {
  if (!options_.zone_is_assumed || !clock_.was_asked()) return;
  report_.notes.push_back(fmt::format(
      "times without a zone are taken for {}: time_zone in site.yaml", options_.time_zone));
}

bool RecordReader::read_identity(const SacctRow& row, TraceRecord& record) {
  const std::string_view raw = row[Column::JobIdRaw];
  if (!raw.empty()) {
    const auto id = number<std::uint32_t>(raw);
    if (!id || *id == 0) return bad(row, Column::JobIdRaw, "is not a job id");
    record.raw_id = *id;
  }
  if (!row.has(Column::JobId)) {
    if (record.raw_id == 0) return bad(row, Column::JobIdRaw, "is not a job id");
    record.job_id = record.raw_id;
    return true;
  }
  if (!parse_job_id(row[Column::JobId], record)) {
    return bad(row, Column::JobId, "is not a job id", "expected 123, 123_4, 123_[5-9] or 123+1");
  }
  if (record.rest.data() != nullptr) record.rest = rests_.emplace_back(record.rest);
  return true;
}

bool RecordReader::read_state(const SacctRow& row, TraceRecord& record) {
  const auto state = parse_row_state(row[Column::State]);
  if (!state && row.has(Column::State)) {
    return bad(row, Column::State, "is not a state of a job",
               "expected COMPLETED, FAILED, CANCELLED by 1000, RUNNING …");
  }
  record.state = state.value_or(RowState::Completed);
  return true;
}

bool RecordReader::read_times(const SacctRow& row, TraceRecord& record) {
  constexpr Column kTimes[] = {Column::Submit, Column::Eligible, Column::Start, Column::End};
  std::optional<SlurmTime> read[4];
  std::optional<SlurmTime> later[4];
  std::optional<SlurmTime> before;
  ParsedTime parsed;
  for (std::size_t i = 0; i < 4; ++i) {
    // Many a job was eligible, or started, when it was submitted: the same text.
    const bool again = i > 0 && row[kTimes[i]] == row[kTimes[i - 1]];
    if (!again) parsed = parse_sacct_time(row[kTimes[i]], clock_);
    if (parsed.word == TimeWord::Bad) {
      return bad(row, kTimes[i], "is not a time",
                 "expected 2025-05-02T14:09:39, or unset SLURM_TIME_FORMAT for sacct");
    }
    if (parsed.word == TimeWord::None) continue;
    read[i] = parsed.utc.time;
    later[i] = parsed.utc.later;
    if (parsed.utc.skipped) report_.assume(Assumed::ClockSkipped, row.line);
    if (later[i]) {
      report_.assume(Assumed::ClockAmbiguous, row.line);
      const bool is_late = i == 0 ? came_after_the_change(row, record, *read[0], *later[0])
                                  : before && *read[i] < *before;  // not before what came before it
      if (is_late) read[i] = *later[i];
    }
    before = read[i];
  }
  if (!read[0]) return bad(row, Column::Submit, "is not a time of submission");
  record.submit = *read[0];
  if (record.job_id > newest_.job) newest_ = {record.job_id, record.submit};
  record.eligible = read[1];
  record.not_yet_eligible = !read[1] && !row[Column::Eligible].empty();
  record.start = read[2];
  record.end = read[3];
  record.started = has_started(row, record);
  if (record.started && record.end) settle_hour(row, later[2], later[3], record);
  return true;
}

/// Ids are given in the order of submissions (that of an array when it comes): a job that would
/// have come before one with a lower id came in the second of the two hours. A task of an array has
/// an id of its own, later, which is all that JobIDRaw alone tells: it may not start before it
/// came.
bool RecordReader::came_after_the_change(const SacctRow& row, const TraceRecord& record,
                                         SlurmTime early, SlurmTime later) {
  if (record.job_id < newest_.job || early >= newest_.submit || later < newest_.submit) {
    return false;
  }
  if (row.has(Column::JobId)) return true;
  const ParsedTime start = parse_sacct_time(row[Column::Start], clock_);
  return start.word != TimeWord::Told || start.utc.later.value_or(start.utc.time) >= later;
}

/// Of an hour that occurs twice Elapsed tells which it was: what the times leave is that and the
/// suspension.
void RecordReader::settle_hour(const SacctRow& row, std::optional<SlurmTime> later_start,
                               std::optional<SlurmTime> later_end, TraceRecord& record) {
  const auto elapsed = told_elapsed(row);
  if (!elapsed || (!later_start && !later_end)) return;
  const Seconds wall = *elapsed + parse_elapsed(row[Column::Suspended]).value_or(Seconds{0});
  const SlurmTime start = *record.start, end = *record.end;
  for (const SlurmTime from : {start, later_start.value_or(start)}) {
    for (const SlurmTime until : {end, later_end.value_or(end)}) {
      if (std::chrono::abs(until - from - wall) > kSlack) continue;
      record.start = from;
      record.end = until;
      return;
    }
  }
  if (later_end && end - start < wall) record.end = later_end;
}

/// None: not told, or not as a span.
std::optional<Seconds> RecordReader::told_elapsed(const SacctRow& row) {
  if (const auto raw = number<std::int64_t>(row[Column::ElapsedRaw])) return Seconds{*raw};
  return parse_elapsed(row[Column::Elapsed]);
}

/// formats.md §17 rule 2: a job cancelled while pending has Start = End, no AllocTRES, `None
/// assigned`.
bool RecordReader::has_started(const SacctRow& row, const TraceRecord& record) const {
  if (!record.start || record.state == RowState::Pending) return false;
  if (row[Column::NodeList] == "None assigned") return false;
  const bool no_nodes = row[Column::NodeList].empty() && row[Column::AllocTres].empty();
  const bool told = row.has(Column::AllocTres) || row.has(Column::NodeList);
  const bool no_time = record.end && *record.end == *record.start;
  if (told && no_nodes && no_time) return false;
  return told || !no_time || record.state == RowState::Completed;
}

bool RecordReader::read_elapsed(const SacctRow& row, TraceRecord& record) {
  std::optional<Seconds> elapsed = told_elapsed(row);
  const std::string_view raw = row[Column::ElapsedRaw];
  if (!raw.empty() && !number<std::int64_t>(raw)) {
    return bad(row, Column::ElapsedRaw, "is not a number of seconds", "expected 1800");
  }
  if (!row[Column::Suspended].empty() && !parse_elapsed(row[Column::Suspended])) {
    return bad(row, Column::Suspended, "is not a span", "expected [D-]HH:MM:SS");
  }
  if (!elapsed && !row[Column::Elapsed].empty()) {
    return bad(row, Column::Elapsed, "is not a span", "expected [D-]HH:MM:SS");
  }
  constexpr Seconds kMost{std::int64_t{1} << 36U};  // some two thousand years
  if (elapsed && *elapsed > kMost) {
    return bad(row, raw.empty() ? Column::Elapsed : Column::ElapsedRaw, "is not a span of a job");
  }
  const Seconds suspended = parse_elapsed(row[Column::Suspended]).value_or(Seconds{0});
  if (elapsed && *elapsed < Seconds{0}) elapsed.reset();  // the clock was set back
  if (!elapsed && record.started && record.end) {
    elapsed = *record.end - *record.start - suspended;
    report_.assume(Assumed::ElapsedFromTimes, row.line);
  }
  record.elapsed = std::max(elapsed.value_or(Seconds{0}), Seconds{0});
  check_times(record, suspended);
  record.suspended = std::max(suspended, Seconds{0});
  return true;
}

void RecordReader::check_times(const TraceRecord& record, Seconds suspended) {
  if (!record.started) return;
  if (*record.start < record.submit) {
    report_.assume(Assumed::RequeueWithoutDuplicates, record.line);
  }
  if (!record.end) return;
  if (*record.end < *record.start) {
    report_.assume(Assumed::EndBeforeStart, record.line);
    return;
  }
  const Seconds difference = *record.end - *record.start - record.elapsed - suspended;
  if (difference > kSlack || difference < -kSlack) {
    report_.assume(Assumed::ElapsedDiffers, record.line);
  }
}

bool RecordReader::read_limit(const SacctRow& row, TraceRecord& record) {
  const bool raw = !row[Column::TimeLimitRaw].empty();
  const Column column = raw ? Column::TimeLimitRaw : Column::TimeLimit;
  const std::string_view text = row[column];
  if (text.empty() || text == "Partition_Limit" || text == "Unknown" || text == "INVALID")
    return true;
  if (text == "UNLIMITED") {
    record.time_limit = kUnlimited;
    return true;
  }
  if (raw) {
    const auto minutes = number<std::int64_t>(text);
    if (!minutes || *minutes < 0 || *minutes >= kUnlimited.count()) {
      return bad(row, column, "is not a number of minutes");
    }
    record.time_limit = Minutes{*minutes};
    return true;
  }
  const auto span = parse_elapsed(text);
  if (!span) {
    return bad(row, column, "is not a time limit", "expected [D-]HH:MM:SS or UNLIMITED");
  }
  record.time_limit = std::chrono::ceil<Minutes>(*span);
  return true;
}

bool RecordReader::read_exit_code(const SacctRow& row, TraceRecord& record) {
  const std::string_view text = row[Column::ExitCode];
  if (text.empty()) {
    record.exit_code = record.state == RowState::Failed ? 1 : 0;
    return true;
  }
  const auto code = number<std::int32_t>(text.substr(0, text.find(':')));
  if (!code) return bad(row, Column::ExitCode, "is not an exit code", "expected code:signal");
  record.exit_code = *code;
  const std::size_t colon = text.find(':');
  const bool by_signal = colon != std::string_view::npos && text.substr(colon) != ":0";
  if (*code == 0 && by_signal && record.state == RowState::Failed) {
    const auto signal = number<std::int32_t>(text.substr(colon + 1));
    record.exit_code = signal && *signal > 0 ? -*signal : 1;  // not a success
  }
  return true;
}

}  // namespace rehearse
