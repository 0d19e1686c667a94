// sim/output/sacct_writer.cpp — the forms of formats.md §10, so that every reader of sacct reads
// it.
#include "sim/output/sacct_writer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "sim/config/slurm_version.hpp"
#include "sim/config/time_zone.hpp"
#include "sim/config/units.hpp"
#include "sim/output/text_file.hpp"

namespace rehearse {
namespace {

constexpr SacctColumns kColumns{
    "JobIDRaw",  "JobID",    "JobName",  "User",        "Account", "Partition", "QOS",
    "Submit",    "Eligible", "Start",    "End",         "Elapsed", "Suspended", "Timelimit",
    "State",     "ExitCode", "NNodes",   "NCPUS",       "ReqCPUS", "ReqMem",    "ReqTRES",
    "AllocTRES", "NodeList", "Priority", "Constraints", "Reason",  "Flags"};

/// One row with its texts.
class Row {
 public:
  Row(const Result& result, std::size_t row, const TimeZone& zone)
      : result_(result), r_(result.runs), row_(row), zone_(zone) {}

  /// Beside kColumns.
  [[nodiscard]] SacctCells cells() const {
    const bool has_run = ran();
    return {number(r_.job_id[row_]),
            job_id_text(result_, row_),
            text_of(result_.names.job_name, r_.job_name[row_]),
            text_of(result_.names.user, r_.user[row_]),
            text_of(result_.names.account, r_.account[row_]),
            partition(),
            qos(),
            time(r_.submit[row_], "Unknown"),
            time(r_.eligible[row_], "Unknown"),
            start(),
            time(r_.end[row_], "Unknown"),
            elapsed(),
            format_elapsed(Seconds{r_.suspended_s[row_]}),
            limit(),
            std::string(run_state_text(r_.state[row_])),
            exit_code(),
            number(has_run ? r_.nodes[row_] : r_.requested_nodes[row_]),
            number(has_run ? r_.cpus[row_] : r_.requested_cpus[row_]),
            number(r_.requested_cpus[row_]),
            memory(),
            text_of(result_.names.tres_set, r_.requested_tres[row_]),
            text_of(result_.names.tres_set, r_.held_tres[row_]),
            has_run ? text_of(result_.names.node_list, r_.node_list[row_]) : "None assigned",
            number(r_.priority_recorded[row_]),
            text_of(result_.names.constraints, r_.constraints[row_]),
            std::string(to_text(static_cast<Reason>(r_.reason[row_]))),
            flags()};
  }

 private:
  static std::string number(std::uint64_t value) { return std::to_string(value); }
  [[nodiscard]] bool ran() const { return r_.start[row_] != kNoTime; }
  [[nodiscard]] bool is_over() const { return r_.end[row_] != kNoTime; }

  [[nodiscard]] std::string time(std::int64_t at, const char* none) const {
    return at == kNoTime ? none : zone_.print(from_epoch_seconds(at));
  }
  [[nodiscard]] std::string start() const {
    // Refused: the submission; cancelled before it ran: None; still pending: Unknown (recordings,
    // formats.md §10.2).
    const bool refused = !ran() && static_cast<JobState>(r_.state[row_]) == JobState::Failed;
    if (refused) return time(r_.submit[row_], "Unknown");
    return time(r_.start[row_], is_over() ? "None" : "Unknown");
  }
  [[nodiscard]] std::string partition() const {
    if (!ran()) return text_of(result_.names.partition_list, r_.requested_partitions[row_]);
    return result_.cluster.partitions[r_.partition[row_]].name;
  }
  [[nodiscard]] std::string qos() const {
    const std::uint16_t at = r_.qos[row_];
    return at < result_.cluster.qos.size() ? result_.cluster.qos[at].name : std::string();
  }
  [[nodiscard]] std::string elapsed() const {
    if (!ran()) return format_elapsed(Seconds{0});
    const std::int64_t until = is_over() ? r_.end[row_] : result_.end;
    return format_elapsed(Seconds{until - r_.start[row_] - std::int64_t{r_.suspended_s[row_]}});
  }
  [[nodiscard]] std::string limit() const {
    const std::uint32_t minutes = r_.limit_min[row_];
    if (minutes == kLimitUnlimited) return "UNLIMITED";
    if (minutes == kLimitNone) return "Partition_Limit";
    return format_elapsed(Minutes{minutes});
  }
  [[nodiscard]] std::string exit_code() const {
    const std::int32_t code = r_.exit_code[row_];
    return code < 0 ? fmt::format("0:{}", -code) : fmt::format("{}:0", code);
  }
  [[nodiscard]] std::string memory() const {
    if (r_.requested_memory_mib[row_] > 0) return format_memory_mib(r_.requested_memory_mib[row_]);
    const auto version = parse_slurm_version(result_.cluster.slurm_version);
    return version && !has(*version, Change::NoMemoryIsZero) ? "16?" : "0";
  }
  [[nodiscard]] std::string flags() const {
    const auto version = parse_slurm_version(result_.cluster.slurm_version);
    const bool corrected = version && has(*version, Change::StartReceivedSpelledRight);
    const char* const received = corrected ? "StartReceived" : "StartRecieved";
    switch (static_cast<StartedBy>(r_.started_by[row_])) {
      case StartedBy::Submit:
        return fmt::format("SchedSubmit,{}", received);
      case StartedBy::Main:
        return fmt::format("SchedMain,{}", received);
      case StartedBy::Backfill:
        return fmt::format("SchedBackfill,{}", received);
      case StartedBy::Nobody:
        break;
    }
    return received;
  }

  const Result& result_;
  const RunColumns& r_;
  std::size_t row_;
  const TimeZone& zone_;
};

}  // namespace

std::string job_id_text(const Result& result, std::size_t row) {
  const RunColumns& r = result.runs;
  if (r.het_job[row] != 0) return fmt::format("{}+{}", r.het_job[row], r.het_offset[row]);
  if (r.array_job[row] == 0) return fmt::format("{}", r.job_id[row]);
  if (r.array_task[row] >= 0) return fmt::format("{}_{}", r.array_job[row], r.array_task[row]);
  return fmt::format("{}_[{}]", r.array_job[row], text_of(result.names.text, r.array_text[row]));
}

const SacctColumns& sacct_columns() {
  return kColumns;
}

std::string sacct_header() {
  return fmt::format("{}", fmt::join(kColumns, "|"));
}

SacctCells sacct_cells(const Result& result, std::size_t row, const TimeZone& zone) {
  return Row(result, row, zone).cells();
}

std::string sacct_row(const Result& result, std::size_t row, const TimeZone& zone) {
  return fmt::format("{}", fmt::join(sacct_cells(result, row, zone), "|"));
}

std::vector<std::uint32_t> sacct_order(const Result& result) {
  const RunColumns& r = result.runs;
  std::vector<std::uint32_t> order(r.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return r.job_id[a] != r.job_id[b] ? r.job_id[a] < r.job_id[b] : r.submit[a] < r.submit[b];
  });
  return order;
}

void write_sacct(const std::filesystem::path& path, const Result& result) {
  const TimeZone zone = TimeZone::find(result.cluster.time_zone).value_or(TimeZone::utc());
  TextFile out(path);
  out.write(sacct_header() + "\n");
  for (const std::uint32_t row : sacct_order(result)) {
    out.write(sacct_row(result, row, zone) + "\n");
  }
  out.commit();
}

}  // namespace rehearse
